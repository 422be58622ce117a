"""The log as its readers and writers see it."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from psycopg_pool import AsyncConnectionPool

from scoreline.game.v1.event_pb2 import Event
from services.eventlog.append import Appended, Decide, DigestOf, Incoming, append
from services.eventlog.raw import Answered, Raw, insert_raw, read_payload

Pool = AsyncConnectionPool[Any]


class LogHead(NamedTuple):
    """Newest entry of a game's log."""

    game_id: str
    last_seq: int


class EventLog:
    """The log of all games, in PostgreSQL."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def append(
        self, game_id: str, batch: Sequence[Incoming], decide: Decide, digest_of: DigestOf
    ) -> list[Appended]:
        """Append what a batch of messages adds to one game; see `services.eventlog.append.append`."""
        async with self._pool.connection() as connection:
            return await append(connection, game_id, batch, decide, digest_of)

    async def keep(self, raw: Raw) -> int:
        """Keep a raw message apart from any game, without an answer, and give its number.

        Raises UniqueViolation when the request id is taken.
        """
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute("SELECT nextval('log.raw_raw_id_seq')")
            row = await cursor.fetchone()
            assert row is not None
            await insert_raw(connection, row[0], raw, None)
            return row[0]

    async def answer(self, raw_id: int, answer: bytes) -> None:
        """Set the answer of a message that was kept before."""
        async with self._pool.connection() as connection:
            await connection.execute("UPDATE log.raw SET answer = %s WHERE raw_id = %s", (answer, raw_id))

    async def answered(self, provider: str, request_id: str) -> Answered | None:
        """Give what an earlier message with this request id was answered, None when there was none."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT raw_id, digest, coalesce(answer, '') FROM log.raw WHERE provider = %s AND request_id = %s",
                (provider, request_id),
            )
            row = await cursor.fetchone()
            return Answered(*row) if row else None

    async def payload(self, raw_id: int) -> bytes | None:
        """Give a raw message byte for byte, None when there is no such message."""
        async with self._pool.connection() as connection:
            return await read_payload(connection, raw_id)

    async def read(self, game_id: str, after_seq: int, limit: int) -> list[Event]:
        """Give at most `limit` events of a game behind a seq, in order."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT event FROM log.events WHERE game_id = %s AND seq > %s ORDER BY seq LIMIT %s",
                (game_id, after_seq, limit),
            )
            return [Event.FromString(event) for (event,) in await cursor.fetchall()]

    async def heads(self, since: datetime | None = None) -> list[LogHead]:
        """Give the newest seq of every game that has events, or of those that took one since then."""
        async with self._pool.connection() as connection:
            cursor = await connection.execute(
                "SELECT game_id, last_seq FROM log.games WHERE last_seq > 0 AND last_accepted_at >= "
                "coalesce(%s, '-infinity')",
                (since,),
            )
            return [LogHead(*row) for row in await cursor.fetchall()]
