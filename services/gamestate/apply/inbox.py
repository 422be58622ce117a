"""Events of one game that were heard and not yet applied."""

from asyncio import Event as Signal

from scoreline.game.v1.event_pb2 import Event

_MOST_EVENTS = 1024
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0  # seconds, doubled from failure to failure


class Inbox:
    """What a game waits for. It is there only while the game has something to do."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        # True when the log may have more than was heard.
        self.behind = False
        # Set once there is nothing left to do, or the last try failed with `error`.
        self.settled = Signal()
        self.error: Exception | None = None
        self._events: dict[int, Event] = {}
        self._failures = 0

    @property
    def waiting(self) -> bool:
        """Whether there is something to do."""
        return self.behind or bool(self._events)

    def put(self, event: Event) -> None:
        """Take an event as it was heard: in any order, perhaps again."""
        self._events[event.seq] = event
        if len(self._events) > _MOST_EVENTS:
            self.start_over()

    def start_over(self) -> None:
        """Let the log tell what there is, and not what was heard."""
        self._events.clear()
        self.behind = True

    def clear(self) -> None:
        """Nothing of what was heard is left to do."""
        self._events.clear()
        self.behind = False

    def take_applied(self, seq: int) -> list[int]:
        """Take out the seqs heard that are applied already, at most `seq`."""
        applied = [known for known in self._events if known <= seq]
        for known in applied:
            del self._events[known]
        return applied

    def take_next(self, seq: int, limit: int) -> list[Event]:
        """Take out at most `limit` events that follow `seq` without a gap."""
        events: list[Event] = []
        while len(events) < limit and (event := self._events.pop(seq + 1 + len(events), None)):
            events.append(event)
        return events

    def succeeded(self) -> None:
        """A step went well."""
        self._failures, self.error = 0, None
        if self.waiting:
            self.settled.clear()
        else:
            self.settled.set()

    def failed(self, error: Exception) -> float:
        """A step failed: give how many seconds to wait before the next, which asks the log."""
        self.start_over()
        self.error = error
        self.settled.set()
        pause = min(_FIRST_PAUSE * 2 ** min(self._failures, 10), _LONGEST_PAUSE)
        self._failures += 1
        return pause
