"""Durable, Ordered, Unique, Resumable: kill -9 of every process at random moments while a real stream plays."""

import asyncio
import os
import random
import time
from pathlib import Path

import pytest

from scoreline.gamestate.v1.gamestate_service_pb2 import AuditGameRequest, GetGameRequest, ListUpdatesRequest
from scoreline.gamestate.v1.gamestate_service_pb2_grpc import GamestateServiceStub
from scoreline.ingestion.v1.ingestion_service_pb2 import IngestResponse
from scoreline_client import ScorelineClient
from services.cli.mesh import Endpoints, start_mesh
from services.cli.recording import read_messages
from services.cli.sender import Sender
from services.cli.session import channel_to, operator
from services.gamestate.domain.fold import Fold
from services.ingestion.providers import PROVIDERS
from services.runtime.local import Stack
from tests.robustness.chaos import Chaos
from tests.support.folding import fold_all, observations

_NAMES = ["ingestion", "gamestate", "fanout", "nats", "postgres"]
_PROVIDER = "sportradar-nba-push"


@pytest.mark.chaos
@pytest.mark.timeout(300)
async def test_kill_nine_of_every_process_loses_and_doubles_nothing(tmp_path: Path, feeds: Path) -> None:
    path = feeds / _PROVIDER / "stream_2023-07-19T13-20-04.152Z.txt.gz"
    messages = list(read_messages(path, PROVIDERS[_PROVIDER]))
    expected = fold_all(observations(path, _PROVIDER))
    seconds = 60 * float(os.environ.get("SCORELINE_PROVE_MINUTES", "0.4"))
    chance = random.Random(time.time_ns())
    async with Stack(tmp_path / "data") as stack:
        endpoints = await start_mesh(stack)
        async with Sender.to(endpoints, _PROVIDER) as sender:
            first = 60
            for message in messages[:first]:
                await sender.send(message)
            await sender.settle()
            watcher = Watcher(endpoints, sorted(expected))
            watching = asyncio.create_task(watcher.run())
            chaos = Chaos(stack, _NAMES, chance, (0.2, 1.0))
            killing = asyncio.create_task(chaos.run())
            answers: list[asyncio.Future[IngestResponse]] = []
            for message in messages[first:]:
                answers.append(await sender.send(message))
                await asyncio.sleep(seconds / len(messages))
            await sender.settle()
            killing.cancel()
            await asyncio.wait({killing})
        assert all(answer.exception() is None for answer in answers)
        assert min(chaos.killed.values()) > 0, chaos.killed
        lasts = {game_id: await _applied(endpoints, game_id, expected[game_id].seq) for game_id in expected}
        async with asyncio.timeout(60):
            while any(watcher.position(game_id) < last for game_id, last in lasts.items()):
                await asyncio.sleep(0.1)
        watching.cancel()
        await asyncio.wait({watching})
        for game_id, last in lasts.items():
            begin, seqs = watcher.seen[game_id]
            assert seqs == list(range(begin + 1, last + 1)), (game_id, chaos.killed)
            await _holds(endpoints, game_id)
            assert await _essence(endpoints, game_id) == _told(expected[game_id]), game_id


class Watcher:
    """A viewer that keeps every seq it was given, as a set of games, resuming by itself."""

    def __init__(self, endpoints: Endpoints, games: list[str]) -> None:
        self._target, self._games = endpoints.fanout, games
        # By game: the seq of the snapshot it began with, and every seq delivered since.
        self.seen: dict[str, tuple[int, list[int]]] = {}

    def position(self, game_id: str) -> int:
        begin, seqs = self.seen.get(game_id, (-1, []))
        return seqs[-1] if seqs else begin

    async def run(self) -> None:
        async with ScorelineClient(self._target) as client:
            async for item in client.watch(games=self._games):
                match item.WhichOneof("kind"):
                    case "snapshot" if item.snapshot.state.game_id:
                        assert item.snapshot.state.game_id not in self.seen, "a second snapshot: the resume was lost"
                        self.seen[item.snapshot.state.game_id] = (item.snapshot.state.seq, [])
                    case "update":
                        self.seen[item.update.update.game_id][1].append(item.update.update.seq)
                    case "correction":
                        self.seen[item.correction.update.game_id][1].append(item.correction.update.seq)
                    case _:
                        pass


async def _applied(endpoints: Endpoints, game_id: str, at_least: int) -> int:
    """Wait until gamestate has applied all, and give the last seq: retried messages make no second event."""
    async with channel_to(endpoints.gamestate) as channel, asyncio.timeout(60):
        stub = GamestateServiceStub(channel)
        while True:
            try:
                audit = await stub.AuditGame(
                    AuditGameRequest(game_id=game_id), metadata=operator(endpoints), timeout=30
                )
            except Exception:
                await asyncio.sleep(0.5)
                continue
            if audit.applied_seq == audit.events >= at_least:
                return audit.events
            await asyncio.sleep(0.1)


async def _holds(endpoints: Endpoints, game_id: str) -> None:
    async with channel_to(endpoints.gamestate) as channel:
        stub = GamestateServiceStub(channel)
        audit = await stub.AuditGame(AuditGameRequest(game_id=game_id), metadata=operator(endpoints), timeout=30)
        assert list(audit.findings) == []
        updates = await stub.ListUpdates(ListUpdatesRequest(game_id=game_id, page_size=1000), timeout=30)
        event_ids = [update.event.event_id for update in updates.updates]
        assert len(event_ids) == len(set(event_ids)) == audit.events


async def _essence(endpoints: Endpoints, game_id: str) -> tuple[int, int, int]:
    async with channel_to(endpoints.gamestate) as channel:
        answer = await GamestateServiceStub(channel).GetGame(GetGameRequest(game_id=game_id), timeout=30)
        return answer.state.score.home, answer.state.score.away, answer.state.play_count


def _told(fold: Fold) -> tuple[int, int, int]:
    state = fold.state()
    return state.score.home, state.score.away, state.play_count
