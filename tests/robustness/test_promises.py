"""Retractable, Isolated, Honest and Resumable, end to end on a running stack."""

import asyncio
import os
import random
import signal
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx

from scoreline.fanout.v1.fanout_service_pb2 import StartMode, SubscribeResponse
from scoreline.game.v1.header_pb2 import Score
from scoreline.game.v1.play_pb2 import ParticipantRole, Play
from scoreline.game.v1.source_pb2 import PlayReport
from scoreline.game.v1.state_pb2 import Correction, CorrectionKind
from scoreline.game.v1.stats_pb2 import GameStatistics, StatKey
from scoreline_client import ScorelineClient
from services.cli.mesh import start_mesh
from services.cli.sender import Refused, Sender
from services.runtime.errors import error_info_of
from services.runtime.local import Stack
from tests.support.ingestion import goal, observed
from tests.support.items import kinds_of, next_of, updates_of
from tests.support.mesh import Mesh

# -- Retractable -----------------------------------------------------------------------------------------------------


async def test_retractable_a_cancelled_goal_is_gone_everywhere_and_told(outside: Mesh) -> None:
    game_id = "retractable"
    await outside.tell(observed(game_id, _goal_of(1, "ada")))
    before = await outside.essence(game_id)
    async with (
        ScorelineClient(outside.endpoints.fanout) as client,
        aclosing(aiter(client.watch(games=[game_id]))) as seen,
    ):
        await next_of(seen, "caught_up")
        await outside.tell(observed(game_id, _goal_of(2, "bea"), header=False))
        scored = (await next_of(seen, "update")).update.update
        assert (scored.event.play.play.play_id, scored.score, scored.notable) == ("play-2", Score(home=2), True)
        assert await outside.essence(game_id) != before

        cancelled = PlayReport(play=Play(play_id="play-2"), deleted=True, reason="offside")
        await outside.tell(observed(game_id, cancelled, header=False))
        told = (await next_of(seen, "correction")).correction.update
    assert told.correction == Correction(
        play_id="play-2",
        kind=CorrectionKind.CORRECTION_KIND_CANCELLED,
        reason="offside",
        score_before=Score(home=2),
        score_after=Score(home=1),
    )
    assert (told.score, told.notable) == (Score(home=1), True)
    # Score, phases, periods, place, last plays, statistics and timeline are what they were before the goal.
    assert await outside.essence(game_id) == before
    assert (await outside.game(game_id)).state.correction_count == 1
    kept = await outside.plays(game_id, include_retracted=True)
    assert [(line.play.play_id, line.retracted, line.reason) for line in kept] == [
        ("play-1", False, ""),
        ("play-2", True, "offside"),
    ]
    game, plays = await _rest(outside, f"/v1/games/{game_id}"), await _rest(outside, f"/v1/games/{game_id}/plays")
    assert game["state"]["score"] == {"home": 1, "away": 0}
    assert [line["subject_id"] for line in game["statistics"]["players"]] == ["ada"]
    assert [line["play"]["play_id"] for line in plays["plays"]] == ["play-1"]


async def test_retractable_a_goal_given_to_another_player_is_moved_and_told(outside: Mesh) -> None:
    game_id = "retractable-scorer"
    await outside.tell(observed(game_id, _goal_of(1, "ada")))
    async with (
        ScorelineClient(outside.endpoints.fanout) as client,
        aclosing(aiter(client.watch(games=[game_id]))) as seen,
    ):
        await next_of(seen, "caught_up")
        await outside.tell(observed(game_id, _goal_of(1, "bea"), header=False))
        told = (await next_of(seen, "correction")).correction.update
    assert (told.correction.play_id, told.correction.kind) == ("play-1", CorrectionKind.CORRECTION_KIND_UPDATED)
    goals = {change.subject_id: change.delta for change in told.statistics if change.key == StatKey.STAT_KEY_POINTS}
    assert goals == {"ada": -1, "bea": 1}
    game = await outside.game(game_id)
    assert game.state.score == Score(home=1)
    assert _points(game.statistics) == {"bea": 1}


# -- Isolated --------------------------------------------------------------------------------------------------------


async def test_isolated_a_flood_poison_and_a_stuck_viewer_change_nothing_for_another_game(outside: Mesh) -> None:
    flooded, quiet = "isolated-flooded", "isolated-quiet"
    begin = await outside.tell(observed(quiet))
    await outside.tell(observed(flooded))
    async with outside.stream(flooded) as stuck, outside.stream(quiet, heartbeat=30) as viewer:
        await stuck.until("caught_up")  # and reads no more until all is over
        await viewer.until("caught_up")
        async with Sender.to(outside.endpoints, "scoreline") as sender:
            poison = await _flood(sender, flooded)
            for number in range(1, 41):
                await outside.send(observed(quiet, goal(number), header=False))
            items = [await viewer.next() for _ in range(40)]
            await sender.settle()

        assert [(item.update.update.game_id, item.update.update.seq) for item in items] == [
            (quiet, seq) for seq in range(begin + 1, begin + 41)
        ]
        assert [_reason(answer) for answer in poison] == ["PAYLOAD_UNREADABLE", "FIELDS_INVALID"]
        # Nor is anything lost of the flood itself, for the viewer that stood still.
        assert await stuck.seqs(upto=3001) == list(range(2, 3002))
        assert await outside.applied(flooded, 3001) == 3001


