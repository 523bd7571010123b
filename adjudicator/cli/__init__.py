"""The command line: one file a group of commands.

Promise: a wrong command is told with exit code 2; whatever else goes wrong is one clear line on stderr, exit code 1.
What takes long to load (the database, mail) is loaded by the commands that need it.
"""

import typer

from adjudicator.cli.bench import bench
from adjudicator.cli.config import config
from adjudicator.cli.db import db
from adjudicator.cli.demo import demo
from adjudicator.cli.game import game
from adjudicator.cli.mail import mail
from adjudicator.cli.moderating import moderating
from adjudicator.cli.player import player
from adjudicator.cli.position import position
from adjudicator.cli.record import record
from adjudicator.cli.root import Root, root
from adjudicator.cli.serve import serve
from adjudicator.cli.tick import tick

__all__ = ["app"]

app = typer.Typer(
    cls=Root,
    help="Adjudicates A Few Acres of Snow by mail.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.callback()(root)
app.command()(serve)
app.command()(demo)
app.command()(tick)
app.command()(config)
game.registered_commands += moderating.registered_commands
for group in (game, player, position, record, mail, db, bench):
    app.add_typer(group)
