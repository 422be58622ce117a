"""What ingestion does with messages that are good: each is in the log once, in order, and told on the bus."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncGenerator

import grpc
import orjson
import pytest
from google.protobuf import json_format

from scoreline.game.v1.source_pb2 import Observation
from scoreline.ingestion.v1.ingestion_service_pb2 import IngestRequest, IngestResponse
from services.ingestion.parsing import Parser
from services.ingestion.providers import PROVIDERS, Provider, Unreadable
from tests.support.ingestion import Rig, goal, observed, payload, running_ingestion, typed


@pytest.fixture(scope="module")
async def rig(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Rig]:
    async with running_ingestion(tmp_path_factory.mktemp("messages")) as rig:
        yield rig


@pytest.fixture
def many_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider whose documents speak of many games: JSON lists of observations."""

    def observe(document: bytes) -> list[Observation]:
        return [json_format.ParseDict(seen, Observation()) for seen in orjson.loads(document)]

    monkeypatch.setitem(PROVIDERS, "many-games", Provider("many-games", observe, lambda recording: iter([recording])))


def document(*games: Observation) -> bytes:
    return orjson.dumps([json_format.MessageToDict(game) for game in games])


def long_document(game_id: str) -> bytes:
    """A payload that is read in another process."""
    written = json_format.MessageToJson(observed(game_id, *(goal(n) for n in range(1, 200)))).encode()
    assert len(written) > 64 * 1024
    return written


async def test_durable_what_is_acknowledged_is_in_the_log_and_told_on_the_bus(rig: Rig) -> None:
    answer = await rig.send(typed(observed("durable", goal(1), goal(2)), "durable-1"))

    events = await rig.events("durable")
    assert [(event.seq, event.event_id) for event in events] == [
        (1, "header:1"),
        (2, "play:play-1:1"),
        (3, "play:play-2:1"),
    ]
    assert [(game.game_id, game.first_seq, game.events, game.last_seq) for game in answer.games] == [
        ("durable", 1, 3, 3)
    ]
    assert not answer.repeated
    assert {event.source.raw_id for event in events} == {answer.raw_id}
    assert await rig.log.payload(answer.raw_id) == observed("durable", goal(1), goal(2)).SerializeToString()

    assert await rig.hears("durable", 3) == events
    message = next(message for message in rig.heard if message.subject == "ev.soccer.durable")
    assert message.headers == {"Nats-Msg-Id": "durable:1", "game": "durable", "seq": "1"}


async def test_a_payload_is_kept_byte_for_byte(rig: Rig) -> None:
    sent = b"\n" + json_format.MessageToJson(observed("bytes", goal(1))).encode() + b"  \n"
    answer = await rig.send(payload("scoreline", sent))
    assert await rig.log.payload(answer.raw_id) == sent


async def test_unique_a_repeated_request_has_the_first_answer_and_is_told_again(rig: Rig) -> None:
    request = typed(observed("again", goal(1)), "again-1")
    first = await rig.send(request)
    await rig.send(typed(observed("again", goal(2), header=False), "again-2"))
    second = await rig.send(request)

    assert second.repeated
    second.repeated = False
    assert second == first
    assert [event.seq for event in await rig.events("again")] == [1, 2, 3]
    assert [event.seq for event in await rig.hears("again", 5)] == [1, 2, 3, 1, 2]


async def test_unique_one_request_sent_many_times_at_once(rig: Rig) -> None:
    request = typed(observed("at-once", goal(1)), "at-once-1")
    answers = await asyncio.gather(*(rig.send(request) for _ in range(30)))

    assert sum(not answer.repeated for answer in answers) == 1
    assert {answer.raw_id for answer in answers} == {answers[0].raw_id}
    assert [event.seq for event in await rig.events("at-once")] == [1, 2]
    assert await rig.count("log.raw", "request_id = 'at-once-1'") == 1


async def test_unique_an_event_id_again_with_the_same_content_changes_nothing(rig: Rig) -> None:
    await rig.send(typed(observed("same-id", goal(1, event_id="e1"))))
    await rig.send(typed(observed("same-id", goal(1, points=2, event_id="e2"), header=False)))
    answer = await rig.send(typed(observed("same-id", goal(1, event_id="e1"), header=False)))

    assert [(game.first_seq, game.events, game.last_seq) for game in answer.games] == [(0, 0, 3)]
    events = await rig.events("same-id")
    assert [event.event_id for event in events] == ["header:1", "e1", "e2"]
    assert events[-1].play.play.scored.points == 2


async def test_ordered_messages_of_one_game_that_arrive_together(rig: Rig) -> None:
    await rig.send(typed(observed("together")))
    sent = [rig.send(typed(observed("together", goal(n), header=False))) for n in range(1, 101)]
    answers = await asyncio.gather(*sent)

    events = await rig.events("together")
    assert [event.seq for event in events] == list(range(1, 102))
    assert sorted(game.first_seq for answer in answers for game in answer.games) == list(range(2, 102))
    assert [event.seq for event in await rig.hears("together", 101)] == list(range(1, 102))


async def test_isolated_a_bad_message_harms_none_that_waits_beside_it(rig: Rig) -> None:
    await rig.send(typed(observed("beside", goal(1, event_id="e1"))))
    requests = [typed(observed("beside", goal(n, event_id=f"e{n}"), header=False)) for n in range(2, 20)]
    requests.insert(7, typed(observed("beside", goal(50, event_id="e1"), header=False)))
    outcomes = await asyncio.gather(*(rig.send(request) for request in requests), return_exceptions=True)

    assert [isinstance(outcome, grpc.aio.AioRpcError) for outcome in outcomes] == [n == 7 for n in range(19)]
    assert {event.event_id for event in await rig.events("beside")} == {"header:1", *(f"e{n}" for n in range(1, 20))}


