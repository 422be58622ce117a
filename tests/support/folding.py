"""Games folded in memory from observations, and what of them must not depend on the order of arrival."""

from collections.abc import Iterable
from pathlib import Path

from scoreline.game.v1.source_pb2 import Observation
from services.cli.recording import read_messages
from services.eventlog.index import GameIndex
from services.gamestate.domain.fold import Fold
from services.ingestion.domain.compare import compare
from services.ingestion.providers import PROVIDERS
from tests.support.mesh import essence_of


def observations(path: Path, provider: str) -> list[Observation]:
    """All observations of a recording, in order."""
    adapter = PROVIDERS[provider]
    return [seen for message in read_messages(path, adapter) for seen in adapter.observe(message)]


def fold_all(seen: Iterable[Observation]) -> dict[str, Fold]:
    """Fold observations in the order given, by the rules of ingestion and gamestate."""
    folds: dict[str, Fold] = {}
    known: dict[str, GameIndex] = {}
    for observation in seen:
        game_id = observation.game_id
        fold = folds.setdefault(game_id, Fold(game_id))
        for event in compare(known.setdefault(game_id, GameIndex(game_id)), observation):
            event.seq = fold.seq + 1
            fold.apply(event)
    return folds


def essence(fold: Fold) -> bytes:
    """Plays, timeline, score and statistics as bytes: the same for every order of arrival.

    Left out is what tells of the arrival itself: seqs, lateness, what was retracted on the way.
    """
    return essence_of(fold.state(), fold.statistics(), fold.timeline())
