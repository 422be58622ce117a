"""Holds what arrives against what arrived before, so that nothing is missing and nothing comes twice."""

from collections.abc import Iterable

from scoreline.fanout.v1.fanout_service_pb2 import Delivery, Item, Snapshot


class Gap(Exception):
    """Something is missing before an update; resuming brings it."""


class Chain:
    """The position in each game: every update up to it has arrived."""

    def __init__(self) -> None:
        self._positions: dict[str, tuple[str, int]] = {}  # epoch and seq by game id
        self._parts = Snapshot()

    def take(self, items: Iterable[Item]) -> tuple[list[Item], Gap | None]:
        """The items to give out, without repeats and with snapshots whole, and the gap that the rest stands behind."""
        taken: list[Item] = []
        for item in items:
            try:
                accepted = self._accept(item)
            except Gap as gap:
                return taken, gap
            if accepted is not None:
                taken.append(accepted)
        return taken, None

    def _accept(self, item: Item) -> Item | None:
        match item.WhichOneof("kind"):
            case "update":
                return item if self._accept_delivery(item.update) else None
            case "correction":
                return item if self._accept_delivery(item.correction) else None
            case "snapshot":
                return self._accept_part(item.snapshot)
            case "reset":
                self._positions.pop(item.reset.game_id, None)
                self._parts.Clear()
            case "accepted":
                self._parts.Clear()
            case _:
                pass
        return item

    def _accept_delivery(self, delivery: Delivery) -> bool:
        update = delivery.update
        epoch, position = self._positions.get(update.game_id, (update.epoch, delivery.prev_delivered_seq))
        if epoch != update.epoch:
            raise Gap(f"{update.game_id}: epoch {update.epoch} came without a reset, {epoch} was before")
        if update.seq <= position:
            return False
        if delivery.prev_delivered_seq > position:
            raise Gap(f"{update.game_id}: {update.seq} follows {delivery.prev_delivered_seq}, {position} was before")
        self._positions[update.game_id] = (update.epoch, update.seq)
        return True

    def _accept_part(self, part: Snapshot) -> Item | None:
        self._parts.MergeFrom(part)
        if not part.last_part:
            return None
        whole, self._parts = self._parts, Snapshot()
        state = whole.state
        epoch, position = self._positions.get(state.game_id, (state.epoch, -1))
        if epoch == state.epoch and state.seq < position:
            return None  # never back
        self._positions[state.game_id] = (state.epoch, state.seq)
        return Item(snapshot=whole)
