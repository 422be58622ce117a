"""Brings a room's tables to the newest form."""

import asyncio
import threading
from importlib.resources import files
from zlib import crc32

import sqlalchemy
import structlog
from alembic import command
from alembic.config import Config
from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

log: structlog.stdlib.BoundLogger = structlog.get_logger()

CONNECTION = "connection"  # attribute of the configuration, under which the environment finds the connection
_WAIT_BETWEEN = 1.0  # seconds
_one_at_a_time = threading.Lock()  # alembic keeps its environment in globals


async def migrate(url: str, package: str) -> None:
    """Runs the migrations of a package that have not run yet; waits until PostgreSQL answers.

    Replicas that start together take turns. A failed migration raises its error; what it did is rolled back.

    Args:
        url: of the database.
        package: with `env.py` and `versions/`, such as `services.eventlog.migrations`.
    """
    while True:
        try:
            return await asyncio.to_thread(_upgrade, url, package)
        except OperationalError as error:
            if not error.connection_invalidated and "connect" not in str(error):
                raise
            log.warning("waiting for postgresql")
            await asyncio.sleep(_WAIT_BETWEEN)


def _upgrade(url: str, package: str) -> None:
    engine = sqlalchemy.create_engine(_with_driver(url), poolclass=NullPool)
    config = Config()
    config.set_main_option("script_location", str(files(package)).replace("%", "%%"))
    # The lock is on a connection of its own and outside a transaction, so that migrations may use transactions as they
    # like. It ends with the connection.
    with _one_at_a_time, engine.connect() as turn, engine.connect() as connection:
        turn.execution_options(isolation_level="AUTOCOMMIT")
        turn.execute(sqlalchemy.text("SELECT pg_advisory_lock(:key)"), {"key": crc32(package.encode())})
        config.attributes[CONNECTION] = connection
        command.upgrade(config, "head")


def _with_driver(url: str) -> str:
    """The URL with the driver named, which SQLAlchemy wants and libpq does not."""
    _, separator, rest = url.partition("://")
    return f"postgresql+psycopg{separator}{rest}"


def connection_of(config: Config) -> Connection:
    """The connection that `migrate` gave to an environment."""
    return config.attributes[CONNECTION]
