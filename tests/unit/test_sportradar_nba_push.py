"""Sportradar NBA push: what its messages become."""

import json
from collections.abc import Iterator
from typing import Any, cast

import protovalidate
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.play_pb2 import ParticipantRole, Phase, PlayClass, PlayStatus, Side
from scoreline.game.v1.source_pb2 import Observation, PlayReport
from scoreline.game.v1.sports_pb2 import BasketballPlay
from services.ingestion.providers.provider import Unreadable
from services.ingestion.providers.sportradar_nba_push import PROVIDER

Json = dict[str, Any]

HOME, AWAY = "11111111-aaaa", "22222222-bbbb"


def team(team_id: str) -> Json:
    return {"id": team_id, "market": "Home" if team_id == HOME else "Away", "name": "Town"}


def statistic(sort: str, name: str, team_id: str = HOME, player_id: str | None = "p1", **more: Any) -> Json:
    player = {"full_name": name} | ({"id": player_id} if player_id else {})
    return {"type": sort, "team": team(team_id), "player": player} | more


def basket(**changes: Any) -> Json:
    """A message of a three-pointer with an assist; `changes` are to its event, None takes a field away."""
    event: Json = {
        "id": "play-1",
        "event_type": "threepointmade",
        "sequence": 1541467661000,
        "clock": "8:13",
        "clock_decimal": "8:13",
        "updated": "2023-07-19T13:28:00Z",
        "created": "2023-07-19T13:27:59Z",
        "wall_clock": "2018-11-06T01:27:41Z",
        "description": "Ann makes three point jump shot (Bea assists)",
        "attribution": team(HOME),
        "period": {"number": 2, "sequence": 2, "type": "quarter"},
        "qualifiers": [{"qualifier": "fastbreak"}, {"qualifier": "2ndchance"}],
        "statistics": [
            statistic("fieldgoal", "Ann", made=True, points=3, shot_type="jump shot"),
            statistic("assist", "Bea", player_id="p2"),
        ],
    }
    event = {key: value for key, value in (event | changes).items() if value is not None}
    game = {
        "id": "game-1",
        "status": "inprogress",
        "scheduled": "2023-07-19T13:00:00+00:00",
        "home": team(HOME) | {"points": 41},
        "away": team(AWAY) | {"points": 38},
    }
    metadata = {"league": "NBA", "operation": "update"}
    return {"payload": {"game": game, "event": event}, "metadata": metadata}


def deletion(**changes: Any) -> Json:
    message = basket()
    message["payload"]["event"] = {"id": "play-1", "clock": "8:13", "deleted": "2023-07-19T13:28:00Z"} | changes
    message["metadata"]["operation"] = "delete"
    return message


def observed(message: Json) -> Observation:
    (seen,) = PROVIDER.observe(json.dumps(message).encode())
    protovalidate.validate(seen)
    return seen


def reported(message: Json) -> PlayReport:
    (report,) = observed(message).plays
    return report


def test_a_heartbeat_tells_of_no_game() -> None:
    assert PROVIDER.observe(b'{"heartbeat":{"interval":5000}}') == []


def test_a_message_is_a_header_and_a_play() -> None:
    seen = observed(basket())
    assert (seen.game_id, seen.scope, seen.complete) == ("sportradar-nba-push-game-1", "events", False)
    header = seen.header
    assert (header.sport, header.status) == ("basketball", GameStatus.GAME_STATUS_LIVE)
    assert (header.home.name, header.home.team_id) == ("Home Town", f"sportradar-nba-push-{HOME}")
    assert (header.score.home, header.score.away) == (41, 38)
    assert header.competition.name == "NBA"
    assert header.scheduled_at.ToJsonString() == "2023-07-19T13:00:00Z"
    assert not header.HasField("position")
    (report,) = seen.plays
    assert seen.header_as_of == report.play.position
    assert not report.deleted


def test_a_basket_scores_for_the_side_of_its_team() -> None:
    play = reported(basket()).play
    assert (play.play_id, play.kind, play.play_class) == ("play-1", "three_point_made", PlayClass.PLAY_CLASS_SCORE)
    assert (play.scored.side, play.scored.points) == (Side.SIDE_HOME, 3)
    assert play.occurred_at.ToJsonString() == "2018-11-06T01:27:41Z"
    assert (play.position.period, play.position.order_key) == (2, 1541467661000)
    assert (play.position.clock_ms, play.position.display) == (227_000, "Q2 8:13")
    assert (play.basketball.shot_value, play.basketball.shot_type) == (3, "jump shot")
    assert [(part.name, part.role) for part in play.participants] == [
        ("Ann", ParticipantRole.PARTICIPANT_ROLE_SCORER),
        ("Bea", ParticipantRole.PARTICIPANT_ROLE_ASSIST),
    ]
    assert reported(basket(attribution=team(AWAY))).play.scored.side == Side.SIDE_AWAY


