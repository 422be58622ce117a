"""A game folded from its log, beside what is stored of it."""

import asyncio
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.state_pb2 import GameUpdate
from services.eventlog.log import EventLog
from services.gamestate.domain.fold import Fold
from services.gamestate.store.derived import Derived
from services.gamestate.store.plays import play_row

_SLICE = 64  # events between two waits, so that other games are not held up


@dataclass
class Refold:
    """A fold with all its updates, and what is seen of the log on the way."""

    fold: Fold
    updates: list[GameUpdate] = field(default_factory=list[GameUpdate])

    async def read_to(self, event_log: EventLog, seq: int) -> None:
        """Go on to a seq, or to the end of the log if that comes first. Raises ValueError where the log has a gap."""
        while self.fold.seq < seq:
            events = await event_log.read(self.fold.game_id, self.fold.seq, min(_SLICE, seq - self.fold.seq))
            if not events:
                return
            self.take(events)
            await asyncio.sleep(0)

    def take(self, events: list[Event]) -> None:
        """Take the next events. Raises ValueError where they are not the next ones."""
        self.updates.extend(self.fold.apply(event) for event in events)

    def differences(self, stored: Derived) -> list[tuple[str, str]]:
        """Say what is stored otherwise: which check of the audit, and in words. Both must be at the same seq."""
        found: list[tuple[str, str]] = []
        if stored.state != self.fold.state().SerializeToString():
            found.append(("fold_state", "the state is not what the log folds to"))
        if stored.statistics != self.fold.statistics().SerializeToString():
            found.append(("fold_statistics", "the statistics are not what the log folds to"))
        plays = {play_id: play_row(entry) for play_id, entry in self.fold.entries.items()}
        other = sorted(
            play_id for play_id in plays.keys() | stored.plays if plays.get(play_id) != stored.plays.get(play_id)
        )
        if other:
            found.append(("fold_plays", f"{len(other)} plays are not what the log folds to, such as {other[0]}"))
        updates = {update.seq: update for update in self.updates}
        if missing := sorted(updates.keys() - stored.updates):
            found.append(("update_gap", f"{len(missing)} updates are missing, the first is {missing[0]}"))
        if wrong := sorted(seq for seq, update in stored.updates.items() if not _same(updates.get(seq), update)):
            found.append(
                ("fold_updates", f"{len(wrong)} updates are not what the log folds to, the first is {wrong[0]}")
            )
        return found


def _same(update: GameUpdate | None, stored: bytes) -> bool:
    """Whether a stored update is the one folded now, the time of its publishing aside."""
    try:
        told = GameUpdate.FromString(stored)
    except DecodeError:
        return False
    told.times.ClearField("published_at")
    return update is not None and told.SerializeToString() == update.SerializeToString()
