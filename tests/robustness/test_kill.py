"""Durable, Ordered, Unique, Resumable: kill -9 of every process at random moments while a real stream plays."""

import asyncio
import os
import random
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from scoreline.game.v1.state_pb2 import GameUpdate
from scoreline.ingestion.v1.ingestion_service_pb2 import IngestResponse
from scoreline_client import ScorelineClient
from services.cli.mesh import Endpoints, start_mesh
from services.cli.recording import read_messages
from services.cli.sender import Sender
from services.eventlog.log import EventLog
from services.ingestion.providers import PROVIDERS
from services.runtime.db.pool import open_pool
from services.runtime.local import Stack
from tests.robustness.chaos import Chaos
from tests.support.folding import fold_all, observations
from tests.support.mesh import Mesh, essence_of

_NAMES = ["ingestion", "gamestate", "fanout", "nats", "postgres"]
_PROVIDER = "sportradar-nba-push"
_ADAPTER = PROVIDERS[_PROVIDER]
_BEFORE = 60  # messages that are sent before anything is killed
_EVERY, _BURST = 320, 40  # of so many messages so many come at once, and ingestion is killed while it commits them

Answered = list[tuple[bytes, IngestResponse]]


@pytest.mark.chaos
@pytest.mark.timeout(300)
async def test_kill_nine_of_every_process_loses_and_doubles_nothing(tmp_path: Path, feeds: Path) -> None:
    path = feeds / _PROVIDER / "stream_2023-07-19T13-20-04.152Z.txt.gz"
    messages = list(read_messages(path, _ADAPTER))
    expected = fold_all(observations(path, _PROVIDER))
    async with Stack(tmp_path / "data") as stack:
        endpoints = await start_mesh(stack)
        chaos = Chaos(stack, _NAMES, random.Random(time.time_ns()), (0.2, 1.0))
        watcher = Watcher(endpoints, sorted(expected))
        # The group ends the test at once when the watcher fails.
        async with Mesh.to(endpoints) as mesh, asyncio.TaskGroup() as group:
            answered = await _send_while_killing(endpoints, messages, chaos, watcher, group)
            assert min(chaos.killed.values()) > 0, chaos.killed
            updates: dict[str, list[GameUpdate]] = {}
            for game_id, fold in expected.items():
                last = await mesh.applied(game_id, fold.seq)
                await watcher.reaches(game_id, last)
                assert watcher.seqs[game_id] == list(range(watcher.begins[game_id] + 1, last + 1)), chaos.killed
                updates[game_id] = await mesh.updates(game_id)
                assert [update.seq for update in updates[game_id]] == list(range(1, last + 1))
                assert len({update.event.event_id for update in updates[game_id]}) == last
                assert list((await mesh.audit(game_id)).findings) == []
                folded = essence_of(fold.state(), fold.statistics(), fold.timeline())
                assert await mesh.essence(game_id) == folded, game_id
            _hold_answers_against_log(answered, updates)
            await _hold_raw_messages(endpoints, answered)
            watcher.stop()


class Watcher:
    """A viewer that keeps every seq it was given, as a set of games, resuming by itself.

    Attributes:
        begins: by game, the seq of the snapshot it began with.
        seqs: by game, every seq delivered since.
    """

    def __init__(self, endpoints: Endpoints, games: list[str]) -> None:
        self._target, self._games = endpoints.fanout, games
        self._running: asyncio.Task[None] | None = None
        self.begins: dict[str, int] = {}
        self.seqs: dict[str, list[int]] = {}

    def start(self, group: asyncio.TaskGroup) -> None:
        self._running = group.create_task(self._run())

    def stop(self) -> None:
        assert self._running
        self._running.cancel()

    async def reaches(self, game_id: str, seq: int) -> None:
        """Wait until it was given a seq, or began behind it."""
        async with asyncio.timeout(60):
            while (self.seqs.get(game_id) or [self.begins.get(game_id, -1)])[-1] < seq:
                await asyncio.sleep(0.1)

    async def _run(self) -> None:
        async with ScorelineClient(self._target) as client:
            async for item in client.watch(games=self._games):
                match item.WhichOneof("kind"):
                    case "snapshot":
                        state = item.snapshot.state
                        assert state.game_id not in self.begins, "a second snapshot: the resume was lost"
                        self.begins[state.game_id], self.seqs[state.game_id] = state.seq, []
                    case "update":
                        self.seqs[item.update.update.game_id].append(item.update.update.seq)
                    case "correction":
                        self.seqs[item.correction.update.game_id].append(item.correction.update.seq)
                    case _:
                        pass
        raise AssertionError("the watch ended by itself")


async def _send_while_killing(
    endpoints: Endpoints, messages: list[bytes], chaos: Chaos, watcher: Watcher, group: asyncio.TaskGroup
) -> Answered:
    """Send all messages, each until it is acknowledged; give each with its answer, in the order of sending."""
    seconds = 60 * float(os.environ.get("SCORELINE_PROVE_MINUTES", "0.3"))
    async with Sender.to(endpoints, _PROVIDER) as sender:
        answers = [await sender.send(message) for message in messages[:_BEFORE]]
        await sender.settle()
        watcher.start(group)
        killing = group.create_task(chaos.run())
        for number, message in enumerate(messages[_BEFORE:], 1):
            answers.append(await sender.send(message))
            if number % _EVERY == _BURST:
                await chaos.kill_within("ingestion", 0.03)
            elif number % _EVERY > _BURST:
                await asyncio.sleep(seconds / len(messages))
        await sender.settle()
        killing.cancel()
        return list(zip(messages, await asyncio.gather(*answers), strict=True))


def _hold_answers_against_log(answered: Answered, updates: dict[str, list[GameUpdate]]) -> None:
    """Each event is of exactly one message, the one whose answer says so; answers follow one another as sent."""
    lasts = dict.fromkeys(updates, 0)
    for message, answer in answered:
        told = {seen.game_id: {report.play.play_id for report in seen.plays} for seen in _ADAPTER.observe(message)}
        assert [game.game_id for game in answer.games] == list(told)
        for game in answer.games:
            last = lasts[game.game_id]
            made = updates[game.game_id][last : last + game.events]
            assert game.first_seq == (last + 1 if game.events else 0)
            assert game.last_seq == last + len(made)
            assert {update.event.source.raw_id for update in made} <= {answer.raw_id}
            assert _plays_of(made) <= told[game.game_id]
            lasts[game.game_id] = game.last_seq
    assert lasts == {game_id: len(of_game) for game_id, of_game in updates.items()}


def _plays_of(updates: Iterable[GameUpdate]) -> set[str]:
    return {update.event.play.play.play_id for update in updates if update.event.HasField("play")}


async def _hold_raw_messages(endpoints: Endpoints, answered: Answered) -> None:
    """Every acknowledged message that speaks of a game is kept byte for byte under the number of its answer."""
    about_games = {answer.raw_id: message for message, answer in answered if answer.games}
    assert len(about_games) == sum(bool(answer.games) for _, answer in answered)
    async with open_pool(endpoints.postgres, min_size=1, max_size=1) as pool:
        log = EventLog(pool)
        for raw_id, message in about_games.items():
            assert await log.payload(raw_id) == message
