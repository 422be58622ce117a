"""An engine: a server that is not ours and that the services are told of by a URL."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from services.runtime.local.child import ChildSpec, Probe
from services.runtime.local.folder import DataFolder


@dataclass(frozen=True, kw_only=True)
class Engine:
    """A server at a URL.

    Attributes:
        setting: the environment variable that takes the URL of another server instead.
        url: where it is; may hold a password.
        ready: returns when the server answers there.
        child: how to run it; None when the URL was given, and nothing is started.
    """

    setting: str
    url: str
    ready: Probe
    child: ChildSpec | None = None


MakeEngine = Callable[[DataFolder], Awaitable[Engine]]
"""Gets an engine's folder and program ready to run, or takes the URL that stands in the environment."""
