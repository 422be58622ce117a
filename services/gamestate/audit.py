"""Compares a game's log with what is stored of it."""

import asyncio

from scoreline.game.v1.event_pb2 import Event
from scoreline.gamestate.v1.gamestate_service_pb2 import AuditGameResponse, Finding
from services.eventlog.log import EventLog
from services.gamestate.domain.fold import Fold
from services.gamestate.refold import Refold
from services.gamestate.store.derived import Derived, DerivedStore
from services.gamestate.store.games import Games
from services.runtime.clock import to_datetime
from services.runtime.errors import GameNotFound

_SLICE = 256  # events
_LOOKS, _LOOK_EVERY = 40, 0.05  # seconds: how long a game may take to be where its log was


class LogCheck:
    """Looks at the events of a log, one after another."""

    def __init__(self) -> None:
        self.events = 0
        self.findings: list[tuple[str, str]] = []
        self._last = Event()
        self._event_ids: set[str] = set()

    @property
    def end(self) -> int:
        """Seq of the last event."""
        return self._last.seq

    def take(self, event: Event) -> None:
        """Take the next event, and note what does not hold."""
        self.events += 1
        last = self._last
        if event.seq <= last.seq:
            self._find("log_duplicate", f"seq {event.seq} comes behind {last.seq}")
        elif event.seq != last.seq + 1:
            self._find("log_gap", f"seq {event.seq} follows {last.seq}")
        if event.event_id in self._event_ids:
            self._find("log_duplicate", f"the event id {event.event_id!r} comes again at seq {event.seq}")
        if to_datetime(event.times.accepted_at) < to_datetime(last.times.accepted_at):
            self._find("log_order", f"seq {event.seq} was accepted before the one before it")
        self._event_ids.add(event.event_id)
        self._last = event

    def _find(self, check: str, message: str) -> None:
        self.findings.append((check, message))


class Audit:
    """Looks at one game at a time, and changes nothing."""

    def __init__(self, event_log: EventLog, games: Games, derived: DerivedStore) -> None:
        self._log = event_log
        self._games = games
        self._derived = derived

    async def audit(self, game_id: str) -> AuditGameResponse:
        """Say what does not hold in a game. Raises GameNotFound."""
        log = await self._check_log(game_id)
        await self._until_applied(game_id, log.end)
        stored = await self._derived.read(game_id)
        if stored is None and not log.events:
            raise GameNotFound(f"no game {game_id}", metadata={"game_id": game_id})
        applied = stored.version.seq if stored else 0
        findings = list(log.findings)
        if applied < log.end:
            findings.append(("behind", f"the log is at {log.end}, the state at {applied}"))
        if stored:
            findings += await self._compare(game_id, stored)
        return AuditGameResponse(
            events=log.events,
            applied_seq=applied,
            findings=[Finding(check=check, message=message) for check, message in findings],
        )

    async def _check_log(self, game_id: str) -> LogCheck:
        check = LogCheck()
        after = 0
        while events := await self._log.read(game_id, after, _SLICE):
            for event in events:
                check.take(event)
            after = max(after + 1, check.end)
            await asyncio.sleep(0)
        return check

    async def _until_applied(self, game_id: str, seq: int) -> None:
        """What was in the log a moment ago may just be on its way."""
        for _ in range(_LOOKS):
            if (await self._games.applied([game_id])).get(game_id, 0) >= seq:
                return
            await asyncio.sleep(_LOOK_EVERY)

    async def _compare(self, game_id: str, stored: Derived) -> list[tuple[str, str]]:
        refold = Refold(Fold(game_id, stored.version.epoch))
        try:
            await refold.read_to(self._log, stored.version.seq)
        except ValueError:
            return []  # where the log has a hole nothing can be folded, and the hole was found
        if refold.fold.seq < stored.version.seq:
            return [("log_gap", f"the state is at {stored.version.seq}, the log ends at {refold.fold.seq}")]
        return refold.differences(stored)
