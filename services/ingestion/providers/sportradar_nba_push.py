"""Sportradar NBA push events, v7: one message tells one change to one play, with its game's header.

A recording is a line of JSON a message, or pretty-printed objects with nothing between them.

Relied on: `payload.game` (id, status; home and away with id, market, name), `metadata.operation`, and of
`payload.event` the id, event_type, sequence (the order of plays), period, and for a basket attribution (whose team
decides the side that gains).
Used where told: `payload.game.scheduled`, the teams' points, `metadata.league`; of the event clock_decimal or clock,
attribution, statistics (who took part), qualifiers, attempt, turnover_type, description, wall_clock, rescinded, and
the times that make the revision.

Ignored, because it is not the play's own or does not hold still: `home_points` and `away_points` of an event (they
go back and forth between messages of one play, and a play sent again carries the score of now), `on_court`,
`location`, `number` (not unique), `possession`, `metadata.status`, `bonus` and `remaining_timeouts`.

Revision of a play, as text in byte order: the time of the change (deleted or updated, else created, else
wall_clock; in UTC); a deletion above an update; then, because one second holds several updates and each tells more:
players named, players with an id, qualifiers, whether the provider's first guesses are gone (every foul begins as
personal, every shot as a jump shot), length of the text; a digest of the play, so that only equal plays tie.
Revision of a header: the same time, the points of both sides, how far the game is, a digest. Without any time both are
empty, and arrival decides.

A player without an id (some have none) takes part by name alone and has no statistics.
"""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import blake2b

import orjson
from google.protobuf.message import Message

from scoreline.game.v1.header_pb2 import GameStatus, Header, Team
from scoreline.game.v1.play_pb2 import Play
from scoreline.game.v1.source_pb2 import Observation
from services.ingestion.providers.provider import Provider, Unreadable
from services.ingestion.providers.sportradar_nba_plays import (
    NAME,
    nba_id,
    qualifiers_of,
    read_play,
    read_play_id,
    read_required,
    read_time,
    timestamp_of,
)
from services.ingestion.providers.strict_json import INT32, Json, parse, read_integer, read_object, read_text

# A string, to its end or to that of a cut recording; or a brace outside of strings.
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[{}]', re.DOTALL)
_LINES_LOOKED_AT = 16

_STATUSES = {
    "scheduled": GameStatus.GAME_STATUS_SCHEDULED,
    "time-tbd": GameStatus.GAME_STATUS_SCHEDULED,
    "if-necessary": GameStatus.GAME_STATUS_SCHEDULED,
    "flex-schedule": GameStatus.GAME_STATUS_SCHEDULED,
    "created": GameStatus.GAME_STATUS_PRE_GAME,
    "inprogress": GameStatus.GAME_STATUS_LIVE,
    "halftime": GameStatus.GAME_STATUS_BREAK,
    "delayed": GameStatus.GAME_STATUS_SUSPENDED,
    "suspended": GameStatus.GAME_STATUS_SUSPENDED,
    "postponed": GameStatus.GAME_STATUS_POSTPONED,
    "cancelled": GameStatus.GAME_STATUS_ABANDONED,
    "unnecessary": GameStatus.GAME_STATUS_DELETED,
    "complete": GameStatus.GAME_STATUS_FINAL,
    "closed": GameStatus.GAME_STATUS_FINAL,
}
_UNKNOWN = GameStatus.GAME_STATUS_UNSPECIFIED
# What a play is called before anyone has looked closely: a kind, a shot type, a turnover type.
_FIRST_GUESSES = frozenset({"personal_foul", "jump shot", "Turnover"})


def observe(message: bytes) -> list[Observation]:
    """Read one message: nothing for a heartbeat, else one game's header and one play.

    Raises Unreadable, with the path of the first value that is not as the format has it.
    """
    document = parse(message)
    if "payload" not in document:
        if "heartbeat" in document:
            return []
        raise Unreadable("", "is neither a heartbeat nor a payload")
    payload, metadata = read_object(document, "payload"), read_object(document, "metadata")
    game, event = read_object(payload, "game", "payload."), read_object(payload, "event", "payload.")
    deleted = read_required(metadata, "operation", "metadata.") == "delete"
    changed = _changed(event, deleted=deleted)
    seen = Observation(game_id=nba_id(read_required(game, "id", "payload.game.")), scope="events")
    _read_header(game, metadata, seen.header)
    points = seen.header.score.home + seen.header.score.away
    seen.header_revision = _revision(changed, f"{points:010}.{seen.header.status}", seen.header)
    report = seen.plays.add()
    if deleted:
        report.deleted = True
        report.play.play_id = read_play_id(event)
        report.revision = _revision(changed, "1", report.play)
    else:
        read_play(event, report.play, seen.header)
        report.revision = _revision(changed, f"0.{_told(report.play, event)}", report.play)
        seen.header_as_of.CopyFrom(report.play.position)
    return [seen]


