"""What each event of a game did."""

from collections.abc import Sequence

from scoreline.game.v1.state_pb2 import GameUpdate
from scoreline.gamestate.v1.gamestate_service_pb2 import ListUpdatesResponse
from services.gamestate.errors import HistoryBroken
from services.runtime.db.pool import Pool

_MOST_BYTES = 4 * 1024 * 1024  # on a page, but for its last update


class Updates:
    """The table of updates: one for each seq of a game, as it was published."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def after(self, game_id: str, after_seq: int, limit: int) -> ListUpdatesResponse | None:
        """Give at most `limit` updates behind a seq and the version they belong to; None for a game without any.

        Raises HistoryBroken when one is missing.
        """
        async with self._pool.connection() as connection:
            cursor = connection.cursor(binary=True)
            await cursor.execute(
                "SELECT games.applied_seq, games.epoch, page.seq, page.update FROM gamestate.games LEFT JOIN LATERAL ("
                "SELECT seq, update FROM (SELECT seq, update, sum(length(update)) OVER (ORDER BY seq) - length(update) "
                "AS before FROM (SELECT seq, update FROM gamestate.updates WHERE updates.game_id = games.game_id "
                "AND seq > %s ORDER BY seq LIMIT %s) AS behind) AS sized WHERE before < %s) AS page ON true "
                "WHERE games.game_id = %s AND games.applied_seq > 0 "
                "ORDER BY page.seq",
                (after_seq, limit, _MOST_BYTES, game_id),
            )
            rows = await cursor.fetchall()
        if not rows:
            return None
        newest, epoch = rows[0][:2]
        found = [(seq, update) for _, _, seq, update in rows if seq is not None]
        expected = range(after_seq + 1, after_seq + 1 + max(len(found), min(1, newest - after_seq)))
        if [seq for seq, _ in found] != list(expected):
            raise HistoryBroken(f"{game_id} misses updates behind {after_seq}")
        updates = [GameUpdate.FromString(update) for _, update in found]
        return ListUpdatesResponse(updates=updates, newest_seq=newest, epoch=epoch)

    async def of(self, game_id: str, seqs: Sequence[int]) -> list[bytes]:
        """Give the updates of these seqs that are there, serialised, in order."""
        async with self._pool.connection() as connection:
            cursor = connection.cursor(binary=True)
            await cursor.execute(
                "SELECT update FROM gamestate.updates WHERE game_id = %s AND seq = ANY(%s) ORDER BY seq",
                (game_id, list(seqs)),
            )
            return [update for (update,) in await cursor.fetchall()]
