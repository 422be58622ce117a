"""Resume tokens: where a stream stands, signed, so that any replica can go on from there and nobody can forge one."""

import base64
import binascii
import hmac
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

_VERSION = 1
_MAC_SIZE = 16  # bytes of HMAC-SHA256 that are kept
_FEW = 8  # games, up to which a token is remembered
_LARGE = 1024  # bytes from which on compressing is worth its time
LONGEST = 65_536  # characters that a request may carry


class Position(NamedTuple):
    """How much of a game was delivered: everything up to and including `seq` of `epoch`."""

    game_id: str
    epoch: str
    seq: int


@dataclass(frozen=True, slots=True)
class Token:
    """What a token says.

    Attributes:
        targets: digest of the targets it was made for.
        positions: by game id.
    """

    targets: str
    positions: dict[str, Position]


class TokenUnreadable(ValueError):
    """The token is not one of ours, was changed, or has a format that is not known here."""


class TokenSigner:
    """Makes and reads tokens with one key, which all replicas share."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        # Streams with the same targets at the same position have the same token: under load most are. Those of many
        # games are seldom the same, and large.
        self._remembered = lru_cache(maxsize=1024)(self._sign)

    def sign(self, targets: str, positions: Iterable[Position]) -> str:
        """The token of a position; empty when it would be too long to be sent back."""
        these = tuple(positions)
        return (self._remembered if len(these) <= _FEW else self._sign)(targets, these)

    def read(self, text: str) -> Token:
        """What a token says. Raises TokenUnreadable."""
        try:
            raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise TokenUnreadable("not a token") from error
        mac, body = raw[:_MAC_SIZE], raw[_MAC_SIZE:]
        # A last character may hide bits that decoding drops: the same bytes have to give the same text.
        if not hmac.compare_digest(mac, self._mac(body)) or _text(raw) != text:
            raise TokenUnreadable("the token was changed or signed with another key")
        if body[0] != _VERSION:
            raise TokenUnreadable(f"the token has the unknown format {body[0]}")
        content = zlib.decompress(body[2:]) if body[1] else body[2:]
        targets, *positions = json.loads(content)
        return Token(targets, {position[0]: Position(*position) for position in positions})

    def _sign(self, targets: str, positions: tuple[Position, ...]) -> str:
        content = json.dumps([targets, *positions], separators=(",", ":")).encode()
        large = len(content) > _LARGE
        body = bytes((_VERSION, large)) + (zlib.compress(content, 1) if large else content)
        text = _text(self._mac(body) + body)
        return text if len(text) <= LONGEST else ""

    def _mac(self, body: bytes) -> bytes:
        return hmac.digest(self._key, body, "sha256")[:_MAC_SIZE]


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
