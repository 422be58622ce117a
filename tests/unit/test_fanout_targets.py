"""What a stream follows."""

from datetime import UTC, datetime, timedelta

import pytest

from scoreline.fanout.v1.fanout_service_pb2 import Target
from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.gamestate.v1.gamestate_service_pb2 import GameSummary
from services.fanout.domain.targets import Targets, games_to_follow

NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)


def test_targets_named_twice_are_merged() -> None:
    once = Targets([Target(game_id="g"), Target(team_id="a"), Target(team_id="b")])
    twice = Targets([Target(team_id="b"), Target(game_id="g"), Target(team_id="a"), Target(team_id="b")])
    assert (twice.games, set(twice.teams)) == (("g",), {"a", "b"})
    assert twice.digest == once.digest


def test_a_game_and_a_team_of_one_name_are_not_the_same() -> None:
    assert Targets([Target(game_id="x")]).digest != Targets([Target(team_id="x")]).digest


def test_reasons_are_all_targets_that_match() -> None:
    targets = Targets([Target(team_id="away"), Target(team_id="home"), Target(game_id="g"), Target(team_id="other")])
    assert targets.reasons("g", ["home", "away"]) == (
        Target(game_id="g"),
        Target(team_id="home"),
        Target(team_id="away"),
    )
    assert targets.reasons("h", ["else"]) == ()


def summary(game_id: str, status: GameStatus, *, changed: timedelta, begins: timedelta | None = None) -> GameSummary:
    game = GameSummary(game_id=game_id)
    game.header.status = status
    game.update_time.FromDatetime(NOW - changed)
    if begins is not None:
        game.header.scheduled_at.FromDatetime(NOW + begins)
    return game


HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.mark.parametrize(
    ("status", "changed", "begins", "follows"),
    [
        (GameStatus.GAME_STATUS_LIVE, HOUR, -2 * HOUR, True),
        (GameStatus.GAME_STATUS_BREAK, HOUR, None, True),
        (GameStatus.GAME_STATUS_SUSPENDED, 5 * DAY, -5 * DAY, True),
        (GameStatus.GAME_STATUS_PRE_GAME, HOUR, HOUR, True),
        (GameStatus.GAME_STATUS_SCHEDULED, 30 * DAY, DAY, True),
        (GameStatus.GAME_STATUS_SCHEDULED, 30 * DAY, 3 * DAY, False),
        (GameStatus.GAME_STATUS_SCHEDULED, 30 * DAY, None, False),
        (GameStatus.GAME_STATUS_SCHEDULED, timedelta(minutes=14), 30 * DAY, True),
        (GameStatus.GAME_STATUS_SCHEDULED, 30 * DAY, -30 * DAY, False),
        (GameStatus.GAME_STATUS_FINAL, timedelta(minutes=14), -3 * HOUR, True),
        (GameStatus.GAME_STATUS_FINAL, timedelta(minutes=16), -3 * HOUR, False),
    ],
)
def test_games_of_a_team(status: GameStatus, changed: timedelta, begins: timedelta | None, follows: bool) -> None:
    last = summary("last", GameStatus.GAME_STATUS_FINAL, changed=timedelta(minutes=1))
    game = summary("game", status, changed=changed, begins=begins)
    assert games_to_follow([last, game], NOW) == (["last", "game"] if follows else ["last"])


def test_of_games_long_over_only_the_last_one_is_followed() -> None:
    games = [summary(f"g{days}", GameStatus.GAME_STATUS_FINAL, changed=days * DAY) for days in (3, 6, 9)]
    assert games_to_follow(games, NOW) == ["g3"]