async def test_a_message_without_content_is_answered_and_not_kept(rig: Rig) -> None:
    rows = await rig.count("log.raw")
    answer = await rig.send(payload("sportradar-nba-push", b'{"heartbeat": {"interval": 5}}', "heartbeat-1"))
    assert answer == IngestResponse()
    assert await rig.count("log.raw") == rows


@pytest.mark.usefixtures("many_games")
async def test_a_document_of_many_games_is_one_raw_message(rig: Rig) -> None:
    games = [observed(f"many-{n}", *(goal(k) for k in range(1, n + 1))) for n in range(1, 6)]
    sent = document(*games)
    answer = await rig.send(payload("many-games", sent, "many-1"))

    assert [(game.game_id, game.first_seq, game.events) for game in answer.games] == [
        (f"many-{n}", 1, n + 1) for n in range(1, 6)
    ]
    assert await rig.log.payload(answer.raw_id) == sent
    for n in range(1, 6):
        assert {event.source.raw_id for event in await rig.events(f"many-{n}")} == {answer.raw_id}

    again = await rig.send(payload("many-games", sent, "many-1"))
    assert again.repeated
    again.repeated = False
    assert again == answer
    assert await rig.count("log.raw", "request_id = 'many-1'") == 1


@pytest.mark.usefixtures("many_games")
async def test_durable_a_document_whose_first_try_died_half_way_is_finished(rig: Rig) -> None:
    games = [observed(f"half-{n}", goal(1)) for n in (1, 2)]
    # What a crash behind the first game leaves: the raw message without an answer, and one game of two.
    first = await rig.send(payload("many-games", document(games[0], observed("half-3", goal(1))), "half-1"))
    async with rig.pool.connection() as connection:
        await connection.execute("UPDATE log.raw SET answer = NULL WHERE raw_id = %s", (first.raw_id,))
        await connection.execute("DELETE FROM log.events WHERE game_id = 'half-3'")
        await connection.execute("DELETE FROM log.play_index WHERE game_id = 'half-3'")
        await connection.execute("DELETE FROM log.games WHERE game_id = 'half-3'")

    answer = await rig.send(payload("many-games", document(games[0], observed("half-3", goal(1))), "half-1"))
    assert answer.raw_id == first.raw_id
    assert [(game.game_id, game.events, game.last_seq) for game in answer.games] == [("half-1", 0, 2), ("half-3", 2, 2)]
    assert [event.seq for event in await rig.events("half-3")] == [1, 2]


@pytest.mark.usefixtures("many_games")
async def test_isolated_a_bad_game_of_a_document_leaves_the_others_in_the_log(rig: Rig) -> None:
    await rig.send(payload("many-games", document(observed("bad-2", goal(1, event_id="e1"))), "bad-0"))
    games = [observed("bad-1", goal(1)), observed("bad-2", goal(2, event_id="e1")), observed("bad-3", goal(1))]
    sent = document(*games)
    refusal = await rig.refused(payload("many-games", sent, "bad-1"))

    assert refusal.reason == "EVENT_ID_REUSED"
    assert (refusal.metadata["game_id"], refusal.metadata["event_id"]) == ("bad-2", "e1")
    assert [len(await rig.events(f"bad-{n}")) for n in (1, 2, 3)] == [2, 2, 2]
    assert await rig.count("log.raw", "request_id = 'bad-1'") == 1
    again = await rig.refused(payload("many-games", sent, "bad-1"))
    assert again.metadata["dead_letter_id"] == refusal.metadata["dead_letter_id"]


async def test_a_long_document_is_read_in_another_process(rig: Rig) -> None:
    answer = await rig.send(payload("scoreline", long_document("long")))
    assert [(game.game_id, game.events) for game in answer.games] == [("long", 200)]


async def test_long_typed_events_are_held_against_the_rules_too(rig: Rig) -> None:
    seen = observed("long-typed", *(goal(n) for n in range(1, 2000)))
    assert len(seen.SerializeToString()) > 64 * 1024
    assert [game.events for game in (await rig.send(typed(seen))).games] == [2000]
    seen.plays[1500].play.team_id = "no team"
    refusal = await rig.refused(typed(seen))
    assert refusal.metadata["fields"] == "observation.plays[1500].play.team_id"


async def test_the_parsers_survive_the_death_of_one() -> None:
    async with Parser(1) as parser:
        await parser.observe("scoreline", long_document("before"))
        (worker,) = [child.pid for child in multiprocessing.active_children()][-1:]
        assert worker is not None
        os.kill(worker, signal.SIGKILL)
        for _ in range(3):
            (seen,) = await parser.observe("scoreline", long_document("after"))
            assert (seen.game_id, len(seen.plays)) == ("after", 199)


async def test_what_a_parser_finds_wrong_comes_back_with_its_place() -> None:
    async with Parser(1) as parser:
        broken = long_document("broken").replace(b'"play-150"', b"150.5", 1)
        with pytest.raises(Unreadable) as unreadable:
            await parser.observe("scoreline", broken)
        assert unreadable.value.path.endswith("playId")


async def test_only_one_provider_sends_typed_events(rig: Rig) -> None:
    request = IngestRequest(provider="nhl", observation=observed("typed-nhl"))
    assert (await rig.refused(request)).metadata["fields"] == "observation"
