"""Ice hockey.

A goal is a play with `scored`. The kinds that count beside goals: "shot_on_goal" (saved), "missed_shot",
"blocked_shot" (of the shooter's team), "hit", "giveaway", "takeaway", "faceoff", "penalty" (of the punished team; one
against the bench names no offender). In a shoot-out each goal and each failed attempt is an attempt, and nothing of it
is a shot, a save or a goal of the game; a penalty is one whenever it is given.

A goal into an empty net has no goalkeeper, so it is let in by none. A team-mate's block is an attempt blocked, and
nobody's block.
"""

from collections.abc import Iterator, Sequence

from scoreline.game.v1.header_pb2 import Header
from scoreline.game.v1.play_pb2 import Participant, ParticipantRole, Phase, Play, PlayClass, Side
from scoreline.game.v1.sports_pb2 import IceHockeyPlay
from scoreline.game.v1.state_pb2 import GameState
from scoreline.game.v1.stats_pb2 import StatKey
from services.gamestate.domain.sports.sport import Credit, Sport

_SHOOTER = ParticipantRole.PARTICIPANT_ROLE_SHOOTER
_SCORER = ParticipantRole.PARTICIPANT_ROLE_SCORER
_ASSISTS = (ParticipantRole.PARTICIPANT_ROLE_ASSIST, ParticipantRole.PARTICIPANT_ROLE_SECOND_ASSIST)
_GOALKEEPER = ParticipantRole.PARTICIPANT_ROLE_GOALKEEPER
_STRENGTH_KEYS = {
    IceHockeyPlay.STRENGTH_POWER_PLAY: StatKey.STAT_KEY_HOCKEY_POWER_PLAY_GOALS,
    IceHockeyPlay.STRENGTH_SHORT_HANDED: StatKey.STAT_KEY_HOCKEY_SHORT_HANDED_GOALS,
}
# Kind of play -> what it counts as, for whom, by role; each counts once for the player and once for the player's team.
_COUNTED = {
    "hit": ((ParticipantRole.PARTICIPANT_ROLE_HITTER, StatKey.STAT_KEY_HOCKEY_HITS),),
    "giveaway": ((ParticipantRole.PARTICIPANT_ROLE_GIVEAWAY, StatKey.STAT_KEY_HOCKEY_GIVEAWAYS),),
    "takeaway": ((ParticipantRole.PARTICIPANT_ROLE_TAKEAWAY, StatKey.STAT_KEY_HOCKEY_TAKEAWAYS),),
    "faceoff": (
        (ParticipantRole.PARTICIPANT_ROLE_WINNER, StatKey.STAT_KEY_HOCKEY_FACEOFFS_WON),
        (ParticipantRole.PARTICIPANT_ROLE_LOSER, StatKey.STAT_KEY_HOCKEY_FACEOFFS_LOST),
    ),
}


def _credits(play: Play, header: Header) -> Iterator[Credit]:
    if play.kind == "penalty":
        yield from _penalty(play)
    elif play.position.phase == Phase.PHASE_SHOOTOUT:
        yield from _shootout(play, header)
    elif play.HasField("scored"):
        yield from _goal(play, header)
    elif play.kind == "shot_on_goal":
        yield from _both(play, play.team_id, _SHOOTER, StatKey.STAT_KEY_HOCKEY_SHOTS_ON_GOAL)
        yield from _faced(play, StatKey.STAT_KEY_HOCKEY_SAVES)
    elif play.kind == "missed_shot":
        yield from _both(play, play.team_id, _SHOOTER, StatKey.STAT_KEY_HOCKEY_MISSED_SHOTS)
    elif play.kind == "blocked_shot":
        yield from _both(play, play.team_id, _SHOOTER, StatKey.STAT_KEY_HOCKEY_SHOTS_BLOCKED)
        for blocker in _in_role(play, ParticipantRole.PARTICIPANT_ROLE_BLOCKER):
            if blocker.team_id != play.team_id:
                yield from _each(blocker, StatKey.STAT_KEY_HOCKEY_BLOCKS)
    else:
        for role, key in _COUNTED.get(play.kind, ()):
            for participant in _in_role(play, role):
                yield from _each(participant, key)


