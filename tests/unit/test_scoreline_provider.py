"""Scoreline's own typed events: what is read, what is refused and why, how a recording is cut."""

import json
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st

from scoreline.game.v1.play_pb2 import PlayClass, Side
from scoreline.game.v1.source_pb2 import Observation
from services.ingestion.providers.provider import Unreadable
from services.ingestion.providers.scoreline import PROVIDER, check, timed


def message() -> dict[str, Any]:
    """A message that is accepted, for tests to spoil."""
    return {
        "game_id": "cup-final",
        "header": {
            "sport": "soccer",
            "status": "GAME_STATUS_LIVE",
            "home": {"team_id": "scoreline-reds", "name": "Reds"},
            "away": {"team_id": "scoreline-blues", "name": "Blues"},
        },
        "roster": {"entries": [{"player_id": "scoreline-7", "team_id": "scoreline-reds", "name": "Seven"}]},
        "plays": [
            {
                "play": {
                    "play_id": "goal-1",
                    "play_class": "PLAY_CLASS_SCORE",
                    "position": {
                        "period": 1,
                        "phase": "PHASE_REGULATION",
                        "clock_ms": 61000,
                        "display": "2'",
                    },
                    "team_id": "scoreline-reds",
                    "participants": [{"player_id": "scoreline-7", "role": "PARTICIPANT_ROLE_SCORER"}],
                    "scored": {"side": "SIDE_HOME", "points": 1},
                }
            },
            {"play": {"play_id": "goal-0"}, "deleted": True, "reason": "entered twice"},
        ],
    }


def put(document: Any, path: str, value: Any) -> None:
    """Set what lies at a dotted path; a value of None takes it away."""
    *parents, last = (int(step) if step.isdigit() else step for step in path.split("."))
    for step in parents:
        document = document[step]
    if value is None:
        del document[last]
    else:
        document[last] = value


def refusal(payload: bytes | dict[str, Any]) -> Unreadable:
    encoded = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    with pytest.raises(Unreadable) as caught:
        PROVIDER.observe(encoded)
    return caught.value


def test_reads_both_spellings_of_field_names() -> None:
    [ours] = PROVIDER.observe(json.dumps(message()).encode())
    [camel] = PROVIDER.observe(json_format.MessageToJson(ours).encode())
    assert ours == camel
    assert ours.game_id == "cup-final"
    assert ours.plays[0].play.scored.side == Side.SIDE_HOME
    assert ours.plays[1].deleted
    assert ours.plays[1].reason == "entered twice"


@pytest.mark.parametrize(
    "payload",
    [b"", b"   ", b"not json", b"{", b"[]", b"null", b'"text"', b"7", b"\xff{}", b'{"game_id": "\xff"}'],
)
def test_refuses_what_is_no_json_object(payload: bytes) -> None:
    assert refusal(payload).path == ""


@pytest.mark.parametrize("opening", [b'{"a":', b'{"plays":[', b'{"plays":' + b"["])
def test_refuses_endless_nesting(opening: bytes) -> None:
    assert refusal(opening * 50_000).message


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("score", 1, "score"),
        ("plays.0.play.colour", "red", "plays[0].play.colour"),
        ("header.status", "HAPPY", "header.status"),
        ("plays.0.play.position.period", "first", "plays.play.position.period"),
        ("plays.1.play", 7, "plays.play"),
        ("game_id", None, "game_id"),
        ("game_id", "cup.final", "game_id"),
        ("game_id", "cup final", "game_id"),
        ("game_id", "x" * 65, "game_id"),
        ("plays.1.event_id", "e" * 129, "plays[1].event_id"),
        ("header.sport", None, "header.sport"),
        ("header.sport", "curling", "header.sport"),
        ("header.status", None, "header.status"),
        ("header.status", 77, "header.status"),
        ("header.home", None, "header.home.team_id"),
        ("header.away.team_id", None, "header.away.team_id"),
        ("header.away.team_id", "scoreline-reds", "header.away.team_id"),
        ("header.away.team_id", "blues,reds", "header.away.team_id"),
        ("header.score", {"home": -1}, "header.score"),
        ("roster.entries.0.player_id", None, "roster.entries[0].player_id"),
        ("plays.0.play.play_id", None, "plays[0].play.play_id"),
        ("plays.0.play.play_id", "p" * 129, "plays[0].play.play_id"),
        ("plays.0.play.play_id", "goal\n1", "plays[0].play.play_id"),
        ("plays.1.play.play_id", None, "plays[1].play.play_id"),
        ("plays.0.play.play_class", None, "plays[0].play.play_class"),
        ("plays.0.play.play_class", 77, "plays[0].play.play_class"),
        ("plays.0.play.position", None, "plays[0].play.position"),
        ("plays.0.play.position.period", -1, "plays[0].play.position.period"),
        ("plays.0.play.position.clock_ms", -1, "plays[0].play.position.clock_ms"),
        ("plays.0.play.scored.side", None, "plays[0].play.scored.side"),
        ("plays.0.play.scored.points", None, "plays[0].play.scored.points"),
        ("plays.0.play.scored.points", -1, "plays[0].play.scored.points"),
        ("plays.0.play.scored.points", 2**31 - 1, "plays[0].play.scored.points"),
        (
            "plays.0.play.participants.0.player_id",
            "seven\r\nseq: 1",
            "plays[0].play.participants[0].player_id",
        ),
        ("plays.0.play.text", "goal\0", "plays[0].play.text"),
        ("plays.1.reason", "\0", "plays[1].reason"),
    ],
)
def test_names_the_field_that_is_wrong(path: str, value: Any, named: str) -> None:
    spoilt = message()
    put(spoilt, path, value)
    assert refusal(spoilt).path == named


