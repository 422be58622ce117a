"""Basketball.

A shot is a play with `basketball.shot_value`, made when it is of class score. A foul is a play with
`basketball.foul_type`: "technical" ones are counted apart, all others are the player's personal fouls. Of the kinds
only "rebound" and "turnover" count; a "team_rebound" (the ball went out, or was dead) is nobody's rebound, as in every
box score. Assists, steals and blocks are those of the participants in that role. A player without an id has no
statistics, but the team has.
"""

from collections.abc import Iterator, Sequence

from scoreline.game.v1.header_pb2 import Header
from scoreline.game.v1.play_pb2 import ParticipantRole, Play, PlayClass, Side
from scoreline.game.v1.sports_pb2 import BasketballPlay
from scoreline.game.v1.state_pb2 import GameState
from scoreline.game.v1.stats_pb2 import StatKey
from services.gamestate.domain.sports.sport import Credit, Sport

_SCORE = PlayClass.PLAY_CLASS_SCORE
# What a shot of each value counts as when it is tried, and what beside it when it is made.
_TRIED = {
    1: (StatKey.STAT_KEY_BASKETBALL_FREE_THROWS_ATTEMPTED,),
    2: (StatKey.STAT_KEY_BASKETBALL_FIELD_GOALS_ATTEMPTED,),
    3: (
        StatKey.STAT_KEY_BASKETBALL_FIELD_GOALS_ATTEMPTED,
        StatKey.STAT_KEY_BASKETBALL_THREE_POINTERS_ATTEMPTED,
    ),
}
_MADE = {
    1: (StatKey.STAT_KEY_BASKETBALL_FREE_THROWS_MADE,),
    2: (StatKey.STAT_KEY_BASKETBALL_FIELD_GOALS_MADE,),
    3: (StatKey.STAT_KEY_BASKETBALL_FIELD_GOALS_MADE, StatKey.STAT_KEY_BASKETBALL_THREE_POINTERS_MADE),
}
_REBOUNDS = {
    BasketballPlay.REBOUND_OFFENSIVE: StatKey.STAT_KEY_BASKETBALL_OFFENSIVE_REBOUNDS,
    BasketballPlay.REBOUND_DEFENSIVE: StatKey.STAT_KEY_BASKETBALL_DEFENSIVE_REBOUNDS,
}
_BY_ROLE = {
    ParticipantRole.PARTICIPANT_ROLE_ASSIST: StatKey.STAT_KEY_ASSISTS,
    ParticipantRole.PARTICIPANT_ROLE_TAKEAWAY: StatKey.STAT_KEY_BASKETBALL_STEALS,
    ParticipantRole.PARTICIPANT_ROLE_BLOCKER: StatKey.STAT_KEY_BASKETBALL_BLOCKS,
}
# Fouls that bring a team no nearer to its limit in a period.
_NO_TEAM_FOUL = frozenset({"", "technical", "offensive"})
_TAKES_THE_BALL = frozenset({"rebound", "team_rebound", "opening_tip", "opening_inbound", "jump_ball", "possession"})
_NOBODY_HAS_THE_BALL = frozenset({"period_end", "game_end"})
# After these free throws the ball goes back to who had it.
_BALL_STAYS = frozenset({"technical", "flagrant", "clear path"})


def _credits(play: Play, header: Header) -> Iterator[Credit]:
    detail = play.basketball
    if play.HasField("scored"):
        team_id = header.home.team_id if play.scored.side == Side.SIDE_HOME else header.away.team_id
        scorer = ParticipantRole.PARTICIPANT_ROLE_SCORER
        yield from _both(play, team_id, scorer, (StatKey.STAT_KEY_POINTS,), play.scored.points)
    if detail.shot_value in _TRIED:
        yield from _shot(play, detail.shot_value)
    elif detail.foul_type:
        technical = detail.foul_type == "technical"
        key = StatKey.STAT_KEY_BASKETBALL_TECHNICAL_FOULS if technical else StatKey.STAT_KEY_BASKETBALL_PERSONAL_FOULS
        yield from _both(play, play.team_id, ParticipantRole.PARTICIPANT_ROLE_OFFENDER, (key,))
    elif play.kind == "rebound":
        keys = [StatKey.STAT_KEY_BASKETBALL_REBOUNDS]
        if detail.rebound in _REBOUNDS:
            keys.append(_REBOUNDS[detail.rebound])
        yield from _both(play, play.team_id, ParticipantRole.PARTICIPANT_ROLE_REBOUNDER, keys)
    elif play.kind == "turnover":
        keys = (StatKey.STAT_KEY_BASKETBALL_TURNOVERS,)
        yield from _both(play, play.team_id, ParticipantRole.PARTICIPANT_ROLE_GIVEAWAY, keys)
    yield from _by_role(play)


def _shot(play: Play, value: int) -> Iterator[Credit]:
    made = play.play_class == _SCORE
    role = ParticipantRole.PARTICIPANT_ROLE_SCORER if made else ParticipantRole.PARTICIPANT_ROLE_SHOOTER
    yield from _both(play, play.team_id, role, _TRIED[value])
    if made:
        yield from _both(play, play.team_id, role, _MADE[value])


def _by_role(play: Play) -> Iterator[Credit]:
    """Give what participants are credited with whichever team the play is of: a block is of the shooter's opponents."""
    for participant in play.participants:
        key = _BY_ROLE.get(participant.role)
        if key is None:
            continue
        yield Credit(participant.team_id, "", key, 1)
        if participant.player_id:
            yield Credit(participant.team_id, participant.player_id, key, 1)


def _both(play: Play, team_id: str, role: ParticipantRole, keys: Sequence[StatKey], value: int = 1) -> Iterator[Credit]:
    """Credit the team, and those of its players who took the role."""
    players = [taker.player_id for taker in play.participants if taker.role == role and taker.player_id]
    for key in keys:
        yield Credit(team_id, "", key, value)
        for player_id in players:
            yield Credit(team_id, player_id, key, value)


def _situate(state: GameState, plays: Sequence[Play]) -> None:
    """Count the team fouls of the last play's period, and find who has the ball from its last play that tells."""
    home, away = state.header.home.team_id, state.header.away.team_id
    situation = state.basketball
    situation.Clear()
    situation.SetInParent()
    holder: str | None = None
    for play in reversed(plays):
        if play.position.period != plays[-1].position.period:
            break
        if play.basketball.foul_type not in _NO_TEAM_FOUL:
            situation.home_fouls += play.team_id == home
            situation.away_fouls += play.team_id == away
        if holder is None:
            holder = _holder(play, home, away)
    situation.possession_team_id = holder or ""


def _holder(play: Play, home: str, away: str) -> str | None:
    """Team with the ball after the play, empty for none, None where the play does not tell.

    A foul gives the ball to the other team or leaves it there, on whichever side the foul was.
    """
    if play.kind in _NOBODY_HAS_THE_BALL:
        return ""
    if play.team_id not in (home, away):
        return None
    detail = play.basketball
    if play.kind in _TAKES_THE_BALL:
        return play.team_id
    if (
        (play.play_class == _SCORE and _is_last_shot(detail))
        or play.kind == "turnover"
        or detail.foul_type not in ("", "technical")
    ):
        return away if play.team_id == home else home
    return None


def _is_last_shot(detail: BasketballPlay) -> bool:
    """Whether the ball goes to the other team once the shot is made: of free throws after the last, "2 of 2"."""
    if detail.shot_value != 1:
        return True
    number, _, total = detail.attempt.partition(" of ")
    return number == total and detail.shot_type not in _BALL_STAYS


SPORT = Sport(name="basketball", credits=_credits, situate=_situate)
