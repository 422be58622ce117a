"""Waiting for a database that is away: it loses no message, costs no attempt, and ends in an honest answer."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

import psycopg

Result = TypeVar("Result")

# An outage, a time-out, a deadlock: nothing that is wrong with the message.
TRANSIENT = (
    psycopg.OperationalError,
    psycopg.errors.IdleInTransactionSessionTimeout,
    psycopg.errors.TransactionTimeout,
)
_FIRST, _LONGEST = 0.05, 1.0  # seconds


def pause(attempt: int) -> float:
    """Seconds to wait behind the failed attempt number 0, 1, 2 …; spread, so that not all come back at once."""
    return min(_FIRST * 2**attempt, _LONGEST) * random.uniform(0.5, 1.0)


async def patiently(work: Callable[[], Awaitable[Result]], deadline: float) -> Result:
    """Do the work; again and again while the database is away, until `deadline` in the loop's time.

    Raises the last of the TRANSIENT errors then, and every other error at once.
    """
    clock = asyncio.get_running_loop().time
    attempt = 0
    while True:
        try:
            return await work()
        except TRANSIENT:
            wait = pause(attempt)
            if clock() + wait > deadline:
                raise
        attempt += 1
        await asyncio.sleep(wait)
