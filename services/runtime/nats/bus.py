"""The bus: NATS, over which events and updates travel. What it loses is repaired from the database."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import NamedTuple, Self

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from prometheus_client import Counter

from services.runtime.nats.streams import make_streams

log: structlog.stdlib.BoundLogger = structlog.get_logger()

_published = Counter("scoreline_bus_published", "Messages handed to the connection.")
_dropped = Counter("scoreline_bus_dropped", "Messages not published or not heard, by reason.", ["reason"])

_MOST_WAITING = 8192  # messages to be published
_MOST_UNHEARD = 65_536  # messages of one subscription
_MOST_UNHEARD_BYTES = 64 * 1024 * 1024
_FIRST_CONNECTION = 2.0  # seconds that `connect` waits
_CLOSE = 2.0  # seconds for what is left to be published

Heard = Callable[[Msg], Awaitable[None]]


class _Message(NamedTuple):
    subject: str
    payload: bytes
    headers: dict[str, str] | None


class _Subscription(NamedTuple):
    subject: str
    callback: Heard
    queue: str


class Bus:
    """A connection to NATS that outlives every outage of it, also one at the start.

    Subscriptions and streams asked for while it is away are made when it comes. An async context manager: leaving it
    publishes what is left and closes.
    """

    def __init__(self, url: str, name: str) -> None:
        """Not connected yet; `Bus.connect` is the way."""
        self._servers = [server.strip() for server in url.split(",")]
        self._name = name
        self._client: Client | None = None
        self._waiting: deque[_Message] = deque()
        self._changed = asyncio.Event()
        self._subscriptions: list[_Subscription] = []
        self._stream_replicas: int | None = None
        self._closing = False
        self._writer: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[None]] = set()

    @classmethod
    async def connect(cls, url: str, name: str) -> Self:
        """Connects; while NATS is away it gives up waiting after two seconds and goes on in the background.

        Args:
            url: `nats://host:port`, or several, parted by commas.
            name: of this process, shown in the server's list of connections.
        """
        bus = cls(url, name)
        bus._writer = asyncio.create_task(bus._write())
        dialling = bus._start(bus._dial())
        await asyncio.wait([dialling], timeout=_FIRST_CONNECTION)
        if not bus.connected:
            log.warning("nats is away; going on without it")
        return bus

    @property
    def connected(self) -> bool:
        """True while there is a connection, as far as this side knows: it notices a silent end within 3 seconds."""
        return self._client is not None and self._client.is_connected

    def publish(self, subject: str, payload: bytes, headers: dict[str, str] | None = None) -> None:
        """Queues a message and returns. It is not acknowledged and may be lost.

        When more than 8192 wait, as in an outage, the oldest is dropped and counted.
        """
        if len(self._waiting) >= _MOST_WAITING:
            self._waiting.popleft()
            _dropped.labels("queue_full").inc()
        self._waiting.append(_Message(subject, payload, headers))
        self._changed.set()

    async def subscribe(self, subject: str, callback: Heard, queue: str = "") -> None:
        """Calls `callback` for each message, one after another in the order they came.

        Args:
            subject: may have wildcards.
            callback: an exception in it is logged and the next message goes on.
            queue: of the subscribers with the same name only one gets each message.
        """
        subscription = _Subscription(subject, callback, queue)
        self._subscriptions.append(subscription)
        if self._client is not None:
            await self._listen(self._client, subscription)

    async def ensure_streams(self, replicas: int = 1) -> None:
        """Makes the streams EV and UPD, now and after each reconnection, in the background. Failures are logged."""
        self._stream_replicas = replicas
        if self.connected:
            self._start(self._make_streams())

    async def close(self) -> None:
        """Publishes what is left, if that takes less than two seconds, and closes."""
        self._closing = True
        self._changed.set()
        for task in self._background:
            task.cancel()
        if self._writer is not None:
            await asyncio.wait([self._writer], timeout=_CLOSE)
            self._writer.cancel()
        if self._client is not None:
            await self._client.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _dial(self) -> None:
        client = Client()
        await client.connect(
            servers=self._servers,
            name=self._name,
            connect_timeout=2,
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.25,  # pyright: ignore[reportArgumentType] - it is only slept
            ping_interval=1,
            max_outstanding_pings=2,
            error_cb=self._on_error,
            disconnected_cb=self._on_disconnected,
            reconnected_cb=self._on_reconnected,
            closed_cb=self._on_closed,
            skip_subject_validation=True,  # subjects are made of our ids
        )
        self._client = client
        for subscription in self._subscriptions:
            await self._listen(client, subscription)
        if self._stream_replicas is not None:
            self._start(self._make_streams())
        self._changed.set()
        log.info("nats is connected")

    async def _listen(self, client: Client, subscription: _Subscription) -> None:
        await client.subscribe(  # pyright: ignore[reportUnknownMemberType]
            subscription.subject,
            queue=subscription.queue,
            cb=subscription.callback,
            pending_msgs_limit=_MOST_UNHEARD,
            pending_bytes_limit=_MOST_UNHEARD_BYTES,
        )

    async def _make_streams(self) -> None:
        if self._client is not None and self._stream_replicas is not None:
            try:
                await make_streams(JetStreamContext(self._client, timeout=10), self._stream_replicas)
            except nats.errors.Error as error:
                log.warning("streams not made; listeners still hear everything", error=str(error))

    async def _write(self) -> None:
        while True:
            self._changed.clear()
            while self._waiting and self._client is not None and self._client.is_connected:
                await self._send(self._client, self._waiting.popleft())
            if self._closing:
                return
            await self._changed.wait()

    async def _send(self, client: Client, message: _Message) -> None:
        try:
            await client.publish(message.subject, message.payload, headers=message.headers)
            _published.inc()
        except Exception as error:
            # Whatever it is, it is this message's: the next one may go.
            _dropped.labels("refused").inc()
            log.warning("message not published", subject=message.subject, error=str(error))

    async def _on_error(self, error: Exception) -> None:
        if isinstance(error, nats.errors.SlowConsumerError):
            _dropped.labels("slow_listener").inc()
        elif isinstance(error, (OSError, TimeoutError, nats.errors.Error)):
            log.debug("nats", error=str(error), kind=type(error).__name__)
        else:
            log.error("listener failed", exc_info=error)

    async def _on_disconnected(self) -> None:
        if not self._closing:
            log.warning("nats is away")

    async def _on_reconnected(self) -> None:
        log.info("nats is back")
        self._changed.set()
        self._start(self._make_streams())

    async def _on_closed(self) -> None:
        # The server can end a connection for good, such as for a protocol error; then a new client takes over.
        if not self._closing:
            self._client = None
            self._start(self._redial())

    async def _redial(self) -> None:
        await asyncio.sleep(1)
        await self._dial()

    def _start(self, work: Awaitable[None]) -> asyncio.Task[None]:
        async def run() -> None:
            try:
                await work
            except Exception as error:
                log.error("work on the bus failed", exc_info=error)

        task = asyncio.create_task(run())
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task