def _goal(play: Play, header: Header) -> Iterator[Credit]:
    """Credit a goal. Hockey gives one against the own side to an opponent; a feed that names the player who did it
    would make that player a scorer, so then the side that gains has it alone."""
    team_id = _scoring_team(play, header)
    keys = [StatKey.STAT_KEY_HOCKEY_GOALS, StatKey.STAT_KEY_HOCKEY_SHOTS_ON_GOAL]
    if key := _STRENGTH_KEYS.get(play.ice_hockey.strength):
        keys.append(key)
    if play.scored.own_goal:
        yield Credit(team_id, "", StatKey.STAT_KEY_POINTS, play.scored.points)
        yield from (Credit(team_id, "", key, 1) for key in keys)
        return
    yield from _both(play, team_id, _SCORER, StatKey.STAT_KEY_POINTS, play.scored.points)
    for key in keys:
        yield from _both(play, team_id, _SCORER, key)
    for role in _ASSISTS:
        for participant in _in_role(play, role):
            yield Credit(team_id, "", StatKey.STAT_KEY_ASSISTS, 1)
            yield from _player(participant, team_id, StatKey.STAT_KEY_ASSISTS, 1)
    if not play.ice_hockey.empty_net:
        yield from _faced(play, StatKey.STAT_KEY_HOCKEY_GOALS_AGAINST)


def _shootout(play: Play, header: Header) -> Iterator[Credit]:
    if play.HasField("scored"):
        team_id = _scoring_team(play, header)
        yield from _both(play, team_id, _SCORER, StatKey.STAT_KEY_HOCKEY_SHOOTOUT_GOALS)
        yield from _both(play, team_id, _SCORER, StatKey.STAT_KEY_HOCKEY_SHOOTOUT_ATTEMPTS)
    elif play.play_class == PlayClass.PLAY_CLASS_ATTEMPT:
        yield from _both(play, play.team_id, _SHOOTER, StatKey.STAT_KEY_HOCKEY_SHOOTOUT_ATTEMPTS)


def _penalty(play: Play) -> Iterator[Credit]:
    offender = ParticipantRole.PARTICIPANT_ROLE_OFFENDER
    yield from _both(play, play.team_id, offender, StatKey.STAT_KEY_HOCKEY_PENALTIES)
    if minutes := play.ice_hockey.penalty_minutes:
        yield from _both(play, play.team_id, offender, StatKey.STAT_KEY_HOCKEY_PENALTY_MINUTES, minutes)


def _faced(play: Play, outcome: StatKey) -> Iterator[Credit]:
    """Credit the goalkeeper with a shot faced and what became of it."""
    for goalkeeper in _in_role(play, _GOALKEEPER):
        yield from _each(goalkeeper, StatKey.STAT_KEY_HOCKEY_SHOTS_AGAINST)
        yield from _each(goalkeeper, outcome)


def _both(play: Play, team_id: str, role: ParticipantRole, key: StatKey, value: int = 1) -> Iterator[Credit]:
    """Credit a team, also where nobody is named for the role, and the player who took it."""
    if team_id:
        yield Credit(team_id, "", key, value)
    for participant in _in_role(play, role):
        yield from _player(participant, team_id, key, value)


def _each(participant: Participant, key: StatKey) -> Iterator[Credit]:
    """Credit a player once, and the player's team."""
    if participant.team_id:
        yield Credit(participant.team_id, "", key, 1)
    yield from _player(participant, participant.team_id, key, 1)


def _player(participant: Participant, team_id: str, key: StatKey, value: int) -> Iterator[Credit]:
    # Without an id the credit would be the team's.
    if participant.player_id:
        yield Credit(participant.team_id or team_id, participant.player_id, key, value)


def _in_role(play: Play, role: ParticipantRole) -> Iterator[Participant]:
    return (participant for participant in play.participants if participant.role == role)


def _scoring_team(play: Play, header: Header) -> str:
    return header.home.team_id if play.scored.side == Side.SIDE_HOME else header.away.team_id


def _situate(state: GameState, plays: Sequence[Play]) -> None:
    """Tell the manpower of the last play that tells it."""
    for play in reversed(plays):
        if play.ice_hockey.HasField("on_ice"):
            state.ice_hockey.CopyFrom(play.ice_hockey.on_ice)
            return
    state.ClearField("ice_hockey")


SPORT = Sport(name="ice_hockey", credits=_credits, situate=_situate)
