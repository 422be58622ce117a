"""Plays of the NHL's play-by-play: one entry of `plays[]` into one play. `nhl.py` says which fields are read."""

import re
from functools import lru_cache
from typing import NamedTuple

from scoreline.game.v1.play_pb2 import (
    PHASE_SHOOTOUT,
    PLAY_CLASS_ATTEMPT,
    PLAY_CLASS_PERIOD,
    PLAY_CLASS_REVIEW,
    PLAY_CLASS_SCORE,
    SIDE_UNSPECIFIED,
    Play,
    Position,
    Side,
)
from scoreline.game.v1.sports_pb2 import IceHockeyPlay
from services.ingestion.providers.nhl_vocabulary import (
    PERIOD_TYPES,
    Kind,
    Period,
    clock_of,
    kind_of,
    period_of,
    situation_of,
)
from services.ingestion.providers.provider import Unreadable
from services.ingestion.providers.strict_json import Json, read_integer, read_object, read_text
from services.runtime.ids import scoreline_id

_CHALLENGE = re.compile(r"chlg-(hm|vis|league)-(.+)")
_STRENGTH_WORDS = {
    IceHockeyPlay.STRENGTH_POWER_PLAY: "power play",
    IceHockeyPlay.STRENGTH_SHORT_HANDED: "short-handed",
}
_OTHER_ZONE = {"O": "D", "D": "O"}


class Club(NamedTuple):
    """A team in this game."""

    side: Side
    team_id: str
    name: str


class Player(NamedTuple):
    """A player, with the club where it is known."""

    player_id: str
    name: str
    club: Club | None


class Game(NamedTuple):
    """What reading a play needs to know of its game; clubs and players by the league's numbers."""

    home: Club
    away: Club
    clubs: dict[int, Club]
    players: dict[int, Player]
    regulation_periods: int


@lru_cache(maxsize=4096)
def nhl_id(number: int) -> str:
    """Our id of a team, player or game."""
    return scoreline_id("nhl", number)


def read_period(holder: Json, regulation_periods: int) -> Period:
    """The period in `periodDescriptor`."""
    descriptor = read_object(holder, "periodDescriptor")
    number = read_integer(descriptor, "number", "periodDescriptor.", most=99)
    period = period_of(number, read_text(descriptor, "periodType", "periodDescriptor."), regulation_periods)
    if period is None:
        raise Unreadable("periodDescriptor.periodType", f"is not one of {', '.join(PERIOD_TYPES)}")
    return period


def read_clock(holder: Json, key: str, path: str = "") -> int | None:
    """A clock "MM:SS" in milliseconds, None where the document has none."""
    written = read_text(holder, key, path)
    if not written:
        return None
    clock = clock_of(written)
    if clock is None:
        raise Unreadable(path + key, "is not a clock MM:SS")
    return clock