def split(recording: bytes) -> Iterator[bytes]:
    """Cut a recording into its messages. What is cut off or stands between them is yielded as it is."""
    lines = recording.split(b"\n")
    if any(_is_message(line) for line in lines[:_LINES_LOOKED_AT]):
        return (line for line in map(bytes.strip, lines) if line)
    return _objects(recording)


def timed(recording: bytes) -> Iterator[tuple[int, bytes]]:
    """Cut a recording with its timing: a message follows the one before by as much as its change was made later."""
    newest = ""
    for message in split(recording):
        try:
            told = [seen.header_revision.partition("Z")[0] for seen in observe(message)]
        except Unreadable:
            told = []
        moment = max([newest, *told])
        after = datetime.fromisoformat(moment) - datetime.fromisoformat(newest) if newest else timedelta()
        newest = moment
        yield round(after / timedelta(milliseconds=1)), message


def _is_message(line: bytes) -> bool:
    """Whether the line is an object by itself. In pretty-printed text none is that starts the line."""
    try:
        return line.startswith(b"{") and bool(orjson.loads(line))
    except orjson.JSONDecodeError:
        return False


def _objects(recording: bytes) -> Iterator[bytes]:
    """Objects one after another, found by their braces."""
    depth = begin = end = 0
    for token in _TOKEN.finditer(recording):
        if token[0] == b"{":
            if not depth:
                begin = token.start()
                if between := recording[end:begin].strip():
                    yield between
                end = begin
            depth += 1
        elif token[0] == b"}" and depth:
            depth -= 1
            if not depth:
                end = token.end()
                yield recording[begin:end]
    if rest := recording[end:].strip():
        yield rest


def _read_header(game: Json, metadata: Json, header: Header) -> None:
    home, away = read_object(game, "home", "payload.game."), read_object(game, "away", "payload.game.")
    header.sport = "basketball"
    header.status = _STATUSES.get(read_required(game, "status", "payload.game."), _UNKNOWN)
    _read_team(home, "payload.game.home.", header.home)
    _read_team(away, "payload.game.away.", header.away)
    if header.home.team_id == header.away.team_id:
        raise Unreadable("payload.game.away.id", "is the home team's")
    if league := read_text(metadata, "league", "metadata."):
        header.competition.competition_id = nba_id(league)
        header.competition.name = league
    if scheduled := read_time(game, "scheduled", "payload.game."):
        header.scheduled_at.CopyFrom(timestamp_of(scheduled))
    if home.get("points") is not None and away.get("points") is not None:
        score = header.score
        score.home = read_integer(home, "points", "payload.game.home.", least=0, most=INT32)
        score.away = read_integer(away, "points", "payload.game.away.", least=0, most=INT32)


def _read_team(told: Json, path: str, team: Team) -> None:
    market, name = read_text(told, "market", path), read_text(told, "name", path)
    team.team_id = nba_id(read_required(told, "id", path))
    team.name = f"{market} {name}".strip()
    team.abbreviation = read_text(told, "alias", path)


def _changed(event: Json, *, deleted: bool) -> str:
    """When the message's change was made, as UTC text that sorts; empty where no time is told."""
    for key in ("deleted" if deleted else "updated", "created", "wall_clock"):
        if moment := read_time(event, key, "payload.event."):
            return f"{moment.isoformat(timespec='microseconds')[:26]}Z"
    return ""


def _told(play: Play, event: Json) -> str:
    """How much a message tells of its play, as text that sorts."""
    basketball = play.basketball
    guessed = not _FIRST_GUESSES.isdisjoint((play.kind, basketball.shot_type, basketball.turnover_type))
    counts = (
        len(play.participants),
        sum(1 for participant in play.participants if participant.player_id),
        len(qualifiers_of(event)),
        0 if guessed else 1,
        len(play.text),
    )
    return ".".join([f"{min(count, 999):03}" for count in counts])


def _revision(changed: str, rank: str, content: Message) -> str:
    if not changed:
        return ""
    digest = blake2b(content.SerializeToString(deterministic=True), digest_size=8).hexdigest()
    return f"{changed}.{rank}.{digest}"


PROVIDER = Provider(name=NAME, observe=observe, split=split, timed=timed)
