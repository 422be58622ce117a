"""A game as it is followed here: what was heard of it, in order, ready to be sent."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Protocol

from scoreline.fanout.v1.fanout_service_pb2 import Target
from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.state_pb2 import GameUpdate
from services.fanout.domain.items import GameSnapshot, encode_update
from services.fanout.domain.run import Run
from services.fanout.domain.targets import OVER

_MOST_HELD = 1024  # updates that wait for one before them


class Follower(Protocol):
    """Somebody who follows a game."""

    def wake(self) -> None:
        """There is something new."""

    def choose_lane(self) -> None:
        """The game's teams changed, and with them perhaps the reasons for following it."""


class Lane:
    """All who follow a game for the same reasons: they get the same bytes.

    Attributes:
        reasons: why.
        run: the newest updates, encoded.
        back: older updates that one follower read back from the log, good for the others too.
        followers: all.
        idle: those to be woken by the next update.
    """

    __slots__ = ("back", "followers", "idle", "reasons", "run")

    def __init__(self, reasons: Sequence[Target], first: int) -> None:
        self.reasons = tuple(reasons)
        self.run = Run(first)
        self.back: Run | None = None
        self.followers: set[Follower] = set()
        self.idle: set[Follower] = set()

    def wake(self) -> None:
        """Wakes the idle."""
        for follower in self.idle:
            follower.wake()
        self.idle.clear()


class Heard(Enum):
    """What became of an update that was heard."""

    APPLIED = auto()
    """It was the next one, and nothing is missing."""
    KNOWN = auto()
    """It was known, or waits for the game to be opened."""
    GAP = auto()
    """One before it is missing; it waits."""
    OTHER_EPOCH = auto()
    """It belongs to another history than ours; which one is newer has to be asked."""


class Game:
    """A game from the moment that somebody follows it. It hears first and is opened then: nothing falls between.

    Attributes:
        game_id: the game.
        epoch: of the history that is followed.
        seq: newest update, all before it included; -1 until the game is opened.
        status: after that update.
        team_ids: of both teams, as far as known, home first.
        changed_at: when the last event was accepted, in seconds since 1970.
        snapshot: the last one read.
        followers: all.
    """

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.epoch = ""
        self.seq = -1
        self.status = GameStatus.GAME_STATUS_UNSPECIFIED
        self.team_ids: tuple[str, ...] = ()
        self.changed_at = 0
        self.snapshot: GameSnapshot | None = None
        self.followers: set[Follower] = set()
        self._lanes: dict[tuple[str, ...], Lane] = {}
        self._held: dict[int, GameUpdate] = {}
        self._newest = -1  # seq that is known to exist

    @property
    def is_open(self) -> bool:
        """Whether it is known where the game stands."""
        return self.seq >= 0

    @property
    def is_behind(self) -> bool:
        """Whether updates are known to exist that did not come."""
        return self._newest > self.seq

    def open(self, snapshot: GameSnapshot) -> None:
        """Begins at a snapshot, at first or after a change of epoch. What was heard meanwhile follows it."""
        self.epoch, self.seq, self.status = snapshot.epoch, snapshot.seq, snapshot.status
        self.changed_at, self.snapshot, self._newest = snapshot.changed_at, snapshot, snapshot.seq
        for lane in self._lanes.values():
            lane.run, lane.back = Run(self.seq + 1), None
            lane.wake()
        self._set_teams(snapshot.team_ids)
        held, self._held = self._held, {}
        for seq in sorted(held):
            self.hear(held[seq])

    def hear(self, update: GameUpdate) -> Heard:
        """Takes an update if it is the next one, and those that waited for it."""
        if not self.is_open:
            self._hold(update)
            return Heard.KNOWN
        if update.epoch != self.epoch:
            return Heard.OTHER_EPOCH
        if update.seq <= self.seq:
            return Heard.KNOWN
        self._newest = max(self._newest, update.seq)
        self._hold(update)
        while (following := self._held.pop(self.seq + 1, None)) is not None:
            self._apply(following)
        return Heard.GAP if self.is_behind else Heard.APPLIED

    def hear_head(self, epoch: str, seq: int) -> Heard:
        """Takes notice of the newest seq that there is."""
        if not self.is_open:
            return Heard.KNOWN
        if epoch != self.epoch:
            return Heard.OTHER_EPOCH
        self._newest = max(self._newest, seq)
        return Heard.GAP if self.is_behind else Heard.KNOWN

    def tidy(self) -> None:
        """Lets go of what only a crowd that arrives at once makes use of."""
        for lane in self._lanes.values():
            lane.back = None
        if self.snapshot is not None and self.snapshot.seq < self.seq:
            self.snapshot = None

    def lane(self, reasons: Sequence[Target]) -> Lane:
        """The lane of these reasons."""
        key = tuple(target.game_id or target.team_id for target in reasons)
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = Lane(reasons, self.seq + 1)
        return lane

    def leave(self, follower: Follower) -> None:
        """Forgets a follower, and lanes that nobody is in."""
        self.followers.discard(follower)
        for key, lane in list(self._lanes.items()):
            lane.idle.discard(follower)
            lane.followers.discard(follower)
            if not lane.followers:
                del self._lanes[key]

    def _hold(self, update: GameUpdate) -> None:
        self._held[update.seq] = update
        if len(self._held) > _MOST_HELD:
            del self._held[max(self._held)]  # the log has it

    def _apply(self, update: GameUpdate) -> None:
        if update.team_ids:
            self._set_teams(tuple(update.team_ids))
        was_over = self.status in OVER
        self.seq, self.status, self.changed_at = update.seq, update.status, update.times.accepted_at.seconds
        for lane in self._lanes.values():
            lane.run.append(encode_update(update, lane.reasons, was_over=was_over))
            lane.wake()

    def _set_teams(self, team_ids: tuple[str, ...]) -> None:
        if team_ids != self.team_ids:
            self.team_ids = team_ids
            for follower in list(self.followers):
                follower.choose_lane()
