"""Prometheus metrics of this process. Each is made beside the code that counts, in the default registry."""

from collections.abc import Generator
from contextlib import contextmanager

from prometheus_client import start_http_server


@contextmanager
def serve_metrics(port: int, host: str = "127.0.0.1") -> Generator[None]:
    """Serves `/metrics` from a thread of its own while the block runs. Raises OSError when the port is taken."""
    server, thread = start_http_server(port, addr=host)
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
