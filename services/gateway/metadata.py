"""What goes from a request's headers into the metadata of a call."""

from starlette.requests import Request

from services.runtime.errors import KeyInvalid
from services.runtime.request_id import METADATA_KEY, request_id


def call_metadata(request: Request) -> tuple[tuple[str, str], ...]:
    """The request's id and the caller's key. Raises KeyInvalid for one that cannot be one."""
    authorization = request.headers.get("authorization")
    if authorization is None:
        return ((METADATA_KEY, request_id()),)
    if not (authorization.isascii() and authorization.isprintable()):
        raise KeyInvalid("authorization: has characters that no key has")
    return (METADATA_KEY, request_id()), ("authorization", authorization)
