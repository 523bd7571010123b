"""Answer budgets of addresses, and since when an address that bounced works again."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_JOINED = sa.text("kind = 'joined' AND sent_at IS NULL AND failed_at IS NULL")


def upgrade() -> None:
    op.add_column("address", sa.Column("cleared_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("post", sa.Column("counted", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_post_joined", "post", ["game_id", "side"], sqlite_where=_JOINED, postgresql_where=_JOINED)
    op.create_index("ix_post_to_address_created_at", "post", ["to_address", "created_at"])


def downgrade() -> None:
    op.drop_index("ix_post_to_address_created_at", "post")
    op.drop_index("ix_post_joined", "post")
    op.drop_column("post", "counted")
    op.drop_column("address", "cleared_at")