@pytest.mark.parametrize(
    ("period", "ordinal", "phase", "display"),
    [
        ({"number": 4, "sequence": 4, "type": "quarter"}, 4, Phase.PHASE_REGULATION, "Q4 4:59"),
        ({"number": 1, "sequence": 5, "type": "overtime"}, 5, Phase.PHASE_EXTRA_TIME, "OT 4:59"),
        ({"number": 1, "type": "overtime"}, 5, Phase.PHASE_EXTRA_TIME, "OT 4:59"),
        ({"number": 6, "type": "overtime"}, 6, Phase.PHASE_EXTRA_TIME, "OT2 4:59"),
    ],
)
def test_an_overtime_is_a_period_after_the_fourth(period: Json, ordinal: int, phase: Phase, display: str) -> None:
    position = reported(basket(period=period, clock_decimal="4:59")).play.position
    assert (position.period, position.phase, position.display) == (ordinal, phase, display)
    assert position.clock_ms == (1_000 if phase == Phase.PHASE_EXTRA_TIME else 421_000)


@pytest.mark.parametrize(
    ("clock", "clock_ms", "display"),
    [
        ("12:00", 0, "Q2 12:00"),
        ("00:00", 720_000, "Q2 0:00"),
        ("00:01.90", 718_100, "Q2 1.9"),
        ("45.3", 674_700, "Q2 45.3"),
        ("1:02.5", 657_500, "Q2 1:02"),
    ],
)
def test_the_clock_counts_up_and_is_shown_counting_down(clock: str, clock_ms: int, display: str) -> None:
    position = reported(basket(clock_decimal=clock)).play.position
    assert (position.clock_ms, position.display) == (clock_ms, display)


def test_a_play_without_a_clock_has_none() -> None:
    position = reported(basket(clock=None, clock_decimal=None)).play.position
    assert not position.HasField("clock_ms")
    assert position.display == "Q2"


def test_what_is_not_the_plays_own_changes_nothing() -> None:
    noisy = basket(home_points=99, away_points=98, location={"coord_x": 3}, number=7, on_court={"home": {}})
    assert reported(noisy) == reported(basket())


def test_the_order_of_lists_changes_nothing() -> None:
    event = basket()["payload"]["event"]
    turned = basket(statistics=event["statistics"][::-1], qualifiers=event["qualifiers"][::-1])
    assert reported(turned) == reported(basket())


def test_a_part_told_twice_is_one() -> None:
    statistics = [statistic("personalfoul", "Ann"), statistic("offensivefoul", "Ann")]
    play = reported(basket(event_type="offensivefoul", statistics=statistics)).play
    assert [part.role for part in play.participants] == [ParticipantRole.PARTICIPANT_ROLE_OFFENDER]
    assert play.basketball.foul_type == "offensive"


def test_a_player_without_an_id_takes_part_by_name_and_a_team_alone_does_not() -> None:
    statistics = [statistic("fieldgoal", "Ann", player_id=None), {"type": "fieldgoal", "team": team(HOME)}]
    (part,) = reported(basket(statistics=statistics)).play.participants
    assert (part.player_id, part.name, part.team_id) == ("", "Ann", f"sportradar-nba-push-{HOME}")


def test_a_rebound_of_the_whole_team_is_a_kind_of_its_own() -> None:
    rebound = statistic("rebound", "Ann", rebound_type="offensive")
    own = reported(basket(event_type="rebound", statistics=[rebound])).play
    assert (own.kind, own.basketball.rebound) == ("rebound", BasketballPlay.REBOUND_OFFENSIVE)
    assert reported(basket(event_type="rebound", qualifiers=[{"qualifier": "team"}])).play.kind == "team_rebound"


