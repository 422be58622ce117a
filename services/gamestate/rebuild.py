"""Makes a game's derived state again from its log."""

from services.eventlog.log import EventLog
from services.gamestate.apply.applier import Applier
from services.gamestate.apply.step import new_epoch
from services.gamestate.domain.fold import Fold
from services.gamestate.errors import LogBroken
from services.gamestate.refold import Refold
from services.gamestate.store.advance import Advance
from services.gamestate.store.derived import Derived, DerivedStore
from services.gamestate.store.games import Version
from services.runtime.clock import now, to_timestamp
from services.runtime.errors import DependencyAway, GameNotFound

_TRIES = 10


class Rebuild:
    """Folds games from their logs and replaces what is stored where it is something else."""

    def __init__(self, event_log: EventLog, derived: DerivedStore, applier: Applier) -> None:
        self._log = event_log
        self._derived = derived
        self._applier = applier

    async def rebuild(self, game_id: str) -> tuple[Version, bool]:
        """Give the version afterwards, and whether it had been something else.

        It folds outside any transaction, and begins anew when the game has moved on meanwhile. Raises GameNotFound,
        LogBroken, and DependencyAway when the game moves on all the time.
        """
        for _ in range(_TRIES):
            stored = await self._stored(game_id)
            refold = Refold(Fold(game_id, stored.version.epoch))
            try:
                await refold.read_to(self._log, stored.version.seq)
            except ValueError as error:
                seq = str(refold.fold.seq + 1)
                raise LogBroken(f"the log has no event {seq}", metadata={"game_id": game_id, "seq": seq}) from error
            if refold.fold.seq == stored.version.seq and not refold.differences(stored):
                return stored.version, False
            version = await self._replace(refold, stored.version)
            if version:
                self._applier.forget(game_id)
                return version, True
        raise DependencyAway(f"{game_id} moves on faster than it is folded; try again", retry_after=1.0)

    async def _stored(self, game_id: str) -> Derived:
        stored = await self._derived.read(game_id)
        if stored is None and await self._log.read(game_id, 0, 1):
            await self._applier.catch_up(game_id)
            stored = await self._derived.read(game_id)
        if stored is None:
            raise GameNotFound(f"no game {game_id}", metadata={"game_id": game_id})
        return stored

    async def _replace(self, refold: Refold, row: Version) -> Version | None:
        fold, time = refold.fold, now()
        fold.epoch = new_epoch()
        published_at = to_timestamp(time)
        for update in refold.updates:
            update.epoch = fold.epoch
            update.times.published_at.CopyFrom(published_at)
        updates = [update.SerializeToString() for update in refold.updates]
        replaced = await self._derived.replace(Advance(row, fold, updates, fold.entries, time))
        return Version(fold.seq, fold.epoch) if replaced else None
