"""A run: encoded updates of consecutive seqs."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from scoreline.fanout.v1.fanout_service_pb2 import Target
from scoreline.game.v1.state_pb2 import GameUpdate
from services.fanout.domain.items import encode_update
from services.fanout.domain.targets import OVER

MOST_UPDATES = 256
MOST_BYTES = 1024 * 1024


class Run:
    """Encoded updates of one game, `first` … `last`, for one lane; the newest 256 or 1 MiB of what was appended.

    Attributes:
        first: seq of the first one kept, or of the next one as long as there is none.
    """

    __slots__ = ("_bytes", "_items", "first")

    def __init__(self, first: int, items: Iterable[bytes] = ()) -> None:
        self.first = first
        self._items = list(items)
        self._bytes = sum(map(len, self._items))

    @property
    def last(self) -> int:
        """Seq of the last one; `first - 1` when there is none."""
        return self.first + len(self._items) - 1

    def append(self, item: bytes) -> None:
        """Adds the next one, and lets go of the oldest over the limits."""
        self._items.append(item)
        self._bytes += len(item)
        while len(self._items) > MOST_UPDATES or (self._bytes > MOST_BYTES and len(self._items) > 1):
            self._bytes -= len(self._items.pop(0))
            self.first += 1

    def after(self, seq: int, upto: int, most_bytes: int) -> list[bytes]:
        """Those behind `seq` up to and including `upto`, as many as fit in `most_bytes` but at least one.

        Empty when the next one is not here.
        """
        start = seq + 1 - self.first
        if start < 0 or upto <= seq:
            return []
        taken = self._items[start : start + upto - seq]
        while len(taken) > 1 and sum(map(len, taken)) > most_bytes:
            del taken[len(taken) // 2 :]
        return taken


def encode_page(updates: Sequence[GameUpdate], reasons: Sequence[Target]) -> Run:
    """A run of a page of the log, up to its first hole.

    It begins with the second update, since whether one ended the game hangs on the one before it, or with the game's
    first.
    """
    if not updates:
        return Run(0)
    is_first = updates[0].seq == 1
    items = [encode_update(updates[0], reasons, was_over=False)] if is_first else []
    for before, update in pairwise(updates):
        if update.seq != before.seq + 1:
            break
        items.append(encode_update(update, reasons, was_over=before.status in OVER))
    return Run(updates[0].seq + (0 if is_first else 1), items)
