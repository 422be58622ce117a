"""The id under which one call is found again: in the answer's trailers, in its error and in the log."""

import re
import secrets
from contextvars import ContextVar

METADATA_KEY = "x-request-id"
_USABLE = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def request_id() -> str:
    """Id of the call that is being served; empty outside a call."""
    return _current.get()


def take(offered: str | None) -> str:
    """Makes the caller's id the current one, or a new one if there is none or it could break a log line."""
    made = offered if offered and _USABLE.fullmatch(offered) else secrets.token_hex(16)
    _current.set(made)
    return made
