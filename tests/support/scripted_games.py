"""Games behind the contracts of gamestate and fanout, driven by a test message by message.

The rules are the real ones (adapter, comparison, fold); there is no log, no bus and no store, so that a test of the
gateway or of the page says exactly what comes when.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

import grpc
import orjson

from scoreline.errors.v1.reason_pb2 import Reason
from scoreline.fanout.v1 import fanout_service_pb2 as fanout
from scoreline.fanout.v1.fanout_service_pb2_grpc import FanoutServiceServicer, add_FanoutServiceServicer_to_server
from scoreline.game.v1.state_pb2 import GameUpdate
from scoreline.gamestate.v1 import gamestate_service_pb2 as gamestate
from scoreline.gamestate.v1.gamestate_service_pb2_grpc import (
    GamestateServiceServicer,
    add_GamestateServiceServicer_to_server,
)
from services.cli.recording import Season
from services.gamestate.domain.fold import Fold
from services.ingestion.providers import Provider
from services.runtime.errors import Fault, GameNotFound
from services.runtime.rpc.server import RpcServer
from services.runtime.settings import ServiceSettings


class TargetNotFound(Fault):
    """Targets that do not exist."""

    code = grpc.StatusCode.NOT_FOUND
    reason = Reason.REASON_TARGET_NOT_FOUND


class ScriptedGames(GamestateServiceServicer, FanoutServiceServicer):
    """Games that change when the test says so.

    Attributes:
        streams: open streams now.
        tokens: what each stream was resumed with, in order of their opening.
        breaks: set it to end all streams without a word, as a broken connection would.
        metadata: of the last unary call.
    """

    def __init__(self, provider: Provider) -> None:
        self._season = Season(provider)
        self._updates: dict[str, list[GameUpdate]] = {}
        self._epochs: dict[str, int] = {}
        self._said: list[fanout.Item] = []
        self._changed = asyncio.Condition()
        self.streams = 0
        self.tokens: list[str] = []
        self.breaks = asyncio.Event()
        self.metadata: dict[str, str | bytes] = {}

    async def take(self, message: bytes) -> None:
        """Takes a feed message, and sends what it did to the open streams."""
        for update in self._season.take(message):
            if update.event.HasField("received_at" if False else "times"):
                pass
            self._updates.setdefault(update.game_id, []).append(update)
        await self._tell()
