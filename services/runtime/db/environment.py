"""What the `env.py` of a room's migrations does."""

from alembic import context
from sqlalchemy import text

from services.runtime.db.migrate import connection_of


def run_migrations(schema: str) -> None:
    """Runs what `migrate` asked for, in one transaction.

    Args:
        schema: of the room; made if it is not there. It holds the room's version table, and is where names without a
            schema are looked up and made.
    """
    connection = connection_of(context.config)
    context.configure(connection=connection, version_table_schema=schema)
    with connection.begin():
        connection.execute(text(f'CREATE SCHEMA IF NOT EXISTS "{schema}"'))
        connection.execute(text(f'SET LOCAL search_path TO "{schema}"'))
        with context.begin_transaction():
            context.run_migrations()
