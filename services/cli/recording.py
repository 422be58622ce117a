"""Recorded feeds on disk, and what they fold to without any server."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.state_pb2 import GameUpdate
from services.eventlog.index import GameIndex
from services.gamestate.domain.fold import Fold
from services.ingestion.domain.compare import EventIdReused, ProviderConflict, SportUnknown, compare
from services.ingestion.providers import Provider, Unreadable


class UnreadableFile(Exception):
    """The file cannot be read; the message names it."""


def read_messages(path: Path, provider: Provider) -> Iterator[bytes]:
    """Give the messages of a recording, gzipped or not, in the order they were recorded."""
    return provider.split(_read(path))


def read_timed(path: Path, provider: Provider) -> Iterator[tuple[int, bytes]]:
    """Give the same messages, each with the milliseconds after the one before it; 0 where that is not told."""
    data = _read(path)
    return provider.timed(data) if provider.timed else ((0, message) for message in provider.split(data))


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except OSError as error:  # a broken gzip file is one too
        raise UnreadableFile(f"{path}: {error.strerror or error}") from error
    except (EOFError, zlib.error) as error:
        raise UnreadableFile(f"{path}: the gzip file is cut off or damaged") from error


class Season:
    """Games folded in memory from the messages of one provider: the same rules as the servers, without them."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._known: dict[str, GameIndex] = {}
        self.folds: dict[str, Fold] = {}
        self.rejected: dict[str, int] = {}
        self.unreadable: list[str] = []

    def take(self, payload: bytes) -> list[GameUpdate]:
        """Take one message and give what it did. What cannot be read or applied is counted, and said why."""
        try:
            observations = self._provider.observe(payload)
        except Unreadable as error:
            self.unreadable.append(str(error))
            return []
        updates: list[GameUpdate] = []
        for observation in observations:
            game_id = observation.game_id
            known = self._known.get(game_id, GameIndex(game_id)).copy()
            try:
                events = compare(known, observation, provider=self._provider.name)
            except (EventIdReused, ProviderConflict, SportUnknown) as error:
                self.rejected[game_id] = self.rejected.get(game_id, 0) + 1
                self.unreadable.append(f"{game_id}: {error}")
                continue
            self._known[game_id] = known
            updates.extend(self._apply(game_id, events))
        return updates

    def _apply(self, game_id: str, events: list[Event]) -> Iterator[GameUpdate]:
        fold = self.folds.setdefault(game_id, Fold(game_id))
        for event in events:
            event.seq = fold.seq + 1
            event.source.provider = self._provider.name
            yield fold.apply(event)