def write_position(position: Position, period: Period, clock_ms: int | None) -> None:
    """A place in the game. A shoot-out has no clock."""
    position.period = period.number
    position.phase = period.phase
    if clock_ms is None or period.phase == PHASE_SHOOTOUT:
        position.display = period.label
    else:
        position.clock_ms = clock_ms
        minutes, seconds = divmod(clock_ms // 1000, 60)
        position.display = f"{period.label} {minutes:02}:{seconds:02}"


def read_play(raw: Json, play: Play, game: Game) -> None:
    """Read one entry of `plays[]` into `play`. Raises Unreadable with the path inside the entry."""
    kind = kind_of(read_text(raw, "typeDescKey"))
    if kind is None:
        raise Unreadable("typeDescKey", "names no kind of play")
    play.play_id = str(read_integer(raw, "eventId", least=0))
    play.kind = kind.name
    play.play_class = kind.play_class
    period = read_period(raw, game.regulation_periods)
    position = play.position
    write_position(position, period, read_clock(raw, "timeInPeriod"))
    position.order_key = read_integer(raw, "sortOrder", least=0)
    details = read_object(raw, "details")
    club = _read_club(details, kind, game)
    _read_situation(raw, play, kind, club, period)
    if club:
        play.team_id = club.team_id
    if kind.play_class == PLAY_CLASS_SCORE:
        if not club:
            raise Unreadable("details.eventOwnerTeamId", "is missing")
        play.scored.side = club.side
        play.scored.points = 1
    if kind.name == "stoppage":
        play.text = _read_stoppage(details, play, game)
    elif kind.play_class == PLAY_CLASS_PERIOD:
        play.text = kind.title.format(period.words)
    else:
        text = _read_parts(details, play, kind, club, game)
        remarks = _read_detail(details, play, kind)
        play.text = f"{text} ({', '.join(remarks)})" if remarks else text


def _read_club(details: Json, kind: Kind, game: Game) -> Club | None:
    """The club that a play belongs to; of a blocked shot the shooter's."""
    if kind.name == "blocked_shot" and details.get("shootingPlayerId") is not None:
        shooter = game.players.get(read_integer(details, "shootingPlayerId", "details."))
        if shooter:
            return shooter.club
    number = details.get("eventOwnerTeamId")
    if number is None:
        return None
    club = game.clubs.get(number) if type(number) is int else None
    if club is None:
        raise Unreadable("details.eventOwnerTeamId", "is neither of the two teams")
    return club


def _read_situation(raw: Json, play: Play, kind: Kind, club: Club | None, period: Period) -> None:
    """Who is on the ice, and what that makes of the play."""
    attempt = kind.play_class in (PLAY_CLASS_SCORE, PLAY_CLASS_ATTEMPT)
    code = read_text(raw, "situationCode")
    if code:
        situation = situation_of(code, club.side if club else SIDE_UNSPECIFIED, attempt)
        if situation is None:
            raise Unreadable("situationCode", "is not goalkeeper, skaters, skaters, goalkeeper")
        play.ice_hockey.CopyFrom(situation)
    if attempt and period.phase == PHASE_SHOOTOUT:
        play.ice_hockey.penalty_shot = True


def _read_parts(details: Json, play: Play, kind: Kind, club: Club | None, game: Game) -> str:
    """Write the participants; return the text that names them, or the club where nobody is named."""
    text = kind.title
    if club and not (kind.parts and details.get(kind.parts[0].field)):
        text = f"{text}: {club.name}"
    participants = play.participants
    for field, role, words, own in kind.parts:
        number = details.get(field)
        if number is None:
            continue
        player = game.players.get(number) if type(number) is int else None
        if player is None:
            number = read_integer(details, field, "details.")
            opponent = game.away if club is game.home else game.home
            player = Player(nhl_id(number), "", club if own or not club else opponent)
        player_id, name, players_club = player
        team_id = players_club.team_id if players_club else ""
        participants.add(player_id=player_id, name=name, role=role, team_id=team_id)
        if words:
            text = f"{text}{words}{name or f'player {number}'}"
    return text


def _read_detail(details: Json, play: Play, kind: Kind) -> list[str]:
    """What else only ice hockey knows of a play; return the remarks that its text ends with."""
    remarks: list[str] = []
    zone = read_text(details, "zoneCode", "details.")
    if kind.play_class == PLAY_CLASS_ATTEMPT or kind.play_class == PLAY_CLASS_SCORE:
        shot_type = read_text(details, "shotType", "details.")
        if shot_type:
            play.ice_hockey.shot_type = shot_type
            remarks.append(shot_type)
    reason = read_text(details, "descKey" if kind.name == "penalty" else "reason", "details.")
    if reason:
        play.ice_hockey.reason = reason
        if reason != "blocked":
            remarks.append(reason.replace("-", " "))
    if kind.name == "blocked_shot":
        # The document tells the blocker's zone, and of a team-mate's block now one, now the other.
        zone = _OTHER_ZONE.get(zone, zone) if reason == "blocked" else ""
    if zone:
        play.ice_hockey.zone = zone
    if kind.name == "penalty" and details.get("duration") is not None:
        minutes = read_integer(details, "duration", "details.", least=0, most=60)
        play.ice_hockey.penalty_minutes = minutes
        remarks.append(f"{minutes} minutes")
    if kind.play_class == PLAY_CLASS_SCORE:
        remarks += _goal_remarks(play)
    return remarks


def _goal_remarks(play: Play) -> list[str]:
    hockey = play.ice_hockey
    strength = _STRENGTH_WORDS.get(hockey.strength)
    remarks = [strength] if strength else []
    if hockey.empty_net:
        remarks.append("empty net")
    if hockey.penalty_shot:
        remarks.append("shoot-out" if play.position.phase == PHASE_SHOOTOUT else "penalty shot")
    return remarks


def _read_stoppage(details: Json, play: Play, game: Game) -> str:
    """Write why play stopped, return the text. A challenge or a video review makes it a review, whatever else stopped
    play as well."""
    told = [read_text(details, key, "details.") for key in ("reason", "secondaryReason")]
    reasons = list(dict.fromkeys(reason for reason in told if reason))
    title = "Stoppage"
    review = next((reason for reason in reasons if reason.startswith("chlg") or "review" in reason), "")
    if reasons:
        play.ice_hockey.reason = review or reasons[0]
    if review:
        play.play_class = PLAY_CLASS_REVIEW
        title = "Review"
        challenge = _CHALLENGE.fullmatch(review)
        if challenge:
            club = {"hm": game.home, "vis": game.away}.get(challenge[1])
            play.team_id = club.team_id if club else ""
            title = f"Challenge by {club.name}" if club else "League review"
            reasons[reasons.index(review)] = challenge[2]
    words = ", ".join(reason.replace("-", " ") for reason in reasons)
    return f"{title} ({words})" if words else title
