"""All that is stored of one game, as a whole."""

from dataclasses import dataclass

from services.gamestate.store.advance import Advance, write
from services.gamestate.store.games import Version
from services.gamestate.store.plays import PlayRow
from services.runtime.db.pool import Pool


@dataclass(frozen=True)
class Derived:
    """What was made of a game's log up to a version; messages are serialised."""

    version: Version
    state: bytes
    statistics: bytes
    plays: dict[str, PlayRow]
    updates: dict[int, bytes]


class DerivedStore:
    """Reads and replaces what is stored of a game."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def read(self, game_id: str) -> Derived | None:
        """Give all of a game, of one moment; None when it has no row."""
        async with self._pool.connection() as connection, connection.transaction():
            await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            cursor = connection.cursor(binary=True)
            await cursor.execute(
                "SELECT applied_seq, epoch, state, statistics FROM gamestate.games WHERE game_id = %s", (game_id,)
            )
            game = await cursor.fetchone()
            await cursor.execute(
                "SELECT play_id, period, place, play_class, home_points, away_points, seq, retracted, late, reason, "
                "play FROM gamestate.plays WHERE game_id = %s",
                (game_id,),
            )
            plays = await cursor.fetchall()
            await cursor.execute("SELECT seq, update FROM gamestate.updates WHERE game_id = %s", (game_id,))
            updates = await cursor.fetchall()
        if game is None:
            return None
        rows = {play[0]: PlayRow(*play) for play in plays}
        return Derived(Version(*game[:2]), game[2], game[3], rows, dict(updates))

    async def replace(self, new: Advance) -> bool:
        """Put a fold in the place of all that is stored; False, and nothing done, when the row has moved on."""
        game_id, values = new.fold.game_id, new.values()
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(
                "SELECT applied_seq, epoch FROM gamestate.games WHERE game_id = %s FOR UPDATE", (game_id,)
            )
            row = await cursor.fetchone()
            if row is None or Version(*row) != new.row:
                return False
            await connection.execute("DELETE FROM gamestate.updates WHERE game_id = %s", (game_id,))
            await connection.execute("DELETE FROM gamestate.plays WHERE game_id = %s", (game_id,))
            return await write(connection, values)
