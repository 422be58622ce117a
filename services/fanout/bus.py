"""What fanout hears on the bus."""

from collections.abc import Awaitable, Callable

import structlog
from google.protobuf.message import DecodeError
from nats.aio.msg import Msg

from scoreline.game.v1.state_pb2 import GameUpdate
from scoreline.gamestate.v1.gamestate_service_pb2 import ListHeadsResponse
from services.fanout import metrics
from services.fanout.games import LiveGames
from services.fanout.source import Source
from services.runtime.nats.bus import Bus

log: structlog.stdlib.BoundLogger = structlog.get_logger()


async def listen(bus: Bus, games: LiveGames, source: Source) -> None:
    """Hears all updates and heads from now on, each once for the whole process."""
    await bus.subscribe("upd.>", hear_updates(games))
    await bus.subscribe("heads", hear_heads(games, source))


def hear_updates(games: LiveGames) -> Callable[[Msg], Awaitable[None]]:
    """Takes the updates that concern a stream; the headers tell, so that the others need not be decoded."""

    async def hear(message: Msg) -> None:
        headers = message.headers or {}
        teams = headers.get("teams", "")
        if not games.concerns(headers.get("game", ""), teams.split(",")):
            return
        try:
            update = GameUpdate.FromString(message.data)
        except DecodeError:
            _drop(message)
            return
        games.hear(update)

    return hear


def hear_heads(games: LiveGames, source: Source) -> Callable[[Msg], Awaitable[None]]:
    """Takes the heads, which also show that the source is fresh."""

    async def hear(message: Msg) -> None:
        try:
            heads = ListHeadsResponse.FromString(message.data).heads
        except DecodeError:
            _drop(message)
            return
        games.hear_heads(heads)
        source.heard()

    return hear


def _drop(message: Msg) -> None:
    metrics.dropped.inc()
    log.warning("message cannot be read", subject=message.subject)
