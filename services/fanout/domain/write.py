"""What goes into one write of a stream."""

from collections.abc import Sequence

from scoreline.fanout.v1.fanout_service_pb2 import ResetReason

_ENOUGH = 256 * 1024  # bytes


class Write:
    """Encoded items in order, and what they are.

    Attributes:
        items: the items.
        updates: how many updates and corrections are among them.
        resets: why games were reset in it.
    """

    __slots__ = ("_size", "items", "resets", "updates")

    def __init__(self) -> None:
        self.items: list[bytes] = []
        self.updates = 0
        self.resets: list[ResetReason] = []
        self._size = 0

    @property
    def room(self) -> int:
        """Bytes that may still go in; not above 0 when it is full."""
        return _ENOUGH - self._size

    def add(self, item: bytes) -> None:
        """Adds something that is no update."""
        self.items.append(item)
        self._size += len(item)

    def add_updates(self, items: Sequence[bytes]) -> None:
        """Adds updates, one an item."""
        self.items += items
        self.updates += len(items)
        self._size += sum(map(len, items))
