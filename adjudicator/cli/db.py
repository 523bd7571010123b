"""`db upgrade` and `db check`."""

from typing import Annotated

import typer

from adjudicator.cli.root import counted, fail, say, warn

db = typer.Typer(name="db", help="The database.", no_args_is_help=True)


@db.command("upgrade")
def upgrade_tables(
    *, no_gate: Annotated[bool, typer.Option("--no-gate", help="Do not play the stored games again.")] = False
) -> None:
    """Bring the tables to what this version wants, if every stored game played again comes out the same."""
    from adjudicator.service.gate import pass_gate  # noqa: PLC0415 - slow to load
    from adjudicator.service.running import opened  # noqa: PLC0415
    from adjudicator.settings import load_settings  # noqa: PLC0415
    from adjudicator.store.ledger import Transaction  # noqa: PLC0415

    gate = None if no_gate else (lambda connection: pass_gate(Transaction(connection)))
    with opened(load_settings(), warn, upgrading=True, gate=gate) as service:
        if not no_gate:
            with service.ledger.read() as tx:
                say(f"{counted(pass_gate(tx), 'stored game')} played again, and nothing is otherwise")
        say("the tables are up to date")


@db.command("check")
def check_tables() -> None:
    """Tell how tables and audit log differ from what they should be; exit code 1 if they do."""
    from adjudicator.service.running import differences  # noqa: PLC0415 - slow to load
    from adjudicator.settings import load_settings  # noqa: PLC0415

    found = differences(load_settings())
    for line in found:
        say(line)
    if found:
        fail("the database is not as it should be")
    say("the tables are as they should be, and the audit log is unbroken")
