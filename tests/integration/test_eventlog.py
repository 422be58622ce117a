"""The log of games, in a real PostgreSQL: what it promises to those who append and to those who read."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest
from psycopg.errors import UniqueViolation

from scoreline.game.v1.event_pb2 import ChangeKind, Event
from scoreline.game.v1.source_pb2 import Observation
from services.eventlog import append as appending
from services.eventlog.append import Incoming
from services.eventlog.index import GameIndex, KnownPlay, Mark
from services.eventlog.log import EventLog, LogHead
from services.eventlog.raw import PAYLOAD_LIMIT, Raw, RequestIdReused
from services.ingestion.rules import decide, digest_of
from services.runtime.clock import now, to_timestamp
from services.runtime.db.migrate import migrate
from services.runtime.db.pool import Pool, open_pool
from services.runtime.local import Stack, postgres_server
from tests.support.ingestion import goal, observed


@pytest.fixture(scope="module")
async def pool(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Pool]:
    async with Stack(tmp_path_factory.mktemp("eventlog")) as stack:
        url = await stack.engine(postgres_server)
        await migrate(url, "services.eventlog.migrations")
        async with open_pool(url, min_size=2, max_size=8) as pool:
            yield pool


@pytest.fixture
def log(pool: Pool) -> EventLog:
    return EventLog(pool)


def incoming(seen: Observation, request_id: str = "", raw_id: int = 0) -> Incoming:
    raw = Raw("scoreline", request_id, now(), True, seen.SerializeToString())
    return Incoming(raw, seen, raw_id)


async def tell(log: EventLog, *messages: Incoming) -> list[appending.Appended]:
    return await log.append(messages[0].observation.game_id, messages, decide, digest_of)


async def raw_rows(pool: Pool) -> int:
    async with pool.connection() as connection:
        row = await (await connection.execute("SELECT count(*) FROM log.raw")).fetchone()
        assert row is not None
        return row[0]


async def test_ordered_seqs_are_without_a_gap_in_the_order_of_commits(log: EventLog) -> None:
    first, second = await tell(log, incoming(observed("ordered", goal(1))), incoming(observed("ordered", goal(2))))
    (third,) = await tell(log, incoming(observed("ordered", goal(3), header=False)))

    events = await log.read("ordered", 0, 100)
    assert [event.seq for event in events] == [1, 2, 3, 4]
    assert [event.event_id for event in events] == ["header:1", "play:play-1:1", "play:play-2:1", "play:play-3:1"]
    assert [(game.first_seq, game.events, game.last_seq) for game in first.answer.games] == [(1, 2, 2)]
    assert [(game.first_seq, game.events, game.last_seq) for game in second.answer.games] == [(3, 1, 3)]
    assert [(game.first_seq, game.events, game.last_seq) for game in third.answer.games] == [(4, 1, 4)]
    assert [event.source.raw_id for event in events] == [
        first.answer.raw_id,
        first.answer.raw_id,
        second.answer.raw_id,
        third.answer.raw_id,
    ]


async def test_ordered_also_with_many_writers_of_one_game(pool: Pool) -> None:
    replicas = [EventLog(pool) for _ in range(4)]
    await tell(replicas[0], incoming(observed("crowded")))

    async def write(number: int) -> None:
        await tell(replicas[number % 4], incoming(observed("crowded", goal(number), header=False)))

    await asyncio.gather(*(write(number) for number in range(40)))

    events = await replicas[0].read("crowded", 0, 100)
    assert [event.seq for event in events] == list(range(1, 42))
    assert len({event.play.play.play_id for event in events[1:]}) == 40
    times = [(event.times.accepted_at.seconds, event.times.accepted_at.nanos) for event in events]
    assert times == sorted(times)


async def test_a_time_of_acceptance_never_falls_when_the_clock_does(
    log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    (before,) = await tell(log, incoming(observed("clock", goal(1))))
    monkeypatch.setattr(appending, "now", lambda: now() - timedelta(hours=1))
    (after,) = await tell(log, incoming(observed("clock", goal(2), header=False)))
    assert after.events[0].times.accepted_at == before.events[0].times.accepted_at


async def test_unique_a_repeated_request_has_the_first_answer(log: EventLog) -> None:
    message = incoming(observed("repeated", goal(1)), "repeated-1")
    (first,) = await tell(log, message)
    await tell(log, incoming(observed("repeated", goal(2), header=False)))
    (again,) = await tell(log, message)

    assert again.answer.repeated
    assert not again.events
    again.answer.repeated = False
    assert again.answer == first.answer
    assert len(await log.read("repeated", 0, 100)) == 3


async def test_unique_a_request_repeated_in_one_batch(log: EventLog) -> None:
    message = incoming(observed("twice", goal(1)), "twice-1")
    first, again = await tell(log, message, message)
    assert (first.answer.repeated, again.answer.repeated) == (False, True)
    assert len(await log.read("twice", 0, 100)) == 2


async def test_a_request_id_with_another_payload_keeps_nothing(log: EventLog, pool: Pool) -> None:
    await tell(log, incoming(observed("reused", goal(1)), "reused-1"))
    rows = await raw_rows(pool)
    with pytest.raises(RequestIdReused):
        await tell(log, incoming(observed("reused", goal(2)), ""), incoming(observed("reused", goal(3)), "reused-1"))
    assert len(await log.read("reused", 0, 100)) == 2
    assert await raw_rows(pool) == rows


async def test_a_request_id_that_two_games_use_at_once_is_good_for_one(log: EventLog) -> None:
    outcomes = await asyncio.gather(
        *(tell(log, incoming(observed(f"rival-{n}", goal(1)), "rivals")) for n in range(6)), return_exceptions=True
    )
    refused = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert len(refused) == 5
    assert all(isinstance(outcome, RequestIdReused) for outcome in refused)
    lengths = [len(await log.read(f"rival-{n}", 0, 100)) for n in range(6)]
    assert sorted(lengths) == [0, 0, 0, 0, 0, 2]


async def test_what_the_rules_refuse_keeps_nothing_of_the_batch(log: EventLog, pool: Pool) -> None:
    rows = await raw_rows(pool)

    def refuse(index: GameIndex, message: Incoming) -> list[Event]:
        if message.observation.plays[0].play.play_id == "play-2":
            raise ValueError("no")
        return decide(index, message)

    batch = [incoming(observed("refused", goal(n))) for n in (1, 2)]
    with pytest.raises(ValueError, match="no"):
        await log.append("refused", batch, refuse, digest_of)
    assert await log.read("refused", 0, 100) == []
    assert "refused" not in {head.game_id for head in await log.heads()}
    assert await raw_rows(pool) == rows


async def test_an_event_id_that_is_taken_by_another_change_is_refused(log: EventLog) -> None:
    await tell(log, incoming(observed("taken", goal(1, event_id="play:play-2:1"))))
    with pytest.raises(UniqueViolation):
        await tell(log, incoming(observed("taken", goal(2), header=False)))
    assert len(await log.read("taken", 0, 100)) == 2


async def test_the_index_comes_back_as_the_rules_left_it(log: EventLog, pool: Pool) -> None:
    play = KnownPlay("scope", "revision", b"\x00\xff", True, 7)

    def write(index: GameIndex, _: Incoming) -> list[Event]:
        index.sport, index.competition_id = "soccer", "cup"
        index.learn("play-1", play)
        index.newest_header, index.opening_header = Mark("b", b"2"), Mark("a", b"1")
        index.header_changes, index.roster_digest, index.roster_changes = 3, b"r", 2
        index.versions["scope"] = "0001"
        return []

    seen: list[GameIndex] = []

    def look(index: GameIndex, _: Incoming) -> list[Event]:
        seen.append(index)
        return []

    whole = observed("index")
    whole.complete = True
    await log.append("index", [incoming(whole)], write, digest_of)
    for reader in (log, EventLog(pool)):
        await reader.append("index", [incoming(observed("index", goal(2)))], look, digest_of)

    assert seen[0] == seen[1]
    assert seen[0].plays == {"play-1": play}
    assert (seen[0].sport, seen[0].competition_id, seen[0].newest_header) == ("soccer", "cup", Mark("b", b"2"))
    assert (seen[0].opening_header, seen[0].header_changes, seen[0].roster_digest) == (Mark("a", b"1"), 3, b"r")
    assert (seen[0].roster_changes, seen[0].versions) == (2, {"scope": "0001"})


async def test_explicit_event_ids_are_known_by_their_content(log: EventLog) -> None:
    (told,) = await tell(log, incoming(observed("explicit", goal(1, event_id="e1"))))
    seen: list[dict[str, bytes]] = []

    def look(index: GameIndex, _: Incoming) -> list[Event]:
        seen.append(dict(index.event_digests))
        return []

    await log.append("explicit", [incoming(observed("explicit", goal(1, event_id="e1")))], look, digest_of)
    assert seen[-1] == {"e1": digest_of(told.events[1])}


@pytest.mark.parametrize("kept_before", [False, True])
async def test_what_a_writer_remembers_gives_way_to_what_another_wrote(
    log: EventLog, pool: Pool, kept_before: bool
) -> None:
    other = EventLog(pool)
    game = f"two-writers-{kept_before}"
    await tell(log, incoming(observed(game, goal(1))))
    gone = goal(1)
    gone.deleted = True
    await tell(other, incoming(observed(game, gone, header=False)))
    again = incoming(observed(game, goal(1), header=False))
    if kept_before:
        again.raw_id = (await log.keep(again.raw)).raw_id
    (told,) = await tell(log, again)
    assert [event.play.kind for event in told.events] == [ChangeKind.CHANGE_KIND_INSERT]
    assert [event.seq for event in await log.read(game, 0, 100)] == [1, 2, 3, 4]


async def test_a_repeated_request_gets_its_first_answer_from_a_writer_that_remembers(log: EventLog) -> None:
    first = incoming(observed("remembers", goal(1)), request_id="remembers-1")
    (told,) = await tell(log, first)
    await tell(log, incoming(observed("remembers", goal(2), header=False)))
    (again,) = await tell(log, first)
    assert again.answer.repeated
    assert (again.answer.raw_id, again.answer.games[0].last_seq) == (told.answer.raw_id, 2)
    assert again.events == []


@pytest.mark.parametrize("size", [0, 1, PAYLOAD_LIMIT, PAYLOAD_LIMIT + 1, 3 * PAYLOAD_LIMIT])
async def test_a_raw_message_is_kept_byte_for_byte(log: EventLog, size: int) -> None:
    content = (bytes(range(256)) * (size // 256 + 1))[:size]
    kept = await log.keep(Raw("nhl", f"bytes-{size}", now(), False, content))
    assert await log.payload(kept.raw_id) == content


async def test_there_is_no_payload_of_what_was_not_kept(log: EventLog) -> None:
    assert await log.payload(2**40) is None


async def test_a_kept_message_is_answered_once(log: EventLog) -> None:
    raw = Raw("nhl", "kept-1", now(), False, b"{}")
    kept = await log.keep(raw)
    assert (await log.keep(raw)) == kept
    assert await log.answer(kept.raw_id, b"first") == b"first"
    assert await log.answer(kept.raw_id, b"second") == b"first"
    assert (await log.keep(raw)).answer == b"first"
    with pytest.raises(RequestIdReused):
        await log.keep(Raw("nhl", "kept-1", now(), False, b"[]"))


async def test_messages_without_a_request_id_are_all_kept(log: EventLog) -> None:
    raw = Raw("nhl", "", now(), False, b"{}")
    assert (await log.keep(raw)).raw_id != (await log.keep(raw)).raw_id


async def test_a_message_that_was_kept_without_an_answer_keeps_its_number(log: EventLog) -> None:
    message = incoming(observed("mended", goal(1)), "mended-1")
    kept = await log.keep(message.raw)
    (done,) = await tell(log, message)
    assert done.answer.raw_id == kept.raw_id
    (again,) = await tell(log, message)
    assert again.answer.repeated


async def test_a_part_of_a_document_that_changes_nothing_writes_nothing(log: EventLog, pool: Pool) -> None:
    seen = observed("part", goal(1))
    kept = await log.keep(Raw("scoreline", "part-1", now(), False, b"a document of two games"))
    (first,) = await tell(log, incoming(seen, "part-1", kept.raw_id))
    rows = await raw_rows(pool)
    (again,) = await tell(log, incoming(seen, "part-1", kept.raw_id))
    assert [(game.first_seq, game.events, game.last_seq) for game in first.answer.games] == [(1, 2, 2)]
    assert [(game.first_seq, game.events, game.last_seq) for game in again.answer.games] == [(0, 0, 2)]
    assert await raw_rows(pool) == rows


async def test_readers_see_what_lies_behind_a_seq(log: EventLog) -> None:
    await tell(log, incoming(observed("read", *(goal(n) for n in range(1, 6)))))
    assert [event.seq for event in await log.read("read", 2, 3)] == [3, 4, 5]
    assert await log.read("read", 6, 3) == []
    assert await log.read("nobody", 0, 3) == []


async def test_heads_are_those_that_changed(log: EventLog) -> None:
    (done,) = await tell(log, incoming(observed("head", goal(1))))
    accepted_at = done.events[-1].times.accepted_at.ToDatetime(tzinfo=now().tzinfo)
    assert LogHead("head", 2) in await log.heads()
    assert LogHead("head", 2) in await log.heads(accepted_at)
    assert not await log.heads(accepted_at + timedelta(hours=1))


async def test_a_message_carries_its_times(log: EventLog) -> None:
    message = incoming(observed("times", goal(1)))
    (done,) = await tell(log, message)
    assert done.events[0].times.received_at == to_timestamp(message.raw.received_at)
