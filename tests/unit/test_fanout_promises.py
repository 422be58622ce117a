"""The promises of the stream, with a bus that loses, repeats and reorders, and viewers that break off and resume."""

from collections.abc import Iterator
from random import Random

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

WEIGHTS = {
    "play": 8, "hear_again": 2, "hear_heads": 1, "connect": 4, "break_off": 2, "read": 12, "supply": 8, "land": 8,
    "rebuild": 0.3, "restart": 0.3,
}  # fmt: skip


def script(seed: int) -> list[tuple[object, ...]]:
    """What happens, in an order that a seed gives: longer and more mixed stories than lists of choices come to."""
    chance = Random(seed)
    slow = chance.randrange(len(TARGETS))  # this viewer reads seldom

    def happening() -> tuple[object, ...]:
        (name,) = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        viewer, replica, game_id = chance.randrange(len(TARGETS)), chance.randrange(2), chance.choice(("g1", "g2"))
        if viewer == slow and chance.random() < 0.9:
            viewer = 0
        return {
            "play": (name, game_id, [chance.random() < 0.8 for _ in range(chance.randrange(1, 6))]),
            "hear_again": (name, game_id, replica, chance.randrange(6)),
            "hear_heads": (name, replica),
            "connect": (name, viewer, replica, chance.random() < 0.5),
            "break_off": (name, viewer, chance.randrange(4)),
            "read": (name, viewer),
            "supply": (name, viewer),
            "land": (name, replica),
            "rebuild": (name, game_id, chance.randrange(10)),
            "restart": (name, replica),
        }[name]

    return [happening() for _ in range(chance.randrange(20, 200))]


scripts = st.integers(0, 2**64 - 1).map(script)
promise = settings(max_examples=60, deadline=None)


@pytest.fixture(scope="module", autouse=True)
def _short_memory() -> Iterator[None]:
    """So few updates are kept that slow readers have to be caught up from the log, and snapshots come in parts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "MOST_UPDATES", 3)
        patch.setattr(items, "LARGEST_PART", 80)
        patch.setattr(write, "_ENOUGH", 50)
        yield


@given(scripts)
@promise
def test_ordered_and_unique(happened: list[tuple[object, ...]]) -> None:
    """On each connection seqs are consecutive: the viewers, as they read, hold each update against the one before."""
    world = World(TARGETS)
    world.live(happened)
    world.come_to_rest()
    for viewer in world.viewers:
        for connection in viewer.connections:
            assert len(connection.told) == len(set(connection.told))


@given(scripts)
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


@given(scripts)
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


@given(scripts)
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
