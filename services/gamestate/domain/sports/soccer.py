"""Soccer.

A goal is a play with `scored`; `scored.side` is the side that gains, also from an own goal, whose scorer is
then of the other side. The kinds that count beside goals and cards: an attempt on goal that failed is
"shot_saved" (on target) or any other word (off target), with `soccer.pattern` "penalty" when it was one;
"foul", "corner" and "offside".
"""

from collections.abc import Iterable, Iterator, Sequence

from scoreline.game.v1.header_pb2 import Header
from scoreline.game.v1.play_pb2 import ParticipantRole, Phase, Play, PlayClass, Side
from scoreline.game.v1.sports_pb2 import SoccerPlay
from scoreline.game.v1.state_pb2 import GameState
from scoreline.game.v1.stats_pb2 import StatKey
from services.gamestate.domain.sports.sport import Credit, Sport

_SENDS_OFF = (SoccerPlay.CARD_SECOND_YELLOW, SoccerPlay.CARD_RED)
_GOAL_KEYS = (
    StatKey.STAT_KEY_SOCCER_GOALS,
    StatKey.STAT_KEY_SOCCER_SHOTS,
    StatKey.STAT_KEY_SOCCER_SHOTS_ON_TARGET,
)
# Kind of play -> what it counts as, and whose it is.
_COUNTED = {
    "foul": (StatKey.STAT_KEY_SOCCER_FOULS, ParticipantRole.PARTICIPANT_ROLE_OFFENDER),
    "corner": (StatKey.STAT_KEY_SOCCER_CORNERS, ParticipantRole.PARTICIPANT_ROLE_KICKER),
    "offside": (StatKey.STAT_KEY_SOCCER_OFFSIDES, ParticipantRole.PARTICIPANT_ROLE_OFFENDER),
}


def _credits(play: Play, header: Header) -> Iterator[Credit]:
    if play.position.phase == Phase.PHASE_SHOOTOUT:
        yield from _shootout(play, header)
    elif play.HasField("scored"):
        yield from _own_goal(play, header) if play.scored.own_goal else _goal(play, header)
    elif play.play_class == PlayClass.PLAY_CLASS_ATTEMPT:
        yield from _attempt(play, header)
    yield from _card(play)
    if counted := _COUNTED.get(play.kind):
        key, role = counted
        yield from _both(play, play.team_id, role, (key,))


def _goal(play: Play, header: Header) -> Iterator[Credit]:
    team_id = _team(header, play.scored.side)
    scorer = ParticipantRole.PARTICIPANT_ROLE_SCORER
    yield from _both(play, team_id, scorer, (StatKey.STAT_KEY_POINTS,), play.scored.points)
    yield from _both(play, team_id, scorer, _GOAL_KEYS)
    for participant in _in_role(play, ParticipantRole.PARTICIPANT_ROLE_ASSIST):
        yield Credit(team_id, "", StatKey.STAT_KEY_ASSISTS, 1)
        yield Credit(team_id, participant, StatKey.STAT_KEY_ASSISTS, 1)


def _own_goal(play: Play, header: Header) -> Iterator[Credit]:
    """Give the points to the side that gains and to none of its players; it was no shot of theirs either."""
    yield Credit(_team(header, play.scored.side), "", StatKey.STAT_KEY_POINTS, play.scored.points)
    yield from _both(
        play,
        _team(header, _other(play.scored.side)),
        ParticipantRole.PARTICIPANT_ROLE_SCORER,
        (StatKey.STAT_KEY_SOCCER_OWN_GOALS,),
    )


def _attempt(play: Play, header: Header) -> Iterator[Credit]:
    saved = play.kind == "shot_saved"
    keys = [StatKey.STAT_KEY_SOCCER_SHOTS]
    if saved:
        keys.append(StatKey.STAT_KEY_SOCCER_SHOTS_ON_TARGET)
    if play.soccer.pattern == "penalty":
        keys.append(StatKey.STAT_KEY_SOCCER_PENALTIES_MISSED)
    yield from _both(play, play.team_id, ParticipantRole.PARTICIPANT_ROLE_SHOOTER, keys)
    if saved:
        keepers = header.away.team_id if play.team_id == header.home.team_id else header.home.team_id
        yield from _both(play, keepers, ParticipantRole.PARTICIPANT_ROLE_GOALKEEPER, (StatKey.STAT_KEY_SOCCER_SAVES,))


def _shootout(play: Play, header: Header) -> Iterator[Credit]:
    """Count kicks from the mark apart: they are neither goals nor shots nor saves of the game."""
    attempt = StatKey.STAT_KEY_SOCCER_SHOOTOUT_ATTEMPTS
    if play.HasField("scored"):
        keys = (attempt, StatKey.STAT_KEY_SOCCER_SHOOTOUT_GOALS)
        team_id = _team(header, play.scored.side)
        yield from _both(play, team_id, ParticipantRole.PARTICIPANT_ROLE_SCORER, keys)
    elif play.play_class == PlayClass.PLAY_CLASS_ATTEMPT:
        yield from _both(play, play.team_id, ParticipantRole.PARTICIPANT_ROLE_SHOOTER, (attempt,))


def _card(play: Play) -> Iterator[Credit]:
    if _shown_to_player(play):
        sent_off = play.soccer.card in _SENDS_OFF
        key = StatKey.STAT_KEY_SOCCER_RED_CARDS if sent_off else StatKey.STAT_KEY_SOCCER_YELLOW_CARDS
        yield from _both(play, play.team_id, ParticipantRole.PARTICIPANT_ROLE_OFFENDER, (key,))


def _shown_to_player(play: Play) -> bool:
    """Tell whether the play is a player's card: one shown to the bench sends no player off."""
    return (
        play.play_class == PlayClass.PLAY_CLASS_DISCIPLINE
        and bool(play.soccer.card)
        and all(taker.role != ParticipantRole.PARTICIPANT_ROLE_COACH for taker in play.participants)
    )


def _both(
    play: Play,
    team_id: str,
    role: ParticipantRole,
    keys: Iterable[StatKey],
    value: int = 1,
) -> Iterator[Credit]:
    """Credit the team, and those of its players who took the role."""
    for key in keys:
        yield Credit(team_id, "", key, value)
        for player_id in _in_role(play, role):
            yield Credit(team_id, player_id, key, value)


def _in_role(play: Play, role: ParticipantRole) -> list[str]:
    return [taker.player_id for taker in play.participants if taker.role == role and taker.player_id]


def _team(header: Header, side: Side) -> str:
    return header.home.team_id if side == Side.SIDE_HOME else header.away.team_id


def _other(side: Side) -> Side:
    return Side.SIDE_AWAY if side == Side.SIDE_HOME else Side.SIDE_HOME


def _situate(state: GameState, plays: Sequence[Play]) -> None:
    """Count who was sent off; a sending-off holds to the end, so all living plays are looked at."""
    sent_off = [play.team_id for play in plays if _shown_to_player(play) and play.soccer.card in _SENDS_OFF]
    state.soccer.home_red_cards = sent_off.count(state.header.home.team_id)
    state.soccer.away_red_cards = sent_off.count(state.header.away.team_id)


SPORT = Sport(name="soccer", credits=_credits, situate=_situate)
