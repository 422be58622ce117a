"""What a provider's adapter is: bytes in, observations out, pure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scoreline.game.v1.source_pb2 import Observation


class Unreadable(ValueError):
    """The payload is not what the provider sends. `path` says where in the document, empty for the whole."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.path = path
        self.message = message


@dataclass(frozen=True)
class Provider:
    """One adapter.

    `observe` reads one message or document and says what it tells of each game it speaks of; it returns an empty list
    for a message without content, such as a heartbeat, and raises `Unreadable` for anything else than its format.
    `split` cuts a recorded file, already unzipped, into the messages it was recorded from, in their order. `timed`,
    where the recording tells its own timing, does so too, each with the milliseconds after the one before it.
    """

    name: str
    observe: Callable[[bytes], list[Observation]]
    split: Callable[[bytes], Iterator[bytes]]
    timed: Callable[[bytes], Iterator[tuple[int, bytes]]] | None = None


def one_document(recording: bytes) -> Iterator[bytes]:
    """Split for feeds whose recording is a single document."""
    yield recording
