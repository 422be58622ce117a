"""Ingestion with its real engines, and messages to send to it."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import grpc
import pytest
from nats.aio.msg import Msg
from pydantic import SecretStr

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.header_pb2 import Competition, GameStatus, Header, Team
from scoreline.game.v1.play_pb2 import Phase, Play, PlayClass, Position, Scored, Side
from scoreline.game.v1.source_pb2 import Observation, PlayReport
from scoreline.ingestion.v1.dead_letter_service_pb2_grpc import DeadLetterServiceStub
from scoreline.ingestion.v1.ingestion_service_pb2 import IngestRequest, IngestResponse
from scoreline.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from scoreline.ingestion.v1.provider_key_service_pb2_grpc import ProviderKeyServiceStub
from services.eventlog.log import EventLog
from services.ingestion.app import app
from services.ingestion.settings import IngestionSettings
from services.runtime.db.pool import Pool, open_pool
from services.runtime.errors import metadata_of, reason_of
from services.runtime.local import Stack, nats_server, postgres_server
from services.runtime.nats.bus import Bus
from services.runtime.rpc.channel import open_channel

if TYPE_CHECKING:
    from scoreline.ingestion.v1.dead_letter_service_pb2_grpc import DeadLetterServiceAsyncStub
    from scoreline.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceAsyncStub
    from scoreline.ingestion.v1.provider_key_service_pb2_grpc import ProviderKeyServiceAsyncStub

# The same classes at run time; only the types are other ones.
Ingestion: TypeAlias = "IngestionServiceAsyncStub"
Keys: TypeAlias = "ProviderKeyServiceAsyncStub"
Letters: TypeAlias = "DeadLetterServiceAsyncStub"
Metadata: TypeAlias = tuple[tuple[str, str], ...]

LONGEST_WAIT = 30  # seconds; an upper bound for waiting, never a figure
OPERATOR = "operator-key-of-the-tests"


def bearer(key: str) -> Metadata:
    """Metadata of a call with a key."""
    return (("authorization", f"Bearer {key}"),)


AS_OPERATOR = bearer(OPERATOR)


@dataclass
class Rig:
    """A running ingestion and what lies behind it."""

    stack: Stack
    settings: IngestionSettings
    pool: Pool
    log: EventLog
    ingestion: Ingestion
    keys: Keys
    letters: Letters
    # What was heard on the bus, in order.
    heard: list[Msg]

    async def send(self, request: IngestRequest, metadata: Metadata = AS_OPERATOR) -> IngestResponse:
        """Send one message."""
        return await self.ingestion.Ingest(request, metadata=metadata, timeout=LONGEST_WAIT)

    async def refused(self, request: IngestRequest, metadata: Metadata = AS_OPERATOR) -> "Refusal":
        """Send one message that has to be refused."""
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await self.send(request, metadata)
        return Refusal(refused.value.code(), reason_of(refused.value), metadata_of(refused.value), refused.value)

    async def events(self, game_id: str) -> list[Event]:
        """The game's log."""
        return await self.log.read(game_id, 0, 100_000)

    async def count(self, table: str, where: str = "true") -> int:
        """How many rows a table has."""
        async with self.pool.connection() as connection:
            cursor = await connection.execute(f"SELECT count(*) FROM {table} WHERE {where}".encode())
            row = await cursor.fetchone()
            assert row is not None
            return row[0]

    async def hears(self, game_id: str, count: int) -> list[Event]:
        """The first `count` events that the bus brings of a game, in the order they come."""
        async with asyncio.timeout(LONGEST_WAIT):
            while True:
                heard = [Event.FromString(message.data) for message in self.heard]
                of_game = [event for event in heard if event.game_id == game_id]
                if len(of_game) >= count:
                    return of_game
                await asyncio.sleep(0.01)


@dataclass
class Refusal:
    """How a call was refused."""

    code: grpc.StatusCode
    reason: str
    metadata: dict[str, str]
    error: grpc.aio.AioRpcError

    @property
    def kind(self) -> tuple[grpc.StatusCode, str]:
        """Code and reason."""
        return self.code, self.reason


@asynccontextmanager
async def running_ingestion(folder: Path) -> AsyncGenerator[Rig]:
    """Ingestion on engines in a folder, or on those that the environment names."""
    async with Stack(folder) as stack:
        settings = IngestionSettings(
            postgres_url=await stack.engine(postgres_server),
            nats_url=await stack.engine(nats_server),
            operator_key=SecretStr(OPERATOR),
            drain_grace=0,
            key_cache=60,
        )
        async with (
            app(settings) as server,
            open_pool(settings.postgres_url, min_size=1, max_size=4) as pool,
            await Bus.connect(settings.nats_url, "test") as bus,
        ):
            heard: list[Msg] = []

            async def hear(message: Msg) -> None:
                heard.append(message)

            await bus.subscribe("ev.>", hear)
            port = await server.start()
            await server.set_serving(True)
            channel = open_channel(f"127.0.0.1:{port}")
            try:
                yield Rig(
                    stack,
                    settings,
                    pool,
                    EventLog(pool),
                    IngestionServiceStub(channel),
                    ProviderKeyServiceStub(channel),
                    DeadLetterServiceStub(channel),
                    heard,
                )
            finally:
                await channel.close()
                await server.drain_and_stop(0)


def goal(number: int, *, points: int = 1, event_id: str = "") -> PlayReport:
    """A goal of the home side."""
    play = Play(
        play_id=f"play-{number}",
        play_class=PlayClass.PLAY_CLASS_SCORE,
        kind="goal",
        position=Position(period=1, phase=Phase.PHASE_REGULATION, clock_ms=number * 1000),
        team_id="reds",
        scored=Scored(side=Side.SIDE_HOME, points=points),
    )
    return PlayReport(play=play, event_id=event_id)


def observed(game_id: str, *reports: PlayReport, competition_id: str = "cup", header: bool = True) -> Observation:
    """What a message says of a game of soccer."""
    seen = Observation(game_id=game_id, plays=reports)
    if header:
        seen.header.CopyFrom(
            Header(
                sport="soccer",
                status=GameStatus.GAME_STATUS_LIVE,
                home=Team(team_id="reds", name="Reds"),
                away=Team(team_id="blues", name="Blues"),
                competition=Competition(competition_id=competition_id) if competition_id else None,
            )
        )
    return seen


def typed(observation: Observation, request_id: str = "") -> IngestRequest:
    """A request with typed events."""
    return IngestRequest(provider="scoreline", request_id=request_id, observation=observation)


def payload(provider: str, content: bytes, request_id: str = "") -> IngestRequest:
    """A request with a provider's bytes."""
    return IngestRequest(provider=provider, request_id=request_id, payload=content)