@pytest.mark.parametrize(
    ("event_type", "kind", "play_class"),
    [
        ("freethrowmiss", "free_throw_missed", PlayClass.PLAY_CLASS_ATTEMPT),
        ("lineupchange", "lineup_change", PlayClass.PLAY_CLASS_SUBSTITUTION),
        ("challengereview", "challenge_review", PlayClass.PLAY_CLASS_REVIEW),
        ("flagrantone", "flagrant_foul_one", PlayClass.PLAY_CLASS_DISCIPLINE),
        ("tvtimeout", "television_timeout", PlayClass.PLAY_CLASS_STOPPAGE),
        ("endperiod", "period_end", PlayClass.PLAY_CLASS_PERIOD),
        ("somethingnew", "somethingnew", PlayClass.PLAY_CLASS_ACTION),
    ],
)
def test_kinds(event_type: str, kind: str, play_class: PlayClass) -> None:
    play = reported(basket(event_type=event_type)).play
    assert (play.kind, play.play_class, play.HasField("scored")) == (kind, play_class, False)


def test_a_rescinded_foul_counts_no_more() -> None:
    foul = basket(event_type="technicalfoul", rescinded=True)
    assert reported(foul).play.status == PlayStatus.PLAY_STATUS_CANCELLED


def test_a_deletion_needs_only_the_id_and_places_no_header() -> None:
    seen = observed(deletion())
    (report,) = seen.plays
    assert report.deleted
    assert [field.name for field, _ in report.play.ListFields()] == ["play_id"]
    assert not seen.HasField("header_as_of")
    assert seen.header.score.home == 41


def test_the_order_of_revisions() -> None:
    ann, bea = basket()["payload"]["event"]["statistics"]
    rising = [
        basket(updated="2023-07-19T13:27:59.999Z"),
        basket(updated="2023-07-19T15:28:00+02:00", statistics=[ann | {"player": None}]),
        basket(statistics=[statistic("fieldgoal", "Ann", player_id=None, shot_type="jump shot")]),
        basket(statistics=[ann]),
        basket(statistics=[ann, statistic("assist", "Bea", player_id=None)]),
        basket(qualifiers=[{"qualifier": "fastbreak"}]),
        basket(),
        basket(description="Ann makes three point pullup jump shot (Bea assists)"),
        basket(statistics=[ann | {"shot_type": "layup"}, bea]),
        deletion(),
        basket(updated="2023-07-19T13:28:00.001Z", statistics=None),
        deletion(deleted="2023-07-19T13:28:01Z"),
    ]
    revisions = [reported(message).revision.encode() for message in rising]
    assert revisions == sorted(revisions)
    assert len(set(revisions)) == len(revisions)


def test_a_deletion_is_above_the_richest_update_of_its_second() -> None:
    rich = basket(statistics=[statistic("block", str(number)) for number in range(32)])
    for number in range(100):
        rich["payload"]["event"]["id"] = f"play-{number}"
        assert reported(rich).revision < reported(deletion(id=f"play-{number}")).revision


def test_without_a_time_of_change_another_time_or_arrival_is_the_revision() -> None:
    assert reported(basket(updated=None)).revision.startswith("2023-07-19T13:27:59.000000Z.")
    assert reported(basket(updated=None, created=None)).revision.startswith("2018-11-06T01:27:41.000000Z.")
    timeless = observed(basket(updated=None, created=None, wall_clock=None))
    assert (timeless.plays[0].revision, timeless.header_revision) == ("", "")


def test_the_order_of_header_revisions() -> None:
    def told(updated: str, points: int, status: str = "inprogress") -> str:
        message = basket(updated=updated)
        message["payload"]["game"]["home"]["points"] = points
        message["payload"]["game"]["status"] = status
        return observed(message).header_revision

    first, second = "2023-07-19T13:28:00Z", "2023-07-19T13:28:01Z"
    rising = [told(first, 9), told(first, 100), told(first, 100, "complete"), told(second, 8)]
    assert rising == sorted(rising)
    assert all(told(first, points) < told(first, points, "complete") for points in range(20))


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("scheduled", GameStatus.GAME_STATUS_SCHEDULED),
        ("created", GameStatus.GAME_STATUS_PRE_GAME),
        ("halftime", GameStatus.GAME_STATUS_BREAK),
        ("delayed", GameStatus.GAME_STATUS_SUSPENDED),
        ("closed", GameStatus.GAME_STATUS_FINAL),
        ("a new word", GameStatus.GAME_STATUS_UNSPECIFIED),
    ],
)
def test_status(status: str, expected: GameStatus) -> None:
    message = basket()
    message["payload"]["game"]["status"] = status
    assert observed(message).header.status == expected


