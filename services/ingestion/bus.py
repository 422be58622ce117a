"""What ingestion says on the bus: each event that the log took, on `ev.<sport>.<game>`."""

from collections.abc import Iterable

from scoreline.game.v1.event_pb2 import Event
from services.runtime.nats.bus import Bus


class EventPublisher:
    """Publishes events; never waits, and may drop, since the log has them all."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    def publish(self, events: Iterable[Event]) -> None:
        """Publish events in their order. Each carries its place in the log, also as the bus's own message id."""
        for event in events:
            self._bus.publish(
                f"ev.{event.sport}.{event.game_id}",
                event.SerializeToString(),
                {"Nats-Msg-Id": f"{event.game_id}:{event.seq}", "game": event.game_id, "seq": str(event.seq)},
            )