async def _flood(sender: Sender, game_id: str) -> "list[asyncio.Future[Any]]":
    """Send 3000 plays in 15 messages and, between them, two that cannot be used; give the answers to those two."""
    poison: list[asyncio.Future[Any]] = []
    for part in range(15):
        plays = [goal(number) for number in range(200 * part, 200 * part + 200)]
        await sender.send(observed(game_id, *plays, header=False))
        if part == 5:
            other_sport = observed(game_id, goal(1))
            other_sport.header.sport = "basketball"
            poison = [await sender.send(b"\xff no message at all"), await sender.send(other_sport)]
    return poison


# -- Honest ----------------------------------------------------------------------------------------------------------


async def test_honest_a_catch_up_without_anything_ends_in_caught_up(outside: Mesh) -> None:
    game_id = "honest-empty"
    await outside.tell(observed(game_id))
    async with outside.stream(game_id) as viewer:
        opening = await viewer.until("caught_up")
    assert kinds_of(opening) == ["accepted", "snapshot", "caught_up"]
    assert (opening[0].accepted.mode, opening[-1].caught_up.replayed) == (StartMode.START_MODE_SNAPSHOT, 0)
    async with outside.stream(game_id, token=viewer.token) as viewer:
        resumed = await viewer.until("caught_up")
    assert kinds_of(resumed) == ["accepted", "caught_up"]
    assert (resumed[0].accepted.mode, resumed[-1].caught_up.replayed) == (StartMode.START_MODE_RESUMED, 0)


async def test_honest_a_token_taken_at_any_moment_resumes_with_every_seq_once(outside: Mesh) -> None:
    game_id, chance = "honest-tokens", random.Random(20191)
    begin = await outside.tell(observed(game_id))
    async with outside.stream(game_id) as viewer:
        await viewer.until("caught_up")
    seqs, taken = [begin], [(begin, viewer.token)]
    enough = asyncio.Event()
    async with asyncio.TaskGroup() as group:
        telling = group.create_task(_tell_until(enough, outside, game_id))
        for _ in range(36):
            async with outside.stream(game_id, token=taken[-1][1]) as viewer:
                for _ in range(chance.randint(2, 5)):
                    response = await viewer.call.read()
                    assert isinstance(response, SubscribeResponse)
                    seqs += [update.seq for update in updates_of(response.items)]
                    taken.append((seqs[-1], response.resume_token))
        enough.set()
    last = await telling
    assert seqs == list(range(begin, seqs[-1] + 1))

    for position, token in chance.sample(taken, 24):
        async with outside.stream(game_id, token=token) as viewer:
            resumed = await viewer.until("caught_up")
        replayed = [update.seq for update in updates_of(resumed)]
        assert replayed == list(range(position + 1, last + 1))
        assert set(kinds_of(resumed)) <= {"accepted", "update", "correction", "caught_up"}
        assert resumed[-1].caught_up.replayed == len(replayed)


async def _tell_until(enough: asyncio.Event, outside: Mesh, game_id: str) -> int:
    """Report plays, changes and cancellations without a pause; give the newest seq, when it is applied."""
    number = last = 0
    while not enough.is_set():
        number += 1
        reports = [goal(number), goal(number, points=2), PlayReport(play=goal(number).play, deleted=True)]
        answer = await outside.send(observed(game_id, *reports[: number % 4], header=False))
        last = answer.games[0].last_seq
    return await outside.applied(game_id, last)


# -- Resumable -------------------------------------------------------------------------------------------------------


async def test_resumable_on_another_replica_when_the_first_is_killed(tmp_path: Path) -> None:
    game_id = "resumable"
    async with Stack(tmp_path / "data") as stack:
        endpoints = await start_mesh(stack, replicas={"fanout": 2})
        first, second = endpoints.fanout.removeprefix("ipv4:").split(",")
        async with Mesh.to(endpoints) as outside:
            await outside.tell(observed(game_id, goal(1)))
            async with outside.stream(game_id, target=first) as viewer:
                await viewer.until("caught_up")
                seen = await outside.tell(observed(game_id, goal(2), header=False))
                assert await viewer.seqs(upto=seen) == [seen]
                killed = stack.children["fanout"].pid
                assert killed
                os.kill(killed, signal.SIGKILL)
                await viewer.error()
            missed = await outside.tell(observed(game_id, *(goal(number) for number in range(3, 23)), header=False))
            async with outside.stream(game_id, target=second, token=viewer.token) as viewer:
                resumed = await viewer.until("caught_up")
                assert resumed[0].accepted.mode == StartMode.START_MODE_RESUMED
                assert [update.seq for update in updates_of(resumed)] == list(range(seen + 1, missed + 1))
                live = await outside.tell(observed(game_id, goal(23), header=False))
                assert await viewer.seqs(upto=live) == [live]


def _goal_of(number: int, player_id: str) -> PlayReport:
    report = goal(number)
    report.play.participants.add(
        player_id=player_id, name=player_id.title(), role=ParticipantRole.PARTICIPANT_ROLE_SCORER, team_id="reds"
    )
    return report


def _points(statistics: GameStatistics) -> dict[str, int]:
    """Points by player, those without left out."""
    return {
        line.subject_id: stat.value
        for line in statistics.players
        for stat in line.stats
        if stat.key == StatKey.STAT_KEY_POINTS
    }


def _reason(answer: "asyncio.Future[Any]") -> str:
    """Why a message was refused."""
    error = answer.exception()
    assert isinstance(error, Refused)
    info = error_info_of(error.status)
    assert info
    return info.reason


async def _rest(outside: Mesh, path: str) -> Any:
    async with httpx.AsyncClient(base_url=outside.endpoints.gateway, trust_env=False) as client:
        return (await client.get(path)).raise_for_status().json()
