"""A challenge has its seed from the start, so that its commitment stands before the second player's word is known."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("challenge", sa.Column("switches", sa.JSON(), nullable=False, server_default="{}"))
    op.add_column("challenge", sa.Column("seed", sa.LargeBinary(), nullable=False, server_default=""))


def downgrade() -> None:
    for column in ("seed", "switches"):
        op.drop_column("challenge", column)
