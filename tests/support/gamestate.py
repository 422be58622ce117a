"""Games in a real log, and gamestate running beside it."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, LiteralString, TypeAlias

import grpc.aio
from nats.aio.msg import Msg
from pydantic import SecretStr

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.header_pb2 import GameStatus, Header, Roster, RosterEntry, Team
from scoreline.game.v1.play_pb2 import Participant, ParticipantRole, Phase, Play, PlayClass, Position, Scored, Side
from scoreline.game.v1.source_pb2 import Observation, PlayReport
from scoreline.game.v1.sports_pb2 import BasketballPlay
from scoreline.game.v1.state_pb2 import GameUpdate
from scoreline.gamestate.v1.gamestate_service_pb2_grpc import GamestateServiceStub
from services.eventlog.append import Incoming
from services.eventlog.log import EventLog
from services.eventlog.raw import Raw
from services.gamestate.app import app
from services.gamestate.domain.fold import Fold
from services.gamestate.settings import GamestateSettings
from services.ingestion.domain.compare import compare
from services.runtime.clock import now
from services.runtime.db.migrate import migrate
from services.runtime.db.pool import Pool, open_pool
from services.runtime.local import Stack, nats_server, postgres_server
from services.runtime.nats.bus import Bus
from services.runtime.rpc.channel import open_channel

if TYPE_CHECKING:
    from scoreline.gamestate.v1.gamestate_service_pb2_grpc import GamestateServiceAsyncStub

# The same class at run time; only the types are other ones.
Gamestate: TypeAlias = "GamestateServiceAsyncStub"

LONGEST_WAIT = 30  # seconds; an upper bound for waiting, never a figure
OPERATOR = "operator-key-of-the-tests"


async def becomes(condition: Callable[[], Awaitable[bool]]) -> None:
    """Waits until it is so."""
    async with asyncio.timeout(LONGEST_WAIT):
        while not await condition():
            await asyncio.sleep(0.02)


@dataclass
class Rig:
    """Engines, a log and a bus; nothing that applies."""

    stack: Stack
    postgres_url: str
    nats_url: str
    pool: Pool
    bus: Bus
    # What was heard on the bus, in order.
    updates: list[GameUpdate] = field(default_factory=list[GameUpdate])

    @property
    def log(self) -> EventLog:
        """The log of all games."""
        return EventLog(self.pool)

    async def tell(self, observations: Sequence[Observation]) -> list[Event]:
        """Puts into the log what observations of one game add, and gives it; the bus hears nothing of it."""
        batch = [Incoming(Raw("scoreline", "", now(), True, seen.SerializeToString()), seen) for seen in observations]
        done = await self.log.append(
            observations[0].game_id,
            batch,
            lambda index, incoming: list(compare(index, incoming.observation)),
            lambda event: event.event_id.encode(),
        )
        return [event for appended in done for event in appended.events]

    def publish(self, event: Event) -> None:
        """Lets gamestate hear an event."""
        self.bus.publish(f"ev.{event.sport}.{event.game_id}", event.SerializeToString(), {"game": event.game_id})

    async def fold(self, game_id: str) -> Fold:
        """The game as its log folds, from the start."""
        fold = Fold(game_id)
        for event in await self.log.read(game_id, 0, 100_000):
            fold.apply(event)
        return fold

    async def rows(self, query: LiteralString, *values: object) -> list[tuple[object, ...]]:
        """What a statement gives."""
        async with self.pool.connection() as connection:
            cursor = await connection.execute(query, values)
            return await cursor.fetchall() if cursor.description else []

    async def applied(self, game_id: str) -> int:
        """Seq that the game's row is at."""
        found = await self.rows("SELECT applied_seq FROM gamestate.games WHERE game_id = %s", game_id)
        return int(str(found[0][0])) if found else 0

    async def until_applied(self, game_id: str, seq: int) -> None:
        """Waits until the game's row is there."""

        async def there() -> bool:
            return await self.applied(game_id) >= seq

        await becomes(there)

    def settings(self) -> GamestateSettings:
        """Settings of a replica."""
        return GamestateSettings(
            postgres_url=self.postgres_url, nats_url=self.nats_url, operator_key=SecretStr(OPERATOR), drain_grace=0
        )

    @asynccontextmanager
    async def replica(self) -> AsyncGenerator[Gamestate]:
        """A gamestate that runs while the block runs."""
        async with app(self.settings()) as server:
            port = await server.start()
            await server.set_serving(True)
            channel: grpc.aio.Channel = open_channel(f"127.0.0.1:{port}")
            try:
                yield GamestateServiceStub(channel)
            finally:
                await channel.close()
                await server.drain_and_stop(0)


