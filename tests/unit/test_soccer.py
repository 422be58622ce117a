"""What plays of soccer are worth."""

from collections import Counter

from scoreline.game.v1.header_pb2 import Header, Team
from scoreline.game.v1.play_pb2 import (
    Participant,
    ParticipantRole,
    Phase,
    Play,
    PlayClass,
    Position,
    Scored,
    Side,
)
from scoreline.game.v1.sports_pb2 import SoccerPlay
from scoreline.game.v1.state_pb2 import GameState
from scoreline.game.v1.stats_pb2 import StatKey
from services.gamestate.domain.sports.soccer import SPORT

REDS = Header(sport="soccer", home=Team(team_id="reds"), away=Team(team_id="blues"))
REGULATION = Position(period=1, phase=Phase.PHASE_REGULATION)
SHOOTOUT = Position(period=5, phase=Phase.PHASE_SHOOTOUT)
SCORER = ParticipantRole.PARTICIPANT_ROLE_SCORER
SHOOTER = ParticipantRole.PARTICIPANT_ROLE_SHOOTER
GOALKEEPER = ParticipantRole.PARTICIPANT_ROLE_GOALKEEPER
OFFENDER = ParticipantRole.PARTICIPANT_ROLE_OFFENDER


def worth(play: Play) -> dict[tuple[str, str], int]:
    """Sum of a play's credits by player, or team, and the end of the key's name."""
    total: Counter[tuple[str, str]] = Counter()
    for credit in SPORT.credits(play, REDS):
        name = StatKey.Name(credit.key).removeprefix("STAT_KEY_").removeprefix("SOCCER_").lower()
        total[credit.player_id or credit.team_id, name] += credit.value
    return dict(total)


def by(player_id: str, role: ParticipantRole) -> Participant:
    return Participant(player_id=player_id, role=role)


def goal(position: Position, *, own: bool = False, assist: str = "") -> Play:
    """A goal for the reds; an own goal was scored by a player of the blues."""
    who = [by("blue-4" if own else "red-9", SCORER)]
    if assist:
        who.append(by(assist, ParticipantRole.PARTICIPANT_ROLE_ASSIST))
    scored = Scored(side=Side.SIDE_HOME, points=1, own_goal=own)
    return Play(play_class=PlayClass.PLAY_CLASS_SCORE, position=position, participants=who, scored=scored)


def attempt(position: Position, kind: str, pattern: str = "") -> Play:
    who = [by("blue-9", SHOOTER), by("red-1", GOALKEEPER)]
    play = Play(play_class=PlayClass.PLAY_CLASS_ATTEMPT, kind=kind, position=position, participants=who)
    play.team_id = "blues"
    play.soccer.pattern = pattern
    return play


def card(shown: SoccerPlay.Card, team_id: str, role: ParticipantRole = OFFENDER) -> Play:
    play = Play(play_class=PlayClass.PLAY_CLASS_DISCIPLINE, kind="foul", team_id=team_id)
    play.participants.append(by("x", role))
    play.soccer.card = shown
    return play


def test_a_goal_counts_for_player_and_team_with_its_shot_and_assist() -> None:
    each = {"points": 1, "goals": 1, "shots": 1, "shots_on_target": 1}
    expected = {(who, key): value for who in ("reds", "red-9") for key, value in each.items()}
    assert worth(goal(REGULATION)) == expected
    assert worth(goal(REGULATION, assist="red-10")) == expected | {
        ("reds", "assists"): 1,
        ("red-10", "assists"): 1,
    }


def test_an_own_goal_is_a_point_for_one_side_and_an_own_goal_of_the_other() -> None:
    assert worth(goal(REGULATION, own=True)) == {
        ("reds", "points"): 1,
        ("blues", "own_goals"): 1,
        ("blue-4", "own_goals"): 1,
    }


def test_a_shootout_counts_in_nobodys_goals_shots_or_saves() -> None:
    assert worth(goal(SHOOTOUT)) == {
        (who, key): 1 for who in ("reds", "red-9") for key in ("shootout_goals", "shootout_attempts")
    }
    for kind in ("shot_saved", "shot_missed"):
        missed = worth(attempt(SHOOTOUT, kind, "penalty"))
        assert missed == {("blues", "shootout_attempts"): 1, ("blue-9", "shootout_attempts"): 1}


def test_only_a_saved_shot_is_on_target_and_only_a_goalkeeper_saves() -> None:
    off = {("blues", "shots"): 1, ("blue-9", "shots"): 1}
    assert worth(attempt(REGULATION, "shot_missed")) == off
    assert worth(attempt(REGULATION, "shot_blocked")) == off
    assert worth(attempt(REGULATION, "shot_saved")) == off | {
        ("blues", "shots_on_target"): 1,
        ("blue-9", "shots_on_target"): 1,
        ("reds", "saves"): 1,
        ("red-1", "saves"): 1,
    }


def test_a_penalty_that_fails_is_missed() -> None:
    for kind in ("shot_saved", "shot_missed"):
        missed = worth(attempt(REGULATION, kind, "penalty"))
        assert missed["blue-9", "penalties_missed"] == missed["blues", "penalties_missed"] == 1


def test_a_second_yellow_card_is_a_red_one() -> None:
    fouls = {("reds", "fouls"): 1, ("x", "fouls"): 1}
    assert worth(card(SoccerPlay.CARD_UNSPECIFIED, "reds")) == fouls
    for shown, key in (
        (SoccerPlay.CARD_YELLOW, "yellow_cards"),
        (SoccerPlay.CARD_SECOND_YELLOW, "red_cards"),
        (SoccerPlay.CARD_RED, "red_cards"),
    ):
        assert worth(card(shown, "reds")) == fouls | {("reds", key): 1, ("x", key): 1}


def test_corners_and_offsides_count_for_the_team_also_when_nobody_is_named() -> None:
    for kind, key in (("corner", "corners"), ("offside", "offsides")):
        play = Play(play_class=PlayClass.PLAY_CLASS_ACTION, kind=kind, team_id="blues")
        assert worth(play) == {("blues", key): 1}


def test_a_play_of_no_account_is_worth_nothing() -> None:
    assert worth(Play(play_class=PlayClass.PLAY_CLASS_SUBSTITUTION, kind="substitution", team_id="reds")) == {}


def test_the_situation_tells_which_side_is_short_of_players() -> None:
    state = GameState(header=REDS)
    SPORT.situate(state, [])
    assert state.WhichOneof("situation") == "soccer"
    assert (state.soccer.home_red_cards, state.soccer.away_red_cards) == (0, 0)
    plays = [
        card(SoccerPlay.CARD_YELLOW, "reds"),
        card(SoccerPlay.CARD_SECOND_YELLOW, "reds"),
        card(SoccerPlay.CARD_RED, "blues"),
        card(SoccerPlay.CARD_RED, "blues"),
        card(SoccerPlay.CARD_RED, "blues", ParticipantRole.PARTICIPANT_ROLE_COACH),
    ]
    SPORT.situate(state, plays)
    assert (state.soccer.home_red_cards, state.soccer.away_red_cards) == (1, 2)
    # A card that was taken back leaves nothing behind.
    SPORT.situate(state, plays[:1])
    assert (state.soccer.home_red_cards, state.soccer.away_red_cards) == (0, 0)
