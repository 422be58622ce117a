"""Convergent, Ordered and Unique through the real log: any order, any repeats, any cut into batches, two replicas."""

import itertools
import random
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from scoreline.game.v1.source_pb2 import Observation
from services.eventlog.append import Incoming
from services.eventlog.log import EventLog
from services.eventlog.raw import Raw
from services.gamestate.domain.fold import Fold
from services.ingestion.rules import decide, digest_of
from services.runtime.clock import now
from services.runtime.db.migrate import migrate
from services.runtime.db.pool import Pool, open_pool
from services.runtime.local import Stack, postgres_server
from tests.support.folding import essence, fold_all, observations

_PROVIDER = "sportradar-nba-push"
_numbers = itertools.count(1)


@pytest.fixture(scope="module")
async def pool(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Pool]:
    async with Stack(tmp_path_factory.mktemp("cuts")) as stack:
        url = await stack.engine(postgres_server)
        await migrate(url, "services.eventlog.migrations")
        async with open_pool(url, min_size=1, max_size=2) as pool:
            yield pool


@pytest.fixture(scope="module")
def pushed(feeds: Path) -> list[Observation]:
    """What a real stream says of one game."""
    seen = observations(feeds / _PROVIDER / "stream_2023-07-19T13-20-04.152Z.txt.gz", _PROVIDER)
    return [each for each in seen if each.game_id == seen[0].game_id]


@settings(
    max_examples=12,
    deadline=None,
    phases=(Phase.reuse, Phase.generate),  # a seed that fails has no smaller one
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 2**32), repeats=st.floats(0, 1), longest=st.integers(1, 64))
async def test_any_order_any_repeats_any_cut_by_any_replica(
    pool: Pool, pushed: list[Observation], seed: int, repeats: float, longest: int
) -> None:
    chance = random.Random(seed)
    game_id = f"cuts-{next(_numbers)}"  # each example has a log of its own
    in_order = [_of_game(seen, game_id) for seen in pushed]
    sent = _shuffled(in_order, chance, repeats)
    replicas = [EventLog(pool), EventLog(pool)]
    made = 0
    for batch in _cut(sent, chance, longest):
        done = await chance.choice(replicas).append(game_id, batch, decide, digest_of)
        made += sum(len(appended.events) for appended in done)

    events = await replicas[0].read(game_id, 0, 100_000)
    assert [event.seq for event in events] == list(range(1, made + 1))
    assert len({event.event_id for event in events}) == made
    fold = Fold(game_id)
    for event in events:
        fold.apply(event)
    assert essence(fold) == essence(fold_all(in_order)[game_id])


def _of_game(seen: Observation, game_id: str) -> Observation:
    moved = Observation()
    moved.CopyFrom(seen)
    moved.game_id = game_id
    return moved


def _shuffled(in_order: list[Observation], chance: random.Random, repeats: float) -> list[Incoming]:
    """All messages in any order, some twice: as the same request again, or as a new one that says the same."""
    sent: list[Incoming] = []
    for number, seen in enumerate(in_order):
        raw = Raw(_PROVIDER, f"{seen.game_id}-{number}", now(), False, seen.SerializeToString())
        sent.append(Incoming(raw, seen))
        if chance.random() < repeats:
            again = chance.choice([raw, Raw(_PROVIDER, "", now(), False, raw.payload)])
            sent.append(Incoming(again, seen))
    chance.shuffle(sent)
    return sent


def _cut(sent: list[Incoming], chance: random.Random, longest: int) -> Iterator[list[Incoming]]:
    begin = 0
    while begin < len(sent):
        end = begin + chance.randint(1, longest)
        yield sent[begin:end]
        begin = end
