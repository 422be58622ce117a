"""Convergent: any order, any repeats, any cut of the same messages end in the same bytes."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoreline.game.v1.source_pb2 import Observation
from tests.support.folding import essence, fold_all, observations

_SPORTRADAR = ("stream_2023-07-19T13-20-04.152Z.txt.gz", "NBA_v7_Push_Events_Example.json")
_NHL = ("2024020843_play-by-play.json", "2024020033_play-by-play.json", "2024020266_play-by-play.json")


@pytest.fixture(scope="module", params=_SPORTRADAR)
def pushed(request: pytest.FixtureRequest, feeds: Path) -> list[Observation]:
    return observations(feeds / "sportradar-nba-push" / request.param, "sportradar-nba-push")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), repeats=st.floats(0, 1))
def test_pushed_messages_in_any_order_with_any_repeats(pushed: list[Observation], seed: int, repeats: float) -> None:
    chance = random.Random(seed)
    shuffled = pushed + [seen for seen in pushed if chance.random() < repeats]
    chance.shuffle(shuffled)
    assert _essences(shuffled) == _essences(pushed)


def test_pushed_messages_once_more_make_no_event(pushed: list[Observation]) -> None:
    once, twice = fold_all(pushed), fold_all(pushed + pushed)
    assert {game_id: fold.seq for game_id, fold in twice.items()} == {
        game_id: fold.seq for game_id, fold in once.items()
    }


@pytest.fixture(scope="module", params=_NHL)
def document(request: pytest.FixtureRequest, feeds: Path) -> Observation:
    return observations(feeds / "nhl" / request.param, "nhl")[0]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 12))
def test_documents_of_a_game_in_any_steps(document: Observation, seed: int, steps: int) -> None:
    """Documents carry no version, so their order is the provider's own: whatever came before, the last one counts."""
    chance = random.Random(seed)
    sent: list[Observation] = []
    for _ in range(steps):
        earlier = Observation()
        earlier.CopyFrom(document)
        kept = [report for report in document.plays if chance.random() < 0.8][: chance.randrange(len(document.plays))]
        del earlier.plays[:]
        earlier.plays.extend(kept)
        if earlier.plays:
            earlier.plays[-1].play.text = "as first reported"
        sent += [earlier] * chance.randint(1, 2)
    assert _essences([*sent, document]) == _essences([document])


def _essences(seen: list[Observation]) -> dict[str, bytes]:
    return {game_id: essence(fold) for game_id, fold in fold_all(seen).items()}
