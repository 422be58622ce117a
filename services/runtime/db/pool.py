"""Connections to PostgreSQL."""

import select
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import structlog
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool, PoolTimeout

log: structlog.stdlib.BoundLogger = structlog.get_logger()

Row: TypeAlias = tuple[Any, ...]
Pool: TypeAlias = "AsyncConnectionPool[AsyncConnection[Row]]"

# A frozen process must not hold a game's row, so the server ends what stands still. PostgreSQL 17 or newer.
_SESSION = {
    "idle_in_transaction_session_timeout": "300ms",
    "lock_timeout": "2s",
    "statement_timeout": "5s",
    "transaction_timeout": "10s",
}
_CONNECTION = {
    "autocommit": True,
    "prepare_threshold": 1,  # statements are few and come again; prepared from the second time on
    "options": " ".join(f"-c {name}={value}" for name, value in _SESSION.items()),
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "tcp_user_timeout": 5_000,  # milliseconds
}
_WAIT = 5.0  # seconds that a caller waits for a connection
# Doubling waits of the pool would grow to minutes; given up early, the next caller makes it try again.
_RECONNECT_FOR = 2.0  # seconds


@asynccontextmanager
async def open_pool(url: str, *, min_size: int, max_size: int) -> AsyncGenerator[Pool]:
    """A pool of autocommit connections for the block; waits at its start until PostgreSQL answers.

    Its connections have time-outs; a longer transaction sets its own by `SET LOCAL`. They are good for pipeline mode.
    It survives restarts of PostgreSQL: a connection that the server has ended is not handed out. Without a connection
    for 5 seconds it raises psycopg_pool.PoolTimeout.
    """
    pool: Pool = AsyncConnectionPool(
        url,
        kwargs=_CONNECTION,
        min_size=min_size,
        max_size=max_size,
        open=False,
        check=_check,
        timeout=_WAIT,
        reconnect_timeout=_RECONNECT_FOR,
        name="postgresql",
    )
    async with pool:
        await _first_connection(pool)
        yield pool


async def _first_connection(pool: Pool) -> None:
    while True:
        try:
            async with pool.connection(timeout=2):
                return
        except PoolTimeout:
            log.warning("waiting for postgresql")


async def _check(connection: "AsyncConnection[Row]") -> None:
    """Refuses a connection that the server has ended.

    Nothing arrives on an idle connection but its end, or a notice; so only then is a round trip worth it.
    """
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        await AsyncConnectionPool.check_connection(connection)
