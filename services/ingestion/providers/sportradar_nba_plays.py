"""Plays of Sportradar's NBA push events: one `payload.event` into one play.

`sportradar_nba_push.py` says which fields are read.
"""

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from google.protobuf.timestamp_pb2 import Timestamp

from scoreline.game.v1.header_pb2 import Header
from scoreline.game.v1.play_pb2 import ParticipantRole, Phase, Play, PlayClass, PlayStatus, Position, Side
from scoreline.game.v1.sports_pb2 import BasketballPlay
from services.ingestion.providers.provider import Unreadable
from services.ingestion.providers.strict_json import (
    INT64,
    Json,
    read_integer,
    read_object,
    read_objects,
    read_text,
    wrong,
)
from services.runtime.ids import scoreline_id

NAME = "sportradar-nba-push"

_EVENT, _STATISTIC = "payload.event.", "payload.event.statistics[]."
_LONGEST_ID = 128
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_QUARTERS = 4
_PERIOD_MS = {"quarter": 12 * 60_000, "overtime": 5 * 60_000}
_CLOCK = re.compile(r"(?:([0-9]{1,2}):)?([0-5]?[0-9])(?:\.([0-9]{1,3}))?")


class Kind(NamedTuple):
    """What one of the provider's event types is in Scoreline's words."""

    name: str
    play_class: PlayClass
    shot_value: int = 0
    foul_type: str = ""


_SCORE, _ATTEMPT, _ACTION = PlayClass.PLAY_CLASS_SCORE, PlayClass.PLAY_CLASS_ATTEMPT, PlayClass.PLAY_CLASS_ACTION
_FOUL, _STOPPAGE = PlayClass.PLAY_CLASS_DISCIPLINE, PlayClass.PLAY_CLASS_STOPPAGE
_REVIEW, _PERIOD = PlayClass.PLAY_CLASS_REVIEW, PlayClass.PLAY_CLASS_PERIOD

# No event says that a period begins but the tip or the inbound pass that opens it.
_KINDS = {
    "freethrowmade": Kind("free_throw_made", _SCORE, 1),
    "twopointmade": Kind("two_point_made", _SCORE, 2),
    "threepointmade": Kind("three_point_made", _SCORE, 3),
    "freethrowmiss": Kind("free_throw_missed", _ATTEMPT, 1),
    "twopointmiss": Kind("two_point_missed", _ATTEMPT, 2),
    "threepointmiss": Kind("three_point_missed", _ATTEMPT, 3),
    "rebound": Kind("rebound", _ACTION),
    "deadball": Kind("team_rebound", _ACTION),
    "turnover": Kind("turnover", _ACTION),
    "jumpball": Kind("jump_ball", _ACTION),
    "possession": Kind("possession", _ACTION),
    "opentip": Kind("opening_tip", _PERIOD),
    "openingtip": Kind("opening_tip", _PERIOD),
    "openinbound": Kind("opening_inbound", _PERIOD),
    "endperiod": Kind("period_end", _PERIOD),
    "endofgame": Kind("game_end", _PERIOD),
    "personalfoul": Kind("personal_foul", _FOUL, foul_type="personal"),
    "shootingfoul": Kind("shooting_foul", _FOUL, foul_type="shooting"),
    "offensivefoul": Kind("offensive_foul", _FOUL, foul_type="offensive"),
    "clearpathfoul": Kind("clear_path_foul", _FOUL, foul_type="clear path"),
    "flagrantone": Kind("flagrant_foul_one", _FOUL, foul_type="flagrant"),
    "flagranttwo": Kind("flagrant_foul_two", _FOUL, foul_type="flagrant"),
    "technicalfoul": Kind("technical_foul", _FOUL, foul_type="technical"),
    "technicalfoulnonunsportsmanlike": Kind("non_unsportsmanlike_technical", _FOUL, foul_type="technical"),
    "ejection": Kind("ejection", _FOUL),
    "defaultviolation": Kind("violation", _STOPPAGE),
    "minorviolation": Kind("minor_violation", _STOPPAGE),
    "majorviolation": Kind("major_violation", _STOPPAGE),
    "delay": Kind("delay_of_game_violation", _STOPPAGE),
    "kickball": Kind("kicked_ball_violation", _STOPPAGE),
    "lane": Kind("lane_violation", _STOPPAGE),
    "doublelane": Kind("double_lane_violation", _STOPPAGE),
    "jumpballviolation": Kind("jump_ball_violation", _STOPPAGE),
    "doubledribble": Kind("double_dribble_violation", _STOPPAGE),
    "defensivethreeseconds": Kind("defensive_three_second_violation", _STOPPAGE),
    "defensivegoaltending": Kind("defensive_goaltending_violation", _STOPPAGE),
    "offensivegoaltending": Kind("offensive_goaltending_violation", _STOPPAGE),
    "goaltending": Kind("goaltending_violation", _STOPPAGE),
    "teamtimeout": Kind("team_timeout", _STOPPAGE),
    "officialtimeout": Kind("official_timeout", _STOPPAGE),
    "tvtimeout": Kind("television_timeout", _STOPPAGE),
    "stoppage": Kind("stoppage", _STOPPAGE),
    "challengetimeout": Kind("challenge_timeout", _REVIEW),
    "challengereview": Kind("challenge_review", _REVIEW),
    "requestreview": Kind("requested_review", _REVIEW),
    "review": Kind("review", _REVIEW),
    "lineupchange": Kind("lineup_change", PlayClass.PLAY_CLASS_SUBSTITUTION),
}
_TEAM_REBOUND = _KINDS["deadball"]

