"""NHL play-by-play: the JSON document of api-web.nhle.com/v1/gamecenter/<game>/play-by-play.

The document is the whole game so far, so it becomes one observation with a complete list of plays: what it shows no
more was deleted, which is how a disallowed goal goes.

There is no revision: neither the document nor a play says how new it is (`eventId` is a number in no order,
`sortOrder` a place in the game), so the time a document was asked for, or its arrival, is the revision.

Relied on: `id`, `gameState`, `homeTeam.id`, `awayTeam.id`, `plays[]`; of each play `eventId` (its id), `sortOrder`
(the order of play), `typeDescKey` (the kind), `periodDescriptor.number`; of a goal `details.eventOwnerTeamId`.

Used where told: `gameScheduleState`, `gameType`, `season`, `startTimeUTC`, `venue`, `regPeriods`, `periodDescriptor`,
`clock`, names and scores of the teams, `rosterSpots[]`; of each play `timeInPeriod` (counts up), `timeRemaining`,
`situationCode` (away goalkeeper, away skaters, home skaters, home goalkeeper) and of its `details` the owner, the
players, `shotType`, `reason`, `secondaryReason`, `descKey`, `duration`, `zoneCode`.

Ignored, because no viewer sees it or the plays say it already: coordinates, running totals of shots, goals and
assists, the score after a goal, `typeCode`, `homeTeamDefendingSide`, film clips, broadcasts, logos, `summary`.

A stoppage for a challenge or a video review is a review, of the side that challenged. A blocked shot belongs to the
shooter's team, whichever of the two the document names as its owner.
"""

from collections.abc import Sequence

from google.protobuf.timestamp_pb2 import Timestamp

from scoreline.game.v1.header_pb2 import GameStatus, Header, RosterEntry, Team
from scoreline.game.v1.play_pb2 import PHASE_EXTRA_TIME, SIDE_AWAY, SIDE_HOME
from scoreline.game.v1.source_pb2 import Observation
from services.ingestion.providers.nhl_plays import (
    Club,
    Game,
    Player,
    nhl_id,
    read_clock,
    read_period,
    read_play,
    write_position,
)
from services.ingestion.providers.nhl_vocabulary import Period
from services.ingestion.providers.provider import Provider, Unreadable, one_document
from services.ingestion.providers.strict_json import (
    INT32,
    Json,
    parse,
    read_integer,
    read_object,
    read_objects,
    read_text,
)

_STATUSES = {
    "FUT": GameStatus.GAME_STATUS_SCHEDULED,
    "PRE": GameStatus.GAME_STATUS_PRE_GAME,
    "LIVE": GameStatus.GAME_STATUS_LIVE,
    "CRIT": GameStatus.GAME_STATUS_LIVE,
    "OVER": GameStatus.GAME_STATUS_FINAL,
    "FINAL": GameStatus.GAME_STATUS_FINAL,
    "OFF": GameStatus.GAME_STATUS_FINAL,
}
_NOT_AS_SCHEDULED = {
    "PPD": GameStatus.GAME_STATUS_POSTPONED,
    "SUSP": GameStatus.GAME_STATUS_SUSPENDED,
    "CNCL": GameStatus.GAME_STATUS_ABANDONED,
}
_BEFORE_THE_GAME = ("FUT", "PRE")
_PLAYOFFS = 3
_COMPETITIONS = {
    1: "NHL Preseason",
    2: "NHL Regular Season",
    _PLAYOFFS: "NHL Playoffs",
    4: "NHL All-Star Game",
}
_REGULATION_PERIODS = 3
_PERIOD_MS = 20 * 60_000
_SHORT_OVERTIME_MS = 5 * 60_000


def observe(payload: bytes) -> list[Observation]:
    """Read one document. Raises Unreadable, with the path of the first value that is not as the format has it."""
    document = parse(payload)
    observation = Observation(game_id=nhl_id(read_integer(document, "id")), scope="play-by-play", complete=True)
    header = observation.header
    home = _read_team(document, "homeTeam", header.home)
    away = _read_team(document, "awayTeam", header.away)
    if home == away:
        raise Unreadable("awayTeam.id", "is that of the home team")
    clubs = {
        home: Club(SIDE_HOME, header.home.team_id, header.home.name),
        away: Club(SIDE_AWAY, header.away.team_id, header.away.name),
    }
    players = _read_roster(document, observation, clubs)
    game = Game(clubs[home], clubs[away], clubs, players, _regulation_periods(document))
    plays = read_objects(document, "plays")
    _read_plays(plays, observation, game)
    _read_header(document, header, plays, game)
    return [observation]


def _read_plays(plays: Sequence[Json], observation: Observation, game: Game) -> None:
    seen: dict[str, int] = {}
    for index, raw in enumerate(plays):
        play = observation.plays.add().play
        try:
            read_play(raw, play, game)
        except Unreadable as error:
            raise Unreadable(f"plays[{index}].{error.path}", error.message) from None
        if seen.setdefault(play.play_id, index) != index:
            raise Unreadable(f"plays[{index}].eventId", f"is that of plays[{seen[play.play_id]}]")


def _regulation_periods(document: Json) -> int:
    if document.get("regPeriods") is None:
        return _REGULATION_PERIODS
    return read_integer(document, "regPeriods", most=9)


def _named(holder: Json, key: str, path: str) -> str:
    """A name that is told in several languages: the default one."""
    return read_text(read_object(holder, key, path), "default", f"{path}{key}.")


