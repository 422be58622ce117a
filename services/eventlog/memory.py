"""What one process remembers of the logs it writes to, so that it need not read before each write.

It may be out of date: a write goes through only if nobody else wrote to the game since, so what is remembered of a game
holds for the next write or is thrown away.
"""

from collections import OrderedDict, deque
from typing import Any

from psycopg import AsyncConnection

from services.eventlog.known import Known

_MOST_PLAYS = 200_000  # of all games together; about 0.4 KiB each
_NUMBERS_AT_ONCE = 512


class Memory:
    """Games as they were after the last write, and numbers for raw messages that are to come."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Known] = OrderedDict()
        self._plays = 0
        self._numbers: deque[int] = deque()

    def take(self, game_id: str) -> Known | None:
        """Take what is remembered of a game out of the memory; `keep` puts it back after the write."""
        known = self._games.pop(game_id, None)
        if known is not None:
            self._plays -= _weight(known)
        return known

    def keep(self, known: Known) -> None:
        """Remember a game as it is after a write was committed; the longest unused ones are forgotten for it."""
        index = known.index
        known.answers.clear()
        index.learned.clear()
        index.event_digests.clear()
        self.take(index.game_id)
        self._games[index.game_id] = known
        self._plays += _weight(known)
        while self._plays > _MOST_PLAYS and len(self._games) > 1:
            _, oldest = self._games.popitem(last=False)
            self._plays -= _weight(oldest)

    async def numbers(self, connection: AsyncConnection[Any], count: int) -> list[int]:
        """Give new numbers for raw messages, rising. Those that a process never uses are missing in the raw store."""
        while len(self._numbers) < count:
            cursor = await connection.execute(
                "SELECT nextval('log.raw_raw_id_seq') FROM generate_series(1, %s)", (max(count, _NUMBERS_AT_ONCE),)
            )
            self._numbers.extend([number for (number,) in await cursor.fetchall()])
        return [self._numbers.popleft() for _ in range(count)]


def _weight(known: Known) -> int:
    return max(1, len(known.index.plays))
