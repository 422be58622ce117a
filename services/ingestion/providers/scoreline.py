"""Scoreline's own typed events: a provider like any other, whose messages are observations already.

A message is one `scoreline.game.v1.Observation` as proto3 JSON, with the field names of the proto file or in
lowerCamelCase. (Senders that speak gRPC send the message itself, in `IngestRequest.observation`.)

A recording is JSON Lines: one message a line, in the order of sending. A line may wrap its message to give
the recording a timing of its own, in milliseconds after the line before it:

    {"after_ms": 1200, "observation": {"game_id": "cup-final", "plays": [...]}}

A line without `after_ms` follows at once. A recording whose first line is not whole JSON is one message that
was written over several lines.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

import protovalidate
from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from scoreline.game.v1.header_pb2 import GameStatus, Header
from scoreline.game.v1.play_pb2 import Play, PlayClass, Position, Side
from scoreline.game.v1.source_pb2 import Observation, PlayReport
from services.ingestion.providers.provider import Provider, Unreadable

# A field, written as a path such as "plays[0].play.play_id", and what is wrong with it.
Violation = tuple[str, str]

_SPORTS = tuple(field.name for field in Play.DESCRIPTOR.oneofs_by_name["detail"].fields)
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_PLAY_ID = 128
_MOST_POINTS = 100
# Keeps every sum far from the end of int32.
_HIGHEST_SCORE = 1_000_000
# An error travels in a header of a few KiB.
_MOST_TOLD = 30

_PARENT = re.compile(r"Failed to parse (\w+) field: ")
_UNKNOWN = re.compile(r'has no field named "(.*)" at "Observation\.?(.*)"')
_PLACE = re.compile(r' at "?Observation\.([\w.\[\]]*\w\]?)"?')

_VALIDATOR = protovalidate.Validator()


def observe(payload: bytes) -> list[Observation]:
    """Read one observation. Raises Unreadable, which names the violations, with the path of the first."""
    if not payload.lstrip().startswith(b"{"):
        raise Unreadable("", "is not a JSON object")
    observation = Observation()
    try:
        json_format.Parse(payload, observation)
    except UnicodeDecodeError as error:
        raise Unreadable("", f"is not UTF-8: {error.reason} at byte {error.start}") from error
    except json_format.ParseError as error:
        raise Unreadable(*_place_of(error)) from error
    violations = [*_rules_of_the_contract(observation), *check(observation)]
    if violations:
        raise _refusal(violations)
    return [observation]


def check(observation: Observation) -> list[Violation]:
    """Give every violation of the rules that the contract's own validation does not hold.

    They keep out what a fold or a store could not take. Typed observations are held against them too, so that
    both ways in accept the same.
    """
    return [
        *(_header(observation.header) if observation.HasField("header") else ()),
        *(_position(observation.header_as_of, "header_as_of") if observation.HasField("header_as_of") else ()),
        *_roster(observation),
        *(found for n, report in enumerate(observation.plays) for found in _report(report, f"plays[{n}]")),
        *(_null_characters(observation, "") if b"\0" in observation.SerializeToString() else ()),
    ]


def timed(recording: bytes) -> Iterator[tuple[int, bytes]]:
    """Cut a recording into its messages, each with the milliseconds it was sent after the one before it."""
    lines = [line for line in recording.splitlines() if line.strip()]
    if not lines:
        return
    if len(lines) > 1 and _parsed(lines[0]) is None:
        yield 0, recording
        return
    for line in lines:
        document = _parsed(line)
        if document is not None and "observation" in document and document.keys() <= {"after_ms", "observation"}:
            after_ms = document.get("after_ms", 0)
            # What is no number of milliseconds stays in the message, whose reader then names the field.
            if type(after_ms) is int and after_ms >= 0:
                yield after_ms, json.dumps(document["observation"], ensure_ascii=False).encode()
                continue
        yield 0, line


def _split(recording: bytes) -> Iterator[bytes]:
    return (message for _, message in timed(recording))


def _refusal(violations: list[Violation]) -> Unreadable:
    (path, why), *others = violations
    told = [why, *(f"{field}: {other}" for field, other in others[: _MOST_TOLD - 1])]
    if len(violations) > _MOST_TOLD:
        told.append(f"and {len(violations) - _MOST_TOLD} more")
    return Unreadable(path, "; ".join(told))


def _parsed(line: bytes) -> dict[str, Any] | None:
    """Give the JSON object of a line, None if it holds none."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", document) if isinstance(document, dict) else None


def _place_of(error: json_format.ParseError) -> Violation:
    """Find path and reason in the words of the JSON parser, which names the place in three different ways."""
    text = str(error).partition("\n")[0]
    parents = _PARENT.findall(text)
    why = _PARENT.sub("", text).strip(".")
    if unknown := _UNKNOWN.search(text):
        name, parent = unknown.groups()
        return f"{parent}.{name}" if parent else name, "unknown field"
    if place := _PLACE.search(text):
        return place[1], _PLACE.sub("", why)
    return ".".join(parents), why


