"""Whether the data is fresh, apart from whether the links to clients live."""

import asyncio
from collections.abc import Callable

from scoreline.fanout.v1.fanout_service_pb2 import Freshness, SourceStatus
from services.fanout.games import LiveGames
from services.fanout.gamestate import Gamestate
from services.runtime.clock import now, to_timestamp
from services.runtime.errors import Fault

_SILENT = 2.0  # seconds without heads after which the bus is taken to be away
_ASK_EVERY = 1.0  # seconds


class Source:
    """Watches for heads on the bus, and asks gamestate for them while none come.

    Attributes:
        status: how it is; FRESH at first, never RECOVERED, which is only told.
    """

    def __init__(self, gamestate: Gamestate, games: LiveGames, tell: Callable[[SourceStatus], None]) -> None:
        """`tell` is called at each change."""
        self._gamestate = gamestate
        self._games = games
        self._tell = tell
        self._clock = asyncio.get_running_loop().time
        self._heard_at = self._clock()
        self._heard_time = now()
        self.status = SourceStatus(freshness=Freshness.FRESHNESS_FRESH, since=to_timestamp(now()))

    @property
    def is_down(self) -> bool:
        """Whether neither the bus nor gamestate is there."""
        return self.status.freshness == Freshness.FRESHNESS_DOWN

    def heard(self) -> None:
        """Heads came over the bus."""
        self._heard_at, self._heard_time = self._clock(), now()
        if self.status.freshness != Freshness.FRESHNESS_FRESH:
            since = to_timestamp(self._heard_time)
            self.status = SourceStatus(freshness=Freshness.FRESHNESS_FRESH, since=since)
            self._tell(SourceStatus(freshness=Freshness.FRESHNESS_RECOVERED, since=since))

    async def watch(self) -> None:
        """Runs until it is cancelled."""
        while True:
            silent = self._clock() - self._heard_at
            if silent < _SILENT:
                await asyncio.sleep(_SILENT - silent)
                continue
            await self._ask()
            await asyncio.sleep(_ASK_EVERY)

    async def _ask(self) -> None:
        if self.status.freshness == Freshness.FRESHNESS_FRESH:
            self._change(Freshness.FRESHNESS_STALE, "the bus is silent; games are asked for every second")
        try:
            heads = await self._gamestate.heads()
        except Fault:
            self._change(Freshness.FRESHNESS_DOWN, "the bus is silent and gamestate does not answer")
        else:
            self._games.hear_heads(heads.heads)
            self._change(Freshness.FRESHNESS_STALE, "the bus is silent; games are asked for every second")

    def _change(self, freshness: Freshness, detail: str) -> None:
        silent = self._clock() - self._heard_at >= _SILENT  # heads may have come while gamestate was asked
        if silent and self.status.freshness != freshness:
            self.status = SourceStatus(freshness=freshness, since=to_timestamp(self._heard_time), detail=detail)
            self._tell(self.status)
