"""One step of one game: load a slice of it, or apply what comes next.

A step is short, so that games take turns: at most 64 events are folded between two waits.
"""

import secrets
from collections.abc import Callable, Sequence

from prometheus_client import Counter, Histogram

from scoreline.game.v1.event_pb2 import Event
from scoreline.game.v1.state_pb2 import GameUpdate
from services.eventlog.log import EventLog
from services.gamestate.apply.inbox import Inbox
from services.gamestate.apply.memory import Folded, Memory
from services.gamestate.domain.fold import Fold
from services.gamestate.errors import HistoryBroken
from services.gamestate.store.advance import Advance
from services.gamestate.store.games import Games, Version
from services.gamestate.store.updates import Updates
from services.runtime.clock import now, to_datetime, to_timestamp
from services.runtime.db.pool import Pool

SLICE = 64  # events

_applied = Counter("scoreline_gamestate_applied", "Events applied.")
_overtaken = Counter("scoreline_gamestate_overtaken", "Applies that another replica was faster with.")
_repeated = Counter("scoreline_gamestate_repeated", "Updates published again because their event was heard again.")
_lag = Histogram(
    "scoreline_gamestate_lag_seconds",
    "From the log's taking an event to its update's commit.",
    buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60),
)

# An update and its serialised form, which is stored and published.
Told = tuple[GameUpdate, bytes]
Publish = Callable[[GameUpdate, bytes], None]


def new_epoch() -> str:
    """Give an epoch that no game has had."""
    return secrets.token_urlsafe(6)


class Steps:
    """Steps of all games. Two at a time in one game are not allowed; replicas may do what they like."""

    def __init__(self, pool: Pool, event_log: EventLog, memory: Memory, publish: Publish) -> None:
        self._pool = pool
        self._log = event_log
        self._games = Games(pool)
        self._updates = Updates(pool)
        self._memory = memory
        self._publish = publish

    async def step(self, inbox: Inbox) -> None:
        """Do the next thing that the inbox's game waits for."""
        folded = self._memory.get(inbox.game_id) or await self._open(inbox)
        if folded is None:
            return
        if folded.fold.seq < folded.row.seq:
            await self._load(folded)
            return
        if repeated := folded.repeated(inbox.take_applied(folded.fold.seq)):
            await self._publish_again(inbox.game_id, repeated)
        if events := await self._next_events(inbox, folded):
            await self._apply(inbox, folded, events)

    async def _open(self, inbox: Inbox) -> Folded | None:
        """Begin with an empty fold at the epoch of the game's row; None when there is nothing in the log."""
        row = await self._games.version(inbox.game_id)
        if row is None:
            inbox.clear()
            first = await self._log.read(inbox.game_id, 0, 1)
            if not first:
                return None
            inbox.start_over()
            row = await self._games.open(inbox.game_id, first[0].sport, new_epoch(), now())
        folded = Folded(Fold(inbox.game_id, row.epoch), row, opened_at=row.seq)
        self._memory.keep(folded)
        return folded

    async def _load(self, folded: Folded) -> None:
        fold = folded.fold
        events = await self._log.read(fold.game_id, fold.seq, min(SLICE, folded.row.seq - fold.seq))
        if not events:
            raise HistoryBroken(f"{fold.game_id} was folded to {folded.row.seq}, but its log ends at {fold.seq}")
        for event in events:
            fold.apply(event)
        folded.read(events)
        fold.changed.clear()
        self._memory.keep(folded)

    async def _publish_again(self, game_id: str, seqs: Sequence[int]) -> None:
        """A crash may have come between the commit of these updates and their publishing."""
        for update in await self._updates.of(game_id, seqs):
            self._publish(GameUpdate.FromString(update), update)
            _repeated.inc()

    async def _next_events(self, inbox: Inbox, folded: Folded) -> list[Event]:
        events = inbox.take_next(folded.fold.seq, SLICE)
        if not events and inbox.waiting:
            # The log has all that was heard until now.
            inbox.clear()
            events = await self._log.read(inbox.game_id, folded.fold.seq, SLICE)
            folded.read(events)
            if len(events) == SLICE:
                inbox.behind = True
        return events

    async def _apply(self, inbox: Inbox, folded: Folded, events: Sequence[Event]) -> None:
        fold = folded.fold
        updates = [fold.apply(event) for event in events]
        time = now()
        published_at = to_timestamp(time)
        for update in updates:
            update.times.published_at.CopyFrom(published_at)
        told: list[Told] = [(update, update.SerializeToString()) for update in updates]
        changed = list(fold.changed)
        fold.changed.clear()
        while told:
            advance = Advance(folded.row, fold, [payload for _, payload in told], changed, time)
            async with self._pool.connection() as connection:
                moved = await advance.write(connection)
            if moved:
                folded.row = Version(fold.seq, fold.epoch)
                self._memory.keep(folded)
                self._tell(told)
                return
            if not await self._see_row(folded):
                inbox.start_over()
                return
            # The same log folds to the same: only what the other has not written is left to write.
            told = [(update, payload) for update, payload in told if update.seq > folded.row.seq]

    async def _see_row(self, folded: Folded) -> bool:
        """Another was faster: see how far it is. False, and the game forgotten, when the row has another history."""
        _overtaken.inc()
        row = await self._games.version(folded.fold.game_id)
        if row is None or row.epoch != folded.row.epoch or row.seq < folded.row.seq:
            self._memory.forget(folded.fold.game_id)
            return False
        folded.row = row
        return True

    def _tell(self, told: Sequence[Told]) -> None:
        committed = now()
        for update, payload in told:
            self._publish(update, payload)
            _lag.observe(max(0.0, (committed - to_datetime(update.times.accepted_at)).total_seconds()))
        _applied.inc(len(told))