def _rules_of_the_contract(observation: Observation) -> Iterator[Violation]:
    for violation in _VALIDATOR.collect_violations(observation):
        path = ""
        for element in violation.proto.field.elements if violation.proto.field else ():
            path += f".{element.field_name}" if path else element.field_name
            if element.subscript is not None:
                path += f"[{element.subscript.value}]"
        yield path, violation.proto.message


def _header(header: Header) -> Iterator[Violation]:
    if header.sport not in _SPORTS:
        yield "header.sport", f"must be one of {', '.join(_SPORTS)}"
    if header.status not in GameStatus.values() or not header.status:
        yield "header.status", "must be a known status"
    yield from _id(header.home.team_id, "header.home.team_id", required=True)
    yield from _id(header.away.team_id, "header.away.team_id", required=True)
    if header.home.team_id and header.home.team_id == header.away.team_id:
        yield "header.away.team_id", "is the home side's"
    yield from _id(header.competition.competition_id, "header.competition.competition_id")
    if not (0 <= header.score.home <= _HIGHEST_SCORE and 0 <= header.score.away <= _HIGHEST_SCORE):
        yield "header.score", f"must be from 0 to {_HIGHEST_SCORE}"
    if header.HasField("position"):
        yield from _position(header.position, "header.position")
    yield from _instant(header.scheduled_at, "header.scheduled_at")


def _roster(observation: Observation) -> Iterator[Violation]:
    for n, entry in enumerate(observation.roster.entries):
        yield from _id(entry.player_id, f"roster.entries[{n}].player_id", required=True)
        yield from _id(entry.team_id, f"roster.entries[{n}].team_id", required=True)


def _report(report: PlayReport, path: str) -> Iterator[Violation]:
    if not report.event_id.isprintable() or ":" in report.event_id:
        # Ids with a colon are those that Scoreline makes itself.
        yield f"{path}.event_id", "must be printable and have no colon"
    if not report.HasField("play"):
        return
    play, path = report.play, f"{path}.play"
    if not (1 <= len(play.play_id) <= _LONGEST_PLAY_ID and play.play_id.isprintable()):
        yield f"{path}.play_id", f"must have 1 to {_LONGEST_PLAY_ID} printable characters"
    if report.deleted:
        return
    yield from _play(play, path)


def _play(play: Play, path: str) -> Iterator[Violation]:
    if play.play_class not in PlayClass.values() or not play.play_class:
        yield f"{path}.play_class", "must be a known class"
    if play.HasField("position"):
        yield from _position(play.position, f"{path}.position")
    else:
        yield f"{path}.position", "is missing"
    yield from _id(play.team_id, f"{path}.team_id")
    for n, participant in enumerate(play.participants):
        yield from _id(participant.player_id, f"{path}.participants[{n}].player_id")
        yield from _id(participant.team_id, f"{path}.participants[{n}].team_id")
    if play.HasField("scored"):
        if play.scored.side not in (Side.SIDE_HOME, Side.SIDE_AWAY):
            yield f"{path}.scored.side", "must be SIDE_HOME or SIDE_AWAY"
        if not 1 <= play.scored.points <= _MOST_POINTS:
            yield f"{path}.scored.points", f"must be from 1 to {_MOST_POINTS}"
    yield from _instant(play.occurred_at, f"{path}.occurred_at")


def _position(position: Position, path: str) -> Iterator[Violation]:
    if position.period < 0:
        yield f"{path}.period", "must not be negative"
    if position.clock_ms < 0:
        yield f"{path}.clock_ms", "must not be negative"


def _id(value: str, path: str, *, required: bool = False) -> Iterator[Violation]:
    """Hold one of Scoreline's ids against its form: ids travel in message headers, in lists."""
    if not value:
        if required:
            yield path, "is missing"
    elif not _ID.fullmatch(value):
        yield path, "must be 1 to 64 letters, digits, - and _"


def _instant(instant: Timestamp, path: str) -> Iterator[Violation]:
    try:
        instant.ToJsonString()
    except ValueError:
        yield path, "is not between the years 1 and 9999"


def _null_characters(message: Message, path: str) -> Iterator[Violation]:
    """Find the one character that PostgreSQL's text cannot hold."""
    for field, value in message.ListFields():
        name = f"{path}.{field.name}" if path else field.name
        values = cast("Iterable[Any]", value) if field.is_repeated else (value,)
        for n, single in enumerate(values):
            at = f"{name}[{n}]" if field.is_repeated else name
            if isinstance(single, Message):
                yield from _null_characters(single, at)
            elif isinstance(single, str) and "\0" in single:
                yield at, "holds a null character"


PROVIDER = Provider(name="scoreline", observe=observe, split=_split, timed=timed)
