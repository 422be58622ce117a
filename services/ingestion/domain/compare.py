"""What an observation adds to a game's log: compared with what the log knows, under the game's lock.

The newest revision of a play wins, not the last to arrive; a repeat that changes nothing makes no event. Where a
provider gives no revision, arrival is the revision.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from scoreline.game.v1.event_pb2 import ChangeKind, Event
from scoreline.game.v1.header_pb2 import GameStatus, Header
from scoreline.game.v1.play_pb2 import Play
from scoreline.game.v1.source_pb2 import Observation, PlayReport
from services.eventlog.index import GameIndex, KnownPlay, Mark

# Sorts behind every revision: a deletion without a revision stands until a newer document shows the play again.
_BEYOND = "~"
_ENDED = (GameStatus.GAME_STATUS_FINAL, GameStatus.GAME_STATUS_ABANDONED, GameStatus.GAME_STATUS_DELETED)


class EventIdReused(ValueError):
    """An event id came again with other content."""

    def __init__(self, event_id: str) -> None:
        super().__init__(f"event id {event_id!r} was used with other content")
        self.event_id = event_id


class ProviderConflict(ValueError):
    """The game comes from another provider."""

    def __init__(self, game_id: str, provider: str) -> None:
        super().__init__(f"{game_id} comes from {provider}")
        self.game_id, self.provider = game_id, provider


class SportUnknown(ValueError):
    """The first message of a game must carry a header that names the sport, and later ones may not change it."""


def content_digest(play: Play, *, deleted: bool, reason: str) -> bytes:
    """Digest of what a report says of a play. Of a deletion only the id counts, as the log keeps no more of it."""
    content = Play(play_id=play.play_id) if deleted else play
    return blake2b(
        content.SerializeToString(deterministic=True) + b"\0" + bytes([deleted]) + reason.encode(),
        digest_size=16,
    ).digest()


def compare(known: GameIndex, seen: Observation, *, provider: str = "", asked_at_us: int | None = None) -> list[Event]:
    """Give the events that an observation makes, without seq, source and times, and bring `known` up to it.

    `asked_at_us` is when the connector asked for the document, in microseconds. Raises EventIdReused, SportUnknown or
    ProviderConflict; `known` is then no longer to be used.
    """
    # Play ids are unique within their provider only, so what another one sends is not held against this one's plays.
    if known.provider and provider != known.provider:
        raise ProviderConflict(known.game_id, known.provider)
    known.provider = provider
    _settle_sport(known, seen)
    version = seen.version or (f"{asked_at_us:020d}" if asked_at_us is not None else "")
    newest_version = known.versions.get(seen.scope, "")
    stale = bool(version) and version < newest_version
    if version > newest_version:
        known.versions[seen.scope] = version
    header = list(_header_events(known, seen, stale))
    # What ends a game comes behind the plays that led there.
    ends = seen.header.status in _ENDED
    events = [] if ends else header
    events.extend(_roster_events(known, seen, stale))
    for report in seen.plays:
        events.extend(_play_events(known, seen, report, stale))
    if seen.complete and not stale:
        events.extend(_deletions(known, seen))
    if ends:
        events.extend(header)
    for event in events:
        event.game_id, event.sport = known.game_id, known.sport
    return events


def _settle_sport(known: GameIndex, seen: Observation) -> None:
    sport = seen.header.sport
    if not known.sport and not sport:
        raise SportUnknown("header.sport: the first message of a game names its sport")
    if known.sport and sport and sport != known.sport:
        raise SportUnknown(f"header.sport: the game is known as {known.sport}, not {sport}")
    known.sport = known.sport or sport
    known.competition_id = seen.header.competition.competition_id or known.competition_id


def _header_digest(header: Header) -> bytes:
    """Digest of what makes a header new: a ticking clock alone does not."""
    if header.HasField("position"):
        steady = Header()
        steady.CopyFrom(header)
        steady.position.ClearField("clock_ms")
        steady.position.ClearField("display")
        steady.position.ClearField("order_key")
        header = steady
    return blake2b(header.SerializeToString(deterministic=True), digest_size=16).digest()


def _header_events(known: GameIndex, seen: Observation, stale: bool) -> Iterator[Event]:
    if not seen.HasField("header"):
        return
    revision = seen.header_revision
    mark = Mark(revision, _header_digest(seen.header))
    current = not stale and (not revision or mark > known.newest_header)
    changed = current and mark.digest != known.newest_header.digest
    opening = _tells_opening(seen) and (
        known.opening_header is None or (bool(revision) and mark < known.opening_header)
    )
    if current:
        known.newest_header = mark
    if opening:
        known.opening_header = mark
    if not changed and not opening:
        return
    known.header_changes += 1
    event = Event(event_id=f"header:{known.header_changes}")
    event.header.header.CopyFrom(seen.header)
    event.header.revision = revision
    event.header.opening, event.header.current = opening, changed
    if seen.HasField("header_as_of"):
        event.header.as_of.CopyFrom(seen.header_as_of)
    yield event


def _tells_opening(seen: Observation) -> bool:
    """Whether a header can say at what score a game was joined: a whole play list needs no such thing."""
    return not seen.complete and seen.header.HasField("score") and seen.HasField("header_as_of")


def _roster_events(known: GameIndex, seen: Observation, stale: bool) -> Iterator[Event]:
    if stale or not seen.roster.entries:
        return
    digest = blake2b(seen.roster.SerializeToString(deterministic=True), digest_size=16).digest()
    if digest == known.roster_digest:
        return
    known.roster_digest = digest
    known.roster_changes += 1
    event = Event(event_id=f"roster:{known.roster_changes}")
    event.roster.CopyFrom(seen.roster)
    yield event


def _play_events(known: GameIndex, seen: Observation, report: PlayReport, stale: bool) -> Iterator[Event]:
    play_id = report.play.play_id
    digest = content_digest(report.play, deleted=report.deleted, reason=report.reason)
    if _told_before(known, report.event_id, digest) or (stale and not report.revision):
        return
    old = known.plays.get(play_id)
    if old and not _beats(report, digest, old, document=seen.complete):
        return
    kind = _change(old, digest, report.deleted)
    changes = (old.changes if old else 0) + (kind is not None)
    revision = report.revision or (_BEYOND if report.deleted else "")
    known.learn(play_id, KnownPlay(seen.scope, revision, digest, report.deleted, changes))
    if kind is None:
        return
    # Counted, not made of the content: a document may show a play, miss it and show it again just as it was. No play
    # id makes one of the header's or the roster's.
    event_id = report.event_id or f"play:{play_id}:{changes}"
    known.event_digests[event_id] = digest
    yield _play_event(event_id, kind, report)


def _told_before(known: GameIndex, event_id: str, digest: bytes) -> bool:
    told = known.event_digests.get(event_id) if event_id else None
    if told is not None and told != digest:
        raise EventIdReused(event_id)
    return told is not None


def _beats(report: PlayReport, digest: bytes, old: KnownPlay, *, document: bool) -> bool:
    if not report.revision:
        return True
    if old.revision == _BEYOND:
        return document
    return (report.revision, digest) > (old.revision, old.digest)


def _change(old: KnownPlay | None, digest: bytes, deleted: bool) -> ChangeKind | None:
    """Give the sort of change, None when a viewer would see none. A deletion of what was never told is none."""
    if deleted:
        return ChangeKind.CHANGE_KIND_DELETE if old and not old.deleted else None
    if old is None or old.deleted:
        return ChangeKind.CHANGE_KIND_INSERT
    return ChangeKind.CHANGE_KIND_UPDATE if digest != old.digest else None


def _play_event(event_id: str, kind: ChangeKind, report: PlayReport) -> Event:
    event = Event(event_id=event_id)
    change = event.play
    change.kind, change.revision, change.reason = kind, report.revision, report.reason
    if kind == ChangeKind.CHANGE_KIND_DELETE:
        change.play.play_id = report.play.play_id
    else:
        change.play.CopyFrom(report.play)
    if report.play.HasField("occurred_at"):
        event.times.occurred_at.CopyFrom(report.play.occurred_at)
    return event


def _deletions(known: GameIndex, seen: Observation) -> Iterator[Event]:
    """Give a deletion for each play of the scope that a whole play list no longer shows."""
    shown = {report.play.play_id for report in seen.plays}
    gone = [play_id for play_id, old in known.plays.items() if old.scope == seen.scope and not old.deleted]
    for play_id in gone:
        if play_id not in shown:
            report = PlayReport(play=Play(play_id=play_id), deleted=True)
            yield from _play_events(known, seen, report, stale=False)
