"""What ingestion decides about a message in sight of the log: whether its sender may send it, and what is new."""

from scoreline.game.v1.event_pb2 import ChangeKind, Event
from scoreline.game.v1.source_pb2 import Observation
from services.eventlog.append import Incoming
from services.eventlog.index import GameIndex
from services.ingestion.domain.compare import compare, content_digest
from services.runtime.errors import KeyScope


def decide(known: GameIndex, message: Incoming) -> list[Event]:
    """Give the events that a message makes. Raises KeyScope, EventIdReused, ProviderConflict and SportUnknown."""
    check_scope(message.competition_ids, message.observation, known)
    # Only whole documents have an age: of single changes without a revision, arrival is the order.
    asked_at_us = message.asked_at_us if message.observation.complete else None
    return compare(known, message.observation, provider=message.raw.provider, asked_at_us=asked_at_us)


def digest_of(event: Event) -> bytes:
    """Digest of what an event says of its play."""
    change = event.play
    return content_digest(change.play, deleted=change.kind == ChangeKind.CHANGE_KIND_DELETE, reason=change.reason)


def check_scope(allowed: frozenset[str], observation: Observation, known: GameIndex | None = None) -> None:
    """Refuse a game outside the sender's competitions: by its header, and by what the log knows of it.

    Without the second, a header could claim any game for a competition of the sender's. Raises KeyScope.
    """
    if not allowed:
        return
    told = observation.header.competition.competition_id
    competitions = {told} if known is None or not known.sport else {told or known.competition_id, known.competition_id}
    for competition_id in sorted(competitions):
        if not competition_id:
            raise KeyScope(
                f"the competition of {observation.game_id} is not known, and the key is for some only",
                metadata={"needs": f"the competition of {observation.game_id}"},
            )
        if competition_id not in allowed:
            raise KeyScope(
                f"the key is not for competition {competition_id}", metadata={"needs": f"competition {competition_id}"}
            )
