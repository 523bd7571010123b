"""Alembic's entry: runs migrations in the transaction of the connection that the service hands over."""

from alembic import context

from adjudicator.store.tables import Table

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("use `adjudicator db upgrade`: the service opens its database itself")

context.configure(
    connection=connection,
    target_metadata=Table.metadata,
    render_as_batch=True,  # SQLite changes a table by copying it
    compare_type=True,
    transactional_ddl=True,  # SQLite's BEGIN is taken over, so a migration is whole or nothing there too
)
with context.begin_transaction():
    context.run_migrations()
