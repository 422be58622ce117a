"""What the log knows of a game, as far as a comparison needs it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple


class KnownPlay(NamedTuple):
    """What the log knows of a play: enough to tell whether a report is news."""

    scope: str
    revision: str
    digest: bytes
    deleted: bool
    changes: int


class Mark(NamedTuple):
    """Revision and digest of a header; ordered, so that equal revisions still have one winner."""

    revision: str = ""
    digest: bytes = b""


@dataclass
class GameIndex:
    """What the log knows of a game, and what of it was learned since it was read."""

    game_id: str
    provider: str = ""
    sport: str = ""
    competition_id: str = ""
    plays: dict[str, KnownPlay] = field(default_factory=dict[str, KnownPlay])
    newest_header: Mark = Mark()
    opening_header: Mark | None = None
    header_changes: int = 0
    roster_digest: bytes = b""
    roster_changes: int = 0
    versions: dict[str, str] = field(default_factory=dict[str, str])
    # Content digests of the events whose ids the observation gives explicitly, and of those made since.
    event_digests: dict[str, bytes] = field(default_factory=dict[str, bytes])
    # Plays that were learned since.
    learned: dict[str, KnownPlay] = field(default_factory=dict[str, KnownPlay])

    def learn(self, play_id: str, play: KnownPlay) -> None:
        """Take notice of a play."""
        if self.plays.get(play_id) != play:
            self.plays[play_id] = self.learned[play_id] = play

    def head(self) -> tuple[object, ...]:
        """All but the plays, to tell whether it changed."""
        marks = (self.newest_header, self.opening_header, self.header_changes, self.roster_digest, self.roster_changes)
        return (self.provider, self.sport, self.competition_id, *marks, tuple(sorted(self.versions.items())))

    def copy(self) -> GameIndex:
        """A copy for a comparison that may fail."""
        return replace(
            self,
            plays=dict(self.plays),
            versions=dict(self.versions),
            event_digests=dict(self.event_digests),
            learned=dict(self.learned),
        )
