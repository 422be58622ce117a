"""Page tokens: opaque to callers, and good only for the list that gave them."""

import base64
import binascii
import hashlib

import orjson
from google.protobuf.message import Message

from services.runtime.errors import PageTokenInvalid

Position = tuple[str | int, ...]

_DIGEST = 12  # bytes
_NOT_PART_OF_THE_QUERY = ("page_token", "page_size")


def encode_token(query: Message, position: Position) -> str:
    """The token of the page behind `position`.

    Args:
        query: the request; its page token and page size do not count, the size may change from page to page.
        position: sort key of the last item that was sent.
    """
    body = orjson.dumps(position)
    return _spell(_digest(query, body) + body)


def decode_token(query: Message, token: str) -> Position | None:
    """The position that `encode_token` was given; None for the first page, whose token is empty.

    Raises PageTokenInvalid when the token belongs to another query or was changed. It is no secret: a caller that
    wants to can make one, and gets no more from it than from paging.
    """
    if not token:
        return None
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise _invalid() from error
    digest, body = raw[:_DIGEST], raw[_DIGEST:]
    if digest != _digest(query, body) or _spell(raw) != token:
        raise _invalid()
    return tuple(orjson.loads(body))


def _spell(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _digest(query: Message, body: bytes) -> bytes:
    asked = type(query)()
    asked.CopyFrom(query)
    for field in _NOT_PART_OF_THE_QUERY:
        asked.ClearField(field)
    name = query.DESCRIPTOR.full_name.encode()
    described = asked.SerializeToString(deterministic=True)
    return hashlib.blake2b(b"\0".join((name, described, body)), digest_size=_DIGEST).digest()


def _invalid() -> PageTokenInvalid:
    why = "is not a token of this list; start without one"
    return PageTokenInvalid(f"page_token {why}", metadata={"field": "page_token"}, violations=[("page_token", why)])
