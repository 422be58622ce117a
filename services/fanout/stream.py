"""One open stream: one write in flight, everything that comes meanwhile in the next one."""

import asyncio
import secrets
import time
from datetime import timedelta

from scoreline.fanout.v1.fanout_service_pb2 import (
    Accepted,
    GameHead,
    Heartbeat,
    Item,
    Reconnect,
    ResetReason,
    StartMode,
)
from services.fanout import metrics
from services.fanout.domain.items import closing, encoded
from services.fanout.domain.subscription import Subscription
from services.fanout.domain.targets import Targets
from services.fanout.domain.token import Token, TokenSigner
from services.fanout.domain.write import Write
from services.fanout.games import LiveGames
from services.runtime.errors import Draining

_READS_AT_ONCE = 16
_MANY_GAMES = 64  # from which on the token, which names each, does not go with every write
_TOKEN_EVERY = 0.5  # seconds, then


class Stream:
    """Gives what its subscription has, reads what that asks for, and says that it lives when there is nothing.

    Attributes:
        subscription: its games.
    """

    def __init__(self, targets: Targets, games: LiveGames, signer: TokenSigner, heartbeat: float) -> None:
        """`heartbeat`: seconds without a write after which there is one."""
        self._games = games
        self._signer = signer
        self._heartbeat = heartbeat
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._written_at = self._token_at = self._loop.time()
        self._timer = self._loop.call_later(heartbeat, self._on_timer)
        self._beat = False
        self._ends = False
        self._failure: Exception | None = None
        self._reader: asyncio.Task[None] | None = None
        self.subscription = Subscription(targets, self._woken.set)

    def start(self, token: Token | None, *, skip_snapshot: bool) -> bytes:
        """Begins the games, which are open, and gives the first response."""
        if token is not None:
            mode = StartMode.START_MODE_RESUMED
        else:
            mode = StartMode.START_MODE_LIVE if skip_snapshot else StartMode.START_MODE_SNAPSHOT
        accepted = Accepted(mode=mode, subscription_id=secrets.token_hex(8))
        accepted.heartbeat.FromTimedelta(timedelta(seconds=self._heartbeat))
        games = [follow.game for follow in self.subscription.follows.values()]
        accepted.heads.extend(GameHead(game_id=game.game_id, seq=max(game.seq, 0)) for game in games)
        self.subscription.start(token, skip_snapshot=skip_snapshot)
        write = Write()
        write.add(encoded(Item(accepted=accepted)))
        return self._seal(write)

    async def next(self) -> bytes:
        """The next response, when there is one.

        Raises Draining some time after `drain`, and DependencyAway when what a game needs cannot be read.
        """
        while True:
            self._woken.clear()
            write = self.subscription.next_write()
            if self.subscription.reads and self._reader is None:
                self._reader = asyncio.create_task(self._read())
            if self._failure is not None:
                raise self._failure
            if self._beat and not write.items:
                write.add(encoded(Item(heartbeat=Heartbeat(heads=self.subscription.heads()))))
            if write.items:
                return self._seal(write)
            if self._ends:
                raise Draining("the process stops; connect again with the last token")
            await self._woken.wait()

    def drain(self, within: float) -> None:
        """Asks the client to connect again within so many seconds, and ends the stream then."""
        reconnect = Reconnect()
        reconnect.within.FromTimedelta(timedelta(seconds=within))
        self.subscription.tell(Item(reconnect=reconnect))
        self._loop.call_later(within, self._end)

    def close(self) -> None:
        """Leaves nothing running."""
        self._timer.cancel()
        if self._reader is not None:
            self._reader.cancel()

    def _seal(self, write: Write) -> bytes:
        """The items with the token of what was delivered with them, and the time."""
        at = self._written_at = self._loop.time()
        self._beat = False
        token = ""
        if len(self.subscription.follows) < _MANY_GAMES or at - self._token_at >= _TOKEN_EVERY:
            token = self._signer.sign(self.subscription.targets.digest, self.subscription.positions())
            self._token_at = at
        metrics.writes.inc()
        if write.updates:
            metrics.deliveries.inc(write.updates)
        for reason in write.resets:
            metrics.resets.labels(ResetReason.Name(reason).removeprefix("RESET_REASON_").lower()).inc()
        return b"".join((*write.items, closing(token, time.time_ns())))

    def _on_timer(self) -> None:
        idle = self._loop.time() - self._written_at
        due = idle >= self._heartbeat * 0.99  # timers may be a little early
        if due:
            self._beat = True
            self._woken.set()
        self._timer = self._loop.call_later(self._heartbeat if due else self._heartbeat - idle, self._on_timer)

    def _end(self) -> None:
        self._ends = True
        self._woken.set()

    async def _read(self) -> None:
        """Reads beside the writing, so that games which lack nothing do not wait for those that do."""
        reads = self.subscription.reads
        try:
            while reads:
                batch = [reads.popleft() for _ in range(min(len(reads), _READS_AT_ONCE))]
                await asyncio.gather(*(self._games.supply(follow, step) for follow, step in batch))
                for follow, _ in batch:
                    self.subscription.ready(follow)
        except Exception as error:
            self._failure = error
            self._woken.set()
        finally:
            self._reader = None
