"""`db upgrade` and `db check`."""

import typer

from adjudicator.cli.root import fail, say, warn

db = typer.Typer(name="db", help="The database.", no_args_is_help=True)


@db.command("upgrade")
def upgrade_tables() -> None:
    """Bring the tables to what this version wants; nothing is done if they are."""
    from adjudicator.service.running import opened  # noqa: PLC0415 - slow to load
    from adjudicator.settings import load_settings  # noqa: PLC0415

    with opened(load_settings(), warn, upgrading=True):
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
