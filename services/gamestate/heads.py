"""Newest versions, read from the database and told again and again, so that no last update can go unseen."""

import asyncio
from datetime import timedelta

import structlog

from scoreline.gamestate.v1.gamestate_service_pb2 import ListHeadsResponse
from services.gamestate.bus import publish_heads
from services.gamestate.store.games import Games
from services.runtime.clock import now, to_timestamp
from services.runtime.nats.bus import Bus

_TOLD_FOR = timedelta(minutes=15)
_AFTER_FAILURE = 1.0  # seconds

log: structlog.stdlib.BoundLogger = structlog.get_logger()


class Heads:
    """The newest version of each game that is in play or changed in the last 15 minutes."""

    def __init__(self, games: Games, bus: Bus) -> None:
        self._games = games
        self._bus = bus

    async def read(self) -> ListHeadsResponse:
        """Read them."""
        read_time = now()
        heads = await self._games.heads(read_time - _TOLD_FOR)
        return ListHeadsResponse(heads=heads, read_time=to_timestamp(read_time))

    async def tell(self) -> None:
        """Publish them."""
        publish_heads(self._bus, await self.read())

    async def run(self, every: float) -> None:
        """Publish them every so many seconds, until cancelled."""
        while True:
            try:
                await self.tell()
                await asyncio.sleep(every)
            except Exception as error:
                log.warning("heads not read", error=str(error), kind=type(error).__name__)
                await asyncio.sleep(_AFTER_FAILURE)
