"""The demo game, from its messages to its end."""

from itertools import groupby

import pytest

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.header_pb2 import GameStatus, Score
from scoreline.game.v1.play_pb2 import PlayClass
from scoreline.game.v1.source_pb2 import Observation
from scoreline.game.v1.state_pb2 import CorrectionKind, GameUpdate
from scoreline.game.v1.stats_pb2 import StatKey
from services.cli.demo import RECORDING, demo
from services.gamestate.domain.fold import Fold
from services.ingestion.domain.compare import GameIndex, compare
from services.ingestion.providers.scoreline import PROVIDER, check


def logged(known: GameIndex, observations: list[Observation]) -> list[Event]:
    """The events that a log would hold."""
    return [event for observation in observations for event in compare(known, observation)]


def played() -> tuple[Fold, list[GameUpdate]]:
    fold = Fold("demo-mci-tot-1", "e")
    updates: list[GameUpdate] = []
    for seq, event in enumerate(logged(GameIndex("demo-mci-tot-1"), [message for _, message in demo("1")]), 1):
        event.seq = seq
        updates.append(fold.apply(event))
    return fold, updates


def changes(scores: list[Score]) -> list[str]:
    return [score for score, _ in groupby(f"{score.home}-{score.away}" for score in scores)]


def test_every_message_is_a_readable_one_of_the_run() -> None:
    messages = demo("20190417T190000")
    assert {message.game_id for _, message in messages} == {"demo-mci-tot-20190417T190000"}
    assert [check(message) for _, message in messages] == [[]] * len(messages)
    assert len(list(PROVIDER.split(RECORDING.read_bytes()))) == len(messages)


def test_something_happens_at_once_and_it_ends_in_a_minute_and_a_half() -> None:
    messages = demo("1")
    at, scored_at = 0.0, list[float]()
    for delay, message in messages:
        at += delay
        scored_at.extend(at for report in message.plays if report.play.HasField("scored"))
    assert messages[0][0] == 0
    assert scored_at[0] < 2
    assert at == 90


def test_the_score_goes_the_way_it_went() -> None:
    fold, updates = played()
    assert changes([update.score for update in updates]) == (
        ["0-0", "1-0", "1-1", "1-2", "2-2", "3-2", "4-2", "4-3", "5-3", "4-3"]
    )
    assert changes([line.score for line in fold.timeline()]) == (
        ["0-0", "1-0", "1-1", "1-2", "2-2", "3-2", "4-2", "4-3"]
    )
    halves = [(period.score.home, period.score.away) for period in fold.state().periods]
    assert halves == [(3, 2), (1, 1)]
    # The goal that was taken back never stood.
    assert Score(home=5, away=3) not in [update.confirmed_score for update in updates]


def test_the_game_lives_rests_lives_and_ends() -> None:
    _, updates = played()
    assert [status for status, _ in groupby(update.status for update in updates)] == [
        GameStatus.GAME_STATUS_SCHEDULED,
        GameStatus.GAME_STATUS_LIVE,
        GameStatus.GAME_STATUS_BREAK,
        GameStatus.GAME_STATUS_LIVE,
        GameStatus.GAME_STATUS_FINAL,
    ]


def test_goals_are_confirmed_and_one_is_taken_back_with_its_reason() -> None:
    _, updates = played()
    goals = [update.correction for update in updates if update.correction.play_id.startswith("goal-")]
    assert [(told.play_id, told.kind) for told in goals] == [
        *((f"goal-{minute}", CorrectionKind.CORRECTION_KIND_CONFIRMED) for minute in (4, 7, 10, 11, 21, 59, 73)),
        ("goal-90-3", CorrectionKind.CORRECTION_KIND_CANCELLED),
    ]
    stood, cancelled = goals[-2:]
    assert stood.reason == "VAR: no handball, the goal stands"
    assert cancelled.reason == "VAR: offside in the build-up"
    assert (cancelled.score_before, cancelled.score_after) == (Score(home=5, away=3), Score(home=4, away=3))


def test_reviews_are_told_before_what_they_decide() -> None:
    _, updates = played()
    order = [update.event.play.play.play_id for update in updates]
    assert order.index("review-73") < len(order) - 1 - order[::-1].index("goal-73")
    assert order.index("goal-90-3") < order.index("review-90-3") < len(order) - 1 - order[::-1].index("goal-90-3")


def test_one_substitution_is_reported_late_and_stands_in_its_place() -> None:
    fold, updates = played()
    assert [update.event.play.play.play_id for update in updates if update.late] == ["substitution-41"]
    plays = [line.play.play_id for line in fold.timeline()]
    assert plays.index("goal-21") < plays.index("substitution-41") < plays.index("half-time")
    assert plays[-1] == "full-time"


def test_statistics_of_the_end_leave_out_the_goal_taken_back() -> None:
    fold, _ = played()
    goals = {
        line.name: stat.value
        for line in fold.statistics().players
        for stat in line.stats
        if stat.key == StatKey.STAT_KEY_SOCCER_GOALS
    }
    assert goals == {
        "Raheem Sterling": 2,
        "Bernardo Silva": 1,
        "Sergio Agüero": 1,
        "Son Heung-min": 2,
        "Fernando Llorente": 1,
    }


def test_who_takes_part_is_on_the_roster_of_that_team() -> None:
    messages = [message for _, message in demo("1")]
    teams = {entry.player_id: (entry.name, entry.team_id) for entry in messages[0].roster.entries}
    starters = [entry.team_id for entry in messages[0].roster.entries if entry.starter]
    assert sorted(starters.count(team_id) for team_id in set(starters)) == [11, 11]
    for message in messages:
        for report in message.plays:
            for taker in report.play.participants:
                assert teams[taker.player_id] == (taker.name, taker.team_id)
            if report.play.play_class == PlayClass.PLAY_CLASS_SCORE:
                assert report.play.participants[0].team_id == report.play.team_id


def test_a_run_that_is_sent_again_changes_nothing() -> None:
    known, messages = GameIndex("demo-mci-tot-1"), [message for _, message in demo("1")]
    assert logged(known, messages)
    assert logged(known, messages) == []


@pytest.mark.parametrize("run", ["", "a b", "a.b", "x" * 52])
def test_a_run_that_makes_no_game_id_is_refused(run: str) -> None:
    with pytest.raises(ValueError, match="a run is"):
        demo(run)
