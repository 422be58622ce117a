"""How far one stream has come in one game, and what it gets next."""

from collections.abc import Callable, Sequence
from enum import Enum, auto

from scoreline.fanout.v1.fanout_service_pb2 import Item, Reset, ResetReason
from scoreline.game.v1.state_pb2 import GameUpdate
from services.fanout.domain.game import Game, Lane
from services.fanout.domain.items import GameSnapshot, encoded
from services.fanout.domain.run import Run, encode_page
from services.fanout.domain.targets import Targets
from services.fanout.domain.token import Position
from services.fanout.domain.write import Write


class Step(Enum):
    """What a follow needs after it has given what it could."""

    IDLE = auto()
    """Nothing: all was given."""
    MORE = auto()
    """Room in the next write."""
    PART = auto()
    """The same, and nothing of another game before: parts of a snapshot follow one another."""
    SNAPSHOT = auto()
    """The game's snapshot, by `give_snapshot`."""
    UPDATES = auto()
    """Updates from the log, by `give_updates`."""


class Follow:
    """One stream's way through one game: a snapshot or a position, then each next update.

    It is a cursor, not a queue: however slow its stream is, it holds no more than one page of the log.

    Attributes:
        game: the game.
        goal: seq up to which the stream has to deliver to have caught up; None until the game is open.
    """

    __slots__ = (
        "_epoch",
        "_lane",
        "_page",
        "_proven",
        "_ready",
        "_reset",
        "_sent",
        "_seq",
        "_snapshot",
        "_targets",
        "game",
        "goal",
    )

    def __init__(self, game: Game, targets: Targets, ready: Callable[["Follow"], None]) -> None:
        """Joins the game. It gives nothing before `start`.

        Args:
            game: need not be open.
            targets: of the stream.
            ready: is called when there is something new after IDLE.
        """
        self.game = game
        self.goal: int | None = None
        self._targets = targets
        self._ready = ready
        self._lane: Lane | None = None
        self._epoch = ""
        self._seq: int | None = None  # of the last delivery; None before a snapshot
        self._proven = True  # whether that is known to be in the history
        self._reset: ResetReason | None = None  # to be told before the next snapshot
        self._snapshot: GameSnapshot | None = None  # that is being sent
        self._sent = 0  # parts of it
        self._page: Run | None = None  # read back from the log
        game.followers.add(self)

    @property
    def position(self) -> Position | None:
        """What was delivered; None before the end of the first snapshot."""
        return None if self._seq is None else Position(self.game.game_id, self._epoch, self._seq)

    def start(self, position: Position | None, reset: ResetReason | None = None) -> None:
        """Begins behind a position, or with a snapshot, which a reset may precede."""
        self._reset = reset
        if self.game.is_open:
            self.goal = self.game.seq
        if position is not None:
            self._epoch, self._seq, self._proven = position.epoch, position.seq, False

    def void(self, reason: ResetReason) -> None:
        """What was delivered is void: a reset and a snapshot come next. Until then the old position stands."""
        self._reset, self._snapshot, self._page = reason, None, None

    def take(self, write: Write, *, only_to_goal: bool) -> Step:
        """Puts into a write what can be given without reading.

        Args:
            write: has room.
            only_to_goal: give nothing that is newer than the goal.
        """
        game = self.game
        if not game.is_open:
            return Step.SNAPSHOT
        if self._lane is None:
            self.choose_lane()
        if self.goal is None:
            self.goal = game.seq
        if self._seq is not None and self._epoch != game.epoch:
            self.void(ResetReason.RESET_REASON_EPOCH_CHANGED)
        if self._seq is None or self._reset is not None:
            return self._take_snapshot(write)
        if self._seq > game.seq and not self._proven:
            return Step.SNAPSHOT  # the position is ours only if the newest state has reached it
        newest = min(self.goal, game.seq) if only_to_goal else game.seq
        if self._seq >= newest:
            return Step.IDLE
        return self._take_updates(write, newest)

    def rest(self) -> None:
        """After IDLE: waits for the next update of the game."""
        if self._lane is not None:
            self._lane.idle.add(self)

    def wake(self) -> None:
        """Calls `ready`."""
        self._ready(self)

    def choose_lane(self) -> None:
        """Joins the lane of the reasons that hold now; the old one goes on if none does."""
        reasons = self._targets.reasons(self.game.game_id, self.game.team_ids)
        old = self._lane
        if old is not None and not reasons:
            return
        lane = self.game.lane(reasons)
        if lane is old:
            return
        lane.followers.add(self)
        self._lane, self._page = lane, None
        if old is not None:
            was_idle = self in old.idle
            old.idle.discard(self)
            old.followers.discard(self)
            if was_idle:
                lane.idle.add(self)

    def give_snapshot(self, snapshot: GameSnapshot) -> None:
        """The game's newest snapshot, of the game's epoch."""
        if self._seq is not None and self._reset is None:
            if snapshot.epoch == self._epoch and snapshot.seq >= self._seq:
                self._proven = True
                return
            same = snapshot.epoch == self._epoch
            self.void(ResetReason.RESET_REASON_POSITION_UNKNOWN if same else ResetReason.RESET_REASON_EPOCH_CHANGED)
        self._snapshot, self._sent = snapshot, 0

    def give_updates(self, updates: Sequence[GameUpdate], newest_seq: int) -> None:
        """A page of the log that goes on behind the position, and begins at it or before it.

        A position that the log does not know leads to a reset; a log that is older than what was heard has to be asked
        again.
        """
        lane, seq = self._lane, self._seq
        if lane is None or seq is None or (updates and updates[0].epoch != self.game.epoch):
            return
        page = lane.back
        if page is None or not page.first <= seq + 1 <= page.last:
            page = encode_page(updates, lane.reasons)
        if not page.first <= seq + 1 <= page.last:
            if newest_seq >= self.game.seq:
                self.void(ResetReason.RESET_REASON_POSITION_UNKNOWN)
            return
        self._page = lane.back = page
        self._proven = True

    def leave(self) -> None:
        """Leaves the game, and lets go of what is large without waiting for the garbage collector."""
        self.game.leave(self)
        self._lane = self._page = self._snapshot = None

    def _take_snapshot(self, write: Write) -> Step:
        game = self.game
        if self._snapshot is not None and self._snapshot.epoch != game.epoch:
            if self._sent:  # parts that were sent are void, which has to be told before those of another game
                self._tell_reset(write, ResetReason.RESET_REASON_EPOCH_CHANGED)
            self._snapshot = None
        if self._snapshot is None:
            newest = game.snapshot
            if newest is None or newest.epoch != game.epoch or newest.seq < game.seq:
                return Step.SNAPSHOT
            self._snapshot, self._sent = newest, 0
        if self._reset is not None:
            self._tell_reset(write, self._reset)
        write.add(self._snapshot.parts[self._sent])
        self._sent += 1
        if self._sent == len(self._snapshot.parts):
            self._epoch, self._seq, self._proven = self._snapshot.epoch, self._snapshot.seq, True
            self._snapshot = None
            return Step.MORE
        return Step.PART

    def _tell_reset(self, write: Write, reason: ResetReason) -> None:
        write.add(encoded(Item(reset=Reset(game_id=self.game.game_id, reason=reason))))
        write.resets.append(reason)
        self._reset, self._seq = None, None

    def _take_updates(self, write: Write, newest: int) -> Step:
        if self._lane is None or self._seq is None:
            return Step.IDLE
        for run in (self._lane.run, self._page, self._lane.back):
            items = run.after(self._seq, newest, write.room) if run else []
            if items:
                if run is self._lane.run:
                    self._page = None
                write.add_updates(items)
                self._seq += len(items)
                self._proven = True
                return Step.IDLE if self._seq >= newest else Step.MORE
        return Step.UPDATES
