"""The Python client's check that nothing is missing and nothing comes twice."""

import pytest

from scoreline.fanout.v1.fanout_service_pb2 import CaughtUp, Item
from scoreline_client.chain import Chain


def update(seq: int, *, prev: int | None = None, epoch: str = "1", correction: bool = False) -> Item:
    item = Item()
    delivery = item.correction if correction else item.update
    delivery.update.game_id, delivery.update.seq, delivery.update.epoch = "g", seq, epoch
    delivery.prev_delivered_seq = seq - 1 if prev is None else prev
    return item


def snapshot(seq: int, *, epoch: str = "1", last: bool = True) -> Item:
    item = Item()
    item.snapshot.state.game_id, item.snapshot.state.seq, item.snapshot.state.epoch = "g", seq, epoch
    item.snapshot.last_part = last
    return item


def reset() -> Item:
    item = Item()
    item.reset.game_id = "g"
    return item


def seqs(items: list[Item]) -> list[int]:
    return [item.correction.update.seq or item.update.update.seq for item in items]


def test_repeats_are_dropped() -> None:
    chain = Chain()
    items, gap = chain.take([snapshot(5), update(6), update(7, correction=True), update(6), update(7), update(8)])
    assert gap is None
    assert seqs(items[1:]) == [6, 7, 8]


def test_a_hole_is_found_and_what_came_before_it_is_good() -> None:
    items, gap = Chain().take([snapshot(5), update(6), update(8), update(9)])
    assert gap is not None
    assert seqs(items[1:]) == [6]


def test_after_a_hole_the_missing_ones_are_taken() -> None:
    chain = Chain()
    chain.take([snapshot(5), update(7)])
    items, gap = chain.take([update(6), update(7)])
    assert (seqs(items), gap) == ([6, 7], None)


def test_a_filter_may_leave_seqs_out() -> None:
    items, gap = Chain().take([snapshot(5), update(9, prev=5), update(12, prev=9)])
    assert (seqs(items[1:]), gap) == ([9, 12], None)


def test_without_a_snapshot_the_first_one_gives_the_position() -> None:
    items, gap = Chain().take([update(6), update(7)])
    assert (seqs(items), gap) == ([6, 7], None)


def test_never_back_within_an_epoch() -> None:
    chain = Chain()
    chain.take([snapshot(5), update(6)])
    assert chain.take([snapshot(5)]) == ([], None)
    assert chain.take([snapshot(6)])[0] == [snapshot(6)]


def test_a_reset_begins_anew() -> None:
    items, gap = Chain().take([snapshot(5), update(6), reset(), snapshot(2, epoch="2"), update(3, epoch="2")])
    assert gap is None
    assert len(items) == 5


def test_another_epoch_without_a_reset_is_a_hole() -> None:
    items, gap = Chain().take([snapshot(5), update(6, epoch="2")])
    assert gap is not None
    assert len(items) == 1


@pytest.mark.parametrize("between", [[], [Item(caught_up=CaughtUp())]])
def test_parts_of_a_snapshot_are_merged(between: list[Item]) -> None:
    first, rest = snapshot(5, last=False), Item()
    first.snapshot.statistics.players.add(subject_id="a")
    rest.snapshot.statistics.players.add(subject_id="b")
    rest.snapshot.last_part = True
    items, _ = Chain().take([first, *between, rest])
    assert items[:-1] == between
    assert [line.subject_id for line in items[-1].snapshot.statistics.players] == ["a", "b"]


def test_parts_that_a_break_left_behind_are_forgotten() -> None:
    chain = Chain()
    part = snapshot(5, last=False)
    part.snapshot.statistics.players.add(subject_id="a")
    chain.take([part])
    accepted = Item()
    accepted.accepted.subscription_id = "x"
    items, _ = chain.take([accepted, snapshot(6)])
    assert not items[-1].snapshot.statistics.players
