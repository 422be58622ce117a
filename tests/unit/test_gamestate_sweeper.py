"""The sweeper tells a game that is being applied while it looks from one whose row was put back."""

from datetime import datetime
from typing import cast

import pytest

from services.eventlog.log import EventLog, LogHead
from services.gamestate.apply.applier import Applier
from services.gamestate.store.games import Games
from services.gamestate.sweeper import Sweeper


class World:
    """A log at 8, a row, and what is applied here; the last one moves on while the row is read."""

    def __init__(self, row: int, applied: int, applied_meanwhile: int) -> None:
        self._row, self._applied, self._meanwhile = row, applied, applied_meanwhile
        self.forgotten: list[str] = []
        self.looked_at: list[str] = []

    async def heads(self, since: datetime | None = None) -> list[LogHead]:
        return [LogHead("g", 8)]

    def applied(self, game_id: str) -> int:
        return self._applied

    def forget(self, game_id: str) -> None:
        self.forgotten.append(game_id)

    def look(self, game_id: str) -> None:
        self.looked_at.append(game_id)

    def sweeper(self) -> Sweeper:
        return Sweeper(cast("EventLog", self), cast("Games", _Rows(self)), cast("Applier", self))

    def read_row(self) -> int:
        self._applied = self._meanwhile
        return self._row


class _Rows:
    def __init__(self, world: World) -> None:
        self._world = world

    async def applied(self, game_ids: list[str]) -> dict[str, int]:
        return {"g": self._world.read_row()}


@pytest.mark.parametrize(
    ("row", "applied", "meanwhile", "forgotten"),
    [
        pytest.param(6, 5, 7, [], id="applied-while-the-row-was-read"),
        pytest.param(5, 5, 5, [], id="behind"),
        pytest.param(3, 7, 7, ["g"], id="row-put-back"),
    ],
)
async def test_only_a_row_that_was_put_back_makes_a_game_forgotten(
    row: int, applied: int, meanwhile: int, forgotten: list[str]
) -> None:
    world = World(row, applied, meanwhile)
    sweeper = world.sweeper()
    await sweeper.look()
    await sweeper.look()
    assert world.forgotten == forgotten
    assert world.looked_at == ["g"]
