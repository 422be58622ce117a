"""What an observation adds to a game: the newest revision wins whatever the order, and nothing is told twice."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoreline.game.v1.event_pb2 import ChangeKind, Event
from scoreline.game.v1.header_pb2 import GameStatus, Header, Roster, RosterEntry, Score
from scoreline.game.v1.play_pb2 import Play, Position
from scoreline.game.v1.source_pb2 import Observation, PlayReport
from services.eventlog.index import GameIndex
from services.ingestion.domain.compare import EventIdReused, SportUnknown, compare, content_digest

INSERT, UPDATE, DELETE = ChangeKind.CHANGE_KIND_INSERT, ChangeKind.CHANGE_KIND_UPDATE, ChangeKind.CHANGE_KIND_DELETE

Living = dict[str, bytes]


def report(
    play_id: str, content: str = "", *, revision: str = "", deleted: bool = False, event_id: str = ""
) -> PlayReport:
    return PlayReport(play=Play(play_id=play_id, text=content), revision=revision, deleted=deleted, event_id=event_id)


def seen(*reports: PlayReport, complete: bool = False, scope: str = "s", version: str = "") -> Observation:
    return Observation(
        game_id="game", header=Header(sport="soccer"), plays=reports, complete=complete, scope=scope, version=version
    )


def plays_of(events: Iterable[Event]) -> list[Event]:
    return [event for event in events if event.HasField("play")]


def told(known: GameIndex, *reports: PlayReport, complete: bool = False) -> list[tuple[str, ChangeKind]]:
    events = plays_of(compare(known, seen(*reports, complete=complete)))
    return [(event.event_id, event.play.kind) for event in events]


def fold(events: Iterable[Event]) -> Living:
    """The plays that live at the end, checked for steps that make no sense."""
    living: Living = {}
    for event in plays_of(events):
        play_id = event.play.play.play_id
        assert (play_id in living) == (event.play.kind != INSERT)
        if event.play.kind == DELETE:
            del living[play_id]
        else:
            content = event.play.play.SerializeToString(deterministic=True)
            assert living.get(play_id) != content
            living[play_id] = content
    return living


def run(messages: Iterable[Observation]) -> tuple[GameIndex, list[Event]]:
    known, events = GameIndex("game"), list[Event]()
    for message in messages:
        events.extend(compare(known, message))
    return known, events


def settled(known: GameIndex) -> dict[str, tuple[str, str, bytes, bool]]:
    """The index without the counters, which tell the way and not the place."""
    return {play_id: play[:4] for play_id, play in known.plays.items()}


@st.composite
def cuts(draw: st.DrawFn, reports: Sequence[PlayReport]) -> list[Observation]:
    """The reports in any order, some more than once, in messages of any length."""
    order = draw(st.permutations([*reports, *draw(st.lists(st.sampled_from(reports), max_size=6))]))
    ends = sorted(draw(st.sets(st.integers(1, len(order)), max_size=len(order))) | {len(order)})
    return [seen(*order[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


REVISIONED = st.lists(
    st.builds(
        report,
        st.sampled_from("abc"),
        st.sampled_from(["", "goal", "no goal"]),
        revision=st.sampled_from("123"),
        deleted=st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


@given(st.data())
def test_convergent_in_any_order_with_any_repeats_and_any_cut(data: st.DataObject) -> None:
    reports = data.draw(REVISIONED)
    known, events = run([seen(*reports)])
    other, other_events = run(data.draw(cuts(reports)))

    assert settled(known) == settled(other)
    assert fold(events) == fold(other_events)
    newest: dict[str, PlayReport] = {}
    for one in reports:
        best = newest.setdefault(one.play.play_id, one)
        if _rank(one) > _rank(best):
            newest[one.play.play_id] = one
    assert fold(events) == {
        play_id: one.play.SerializeToString(deterministic=True) for play_id, one in newest.items() if not one.deleted
    }


def _rank(one: PlayReport) -> tuple[str, bytes]:
    return one.revision, content_digest(one.play, deleted=one.deleted, reason=one.reason)


@given(st.data())
def test_unique_no_two_events_have_an_id_in_common(data: st.DataObject) -> None:
    revisioned = data.draw(REVISIONED)
    plain = data.draw(
        st.lists(st.builds(report, st.sampled_from("de"), st.sampled_from("xy"), deleted=st.booleans()), max_size=12)
    )
    _, events = run(data.draw(cuts([*revisioned, *plain])))
    ids = [event.event_id for event in events]
    assert len(ids) == len(set(ids))


@given(st.data())
def test_only_the_plays_that_a_change_names_have_to_be_known(data: st.DataObject) -> None:
    messages = data.draw(cuts(data.draw(REVISIONED)))
    known, _ = run([])
    for message in messages:
        named = {one.play.play_id for one in message.plays}
        part = replace(known, plays={name: play for name, play in known.plays.items() if name in named})
        part.event_digests, part.versions = {}, dict(known.versions)
        expected = compare(known, message)
        assert compare(part, message) == expected
        assert part.plays == {name: play for name, play in known.plays.items() if name in named}


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.booleans()), max_size=20))
def test_without_revisions_arrival_is_the_order(changes: list[tuple[str, str, bool]]) -> None:
    _, events = run(seen(report(play_id, content, deleted=deleted)) for play_id, content, deleted in changes)
    last = {play_id: report(play_id, content, deleted=deleted) for play_id, content, deleted in changes}
    assert fold(events) == {
        play_id: one.play.SerializeToString(deterministic=True) for play_id, one in last.items() if not one.deleted
    }
    assert [event.event_id for event in plays_of(events)] == [
        f"play:{event.play.play.play_id}:{number}" for event, number in _counted(plays_of(events))
    ]


def _counted(events: Sequence[Event]) -> Iterable[tuple[Event, int]]:
    counts: dict[str, int] = {}
    for event in events:
        play_id = event.play.play.play_id
        counts[play_id] = counts.get(play_id, 0) + 1
        yield event, counts[play_id]


def test_goal_no_goal_goal_again_are_three_events() -> None:
    known = GameIndex("game")
    assert told(known, report("p", "goal")) == [("play:p:1", INSERT)]
    assert told(known, report("p", "goal")) == []
    assert told(known, report("p", "no goal")) == [("play:p:2", UPDATE)]
    assert told(known, report("p", "goal")) == [("play:p:3", UPDATE)]


def test_a_play_that_comes_back_in_whole_documents_is_inserted_again() -> None:
    known = GameIndex("game")
    assert told(known, report("p", "goal"), report("q"), complete=True) == [("play:p:1", INSERT), ("play:q:1", INSERT)]
    assert told(known, report("q"), complete=True) == [("play:p:2", DELETE)]
    assert told(known, report("q"), complete=True) == []
    assert told(known, report("p", "goal"), report("q"), complete=True) == [("play:p:3", INSERT)]


def test_retractable_a_deletion_before_its_play_keeps_it_away() -> None:
    known = GameIndex("game")
    assert told(known, report("p", revision="2", deleted=True)) == []
    assert told(known, report("p", "goal", revision="1")) == []
    assert [kind for _, kind in told(known, report("p", "goal", revision="3"))] == [INSERT]


def test_retractable_a_deletion_without_a_revision_beats_every_revision() -> None:
    known = GameIndex("game")
    assert [kind for _, kind in told(known, report("p", "goal", revision="9"))] == [INSERT]
    assert [kind for _, kind in told(known, report("p", deleted=True))] == [DELETE]
    assert told(known, report("p", "goal", revision="99")) == []
    assert [kind for _, kind in told(known, report("p", "goal", revision="1"), complete=True)] == [INSERT]


def test_a_deletion_without_a_revision_that_comes_first_is_no_event() -> None:
    known = GameIndex("game")
    assert told(known, report("p", deleted=True)) == []
    assert told(known, report("p", "goal", revision="1")) == []


def test_an_older_document_deletes_nothing_and_brings_only_what_is_newer_by_itself() -> None:
    known = GameIndex("game")
    compare(known, seen(report("p", "new", revision="2"), report("q", "new"), complete=True, version="2"))
    events = compare(
        known,
        seen(report("p", "old", revision="1"), report("r", "late", revision="1"), complete=True, version="1"),
    )
    assert [(event.play.play.play_id, event.play.kind) for event in plays_of(events)] == [("r", INSERT)]
    assert not compare(known, seen(report("q", "old"), complete=True, version="1"))


def test_a_document_is_as_old_as_the_time_it_was_asked_for() -> None:
    known = GameIndex("game")
    compare(known, seen(report("p"), complete=True), asked_at_us=2_000_000)
    assert plays_of(compare(known, seen(complete=True), asked_at_us=999_999)) == []
    (gone,) = plays_of(compare(known, seen(complete=True), asked_at_us=10_000_000))
    assert gone.play.kind == DELETE


def test_documents_are_compared_within_their_scope() -> None:
    known = GameIndex("game")
    compare(known, seen(report("p"), complete=True, scope="plays"))
    compare(known, seen(report("q"), complete=True, scope="cards"))
    assert [name for name, play in known.plays.items() if not play.deleted] == ["p", "q"]


def test_a_deletion_keeps_no_more_than_the_id() -> None:
    _, events = run([seen(report("p", "goal")), seen(report("p", "whatever", deleted=True))])
    assert events[-1].play.play == Play(play_id="p")


def test_unique_an_explicit_event_id_has_its_effect_once() -> None:
    known = GameIndex("game")
    assert told(known, report("p", "goal", event_id="e1")) == [("e1", INSERT)]
    assert told(known, report("p", "no goal", event_id="e2")) == [("e2", UPDATE)]
    assert told(known, report("p", "goal", event_id="e1")) == []
    with pytest.raises(EventIdReused):
        told(known, report("p", "another", event_id="e1"))


def test_the_sport_is_told_first_and_never_changes() -> None:
    with pytest.raises(SportUnknown):
        compare(GameIndex("game"), Observation(game_id="game", plays=[report("p")]))
    known = GameIndex("game", sport="soccer")
    (event,) = compare(known, Observation(game_id="game", plays=[report("p")]))
    assert (event.game_id, event.sport) == ("game", "soccer")
    with pytest.raises(SportUnknown):
        compare(known, Observation(game_id="game", header=Header(sport="cricket")))


def headed(
    clock_ms: int = 0, *, home: int | None = None, revision: str = "", status: GameStatus = GameStatus.GAME_STATUS_LIVE
) -> Observation:
    header = Header(sport="soccer", status=status, position=Position(period=1, clock_ms=clock_ms))
    if home is not None:
        header.score.CopyFrom(Score(home=home))
    return Observation(game_id="game", header=header, header_revision=revision)


def test_a_ticking_clock_alone_is_no_event() -> None:
    _, events = run([headed(1), headed(2), headed(3)])
    assert len(events) == 1


def test_convergent_the_newest_header_wins_in_any_order() -> None:
    messages = [headed(home=number, revision=str(number)) for number in range(6)]
    for seed in range(20):
        shuffled = random.Random(seed).sample(messages, len(messages))
        known, events = run([*shuffled, *shuffled[:2]])
        current = [event for event in events if event.header.current]
        assert current[-1].header.header.score.home == 5
        assert known.newest_header.revision == "5"
        ids = [event.event_id for event in events]
        assert len(ids) == len(set(ids))


def test_convergent_the_oldest_header_tells_where_a_game_was_joined() -> None:
    messages = [headed(home=number, revision=str(number)) for number in range(1, 6)]
    for message in messages:
        message.header_as_of.period = 1
    for seed in range(20):
        known, events = run(random.Random(seed).sample(messages, len(messages)))
        opening = [event for event in events if event.header.opening]
        assert opening[-1].header.header.score.home == 1
        assert known.opening_header is not None
        assert known.opening_header.revision == "1"


def test_the_end_of_a_game_stands_behind_its_plays() -> None:
    final = headed(status=GameStatus.GAME_STATUS_FINAL)
    final.plays.append(report("p"))
    live = headed()
    live.plays.append(report("q"))
    _, events = run([live, final])
    assert [event.WhichOneof("change") for event in events] == ["header", "play", "play", "header"]


def test_a_roster_is_told_when_it_changes() -> None:
    named = seen()
    named.roster.CopyFrom(Roster(entries=[RosterEntry(player_id="p1")]))
    changed = seen()
    changed.roster.CopyFrom(Roster(entries=[RosterEntry(player_id="p1"), RosterEntry(player_id="p2")]))
    _, events = run([named, named, seen(), changed])
    assert [event.event_id for event in events if event.HasField("roster")] == ["roster:1", "roster:2"]
