"""One stream: its games, and what it writes next."""

from collections import deque
from collections.abc import Callable

from scoreline.fanout.v1.fanout_service_pb2 import CaughtUp, GameHead, Item, ResetReason
from services.fanout.domain.follow import Follow, Step
from services.fanout.domain.game import Game
from services.fanout.domain.items import encoded
from services.fanout.domain.targets import Targets
from services.fanout.domain.token import Position, Token
from services.fanout.domain.write import Write


class Subscription:
    """The order of a stream: snapshots or missed updates of all games, CaughtUp, then updates as they happen.

    It does no I/O: `next_write` gives what is there, and whatever has to be read first is in `reads`.

    Attributes:
        targets: what is followed.
        follows: by game id.
        reads: follows that wait for a snapshot or for updates; whoever reads for one calls `ready` with it then.
    """

    def __init__(self, targets: Targets, wake: Callable[[], None]) -> None:
        """`wake` is called whenever `next_write` may have something after it had nothing."""
        self.targets = targets
        self.follows: dict[str, Follow] = {}
        self.reads: deque[tuple[Follow, Step]] = deque()
        self._wake = wake
        self._ready: deque[Follow] = deque()
        self._behind: set[Follow] = set()  # follows that have not caught up
        self._started = False
        self._caught_up = False
        self._replayed = 0
        self._first: list[bytes] = []

    def follow(self, game: Game) -> Follow:
        """Joins a game. Once the stream has started it begins with a snapshot at once."""
        follow = self.follows.get(game.game_id)
        if follow is None:
            follow = self.follows[game.game_id] = Follow(game, self.targets, self.ready)
            if self._started:
                self._begin(follow, None, None)
        return follow

    def unfollow(self, follow: Follow) -> None:
        """Leaves a game, before the start."""
        follow.leave()
        del self.follows[follow.game.game_id]

    def start(self, token: Token | None, *, skip_snapshot: bool) -> None:
        """Begins all games.

        With a token: behind it; a game that is not in it begins with a snapshot, which a reset precedes when the
        token was made for other targets. Without one: with a snapshot or, to skip it, with what comes.
        """
        self._started = True
        for follow in self.follows.values():
            game = follow.game
            position = token.positions.get(game.game_id) if token else None
            if position is not None:
                self._begin(follow, position, None)
            elif token is not None and token.targets != self.targets.digest:
                self._begin(follow, None, ResetReason.RESET_REASON_TARGETS_CHANGED)
            elif token is None and skip_snapshot and game.is_open:
                self._begin(follow, Position(game.game_id, game.epoch, game.seq), None)
            else:
                self._begin(follow, None, None)
        self._wake()

    def tell(self, item: Item) -> None:
        """Puts something that belongs to no game in front of the next write."""
        self._first.append(encoded(item))
        del self._first[:-8]  # a reader that is stuck for long needs only the newest
        self._wake()

    def ready(self, follow: Follow) -> None:
        """A follow has something to give."""
        self._ready.append(follow)
        self._wake()

    def next_write(self) -> Write:
        """All that can be sent now, up to the size of a write. It counts as delivered."""
        write = Write()
        for item in self._first:
            write.add(item)
        self._first.clear()
        while self._ready and write.room > 0:
            follow = self._ready.popleft()
            step = follow.take(write, only_to_goal=not self._caught_up)
            if step is Step.MORE:
                self._ready.append(follow)
            elif step is Step.PART:
                self._ready.appendleft(follow)
            elif step is not Step.IDLE:
                self.reads.append((follow, step))
            elif self._caught_up:
                follow.rest()
            else:
                self._behind.discard(follow)
        if not self._caught_up:
            self._catch_up(write)
        return write

    def positions(self) -> list[Position]:
        """What was delivered of each game."""
        return [at for follow in self.follows.values() if (at := follow.position)]

    def heads(self) -> list[GameHead]:
        """The same, for a heartbeat."""
        return [GameHead(game_id=at.game_id, seq=at.seq) for at in self.positions()]

    def close(self) -> None:
        """Leaves all games."""
        for follow in self.follows.values():
            follow.leave()
        self._ready.clear()
        self.reads.clear()

    def _begin(self, follow: Follow, position: Position | None, reset: ResetReason | None) -> None:
        follow.start(position, reset)
        if not self._caught_up:
            self._behind.add(follow)
        self.ready(follow)

    def _catch_up(self, write: Write) -> None:
        self._replayed += write.updates
        if self._started and not self._behind:
            self._caught_up = True
            write.add(encoded(Item(caught_up=CaughtUp(replayed=self._replayed))))
            self._ready.extend(self.follows.values())  # what came meanwhile