# Two statistics of one player may tell the same part twice: an offensive foul is a personal foul too.
_ROLES = {
    "assist": ParticipantRole.PARTICIPANT_ROLE_ASSIST,
    "attemptblocked": ParticipantRole.PARTICIPANT_ROLE_SHOOTER,
    "block": ParticipantRole.PARTICIPANT_ROLE_BLOCKER,
    "ejection": ParticipantRole.PARTICIPANT_ROLE_OFFENDER,
    "flagrantfoul": ParticipantRole.PARTICIPANT_ROLE_OFFENDER,
    "fouldrawn": ParticipantRole.PARTICIPANT_ROLE_FOULED,
    "offensivefoul": ParticipantRole.PARTICIPANT_ROLE_OFFENDER,
    "personalfoul": ParticipantRole.PARTICIPANT_ROLE_OFFENDER,
    "rebound": ParticipantRole.PARTICIPANT_ROLE_REBOUNDER,
    "steal": ParticipantRole.PARTICIPANT_ROLE_TAKEAWAY,
    "technicalfoul": ParticipantRole.PARTICIPANT_ROLE_OFFENDER,
    "technicalfoulnonunsportsmanlike": ParticipantRole.PARTICIPANT_ROLE_OFFENDER,
    "turnover": ParticipantRole.PARTICIPANT_ROLE_GIVEAWAY,
}
_SHOTS = frozenset({"fieldgoal", "freethrow"})
_REBOUNDS = {
    "offensive": BasketballPlay.REBOUND_OFFENSIVE,
    "defensive": BasketballPlay.REBOUND_DEFENSIVE,
}

# Looking a value up in its enum costs as much as writing a field.
_CANCELLED = PlayStatus.PLAY_STATUS_CANCELLED
_HOME, _AWAY = Side.SIDE_HOME, Side.SIDE_AWAY
_REGULATION, _OVERTIME = Phase.PHASE_REGULATION, Phase.PHASE_EXTRA_TIME
_SCORER, _SHOOTER = ParticipantRole.PARTICIPANT_ROLE_SCORER, ParticipantRole.PARTICIPANT_ROLE_SHOOTER
_PLAYER, _NO_REBOUND = ParticipantRole.PARTICIPANT_ROLE_UNSPECIFIED, BasketballPlay.REBOUND_UNSPECIFIED


@lru_cache(maxsize=4096)
def nba_id(foreign_id: str) -> str:
    """Our id of a game, team, player or league."""
    return scoreline_id(NAME, foreign_id)


def read_required(holder: Json, key: str, path: str) -> str:
    """A text that must be there and not be empty."""
    text = read_text(holder, key, path)
    if not text:
        raise wrong(path + key, holder.get(key), "a text with something in it")
    return text


def read_time(holder: Json, key: str, path: str) -> datetime | None:
    """A moment in UTC, None where the document has none. Without an offset it is UTC already."""
    text = read_text(holder, key, path)
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        raise Unreadable(path + key, "is not a time") from None


def timestamp_of(moment: datetime) -> Timestamp:
    """A moment in UTC as a message, to the microsecond."""
    since = moment - _EPOCH
    return Timestamp(seconds=since.days * 86_400 + since.seconds, nanos=since.microseconds * 1000)


def read_play_id(event: Json) -> str:
    """The play's id, which the provider keeps through all changes of the play."""
    play_id = read_required(event, "id", _EVENT)
    if len(play_id) > _LONGEST_ID:
        raise Unreadable(f"{_EVENT}id", f"is longer than {_LONGEST_ID} characters")
    return play_id


def qualifiers_of(event: Json) -> list[str]:
    """Words that the provider adds to a play, such as "fastbreak"."""
    return [read_text(entry, "qualifier", f"{_EVENT}qualifiers[].") for entry in _list_of(event, "qualifiers")]


def _list_of(event: Json, key: str) -> list[Json]:
    return read_objects(event, key, _EVENT) if event.get(key) is not None else []


def _id_of(holder: Json, path: str) -> str:
    """Our id of a team or player, empty where the provider gives none."""
    foreign_id = read_text(holder, "id", path)
    return nba_id(foreign_id) if foreign_id else ""


