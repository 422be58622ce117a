"""Words and codes of the NHL's play-by-play: kinds of play, periods, situation codes.

What is looked up for every play is worked out once and kept. Enum values are imported by name, because reading one off
its enum takes longer than all else that a play's field needs.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from scoreline.game.v1.play_pb2 import (
    PARTICIPANT_ROLE_ASSIST,
    PARTICIPANT_ROLE_BLOCKER,
    PARTICIPANT_ROLE_FOULED,
    PARTICIPANT_ROLE_GIVEAWAY,
    PARTICIPANT_ROLE_GOALKEEPER,
    PARTICIPANT_ROLE_HITTEE,
    PARTICIPANT_ROLE_HITTER,
    PARTICIPANT_ROLE_LOSER,
    PARTICIPANT_ROLE_OFFENDER,
    PARTICIPANT_ROLE_SCORER,
    PARTICIPANT_ROLE_SECOND_ASSIST,
    PARTICIPANT_ROLE_SERVING,
    PARTICIPANT_ROLE_SHOOTER,
    PARTICIPANT_ROLE_TAKEAWAY,
    PARTICIPANT_ROLE_WINNER,
    PHASE_EXTRA_TIME,
    PHASE_REGULATION,
    PHASE_SHOOTOUT,
    PLAY_CLASS_ACTION,
    PLAY_CLASS_ATTEMPT,
    PLAY_CLASS_DISCIPLINE,
    PLAY_CLASS_PERIOD,
    PLAY_CLASS_REVIEW,
    PLAY_CLASS_SCORE,
    PLAY_CLASS_STOPPAGE,
    PLAY_CLASS_SUBSTITUTION,
    SIDE_HOME,
    ParticipantRole,
    Phase,
    PlayClass,
    Side,
)
from scoreline.game.v1.sports_pb2 import IceHockeyPlay


class Part(NamedTuple):
    """A part in a play: the field that names the player, the role, the words that lead to the name in the text (empty
    leaves it out), and whether the player is of the play's own team, for one that no roster knows."""

    field: str
    role: ParticipantRole
    words: str
    own: bool


class Kind(NamedTuple):
    """A kind of play: our word for it, its class, how its text begins, and who takes part."""

    name: str
    play_class: PlayClass
    title: str
    parts: tuple[Part, ...] = ()


def _own(field: str, role: ParticipantRole, words: str) -> Part:
    return Part(field, role, words, True)


def _other(field: str, role: ParticipantRole, words: str) -> Part:
    return Part(field, role, words, False)


_SHOOTER = _own("shootingPlayerId", PARTICIPANT_ROLE_SHOOTER, " by ")
_BLOCKER = _other("blockingPlayerId", PARTICIPANT_ROLE_BLOCKER, ", blocked by ")
_SAVED_BY = _other("goalieInNetId", PARTICIPANT_ROLE_GOALKEEPER, ", saved by ")
_GOALKEEPER = _SAVED_BY._replace(words="")
_GOAL_PARTS = (
    _own("scoringPlayerId", PARTICIPANT_ROLE_SCORER, " by "),
    _own("assist1PlayerId", PARTICIPANT_ROLE_ASSIST, ", assisted by "),
    _own("assist2PlayerId", PARTICIPANT_ROLE_SECOND_ASSIST, " and "),
    _GOALKEEPER,
)
_PENALTY_PARTS = (
    _own("committedByPlayerId", PARTICIPANT_ROLE_OFFENDER, " on "),
    _other("drawnByPlayerId", PARTICIPANT_ROLE_FOULED, ", drawn by "),
    _own("servedByPlayerId", PARTICIPANT_ROLE_SERVING, ", served by "),
)
_FACEOFF_PARTS = (
    _own("winningPlayerId", PARTICIPANT_ROLE_WINNER, " won by "),
    _other("losingPlayerId", PARTICIPANT_ROLE_LOSER, " against "),
)
_HIT_PARTS = (
    _own("hittingPlayerId", PARTICIPANT_ROLE_HITTER, " by "),
    _other("hitteePlayerId", PARTICIPANT_ROLE_HITTEE, " on "),
)
_GIVEAWAY_PARTS = (_own("playerId", PARTICIPANT_ROLE_GIVEAWAY, " by "),)
_TAKEAWAY_PARTS = (_own("playerId", PARTICIPANT_ROLE_TAKEAWAY, " by "),)

