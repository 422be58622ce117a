"""What the log knows of a game, as far as a comparison needs it."""

from dataclasses import dataclass, field
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
    """What the log knows of a game: of its plays, those that a comparison needs."""

    game_id: str
    sport: str = ""
    competition_id: str = ""
    plays: dict[str, KnownPlay] = field(default_factory=dict[str, KnownPlay])
    newest_header: Mark = Mark()
    opening_header: Mark | None = None
    header_changes: int = 0
    roster_digest: bytes = b""
    roster_changes: int = 0
    versions: dict[str, str] = field(default_factory=dict[str, str])
    # Content digests of the events whose ids the observation gives explicitly.
    event_digests: dict[str, bytes] = field(default_factory=dict[str, bytes])
