"""Free loopback ports."""

import random
import socket
from collections.abc import Container

LOOPBACK = "127.0.0.1"

# Below the ports that Linux and macOS give to the near ends of connections (32768 and 49152 upwards): a
# client that retries one of those while its server is down can get connected with itself, and keeps the
# server out.
_RANGE = range(20000, 32000)


def is_free(port: int) -> bool:
    """Whether a server could listen on the loopback port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As servers do: connections of an earlier run that linger in TIME_WAIT do not make a port taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def free_port(besides: Container[int] = ()) -> int:
    """A loopback port that is free now and not one of `besides`.

    Raises:
        OSError: no port of the range is free.
    """
    for port in random.sample(_RANGE, len(_RANGE)):
        if port not in besides and is_free(port):
            return port
    raise OSError(f"no loopback port between {_RANGE.start} and {_RANGE.stop - 1} is free")
