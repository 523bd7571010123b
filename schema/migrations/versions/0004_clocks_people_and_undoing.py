"""Clocks, leave and outages; orders ahead; open challenges, observers, offers; what was undone."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_CAUSES = ("mail", "standing", "default", "house", "moderator")
_MORE_CAUSES = (*_CAUSES, "clock", "ahead")


def upgrade() -> None:
    _change_player()
    _change_game()
    _change_seat()
    _allow_causes(_MORE_CAUSES)
    _create_leave()
    _create_beat()
    _create_challenge()
    _create_observer()
    _create_undone()


def downgrade() -> None:
    for table in ("undone", "observer", "challenge", "beat", "leave"):
        op.drop_table(table)
    op.execute(sa.text("UPDATE move SET cause = 'default' WHERE cause IN ('clock', 'ahead')"))
    _allow_causes(_CAUSES)
    for column in ("ahead", "confirms", "pending"):
        op.drop_column("seat", column)
    op.drop_index("ix_game_due_at", "game")
    for column in ("clocks", "due_at", "anonymous", "public", "offer"):
        op.drop_column("game", column)
    op.create_index("ix_game_deadline_at", "game", ["deadline_at"])
    for column in ("zone", "graced_at", "banned_at", "erased_at"):
        op.drop_column("player", column)


def _change_player() -> None:
    op.add_column("player", sa.Column("zone", sa.String(), nullable=False, server_default="UTC"))
    for name in ("graced_at", "banned_at", "erased_at"):
        op.add_column("player", sa.Column(name, sa.DateTime(timezone=True), nullable=True))


def _change_game() -> None:
    op.add_column("game", sa.Column("clocks", sa.LargeBinary(), nullable=True))
    op.add_column("game", sa.Column("due_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("game", sa.Column("anonymous", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("game", sa.Column("public", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("game", sa.Column("offer", sa.LargeBinary(), nullable=True))
    op.create_index("ix_game_due_at", "game", ["due_at"])
    op.drop_index("ix_game_deadline_at", "game")


def _change_seat() -> None:
    op.add_column("seat", sa.Column("ahead", sa.String(), nullable=False, server_default=""))
    op.add_column("seat", sa.Column("confirms", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seat", sa.Column("pending", sa.String(), nullable=False, server_default=""))


def _allow_causes(causes: tuple[str, ...]) -> None:
    allowed = ", ".join(f"'{cause}'" for cause in causes)
    with op.batch_alter_table("move") as move:
        move.drop_constraint(op.f("ck_move_cause"), type_="check")
        move.create_check_constraint(op.f("ck_move_cause"), sa.text(f"cause IN ({allowed})"))


def _create_leave() -> None:
    op.create_table(
        "leave",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("starts_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("declared_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_leave_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_leave")),
    )
    op.create_index("ix_leave_player_id", "leave", ["player_id"])


def _create_beat() -> None:
    op.create_table(
        "beat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_beat")),
    )


def _create_challenge() -> None:
    op.create_table(
        "challenge",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("side", sa.String(), nullable=True),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("variants", sa.JSON(), nullable=False),
        sa.Column("clock", sa.String(), nullable=False),
        sa.Column("anonymous", sa.Boolean(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("rated_from", sa.Integer(), nullable=True),
        sa.Column("rated_to", sa.Integer(), nullable=True),
        sa.Column("word", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("closed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("side IN ('british', 'french')", name=op.f("ck_challenge_side")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_challenge_player_id")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_challenge_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenge")),
    )
    op.create_index("ix_challenge_player_id", "challenge", ["player_id"])


def _create_observer() -> None:
    op.create_table(
        "observer",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("since_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_observer_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_observer_player_id")),
        sa.PrimaryKeyConstraint("game_id", "player_id", name=op.f("pk_observer")),
    )


def _create_undone() -> None:
    op.create_table(
        "undone",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("keep", sa.Integer(), nullable=False),
        sa.Column("redeals", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_undone_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_undone")),
    )
    op.create_index("ix_undone_game_id", "undone", ["game_id"])