def read_play(event: Json, play: Play, header: Header) -> None:
    """Read an event into `play`. The header tells which side a basket is for."""
    event_type = read_required(event, "event_type", _EVENT)
    kind = _KINDS.get(event_type) or Kind(event_type, _ACTION)
    if kind.name == "rebound" and "team" in qualifiers_of(event):
        kind = _TEAM_REBOUND
    statistics = _list_of(event, "statistics")
    play.play_id = read_play_id(event)
    play.play_class, play.kind = kind.play_class, kind.name
    _read_position(event, play.position)
    play.team_id = _id_of(read_object(event, "attribution", _EVENT), f"{_EVENT}attribution.")
    _read_participants(statistics, play)
    play.text = read_text(event, "description", _EVENT)
    _read_detail(event, statistics, kind, play.basketball)
    if kind.play_class == _SCORE:
        play.scored.side = _side(play.team_id, header)
        play.scored.points = kind.shot_value
    # The league took a technical foul back afterwards: the play stays in the list and counts no more.
    if event.get("rescinded") is True:
        play.status = _CANCELLED
    if occurred := read_time(event, "wall_clock", _EVENT):
        play.occurred_at.CopyFrom(timestamp_of(occurred))


def _side(team_id: str, header: Header) -> Side:
    if team_id == header.home.team_id:
        return _HOME
    if team_id == header.away.team_id:
        return _AWAY
    raise Unreadable(f"{_EVENT}attribution.id", "is neither of the two teams, but the play is a basket")


def _read_participants(statistics: list[Json], play: Play) -> None:
    """Write each player's part once, in an order that does not depend on the message's."""
    shot_role = _SCORER if play.play_class == _SCORE else _SHOOTER
    parts: set[tuple[ParticipantRole, str, str, str]] = set()
    for entry in statistics:
        player = read_object(entry, "player", _STATISTIC)
        name = read_text(player, "full_name", f"{_STATISTIC}player.")
        player_id = _id_of(player, f"{_STATISTIC}player.")
        if not name and not player_id:
            continue  # the team's own, such as a team rebound, or a first report without a name
        sort = read_required(entry, "type", _STATISTIC)
        role = shot_role if sort in _SHOTS else _ROLES.get(sort, _PLAYER)
        team_id = _id_of(read_object(entry, "team", _STATISTIC), f"{_STATISTIC}team.")
        parts.add((role, team_id, player_id, name))
    for role, team_id, player_id, name in sorted(parts):
        play.participants.add(role=role, team_id=team_id, player_id=player_id, name=name)


def _read_detail(event: Json, statistics: list[Json], kind: Kind, detail: BasketballPlay) -> None:
    detail.SetInParent()
    detail.shot_value, detail.foul_type = kind.shot_value, kind.foul_type
    detail.turnover_type = read_text(event, "turnover_type", _EVENT)
    detail.attempt = read_text(event, "attempt", _EVENT)
    for entry in statistics:
        sort = entry.get("type")
        if sort == "fieldgoal":
            detail.shot_type = read_text(entry, "shot_type", _STATISTIC)
        elif sort == "freethrow":
            detail.shot_type = read_text(entry, "free_throw_type", _STATISTIC)
        elif sort == "rebound":
            detail.rebound = _REBOUNDS.get(read_text(entry, "rebound_type", _STATISTIC), _NO_REBOUND)


def _read_position(event: Json, position: Position) -> None:
    """Write the place of a play. An overtime's number may begin again at 1, its sequence does not."""
    path = f"{_EVENT}period."
    period = read_object(event, "period", _EVENT)
    sort = read_required(period, "type", path)
    length = _PERIOD_MS.get(sort)
    if length is None:
        raise Unreadable(f"{path}type", "is neither quarter nor overtime")
    overtime = sort == "overtime"
    if period.get("sequence") is not None:
        ordinal = read_integer(period, "sequence", path, most=99)
    else:
        ordinal = read_integer(period, "number", path, most=99)
        if overtime and ordinal <= _QUARTERS:
            ordinal += _QUARTERS
    position.period, position.phase = ordinal, _OVERTIME if overtime else _REGULATION
    position.order_key = read_integer(event, "sequence", _EVENT, least=0, most=INT64)
    display = _period_name(ordinal, overtime=overtime)
    if written := read_text(event, "clock_decimal", _EVENT) or read_text(event, "clock", _EVENT):
        left, shown = _clock(written)
        position.clock_ms = max(0, length - left)
        display = f"{display} {shown}"
    position.display = display


def _period_name(ordinal: int, *, overtime: bool) -> str:
    if not overtime:
        return f"Q{ordinal}"
    return "OT" if ordinal <= _QUARTERS + 1 else f"OT{ordinal - _QUARTERS}"


@lru_cache(maxsize=2048)
def _clock(written: str) -> tuple[int, str]:
    """Milliseconds left on a clock that reads "m:ss", "m:ss.t" or "ss.t", and how a scoreboard shows it."""
    found = _CLOCK.fullmatch(written)
    if not found:
        raise Unreadable(f"{_EVENT}clock", "is not a clock m:ss or ss.t")
    minutes, seconds, fraction = int(found[1] or 0), int(found[2]), found[3] or ""
    left = (minutes * 60 + seconds) * 1000 + int(fraction.ljust(3, "0"))
    return left, f"{seconds}.{fraction[0]}" if fraction and not minutes else f"{minutes}:{seconds:02}"