def test_names_all_violations() -> None:
    spoilt = message()
    put(spoilt, "game_id", "a b")
    put(spoilt, "header.sport", "curling")
    put(spoilt, "plays.0.play.scored.points", 0)
    told = str(refusal(spoilt))
    assert all(field in told for field in ("game_id", "header.sport", "plays[0].play.scored.points"))


FIELDS = [
    "game_id",
    "header",
    "plays",
    "play",
    "play_id",
    "position",
    "clock_ms",
    "scored",
    "soccer",
    "occurred_at",
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=5),
    max_leaves=10,
)


@given(st.binary(max_size=50) | st.dictionaries(st.sampled_from(FIELDS), VALUES).map(json.dumps).map(str.encode))
def test_whatever_comes_is_read_or_refused(payload: bytes) -> None:
    try:
        [observation] = PROVIDER.observe(payload)
    except Unreadable:
        return
    assert check(observation) == []


def test_a_refusal_stays_short() -> None:
    told = refusal({"game_id": "g", "plays": [{"play": {}, "deleted": True}] * 1000}).message
    assert told.count(";") == 30
    assert told.endswith("and 970 more")


def test_a_reported_play_is_not_forgotten() -> None:
    assert refusal({"game_id": "g", "plays": [{}]}).path == "plays[0].play"


def test_check_holds_typed_observations_against_the_same_rules() -> None:
    observation = json_format.ParseDict(message(), Observation())
    assert check(observation) == []
    observation.plays[0].play.play_class = PlayClass.PLAY_CLASS_UNSPECIFIED
    observation.plays[0].play.occurred_at.seconds = 1 << 60
    observation.header_as_of.period = -1
    assert [field for field, _ in check(observation)] == [
        "header_as_of.period",
        "plays[0].play.play_class",
        "plays[0].play.occurred_at",
    ]


def test_a_deletion_needs_nothing_but_its_play() -> None:
    [observation] = PROVIDER.observe(b'{"gameId": "g", "plays": [{"play": {"playId": "p"}, "deleted": true}]}')
    assert check(observation) == []


def test_cuts_a_recording_into_lines_with_their_timing() -> None:
    recording = b'{"game_id": "a"}\n\n{"after_ms": 1200, "observation": {"game_id": "\xc3\xa9"}}\r\n{"broken\n'
    assert list(timed(recording)) == [
        (0, b'{"game_id": "a"}'),
        (1200, '{"game_id": "é"}'.encode()),
        (0, b'{"broken'),
    ]
    assert list(PROVIDER.split(recording)) == [line for _, line in timed(recording)]


@pytest.mark.parametrize("after_ms", [-1, "soon", 1.5, True, None])
def test_a_line_with_a_wrong_timing_is_kept_to_be_refused(after_ms: Any) -> None:
    line = json.dumps({"after_ms": after_ms, "observation": {"game_id": "a"}}).encode()
    [(delay, kept)] = timed(line)
    assert (delay, kept) == (0, line)
    assert refusal(kept).path in ("after_ms", "observation")


def test_a_document_over_several_lines_is_one_message() -> None:
    document = json.dumps(message(), indent=2).encode()
    assert list(PROVIDER.split(document)) == [document]
    assert len(PROVIDER.observe(document)) == 1
    assert list(PROVIDER.split(b" \n")) == []
