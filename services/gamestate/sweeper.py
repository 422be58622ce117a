"""Finds games whose events nobody has applied, because the bus lost them or a process died."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import structlog
from prometheus_client import Counter

from services.eventlog.log import EventLog
from services.gamestate.apply.applier import Applier
from services.gamestate.store.games import Games
from services.runtime.clock import now

_WINDOW = timedelta(seconds=15)
_FULL_EVERY = 30.0  # seconds
# What is older was compared when the process started.
_FULL_WINDOW = timedelta(days=1)
_EVER = datetime.min.replace(tzinfo=UTC)
_AFTER_FAILURE = 1.0  # seconds

log: structlog.stdlib.BoundLogger = structlog.get_logger()
_swept = Counter("scoreline_gamestate_swept", "Games found behind their log by the sweeper.")


class Sweeper:
    """Compares logs and rows.

    A game is behind when an event that was in the log at one look is not applied at the next: so its age is known
    without comparing clocks, and what is just on its way is left alone.
    """

    def __init__(self, event_log: EventLog, games: Games, applier: Applier) -> None:
        self._log = event_log
        self._games = games
        self._applier = applier
        self._seen: dict[str, int] = {}
        self._seen_all = False
        self._next_full = 0.0
        self._started = False

    async def run(self, every: float) -> None:
        """Look every so many seconds, until cancelled; less often while that fails."""
        while True:
            try:
                await self.look()
                await asyncio.sleep(every)
            except Exception as error:
                # While this goes on, events may grow older than the short window.
                self._next_full = 0.0
                log.warning("sweep failed", error=str(error), kind=type(error).__name__)
                await asyncio.sleep(_AFTER_FAILURE)

    async def look(self) -> None:
        """Let the games be brought up that are not where their logs were at the last look."""
        await self._bring_up()
        full = time.monotonic() >= self._next_full
        heads = await self._log.heads(self._since(full))
        self._seen = {head.game_id: head.last_seq for head in heads}
        self._seen_all = full
        if full:
            self._next_full = time.monotonic() + _FULL_EVERY
            self._started = True

    def _since(self, full: bool) -> datetime:
        """Give since when games must have changed to be looked at: now and then for long, at the start for ever."""
        if full and not self._started:
            return _EVER
        return now() - (_FULL_WINDOW if full else _WINDOW)

    async def _bring_up(self) -> None:
        # What was applied here need not be asked for, but now and then it is: rows can be put back to an older state.
        known = {game_id: self._applier.applied(game_id) for game_id in self._seen}
        doubtful = [game_id for game_id, seq in self._seen.items() if self._seen_all or known[game_id] < seq]
        if not doubtful:
            return
        applied = await self._games.applied(doubtful)
        for game_id in doubtful:
            row_seq = applied.get(game_id, 0)
            if row_seq < self._seen[game_id]:
                _swept.inc()
                # Held against what was known before the row was read: what was applied meanwhile is no older state.
                if row_seq < known[game_id]:
                    self._applier.forget(game_id)
                self._applier.look(game_id)