@asynccontextmanager
async def rig(folder: Path) -> AsyncGenerator[Rig]:
    """Engines in a folder, tables, and an ear on the bus."""
    async with Stack(folder / "data") as stack:
        postgres_url, nats_url = await stack.engine(postgres_server), await stack.engine(nats_server)
        for room in ("services.eventlog.migrations", "services.gamestate.migrations"):
            await migrate(postgres_url, room)
        async with (
            open_pool(postgres_url, min_size=1, max_size=4) as pool,
            await Bus.connect(nats_url, "test") as bus,
        ):
            made = Rig(stack, postgres_url, nats_url, pool, bus)

            async def hear(message: Msg) -> None:
                made.updates.append(GameUpdate.FromString(message.data))

            await bus.subscribe("upd.>", hear)
            yield made


def opening(game_id: str, status: GameStatus = GameStatus.GAME_STATUS_LIVE) -> Observation:
    """Header and roster of a game of basketball."""
    header = Header(
        sport="basketball",
        status=status,
        home=Team(team_id=f"{game_id}-reds", name="Reds"),
        away=Team(team_id=f"{game_id}-blues", name="Blues"),
    )
    roster = Roster(entries=[RosterEntry(player_id="p1", name="One", team_id=f"{game_id}-reds")])
    return Observation(game_id=game_id, header=header, roster=roster)


def basket(game_id: str, number: int, points: int = 2, *, home: bool = True, kind: str = "made") -> Play:
    """A basket, or with another kind an attempt that failed."""
    team_id = f"{game_id}-{'reds' if home else 'blues'}"
    made = kind == "made"
    role = ParticipantRole.PARTICIPANT_ROLE_SCORER if made else ParticipantRole.PARTICIPANT_ROLE_SHOOTER
    return Play(
        play_id=f"play-{number:04d}",
        play_class=PlayClass.PLAY_CLASS_SCORE if made else PlayClass.PLAY_CLASS_ATTEMPT,
        kind=kind,
        team_id=team_id,
        text=f"number {number}",
        position=Position(period=1 + number // 30, phase=Phase.PHASE_REGULATION, order_key=number),
        scored=Scored(side=Side.SIDE_HOME if home else Side.SIDE_AWAY, points=points) if made else None,
        participants=[Participant(player_id=f"p{number % 7}", name=f"P{number % 7}", role=role, team_id=team_id)],
        basketball=BasketballPlay(shot_value=points),
    )


def shown(game_id: str, *plays: Play) -> Observation:
    """A message that shows plays."""
    return Observation(game_id=game_id, plays=[PlayReport(play=play) for play in plays])


def taken_away(game_id: str, play_id: str, reason: str = "") -> Observation:
    """A message that takes a play away."""
    report = PlayReport(play=Play(play_id=play_id), deleted=True, reason=reason)
    return Observation(game_id=game_id, plays=[report])


def season(game_id: str, changes: int, seed: int = 1) -> list[Observation]:
    """A game with late plays, corrections and cancellations; each message but the first is about one play."""
    chance = random.Random(seed)
    told = [opening(game_id)]
    numbers = list(range(changes))
    for number in range(0, changes - 4, 4):  # some come late
        if chance.random() < 0.3:
            numbers[number], numbers[number + 3] = numbers[number + 3], numbers[number]
    for position, number in enumerate(numbers):
        kind = "made" if chance.random() < 0.6 else "missed"
        play = basket(game_id, number, chance.choice((1, 2, 3)), home=chance.random() < 0.5, kind=kind)
        told.append(shown(game_id, play))
        earlier = numbers[chance.randint(0, position)]
        if chance.random() < 0.15:
            told.append(shown(game_id, basket(game_id, earlier, 3, home=chance.random() < 0.5)))
        elif chance.random() < 0.1:
            told.append(taken_away(game_id, f"play-{earlier:04d}", "video review"))
    return told
