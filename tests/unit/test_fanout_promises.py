"""The promises of the stream, with a bus that loses, repeats and reorders, and viewers that break off and resume."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreline.fanout.v1.fanout_service_pb2 import Target
from services.fanout.domain import items, run, write
from tests.support.fanout_world import SIGNER, TEAM, World

TARGETS = (
    [Target(game_id="g1")],
    [Target(game_id="g1"), Target(game_id="g2")],
    [Target(team_id=TEAM)],
    [Target(game_id="g2"), Target(team_id=TEAM), Target(game_id="g2")],
)

games = st.sampled_from(("g1", "g2"))
replicas = st.integers(0, 1)
viewers = st.integers(0, len(TARGETS) - 1)
losses = st.lists(st.booleans(), min_size=1, max_size=8)
usual = st.one_of(
    st.tuples(st.just("play"), games, losses),
    st.tuples(st.just("connect"), viewers, replicas, st.booleans()),
    st.tuples(st.just("read"), viewers),
    st.tuples(st.just("supply"), viewers),
    st.tuples(st.just("land"), replicas),
)
seldom = st.one_of(
    st.tuples(st.just("hear_again"), games, replicas, st.integers(0, 6)),
    st.tuples(st.just("hear_heads"), replicas),
    st.tuples(st.just("break_off"), viewers, st.integers(0, 3)),
    st.tuples(st.just("rebuild"), games, st.integers(0, 10)),
    st.tuples(st.just("restart"), replicas),
)
# What may happen, in any order; a viewer that is never chosen to read is a slow one.
happenings = st.lists(st.one_of(usual, usual, usual, seldom), min_size=40, max_size=120)
promise = settings(max_examples=60, deadline=None)


@pytest.fixture(scope="module", autouse=True)
def _short_memory() -> Iterator[None]:
    """So few updates are kept that slow readers have to be caught up from the log, and snapshots come in parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "MOST_UPDATES", 3)
        patch.setattr(items, "LARGEST_PART", 80)
        patch.setattr(write, "_ENOUGH", 150)
        yield


@given(happenings)
@promise
def test_ordered_and_unique(happened: list[tuple[object, ...]]) -> None:
    """On each connection seqs are consecutive: the viewers, as they read, hold each update against the one before."""
    world = World(TARGETS)
    world.live(happened)
    world.come_to_rest()
    for viewer in world.viewers:
        for connection in viewer.connections:
            assert len(connection.told) == len(set(connection.told))


@given(happenings)
@promise
def test_resumable(happened: list[tuple[object, ...]]) -> None:
    """However often they broke off, wherever they came back, all viewers see each game as it is in the end."""
    world = World(TARGETS)
    world.live(happened)
    world.come_to_rest()
    for viewer in world.viewers:
        assert viewer.screen.positions == {
            game_id: (true.epoch, true.seq)
            for game_id, true in world.truth.items()
            if viewer.targets.reasons(game_id, [TEAM])
        }


@given(happenings)
@promise
def test_honest_tokens(happened: list[tuple[object, ...]]) -> None:
    """After every write the token says what had arrived by then, no more."""
    world = World(TARGETS)
    for happening in happened:
        world.live([happening])
        for viewer in world.viewers:
            if viewer.screen.token:
                said = SIGNER.read(viewer.screen.token).positions.values()
                assert {at.game_id: (at.epoch, at.seq) for at in said} == viewer.screen.positions


@given(happenings)
@promise
def test_honest_catch_ups(happened: list[tuple[object, ...]]) -> None:
    """Every catch-up ends in one CaughtUp, which comes when all was delivered that was there at the opening."""
    world = World(TARGETS)
    world.live(happened)
    world.come_to_rest()
    for viewer in world.viewers:
        assert viewer.connections[-1].caught_up is not None, "a catch-up without an end"
        for connection in viewer.connections:
            if connection.caught_up is None:
                continue
            replayed, told, positions = connection.caught_up
            assert replayed == told
            for game_id, epoch, seq in connection.told[:told]:
                if connection.heads.get(game_id, ("", 0))[0] == epoch:
                    assert seq <= connection.heads[game_id][1], "live before it had caught up"
            for game_id, (epoch, seq) in connection.heads.items():
                assert positions[game_id][0] != epoch or positions[game_id][1] >= seq
