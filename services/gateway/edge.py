"""What every request goes through: its id, the headers of every answer, and counting."""

import structlog
from prometheus_client import Counter
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from services.runtime import request_id

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

_requests = Counter("scoreline_gateway_requests", "Answers, by route and status.", ("route", "status"))


class Edge:
    """An ASGI application around another one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        made = request_id.take(Headers(scope=scope).get(request_id.METADATA_KEY))

        async def send_with_headers(message: AsgiMessage) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers[request_id.METADATA_KEY] = made
                headers.update(_HEADERS)
                headers.setdefault("cache-control", "no-cache")
                _requests.labels(_route(scope), message["status"]).inc()
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=made):
            await self._app(scope, receive, send_with_headers)


def _route(scope: Scope) -> str:
    """The path's pattern, so that ids do not become labels."""
    return str(getattr(scope.get("route"), "path", "")) or "other"
