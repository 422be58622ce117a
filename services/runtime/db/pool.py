"""Connections to PostgreSQL."""

import asyncio
import select
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import structlog
from psycopg import AsyncConnection, OperationalError
from psycopg_pool import AsyncConnectionPool

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
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "tcp_user_timeout": 5_000,  # milliseconds
}
_WAIT = 5.0  # seconds that a caller waits for a connection
# The pool waits for seconds, then for minutes, between its attempts to reconnect. So it is to give up at once, and
# `_keep_up` has it try again soon.
_RECONNECT_FOR = 0.2  # seconds
_TRY_EVERY = 0.25  # seconds


@asynccontextmanager
async def open_pool(
    url: str, *, min_size: int, max_size: int, session: Mapping[str, str] | None = None
) -> AsyncGenerator[Pool]:
    """A pool of autocommit connections for the block; waits at its start until PostgreSQL answers.

    Its connections have time-outs; a longer transaction sets its own by `SET LOCAL`. They are good for pipeline mode.
    It survives restarts of PostgreSQL: a connection that the server has ended is not handed out, and new ones are made
    within half a second of its return. Without a connection for 5 seconds it raises psycopg_pool.PoolTimeout.

    Args:
        url: of the database.
        min_size, max_size: how many connections.
        session: further settings of each connection, such as {"plan_cache_mode": "force_generic_plan"}.
    """
    options = " ".join(f"-c {name}={value}" for name, value in {**_SESSION, **(session or {})}.items())

    async def check(connection: "AsyncConnection[Row]") -> None:
        if _has_something_to_read(connection):
            # All at once: after each one that it finds broken by itself, the pool would wait for a second and more.
            await pool.check()
            await AsyncConnectionPool.check_connection(connection)

    pool: Pool = AsyncConnectionPool(
        url,
        kwargs={**_CONNECTION, "options": options},
        min_size=min_size,
        max_size=max_size,
        open=False,
        check=check,
        timeout=_WAIT,
        reconnect_timeout=_RECONNECT_FOR,
        name="postgresql",
    )
    async with pool:
        while not await _answers(pool):
            log.warning("waiting for postgresql")
            await asyncio.sleep(_TRY_EVERY)
        keeper = asyncio.create_task(_keep_up(pool))
        try:
            yield pool
        finally:
            keeper.cancel()


def is_whole(pool: Pool) -> bool:
    """False while the pool has given up on connections that it should have: PostgreSQL is away."""
    stats = pool.get_stats()
    return stats["pool_size"] >= stats["pool_min"]


async def _keep_up(pool: Pool) -> None:
    """Brings the pool back to its size after it gave up."""
    away = False
    while True:
        await asyncio.sleep(_TRY_EVERY)
        answers = is_whole(pool) or await _answers(pool)
        if answers == away:
            away = not answers
            log.warning("postgresql is away" if away else "postgresql is back")


async def _answers(pool: Pool) -> bool:
    try:
        async with pool.connection(timeout=1):
            return True
    except OperationalError:  # the pool's time-out is one
        return False


def _has_something_to_read(connection: "AsyncConnection[Row]") -> bool:
    """Nothing arrives on an idle connection but its end, or a notice; so only then is a round trip worth it."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))