def _read_team(document: Json, side: str, team: Team) -> int:
    """Write the team, return the league's number of it."""
    told = read_object(document, side)
    path = f"{side}."
    number = read_integer(told, "id", path)
    team.team_id = nhl_id(number)
    place = _named(told, "placeName", path)
    name = _named(told, "commonName", path) or _named(told, "name", path)
    # Some names hold the place already: "Utah Hockey Club".
    team.name = name if name.startswith(place) else f"{place} {name}".strip()
    team.abbreviation = read_text(told, "abbrev", path)
    return number


def _read_roster(document: Json, observation: Observation, clubs: dict[int, Club]) -> dict[int, Player]:
    """Write the roster where the document has one, return its players by the league's number."""
    players: dict[int, Player] = {}
    if document.get("rosterSpots") is None:
        return players
    entries: dict[int, RosterEntry] = {}
    for index, spot in enumerate(read_objects(document, "rosterSpots")):
        path = f"rosterSpots[{index}]."
        number = read_integer(spot, "playerId", path)
        club = clubs.get(read_integer(spot, "teamId", path))
        if club is None:
            raise Unreadable(f"{path}teamId", "is neither of the two teams")
        name = f"{_named(spot, 'firstName', path)} {_named(spot, 'lastName', path)}".strip()
        players[number] = Player(nhl_id(number), name, club)
        jersey = spot.get("sweaterNumber")
        entries[number] = RosterEntry(
            player_id=nhl_id(number),
            name=name,
            team_id=club.team_id,
            jersey="" if jersey is None else str(read_integer(spot, "sweaterNumber", path, least=0, most=999)),
            position=read_text(spot, "positionCode", path),
        )
    if entries:
        ordered = sorted(entries.values(), key=lambda entry: (entry.team_id, entry.player_id))
        observation.roster.entries.extend(ordered)
    return players


def _read_header(document: Json, header: Header, plays: Sequence[Json], game: Game) -> None:
    clock = read_object(document, "clock")
    header.sport = "ice_hockey"
    header.status = _status(document, clock)
    header.venue = _named(document, "venue", "")
    header.score_includes_shootout_winner = True
    if document.get("gameType") is not None:
        game_type = read_integer(document, "gameType", most=INT32)
        header.competition.competition_id = nhl_id(game_type)
        header.competition.name = _COMPETITIONS.get(game_type, "NHL")
    if document.get("season") is not None:
        header.competition.season = str(read_integer(document, "season"))
    scheduled_at = read_text(document, "startTimeUTC")
    if scheduled_at:
        header.scheduled_at.CopyFrom(_timestamp(scheduled_at))
    sides = [(read_object(document, side), side) for side in ("homeTeam", "awayTeam")]
    if document["gameState"] not in _BEFORE_THE_GAME and all(told.get("score") is not None for told, _ in sides):
        header.score.home, header.score.away = (
            read_integer(told, "score", f"{side}.", least=0, most=999) for told, side in sides
        )
    running = clock.get("running")
    if running is not None:
        header.clock_running = _flag(clock, "running")
    if document.get("periodDescriptor") is not None:
        _read_position(document, clock, header, plays, game)


def _flag(clock: Json, key: str) -> bool:
    """A flag of the clock, false where the document has none."""
    value = clock.get(key)
    if value is not None and not isinstance(value, bool):
        raise Unreadable(f"clock.{key}", "is neither true nor false")
    return value is True


def _status(document: Json, clock: Json) -> GameStatus:
    state = read_text(document, "gameState")
    status = _STATUSES.get(state)
    if status is None:
        raise Unreadable("gameState", f"is not one of {', '.join(_STATUSES)}" if state else "is missing")
    intermission = _flag(clock, "inIntermission")
    schedule = read_text(document, "gameScheduleState")
    if status == GameStatus.GAME_STATUS_FINAL:
        return status
    if schedule in _NOT_AS_SCHEDULED:
        return _NOT_AS_SCHEDULED[schedule]
    if status == GameStatus.GAME_STATUS_LIVE and intermission:
        return GameStatus.GAME_STATUS_BREAK
    return status


def _timestamp(written: str) -> Timestamp:
    moment = Timestamp()
    try:
        moment.FromJsonString(written)
    except ValueError:
        raise Unreadable("startTimeUTC", "is not a time") from None
    return moment


def _read_position(document: Json, clock: Json, header: Header, plays: Sequence[Json], game: Game) -> None:
    """Where the game stands. The clock counts down, in an intermission to the next period."""
    period = read_period(document, game.regulation_periods)
    remaining = read_clock(clock, "timeRemaining", "clock.")
    length = _period_length(period, document, plays)
    elapsed = None if remaining is None else length - remaining
    if header.status == GameStatus.GAME_STATUS_BREAK:
        elapsed = length
    if elapsed is not None and elapsed < 0:
        elapsed = None
    write_position(header.position, period, elapsed)


def _period_length(period: Period, document: Json, plays: Sequence[Json]) -> int:
    """Length of a period in milliseconds, as one of its plays tells it, else as the league's rules have it."""
    for raw in reversed(plays):
        if raw["periodDescriptor"]["number"] == period.number:
            elapsed, remaining = (read_clock(raw, key) for key in ("timeInPeriod", "timeRemaining"))
            if elapsed is not None and remaining is not None:
                return elapsed + remaining
            break
    if period.phase == PHASE_EXTRA_TIME and document.get("gameType") != _PLAYOFFS:
        return _SHORT_OVERTIME_MS
    return _PERIOD_MS


PROVIDER = Provider(name="nhl", observe=observe, split=one_document)
