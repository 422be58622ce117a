"""Who makes the call that is being served."""

from contextvars import ContextVar
from dataclasses import dataclass, field
from enum import Enum, auto


class PrincipalKind(Enum):
    """How far a caller is known."""

    ANONYMOUS = auto()
    """Came without a key."""
    OPERATOR = auto()
    """Came with the operator's key."""
    BEARER = auto()
    """Came with another key, which nobody has looked at yet."""


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller.

    Attributes:
        kind: how far it is known.
        bearer: the key that it came with; empty without one. Never logged.
    """

    kind: PrincipalKind
    bearer: str = field(default="", repr=False)


ANONYMOUS = Principal(PrincipalKind.ANONYMOUS)

_current: ContextVar[Principal] = ContextVar("principal", default=ANONYMOUS)


def principal() -> Principal:
    """The caller of the call that is being served; ANONYMOUS outside a call."""
    return _current.get()


def enter(caller: Principal) -> None:
    """Makes `caller` the principal for the rest of the call."""
    _current.set(caller)
