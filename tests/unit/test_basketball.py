"""What plays of basketball are worth, and what they say of the situation."""

from collections import Counter
from typing import Any

import pytest

from scoreline.game.v1.header_pb2 import Header, Team
from scoreline.game.v1.play_pb2 import Participant, ParticipantRole, Play, PlayClass, Position, Scored, Side
from scoreline.game.v1.sports_pb2 import BasketballPlay
from scoreline.game.v1.state_pb2 import GameState
from scoreline.game.v1.stats_pb2 import StatKey
from services.gamestate.domain.sports.basketball import SPORT

HEADER = Header(sport="basketball", home=Team(team_id="reds"), away=Team(team_id="blues"))
SIDES = {"reds": Side.SIDE_HOME, "blues": Side.SIDE_AWAY}


def by(name: str, role: str, team_id: str = "reds") -> Participant:
    return Participant(player_id=name, name=name, team_id=team_id, role=f"PARTICIPANT_ROLE_{role}")


def play(kind: str, *participants: Participant, team_id: str = "reds", period: int = 1, **detail: Any) -> Play:
    return Play(
        kind=kind,
        play_class=PlayClass.PLAY_CLASS_ACTION,
        team_id=team_id,
        position=Position(period=period),
        participants=participants,
        basketball=BasketballPlay(**detail),
    )


def made(value: int, *participants: Participant, team_id: str = "reds", **detail: Any) -> Play:
    shot = play("shot_made", *participants, team_id=team_id, shot_value=value, **detail)
    shot.play_class = PlayClass.PLAY_CLASS_SCORE
    shot.scored.CopyFrom(Scored(side=SIDES[team_id], points=value))
    return shot


def missed(value: int, *participants: Participant) -> Play:
    shot = play("shot_missed", *participants, shot_value=value)
    shot.play_class = PlayClass.PLAY_CLASS_ATTEMPT
    return shot


def foul(sort: str, *participants: Participant, team_id: str = "reds", period: int = 1) -> Play:
    return play("foul", *participants, team_id=team_id, period=period, foul_type=sort)


def worth(of: Play) -> dict[tuple[str, str], int]:
    """Sum of a play's credits by player, or team, and the end of the key's name."""
    total: Counter[tuple[str, str]] = Counter()
    for credit in SPORT.credits(of, HEADER):
        name = StatKey.Name(credit.key).removeprefix("STAT_KEY_").removeprefix("BASKETBALL_").lower()
        total[credit.player_id or credit.team_id, name] += credit.value
    return dict(total)


def each(subjects: list[str], **values: int) -> dict[tuple[str, str], int]:
    return {(subject, key): value for subject in subjects for key, value in values.items()}


def test_a_three_pointer_counts_for_scorer_assistant_and_team() -> None:
    assert worth(made(3, by("ann", "SCORER"), by("bea", "ASSIST"))) == each(
        ["ann", "reds"],
        points=3,
        field_goals_made=1,
        field_goals_attempted=1,
        three_pointers_made=1,
        three_pointers_attempted=1,
    ) | each(["bea", "reds"], assists=1)


def test_a_two_pointer_and_a_free_throw() -> None:
    assert worth(made(2, by("ann", "SCORER"))) == each(
        ["ann", "reds"], points=2, field_goals_made=1, field_goals_attempted=1
    )
    assert worth(made(1, by("ann", "SCORER"))) == each(
        ["ann", "reds"], points=1, free_throws_made=1, free_throws_attempted=1
    )


def test_the_points_are_of_the_side_that_gains() -> None:
    shot = made(2, team_id="blues")
    assert worth(shot)["blues", "points"] == 2
    shot.scored.side = Side.SIDE_HOME
    assert worth(shot)["reds", "points"] == 2


def test_a_blocked_shot_is_an_attempt_and_a_block_of_the_other_team() -> None:
    assert worth(missed(2, by("ann", "SHOOTER"), by("cas", "BLOCKER", "blues"))) == each(
        ["ann", "reds"], field_goals_attempted=1
    ) | each(["cas", "blues"], blocks=1)
    assert worth(missed(1, by("ann", "SHOOTER"))) == each(["ann", "reds"], free_throws_attempted=1)


def test_a_scorer_without_an_id_leaves_the_team_its_points() -> None:
    unknown = Participant(name="Ann", role=ParticipantRole.PARTICIPANT_ROLE_SCORER)
    assert worth(made(2, unknown)) == each(["reds"], points=2, field_goals_made=1, field_goals_attempted=1)


@pytest.mark.parametrize(
    ("side", "key"),
    [
        (BasketballPlay.REBOUND_OFFENSIVE, "offensive_rebounds"),
        (BasketballPlay.REBOUND_DEFENSIVE, "defensive_rebounds"),
    ],
)
def test_rebounds(side: BasketballPlay.Rebound, key: str) -> None:
    rebound = play("rebound", by("ann", "REBOUNDER"), rebound=side)
    assert worth(rebound) == each(["ann", "reds"], rebounds=1, **{key: 1})
    assert worth(play("team_rebound", rebound=side)) == {}


def test_a_turnover_and_its_steal() -> None:
    turnover = play("turnover", by("ann", "GIVEAWAY"), by("cas", "TAKEAWAY", "blues"))
    assert worth(turnover) == each(["ann", "reds"], turnovers=1) | each(["cas", "blues"], steals=1)


@pytest.mark.parametrize("sort", ["personal", "shooting", "offensive", "flagrant"])
def test_fouls_count_against_the_player(sort: str) -> None:
    assert worth(foul(sort, by("ann", "OFFENDER"), by("cas", "FOULED", "blues"))) == each(
        ["ann", "reds"], personal_fouls=1
    )


def test_technical_fouls_are_counted_apart() -> None:
    assert worth(foul("technical", by("ann", "OFFENDER"))) == each(["ann", "reds"], technical_fouls=1)


def situation(*plays: Play) -> tuple[int, int, str]:
    state = GameState(header=HEADER)
    state.basketball.home_fouls = 9
    SPORT.situate(state, plays)
    assert state.WhichOneof("situation") == "basketball"
    return state.basketball.home_fouls, state.basketball.away_fouls, state.basketball.possession_team_id


def test_team_fouls_are_those_of_the_period() -> None:
    before = foul("personal", period=1)
    plays = [foul("shooting", period=2), foul("personal", team_id="blues", period=2), foul("flagrant", period=2)]
    others = [foul("technical", period=2), foul("offensive", period=2)]
    assert situation(before, *plays, *others)[:2] == (2, 1)
    assert situation() == (0, 0, "")


@pytest.mark.parametrize(
    ("last", "holder"),
    [
        (made(2), "blues"),
        (made(1, attempt="2 of 2", shot_type="regular"), "blues"),
        (made(1, attempt="1 of 2", shot_type="regular"), "reds"),
        (made(1, attempt="1 of 1", shot_type="technical"), "reds"),
        (missed(3), "reds"),
        (foul("technical"), "reds"),
        (foul("shooting", team_id="blues"), "reds"),
        (foul("offensive"), "blues"),
        (play("turnover"), "blues"),
        (play("rebound", team_id="blues"), "blues"),
        (play("jump_ball", team_id="blues"), "blues"),
        (play("television_timeout", team_id=""), "reds"),
        (play("period_end", team_id=""), ""),
    ],
)
def test_the_ball_is_with_whom_the_last_play_says_that_tells(last: Play, holder: str) -> None:
    assert situation(play("rebound"), last)[2] == holder


def test_a_period_begins_without_anyone_who_has_the_ball() -> None:
    assert situation(play("rebound"), play("lineup_change", period=2))[2] == ""