# By typeDescKey; "{}" in a title is the period. The last rows are words of the league's older feed.
KINDS = {
    "goal": Kind("goal", PLAY_CLASS_SCORE, "Goal", _GOAL_PARTS),
    "shot-on-goal": Kind("shot_on_goal", PLAY_CLASS_ATTEMPT, "Shot on goal", (_SHOOTER, _SAVED_BY)),
    "missed-shot": Kind("missed_shot", PLAY_CLASS_ATTEMPT, "Missed shot", (_SHOOTER, _GOALKEEPER)),
    "blocked-shot": Kind("blocked_shot", PLAY_CLASS_ATTEMPT, "Shot", (_SHOOTER, _BLOCKER)),
    "failed-shot-attempt": Kind("failed_shot_attempt", PLAY_CLASS_ATTEMPT, "Failed attempt", (_SHOOTER, _GOALKEEPER)),
    "penalty": Kind("penalty", PLAY_CLASS_DISCIPLINE, "Penalty", _PENALTY_PARTS),
    "delayed-penalty": Kind("delayed_penalty", PLAY_CLASS_DISCIPLINE, "Delayed penalty"),
    "faceoff": Kind("faceoff", PLAY_CLASS_ACTION, "Faceoff", _FACEOFF_PARTS),
    "hit": Kind("hit", PLAY_CLASS_ACTION, "Hit", _HIT_PARTS),
    "giveaway": Kind("giveaway", PLAY_CLASS_ACTION, "Giveaway", _GIVEAWAY_PARTS),
    "takeaway": Kind("takeaway", PLAY_CLASS_ACTION, "Takeaway", _TAKEAWAY_PARTS),
    "stoppage": Kind("stoppage", PLAY_CLASS_STOPPAGE, "Stoppage"),
    "period-start": Kind("period_start", PLAY_CLASS_PERIOD, "Start of {}"),
    "period-end": Kind("period_end", PLAY_CLASS_PERIOD, "End of {}"),
    "shootout-complete": Kind("shootout_complete", PLAY_CLASS_PERIOD, "Shoot-out complete"),
    "game-end": Kind("game_end", PLAY_CLASS_PERIOD, "End of the game"),
    "period-ready": Kind("period_ready", PLAY_CLASS_PERIOD, "Ready for {}"),
    "period-official": Kind("period_official", PLAY_CLASS_PERIOD, "Official end of {}"),
    "game-scheduled": Kind("game_scheduled", PLAY_CLASS_PERIOD, "Game scheduled"),
    "game-official": Kind("game_official", PLAY_CLASS_PERIOD, "Game official"),
    "emergency-goaltender": Kind("emergency_goaltender", PLAY_CLASS_SUBSTITUTION, "Emergency goalkeeper"),
}

_PHASES = {"REG": PHASE_REGULATION, "OT": PHASE_EXTRA_TIME, "SO": PHASE_SHOOTOUT}
PERIOD_TYPES = tuple(_PHASES)


@lru_cache(maxsize=256)
def kind_of(word: str) -> Kind | None:
    """The kind for a typeDescKey; a word that is not in the table keeps its name. None for what is no word."""
    if word in KINDS:
        return KINDS[word]
    name = re.sub(r"[^a-z0-9]+", "_", word.lower()).strip("_")
    if not name:
        return None
    review = any(sign in name for sign in ("challenge", "chlg", "review"))
    return Kind(name, PLAY_CLASS_REVIEW if review else PLAY_CLASS_ACTION, name.replace("_", " ").capitalize())


class Period(NamedTuple):
    """A period: ordinal, phase, short form ("P3", "OT2"), and name within a sentence."""

    number: int
    phase: Phase
    label: str
    words: str


@lru_cache(maxsize=256)
def period_of(number: int, period_type: str, regulation_periods: int) -> Period | None:
    """The period; where its type is not told, those after regulation are overtime. None for an unknown type."""
    phase = _PHASES.get(period_type or ("REG" if number <= regulation_periods else "OT"))
    if phase is None:
        return None
    if phase == PHASE_SHOOTOUT:
        return Period(number, phase, "SO", "the shoot-out")
    if phase == PHASE_REGULATION:
        return Period(number, phase, f"P{number}", f"period {number}")
    overtime = number - regulation_periods
    if overtime > 1:
        return Period(number, phase, f"OT{overtime}", f"overtime {overtime}")
    return Period(number, phase, "OT", "overtime")


@lru_cache(maxsize=2048)
def clock_of(written: str) -> int | None:
    """Milliseconds of a clock "MM:SS", None for what is none."""
    found = re.fullmatch(r"([0-9]{1,3}):([0-5][0-9])", written)
    return (int(found[1]) * 60 + int(found[2])) * 1000 if found else None


@lru_cache(maxsize=1024)
def situation_of(code: str, side: Side, attempt: bool) -> IceHockeyPlay | None:
    """What a situation code (away goalkeeper, away skaters, home skaters, home goalkeeper) says of a play of a side, or
    of none; `attempt` is a shot of any sort. The message is shared: copy it, never write to it. None for no such code.

    A skater who came for the goalkeeper is no power play. At a penalty shot, one skater against a goalkeeper, neither
    net counts as empty and nobody has the greater strength.
    """
    if not re.fullmatch(r"[01][0-9][0-9][01]", code):
        return None
    away_goalkeeper, away, home, home_goalkeeper = map(int, code)
    play = IceHockeyPlay()
    play.on_ice.home_skaters = home
    play.on_ice.away_skaters = away
    if not (home and away):
        play.penalty_shot = attempt and code in ("0101", "1010")
        return play
    play.on_ice.home_net_empty = not home_goalkeeper
    play.on_ice.away_net_empty = not away_goalkeeper
    if side:
        surplus = (home + home_goalkeeper) - (away + away_goalkeeper)
        surplus = surplus if side == SIDE_HOME else -surplus
        play.strength = (
            IceHockeyPlay.STRENGTH_EVEN
            if surplus == 0
            else IceHockeyPlay.STRENGTH_POWER_PLAY
            if surplus > 0
            else IceHockeyPlay.STRENGTH_SHORT_HANDED
        )
        play.empty_net = attempt and not (away_goalkeeper if side == SIDE_HOME else home_goalkeeper)
    return play
