"""Feeds the reader mails for long: `python -m tests.letters --seconds 600 --seed 1 [--torture FOLDER …]`.

Prints one line of JSON for each kind: inputs tried, misread, crashed, slow, and where to find them again.
"""

import argparse
import json
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # `letters`, as the tests know it

from letters import cases, torture
from letters.changed import damaged, travelled
from letters.reading import SLOW_SECONDS, Seen, ordered, see

Try = tuple[str, bytes, Callable[[Seen], bool]]
"""What it is, the mail, and whether it was read as it must be."""


def shapes(chosen: random.Random) -> Iterator[Try]:
    """Generated mails that all say the same orders."""
    while True:
        how, raw = cases.order_mail(chosen.choice)
        yield how, raw, cases.says_the_orders


def journeys(chosen: random.Random) -> Iterator[Try]:
    """The corpus after a journey that must not matter."""
    known = [(name, raw, ordered(see(raw).reading)) for name, raw in cases.corpus()]
    while True:
        name, raw, meant = chosen.choice(known)
        yield name, travelled(raw, chosen.choice), lambda seen, meant=meant: ordered(seen.reading) == meant


def damages(chosen: random.Random) -> Iterator[Try]:
    """The corpus and generated mails with bytes lost, changed and spliced."""
    known = list(cases.corpus())
    while True:
        name, raw = chosen.choice(known)
        if chosen.random() < 0.5:
            name, raw = cases.order_mail(chosen.choice)
        raw = damaged(raw, chosen.choice(known)[1], chosen.choice)
        yield name, raw, lambda _seen, raw=raw: _as_report(raw)


def quotes(chosen: random.Random) -> Iterator[Try]:
    """Our own mails quoted back; no order is in them."""
    texts = list(cases.our_mails(chosen))
    while True:
        name, text = chosen.choice(texts)
        how, raw = cases.quoted_back(text, chosen.choice)
        yield f"{name}: {how}", raw, lambda seen: not ordered(seen.reading)


def _as_report(raw: bytes) -> bool:
    """Whether a mail that comes as a delivery report does no harm either: it is automatic, and soon read."""
    seen = see(raw, mail_from="")
    return seen.seconds < SLOW_SECONDS and (seen.letter is None or seen.letter.automatic is not None)


def collected(folder: Path) -> Iterator[Try]:
    """Mails that others collected."""
    for name, raw in torture.collected(folder):
        yield name, raw, lambda seen, raw=raw: cases.orders_nothing(seen) and _as_report(raw)


KINDS = {"shapes": shapes, "journeys": journeys, "damages": damages, "quotes": quotes}


def run(tries: Iterator[Try], seconds: float) -> dict[str, object]:
    """Try mails for so long; returns the figures."""
    told: dict[str, object] = {"tried": 0, "misread": 0, "crashed": 0, "slow": 0, "examples": []}
    count = dict.fromkeys(("tried", "misread", "crashed", "slow"), 0)
    examples: list[str] = []
    end = time.monotonic() + seconds
    for where, raw, is_right in tries:
        count["tried"] += 1
        fault = _fault(raw, is_right)
        if fault:
            count[fault.partition(":")[0]] += 1
            examples.append(f"{count['tried']}: {fault}: {where}")
        if time.monotonic() > end:
            break
    told.update(count, examples=examples[:20])
    return told


def _fault(raw: bytes, is_right: Callable[[Seen], bool]) -> str:
    try:
        seen = see(raw)
        if seen.seconds > SLOW_SECONDS:
            return f"slow: {seen.seconds:.1f} s"
        return "" if is_right(seen) else "misread"
    except Exception:  # noqa: BLE001 - that is what is looked for
        return f"crashed: {traceback.format_exc(limit=-2)}"


def main() -> None:
    """Run the kinds that were asked for, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.letters", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(KINDS), action="append")
    parser.add_argument("--torture", type=Path, action="append", default=[], help="a folder of mails, each read once")
    asked = parser.parse_args()
    for kind in asked.kind or KINDS:
        figures = run(KINDS[kind](random.Random(asked.seed)), asked.seconds)
        _say({"kind": kind, "seed": asked.seed, **figures})
    for folder in (torture.standard_library(), *asked.torture):
        if folder:
            _say({"kind": f"torture {folder.name}", **run(collected(folder), 3600)})


def _say(figures: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(figures, ensure_ascii=False) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