@pytest.mark.parametrize(
    ("message", "path"),
    [
        ({}, ""),
        ([], ""),
        ({"payload": {}}, "metadata.operation"),
        (basket(id=None), "payload.event.id"),
        (basket(id="x" * 129), "payload.event.id"),
        (basket(id="a\0b"), "payload.event.id"),
        (basket(sequence="1"), "payload.event.sequence"),
        (basket(sequence=2**64), "payload.event.sequence"),
        (basket(period={"number": 1, "type": "inning"}), "payload.event.period.type"),
        (basket(clock_decimal="soon"), "payload.event.clock"),
        (basket(updated="yesterday"), "payload.event.updated"),
        (basket(updated="0001-01-01T00:00:00+14:00"), "payload.event.updated"),
        (basket(attribution=team("nobody")), "payload.event.attribution.id"),
        (basket(statistics=[1]), "payload.event.statistics[0]"),
    ],
)
def test_anything_else_is_unreadable_and_says_where(message: object, path: str) -> None:
    with pytest.raises(Unreadable) as caught:
        PROVIDER.observe(json.dumps(message).encode())
    assert caught.value.path == path
    assert caught.value.message


@pytest.mark.parametrize(
    "payload",
    [b"", b"\xff\xfe", b'{"payload":NaN}', b'{"payload":"\\ud800"}', b"[" * 100_000, b'{"payload":' * 5_000],
)
def test_what_is_no_json_is_unreadable(payload: bytes) -> None:
    with pytest.raises(Unreadable):
        PROVIDER.observe(payload)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in a document."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in cast(Json, value).items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(cast(list[Any], value)):
            yield from places(inner, (*path, index))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=300) | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def read_or_refuse(payload: bytes) -> None:
    try:
        seen = PROVIDER.observe(payload)
    except Unreadable:
        return
    for observation in seen:
        protovalidate.validate(observation)
        observation.SerializeToString()


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([basket(), deletion()]), st.data(), ANYTHING)
def test_a_changed_value_is_read_or_refused(message: Json, data: st.DataObject, value: object) -> None:
    *holders, last = data.draw(st.sampled_from(list(places(message))))
    changed = json.loads(json.dumps(message))
    holder = changed
    for key in holders:
        holder = holder[key]
    holder[last] = value
    read_or_refuse(json.dumps(changed).encode())


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_changed_bytes_are_read_or_refused(data: st.DataObject) -> None:
    whole = json.dumps(basket()).encode()
    begin = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(begin, len(whole)))
    read_or_refuse(whole[:begin] + data.draw(st.binary(max_size=4)) + whole[end:])
    read_or_refuse(whole[:begin])


MESSAGES = st.lists(st.dictionaries(st.text(max_size=6), ANYTHING, min_size=1, max_size=3), min_size=1, max_size=5)


@settings(max_examples=100, deadline=None)
@given(MESSAGES, st.sampled_from([None, 3]), st.sampled_from(["", "\n", "\r\n\r\n"]))
def test_a_recording_is_cut_into_its_messages(messages: list[Json], indent: int | None, between: str) -> None:
    texts = [json.dumps(message, indent=indent) for message in messages]
    assert list(PROVIDER.split(between.join(texts).encode())) == [text.encode() for text in texts]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='{}"\\ \n1a', max_size=40))
def test_no_byte_of_a_recording_is_lost(text: str) -> None:
    recording = text.encode()
    assert b"".join(b"".join(PROVIDER.split(recording)).split()) == b"".join(recording.split())


def test_a_recording_that_ends_inside_a_message_keeps_what_is_left() -> None:
    whole = json.dumps({"a": {"b": "}"}}, indent=3)
    cut = whole[: whole.index("}")]
    assert list(PROVIDER.split((whole + cut).encode())) == [whole.encode(), cut.encode()]
    assert list(PROVIDER.split(b'{"a":1}\n{"a"')) == [b'{"a":1}', b'{"a"']


def test_a_recording_that_begins_inside_a_message_goes_on_with_the_next() -> None:
    whole = json.dumps({"a": {"b": 1}}, indent=3)
    assert list(PROVIDER.split(f"1}}}}{whole}{whole}".encode())) == [b"1}}", whole.encode(), whole.encode()]
