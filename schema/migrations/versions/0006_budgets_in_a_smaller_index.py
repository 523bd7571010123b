"""The index for budgets has only the mails that these ask for: those that count, and those about no game."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_BUDGETED = sa.text("counted = true OR game_id IS NULL")


def upgrade() -> None:
    op.drop_index("ix_post_to_address_created_at", "post")
    op.create_index(
        "ix_post_budget", "post", ["to_address", "created_at"], sqlite_where=_BUDGETED, postgresql_where=_BUDGETED
    )


def downgrade() -> None:
    op.drop_index("ix_post_budget", "post")
    op.create_index("ix_post_to_address_created_at", "post", ["to_address", "created_at"])
