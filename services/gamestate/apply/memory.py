"""Folds kept in memory, so that a game need not be folded from its log for each event."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from scoreline.game.v1.event_pb2 import Event
from services.gamestate.domain.fold import Fold
from services.gamestate.store.games import Version


@dataclass(slots=True)
class Folded:
    """A game in memory.

    Attributes:
        fold: the game; while it is behind `row` it is being loaded.
        row: what the game's row had when it was last seen.
        opened_at: the row's seq when the game was taken into memory.
        unheard: seqs behind `opened_at` that came from the log, and whose message from the bus did not come yet.
    """

    fold: Fold
    row: Version
    opened_at: int
    unheard: set[int] = field(default_factory=set[int])

    def read(self, events: Sequence[Event]) -> None:
        """Events were taken from the log."""
        self.unheard.update(event.seq for event in events if event.seq > self.opened_at)

    def repeated(self, seqs: Sequence[int]) -> list[int]:
        """Of events heard when they had been applied already, give those that are repeated, not just late."""
        repeated = [seq for seq in seqs if seq not in self.unheard]
        self.unheard.difference_update(seqs)
        return repeated


class Memory:
    """Games in memory, of which the least recently used are forgotten when all have too many plays together."""

    def __init__(self, most_plays: int) -> None:
        self._most_plays = most_plays
        self._plays = 0
        self._games: OrderedDict[str, tuple[Folded, int]] = OrderedDict()

    def get(self, game_id: str) -> Folded | None:
        """Give a game, None when it is not in memory."""
        found = self._games.get(game_id)
        return found[0] if found else None

    def keep(self, folded: Folded) -> None:
        """Keep a game as the most recently used; call it again when it has grown."""
        self.forget(folded.fold.game_id)
        plays = max(1, len(folded.fold.entries))
        self._games[folded.fold.game_id] = folded, plays
        self._plays += plays
        while self._plays > self._most_plays and len(self._games) > 1:
            _, (_, plays) = self._games.popitem(last=False)
            self._plays -= plays

    def forget(self, game_id: str) -> None:
        """Forget a game; it is folded from its log when it is needed."""
        if found := self._games.pop(game_id, None):
            self._plays -= found[1]

    def applied(self, game_id: str) -> int:
        """Give the seq that a game's row had when it was last seen here, 0 when it is not in memory."""
        found = self._games.get(game_id)
        return found[0].row.seq if found else 0

    def __len__(self) -> int:
        return len(self._games)
