"""Counts calls under the names that gRPC servers of other languages use too."""

from time import perf_counter

import grpc
from prometheus_client import Counter, Histogram

_METHOD = ("grpc_type", "grpc_service", "grpc_method")

_started = Counter("grpc_server_started", "Calls that began.", _METHOD)
_handled = Counter("grpc_server_handled", "Calls that ended, by code.", (*_METHOD, "grpc_code"))
_received = Counter("grpc_server_msg_received", "Messages received on calls.", _METHOD)
_sent = Counter("grpc_server_msg_sent", "Messages sent on calls.", _METHOD)
_seconds = Histogram(
    "grpc_server_handling_seconds",
    "How long unary calls took.",
    _METHOD,
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


class MethodMetrics:
    """The metrics of one method; holds its label sets, because looking them up costs more than counting."""

    def __init__(self, method: str, *, streams_in: bool, streams_out: bool) -> None:
        service, _, name = method.strip("/").partition("/")
        self._labels = (_type(streams_in, streams_out), service, name)
        self._unary = not (streams_in or streams_out)
        self._started = _started.labels(*self._labels)
        self._seconds = _seconds.labels(*self._labels)
        self._handled: dict[grpc.StatusCode, Counter] = {}
        self.received = _received.labels(*self._labels)
        self.sent = _sent.labels(*self._labels)

    def begin(self) -> float:
        """Counts a call that begins. Gives its start for `end`."""
        self._started.inc()
        return perf_counter()

    def end(self, began: float, code: grpc.StatusCode) -> None:
        """Counts a call that ended with `code`."""
        handled = self._handled.get(code)
        if handled is None:
            handled = self._handled[code] = _handled.labels(*self._labels, code.name)
        handled.inc()
        if self._unary:  # the length of a stream is up to its reader
            self._seconds.observe(perf_counter() - began)


def _type(streams_in: bool, streams_out: bool) -> str:
    if streams_in:
        return "bidi_stream" if streams_out else "client_stream"
    return "server_stream" if streams_out else "unary"
