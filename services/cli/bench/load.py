"""A load of typed basketball events over many games, paced, and viewers that take the time of each delivery."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from scoreline.fanout.v1.fanout_service_pb2 import SubscribeRequest, Target
from scoreline.fanout.v1.fanout_service_pb2_grpc import FanoutServiceStub
from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.play_pb2 import ParticipantRole, Phase, PlayClass, Side
from scoreline.game.v1.source_pb2 import Observation
from services.cli.bench.floor import paced
from services.cli.mesh import Endpoints
from services.cli.sender import Sender
from services.cli.session import channel_to
from services.runtime.rpc.channel import cancelling

if TYPE_CHECKING:  # known to type checkers only
    from scoreline.fanout.v1.fanout_service_pb2_grpc import FanoutServiceAsyncStub

_PLAYERS = 12  # of each side
_PERIOD_MS = 720_000


def opening(game_id: str) -> Observation:
    """The first message of a game: live, with two teams of its own."""
    seen = Observation(game_id=game_id)
    seen.header.sport, seen.header.status = "basketball", GameStatus.GAME_STATUS_LIVE
    for side, team in (("home", seen.header.home), ("away", seen.header.away)):
        team.team_id, team.name, team.abbreviation = f"{game_id}-{side}", f"The {side} side", side.upper()
    return seen


def play(game_id: str, number: int) -> Observation:
    """The n-th play of a game: made and missed shots and rebounds in turn, of changing players."""
    seen = Observation(game_id=game_id)
    made = seen.plays.add().play
    home = number % 2 == 0
    made.play_id, made.team_id = f"p{number}", f"{game_id}-{'home' if home else 'away'}"
    at = made.position
    at.period, at.phase, at.clock_ms, at.order_key = (
        1 + number // 400,
        Phase.PHASE_REGULATION,
        number * 1800 % _PERIOD_MS,
        number,
    )
    at.display = f"Q{at.period} {at.clock_ms // 60000}:{at.clock_ms // 1000 % 60:02d}"
    player = made.participants.add()
    player.player_id, player.team_id = f"{made.team_id}-{number // 2 % _PLAYERS}", made.team_id
    player.name = f"Player {number // 2 % _PLAYERS}"
    if number % 5 < 2:
        made.play_class, made.kind = PlayClass.PLAY_CLASS_SCORE, "two_point_made"
        made.scored.side, made.scored.points = (Side.SIDE_HOME if home else Side.SIDE_AWAY), 2
        made.basketball.shot_value, player.role = 2, ParticipantRole.PARTICIPANT_ROLE_SCORER
    elif number % 5 < 4:
        made.play_class, made.kind = PlayClass.PLAY_CLASS_ATTEMPT, "two_point_missed"
        made.basketball.shot_value, player.role = 2, ParticipantRole.PARTICIPANT_ROLE_SHOOTER
    else:
        made.play_class, made.kind, player.role = (
            PlayClass.PLAY_CLASS_ACTION,
            "rebound",
            ParticipantRole.PARTICIPANT_ROLE_REBOUNDER,
        )
    made.text = f"{player.name} of {made.team_id}: {made.kind.replace('_', ' ')}"
    return seen


class Load:
    """Games in play that events are sent to, and viewers that watch them."""

    def __init__(self, endpoints: Endpoints, run: str, games: int) -> None:
        self._endpoints = endpoints
        self._games = [f"bench-{run}-{number}" for number in range(games)]
        self._plays = [0] * games
        self._viewers = 0
        self.latencies: list[float] = []

    async def open(self, sender: Sender) -> None:
        """Begin all games."""
        await asyncio.gather(*[await sender.send(opening(game_id)) for game_id in self._games])

    @asynccontextmanager
    async def watched(self, viewers: int) -> AsyncGenerator[None]:
        """Let viewers watch, each one game, and wait until all are caught up."""
        self._viewers = viewers
        ready = asyncio.Semaphore(0)
        async with channel_to(self._endpoints.fanout) as channel, asyncio.TaskGroup() as tasks:
            stub = FanoutServiceStub(channel)
            watching = [
                tasks.create_task(self._watch(stub, self._games[number % len(self._games)], ready))
                for number in range(viewers)
            ]
            for _ in range(viewers):
                await ready.acquire()
            try:
                yield
            finally:
                for task in watching:
                    task.cancel()

    @property
    def missing(self) -> int:
        """Deliveries that are to come still."""
        due = sum(self._plays[number % len(self._games)] for number in range(self._viewers))
        return due - len(self.latencies)

    async def deliver(self) -> None:
        """Wait until all were delivered."""
        while self.missing:
            await asyncio.sleep(0.1)

    async def _watch(self, stub: "FanoutServiceAsyncStub", game_id: str, ready: asyncio.Semaphore) -> None:
        async with cancelling(stub.Subscribe(SubscribeRequest(targets=[Target(game_id=game_id)]))) as call:
            async for response in call:
                present = time.time()
                for item in response.items:
                    if item.HasField("update"):
                        accepted = item.update.update.times.accepted_at
                        self.latencies.append(present - accepted.seconds - accepted.nanos / 1e9)
                    elif item.HasField("caught_up"):
                        ready.release()

    async def send(self, sender: Sender, rate: float, seconds: float) -> float:
        """Send plays at a rate over all games in turn and give the rate at which they were acknowledged.

        The sender holds back when ingestion does, so the rate given is what was held.
        """

        async def one(number: int) -> None:
            game = number % len(self._games)
            await sender.send(play(self._games[game], self._plays[game]))
            self._plays[game] += 1

        began = asyncio.get_running_loop().time()
        await paced(one, rate, seconds)
        await sender.settle()
        return int(rate * seconds) / (asyncio.get_running_loop().time() - began)
