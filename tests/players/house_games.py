"""Games of house players, played by mails through the same door as everybody's."""

from collections import Counter

from adjudicator.game.chance import seeded
from adjudicator.game.edition import rules_for
from adjudicator.game.engine import decider, new_game
from adjudicator.orders import read
from adjudicator.players import compose_orders
from adjudicator.turns import play


class HouseGame:
    """One game: its last state, its end (None if there is none yet), what was done, and what was written when.

    `mails` are (state, side, seed, text), all of them following from `number`.
    """

    def __init__(self, british, french, number, *, edition=2, variants=(), most=600):
        self.rules = rules_for(edition, variants)
        self.names = {"british": british, "french": french}
        self.number = number
        self.seed = number.to_bytes(32, "big")
        self.chance = seeded(self.seed)
        self.state = new_game(self.rules, self.chance).state
        self.mails = []
        self.kinds = Counter()
        self.over = None
        while self.state.to_move and self.state.turn < most:
            self._mail()

    def _mail(self):
        side = decider(self.state)
        seed = self.seed + len(self.mails).to_bytes(4, "big")
        text = compose_orders(self.names[side], self.rules, self.state, side, seed)
        self.mails.append((self.state, side, seed, text))
        outcome = play(self.rules, self.state, side, read(text, side), self.chance)
        where = f"game {self.number} of {self.names}, turn {self.state.turn}, {side}: {text!r}"
        assert not outcome.refused, f"{where}: {outcome.refused}"
        assert not outcome.not_tried, f"{where}: {outcome.not_tried}"
        assert outcome.moves or outcome.over, f"{where}: nothing was done"
        self.kinds.update(type(move.action) for move in outcome.moves)
        self.state, self.over = outcome.state, outcome.over

    @property
    def winner(self):
        return self.over.winner if self.over else None
