"""What waits for a confirmation, and which address of a player mails go to."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("address", sa.Column("preferred_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "asking",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("deeds", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name=op.f("fk_asking_player_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_asking")),
        sa.UniqueConstraint("key", name=op.f("uq_asking_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_asking_message_id")),
    )
    op.create_index("ix_asking_address", "asking", ["address"])
    op.create_index("ix_asking_created_at", "asking", ["created_at"])


def downgrade() -> None:
    op.drop_table("asking")
    op.drop_column("address", "preferred_at")
