"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_UNSENT = sa.text("sent_at IS NULL AND failed_at IS NULL")


def upgrade() -> None:
    _create_player()
    _create_address()
    _create_game()
    _create_seat()
    _create_letter()
    _create_move()
    _create_post()
    _create_quarantine()
    _create_audit()
    _create_stranger()


def downgrade() -> None:
    for table in reversed(
        ("player", "address", "game", "seat", "letter", "move", "post", "quarantine", "audit", "stranger")
    ):
        op.drop_table(table)


def _create_player() -> None:
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_player")),
    )


def _create_address() -> None:
    op.create_table(
        "address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("verified_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bounced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("bounce_reason", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_address_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address")),
        sa.UniqueConstraint("address", name=op.f("uq_address_address")),
    )
    op.create_index("ix_address_player_id", "address", ["player_id"])


def _create_game() -> None:
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("edition", sa.Integer(), nullable=False),
        sa.Column("variants", sa.JSON(), nullable=False),
        sa.Column("switches", sa.JSON(), nullable=False),
        sa.Column("clock", sa.String(), nullable=False),
        sa.Column("lang", sa.String(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(), nullable=False),
        sa.Column("words", sa.JSON(), nullable=False),
        sa.Column("start", sa.LargeBinary(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("waiting_for", sa.String(), nullable=True),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("status IN ('open', 'running', 'paused', 'finished')", name=op.f("ck_game_status")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game")),
        sa.UniqueConstraint("name", name=op.f("uq_game_name")),
    )
    op.create_index("ix_game_deadline_at", "game", ["deadline_at"])


def _create_seat() -> None:
    op.create_table(
        "seat",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("house", sa.String(), nullable=True),
        sa.Column("token_key", sa.LargeBinary(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("standing", sa.String(), nullable=False),
        sa.Column("thread_id", sa.String(), nullable=True),
        sa.Column("last_id", sa.String(), nullable=True),
        sa.Column("notes", sa.String(), nullable=False),
        sa.CheckConstraint("side IN ('british', 'french')", name=op.f("ck_seat_side")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_seat_game_id")),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_seat_player_id")),
        sa.PrimaryKeyConstraint("game_id", "side", name=op.f("pk_seat")),
    )
    op.create_index("ix_seat_player_id", "seat", ["player_id"])


def _create_letter() -> None:
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("side", sa.String(), nullable=True),
        sa.Column("rcpt", sa.String(), nullable=False),
        sa.Column("mail_from", sa.String(), nullable=False),
        sa.Column("from_address", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("answer_id", sa.String(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.CheckConstraint("side IN ('british', 'french')", name=op.f("ck_letter_side")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_letter_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
        sa.UniqueConstraint("key", name=op.f("uq_letter_key")),
    )
    op.create_index("ix_letter_game_id", "letter", ["game_id"])


def _create_move() -> None:
    op.create_table(
        "move",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("action", sa.LargeBinary(), nullable=False),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "cause IN ('mail', 'standing', 'default', 'house', 'moderator')", name=op.f("ck_move_cause")
        ),
        sa.CheckConstraint("side IN ('british', 'french')", name=op.f("ck_move_side")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_move_game_id")),
        sa.ForeignKeyConstraint(["letter_id"], ["letter.id"], name=op.f("fk_move_letter_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_move")),
        sa.UniqueConstraint("game_id", "n", name=op.f("uq_move_game_id_n")),
    )


def _create_post() -> None:
    op.create_table(
        "post",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("side", sa.String(), nullable=True),
        sa.Column("to_address", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("cause", sa.String(), nullable=False),
        sa.Column("reply_to", sa.String(), nullable=False),
        sa.Column("in_reply_to", sa.String(), nullable=True),
        sa.Column("references", sa.String(), nullable=False),
        sa.Column("bounce_key", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("leased_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("report", sa.LargeBinary(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=True),
        sa.CheckConstraint("side IN ('british', 'french')", name=op.f("ck_post_side")),
        sa.CheckConstraint("report IS NOT NULL OR raw IS NOT NULL", name=op.f("ck_post_content")),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_post_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_post")),
        sa.UniqueConstraint("bounce_key", name=op.f("uq_post_bounce_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_post_message_id")),
    )
    op.create_index("ix_post_game_id", "post", ["game_id"])
    op.create_index("ix_post_unsent", "post", ["due_at"], sqlite_where=_UNSENT, postgresql_where=_UNSENT)


def _create_quarantine() -> None:
    op.create_table(
        "quarantine",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rcpt", sa.String(), nullable=False),
        sa.Column("mail_from", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retried_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("resolved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quarantine")),
    )


def _create_audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("command", sa.String(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("prev_hash", sa.String(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name=op.f("fk_audit_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
        sa.UniqueConstraint("prev_hash", name=op.f("uq_audit_prev_hash")),
    )
    op.create_index("ix_audit_game_id", "audit", ["game_id"])


def _create_stranger() -> None:
    op.create_table(
        "stranger",
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("told_on", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_stranger")),
    )
    op.create_index("ix_stranger_told_on", "stranger", ["told_on"])
