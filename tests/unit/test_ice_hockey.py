"""Ice hockey's credits and situation: against recorded games, and play by play."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scoreline.game.v1.header_pb2 import Header, Team
from scoreline.game.v1.play_pb2 import Participant, Phase, Play, PlayClass, Position, Scored, Side
from scoreline.game.v1.source_pb2 import Observation
from scoreline.game.v1.sports_pb2 import IceHockeyPlay, IceHockeySituation
from scoreline.game.v1.state_pb2 import GameState
from scoreline.game.v1.stats_pb2 import StatKey
from services.gamestate.domain.sports.ice_hockey import SPORT
from services.ingestion.providers.nhl import PROVIDER

FEEDS = Path(os.environ.get("SCORELINE_FEEDS", Path(__file__).parents[3] / "shared" / "feeds")) / "nhl"
FINALS = ("2024020843", "2024020033", "2024020266")
needs_feeds = pytest.mark.skipif(not FEEDS.is_dir(), reason="the recorded feeds are not on this machine")

HEADER = Header(home=Team(team_id="foxes"), away=Team(team_id="owls"))
Totals = Counter[tuple[str, str, StatKey]]


def totals(plays: list[Play], header: Header = HEADER) -> Totals:
    counted: Totals = Counter()
    for play in plays:
        for team_id, player_id, key, value in SPORT.credits(play, header):
            counted[team_id, player_id, key] += value
    return counted


def named(play: Play) -> dict[str, int]:
    """Credits as "foxes STAT" or "foxes/ada STAT" to value."""
    return {
        f"{team}{'/' if player else ''}{player} {StatKey.Name(key).removeprefix('STAT_KEY_')}": value
        for (team, player, key), value in totals([play]).items()
    }


def recorded(game: str) -> tuple[dict[str, Any], Observation, Totals]:
    raw = (FEEDS / f"{game}_play-by-play.json").read_bytes()
    [observation] = PROVIDER.observe(raw)
    return json.loads(raw), observation, totals([report.play for report in observation.plays], observation.header)


def part(player_id: str, role: str, team_id: str = "foxes") -> Participant:
    return Participant(player_id=player_id, role=f"PARTICIPANT_ROLE_{role}", team_id=team_id)


def play(kind: str, *participants: Participant, phase: Phase = Phase.PHASE_REGULATION, **fields: Any) -> Play:
    hockey = IceHockeyPlay(**fields.pop("hockey", {}))
    place = Position(period=1, phase=phase)
    fields = {"team_id": "foxes", "participants": participants, "ice_hockey": hockey, **fields}
    return Play(play_id="1", kind=kind, position=place, **fields)


GOAL: dict[str, Any] = {"play_class": PlayClass.PLAY_CLASS_SCORE, "scored": Scored(side=Side.SIDE_HOME, points=1)}
ATTEMPT: dict[str, Any] = {"play_class": PlayClass.PLAY_CLASS_ATTEMPT}
SCORER, KEEPER = part("ada", "SCORER"), part("di", "GOALKEEPER", "owls")
SHOOTER = part("ada", "SHOOTER")


@needs_feeds
@pytest.mark.parametrize("game", FINALS)
def test_team_totals_are_those_of_the_document(game: str) -> None:
    document, observation, counted = recorded(game)
    shootout = observation.header.position.phase == Phase.PHASE_SHOOTOUT
    scores = [document[side]["score"] for side in ("homeTeam", "awayTeam")]
    for side, team in (("homeTeam", observation.header.home), ("awayTeam", observation.header.away)):
        # The document's score has one goal more for the winner of a shoot-out.
        bonus = int(shootout and document[side]["score"] == max(scores))
        assert counted[team.team_id, "", StatKey.STAT_KEY_HOCKEY_SHOTS_ON_GOAL] == document[side]["sog"]
        assert counted[team.team_id, "", StatKey.STAT_KEY_HOCKEY_GOALS] == document[side]["score"] - bonus
        assert counted[team.team_id, "", StatKey.STAT_KEY_POINTS] == document[side]["score"] - bonus


@needs_feeds
@pytest.mark.parametrize("game", FINALS)
def test_players_add_up_to_their_team(game: str) -> None:
    _, observation, counted = recorded(game)
    # Of the bench's penalties the team has more than its players.
    benched = (StatKey.STAT_KEY_HOCKEY_PENALTIES, StatKey.STAT_KEY_HOCKEY_PENALTY_MINUTES)
    of_players: Totals = Counter()
    for (team, player, key), value in counted.items():
        if player:
            of_players[team, "", key] += value
    of_teams = Counter({key: value for key, value in counted.items() if not key[1]})
    assert {key for key in of_teams if of_teams[key] != of_players[key]} <= {
        (team.team_id, "", key) for team in (observation.header.home, observation.header.away) for key in benched
    }


@needs_feeds
@pytest.mark.parametrize("game", FINALS)
def test_goalkeepers_faced_what_was_shot(game: str) -> None:
    _, observation, counted = recorded(game)
    header = observation.header
    goals = [report.play for report in observation.plays if report.play.kind == "goal"]
    for own, other in ((header.home.team_id, header.away.team_id), (header.away.team_id, header.home.team_id)):
        into_empty_net = sum(goal.ice_hockey.empty_net and goal.team_id == other for goal in goals)
        shots = counted[other, "", StatKey.STAT_KEY_HOCKEY_SHOTS_ON_GOAL] - into_empty_net
        saved = counted[own, "", StatKey.STAT_KEY_HOCKEY_SAVES]
        conceded = counted[own, "", StatKey.STAT_KEY_HOCKEY_GOALS_AGAINST]
        assert counted[own, "", StatKey.STAT_KEY_HOCKEY_SHOTS_AGAINST] == shots == saved + conceded
        won = counted[own, "", StatKey.STAT_KEY_HOCKEY_FACEOFFS_WON]
        assert won == counted[other, "", StatKey.STAT_KEY_HOCKEY_FACEOFFS_LOST] > 0


@needs_feeds
def test_shootout_counts_apart() -> None:
    _, _, counted = recorded("2024020033")
    goals, attempts = StatKey.STAT_KEY_HOCKEY_SHOOTOUT_GOALS, StatKey.STAT_KEY_HOCKEY_SHOOTOUT_ATTEMPTS
    assert [counted[team, "", key] for team in ("nhl-30", "nhl-55") for key in (goals, attempts)] == [1, 3, 2, 2]
    eberle = "nhl-8474586"
    assert counted["nhl-55", eberle, StatKey.STAT_KEY_HOCKEY_GOALS] == 2
    assert counted["nhl-55", eberle, goals] == 1


def test_goal() -> None:
    goal = play(
        "goal",
        SCORER,
        part("bo", "ASSIST"),
        part("cy", "SECOND_ASSIST"),
        KEEPER,
        **GOAL,
        hockey={"strength": IceHockeyPlay.STRENGTH_POWER_PLAY},
    )
    assert named(goal) == {
        **dict.fromkeys(("foxes POINTS", "foxes/ada POINTS"), 1),
        **dict.fromkeys(("foxes HOCKEY_GOALS", "foxes/ada HOCKEY_GOALS"), 1),
        **dict.fromkeys(("foxes HOCKEY_SHOTS_ON_GOAL", "foxes/ada HOCKEY_SHOTS_ON_GOAL"), 1),
        **dict.fromkeys(("foxes HOCKEY_POWER_PLAY_GOALS", "foxes/ada HOCKEY_POWER_PLAY_GOALS"), 1),
        "foxes ASSISTS": 2,
        "foxes/bo ASSISTS": 1,
        "foxes/cy ASSISTS": 1,
        **dict.fromkeys(("owls HOCKEY_SHOTS_AGAINST", "owls/di HOCKEY_SHOTS_AGAINST"), 1),
        **dict.fromkeys(("owls HOCKEY_GOALS_AGAINST", "owls/di HOCKEY_GOALS_AGAINST"), 1),
    }


def test_goal_into_an_empty_net_is_let_in_by_no_goalkeeper() -> None:
    credits = named(play("goal", SCORER, KEEPER, **GOAL, hockey={"empty_net": True}))
    assert credits["foxes/ada HOCKEY_GOALS"] == 1
    assert not [name for name in credits if name.startswith("owls")]


def test_own_goal_is_nobodys_goal() -> None:
    own = Scored(side=Side.SIDE_HOME, points=1, own_goal=True)
    credits = named(play("goal", part("di", "SCORER", "owls"), scored=own, team_id="owls"))
    assert credits == {"foxes POINTS": 1, "foxes HOCKEY_GOALS": 1, "foxes HOCKEY_SHOTS_ON_GOAL": 1}


def test_shootout_goal_is_no_goal() -> None:
    goal = play("goal", SCORER, KEEPER, phase=Phase.PHASE_SHOOTOUT, **GOAL)
    assert set(named(goal)) == {
        *("foxes HOCKEY_SHOOTOUT_GOALS", "foxes/ada HOCKEY_SHOOTOUT_GOALS"),
        *("foxes HOCKEY_SHOOTOUT_ATTEMPTS", "foxes/ada HOCKEY_SHOOTOUT_ATTEMPTS"),
    }
    save = play("shot_on_goal", SHOOTER, KEEPER, phase=Phase.PHASE_SHOOTOUT, **ATTEMPT)
    assert set(named(save)) == {"foxes HOCKEY_SHOOTOUT_ATTEMPTS", "foxes/ada HOCKEY_SHOOTOUT_ATTEMPTS"}


@pytest.mark.parametrize(
    ("made", "credits"),
    [
        (
            play("shot_on_goal", SHOOTER, KEEPER, **ATTEMPT),
            {"foxes/ada HOCKEY_SHOTS_ON_GOAL", "owls/di HOCKEY_SHOTS_AGAINST", "owls/di HOCKEY_SAVES"},
        ),
        (play("missed_shot", SHOOTER, KEEPER, **ATTEMPT), {"foxes/ada HOCKEY_MISSED_SHOTS"}),
        (
            play("blocked_shot", SHOOTER, part("cy", "BLOCKER", "owls"), **ATTEMPT),
            {"foxes/ada HOCKEY_SHOTS_BLOCKED", "owls/cy HOCKEY_BLOCKS"},
        ),
        (
            play("blocked_shot", SHOOTER, part("bo", "BLOCKER"), **ATTEMPT),
            {"foxes/ada HOCKEY_SHOTS_BLOCKED"},
        ),
        (play("hit", part("ada", "HITTER"), part("cy", "HITTEE", "owls")), {"foxes/ada HOCKEY_HITS"}),
        (
            play("faceoff", part("ada", "WINNER"), part("cy", "LOSER", "owls")),
            {"foxes/ada HOCKEY_FACEOFFS_WON", "owls/cy HOCKEY_FACEOFFS_LOST"},
        ),
        (play("giveaway", part("ada", "GIVEAWAY")), {"foxes/ada HOCKEY_GIVEAWAYS"}),
        (play("takeaway", part("ada", "TAKEAWAY")), {"foxes/ada HOCKEY_TAKEAWAYS"}),
        (play("stoppage"), set[str]()),
    ],
)
def test_counts_once_for_the_player_and_once_for_the_team(made: Play, credits: set[str]) -> None:
    of_teams = {f"{name.split('/')[0]} {name.split()[1]}" for name in credits}
    assert named(made) == dict.fromkeys(credits | of_teams, 1)


def test_penalty_against_the_bench_is_the_teams_alone() -> None:
    minor = {"penalty_minutes": 2}
    assert named(play("penalty", part("ada", "OFFENDER"), part("cy", "FOULED", "owls"), hockey=minor)) == {
        "foxes HOCKEY_PENALTIES": 1,
        "foxes/ada HOCKEY_PENALTIES": 1,
        "foxes HOCKEY_PENALTY_MINUTES": 2,
        "foxes/ada HOCKEY_PENALTY_MINUTES": 2,
    }
    assert named(play("penalty", part("ada", "SERVING"), hockey=minor)) == {
        "foxes HOCKEY_PENALTIES": 1,
        "foxes HOCKEY_PENALTY_MINUTES": 2,
    }


def test_player_without_an_id_is_no_second_team() -> None:
    assert named(play("hit", part("", "HITTER"))) == {"foxes HOCKEY_HITS": 1}


def test_situation_is_that_of_the_last_play_that_tells_it() -> None:
    first, last = IceHockeySituation(home_skaters=5, away_skaters=5), IceHockeySituation(home_skaters=6)
    plays = [play("hit", hockey={"on_ice": first}), play("hit", hockey={"on_ice": last}), play("stoppage")]
    state = GameState()
    SPORT.situate(state, plays)
    assert state.ice_hockey == last
    SPORT.situate(state, [])
    assert state.WhichOneof("situation") is None
