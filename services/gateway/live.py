"""Live games as server-sent events: the stream of fanout, item by item, for browsers and for curl.

Each item is an event named as its kind (`update`, `correction`, …) whose data is the item in JSON, on one line. The id
of the last event of a response is the resume token; sent back as `Last-Event-ID`, which browsers do by themselves, the
stream goes on behind it. What fails before the first item is answered with a status and the error as JSON; what fails
later comes as an event `error` with the same JSON, and the stream ends.
"""

import asyncio
from collections.abc import AsyncIterator
from functools import lru_cache

import grpc.aio
import orjson
from prometheus_client import Counter, Gauge
from starlette.requests import Request
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from scoreline.fanout.v1.fanout_service_pb2 import Item, SubscribeRequest, SubscribeResponse
from scoreline.fanout.v1.fanout_service_pb2_grpc import FanoutServiceStub
from services.gateway.message_json import message_json
from services.gateway.metadata import call_metadata
from services.gateway.problem import problem
from services.runtime.errors import DependencyAway, FieldsInvalid
from services.runtime.rpc.channel import cancelling

_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # a proxy is not to collect events before it passes them on
]
_RETRY = b"retry: 1000\n\n"  # milliseconds until a browser connects again
_PARAMETERS = frozenset({"game", "team", "heartbeat", "last_event_id"})
_LARGEST_SHARED = 16 * 1024  # bytes of an item whose JSON is kept for other streams

_streams = Gauge("scoreline_gateway_streams", "Open event streams.")
_items = Counter("scoreline_gateway_items", "Items written to event streams.")


class Live:
    """`GET /live?game=ID&team=ID`, an ASGI application."""

    def __init__(self, channel: grpc.aio.Channel, open_timeout: float) -> None:
        """`channel` leads to fanout, which gets `open_timeout` seconds for its first item."""
        self._fanout = FanoutServiceStub(channel)
        self._open_timeout = open_timeout
        self._writers: set[asyncio.Task[None]] = set()
        self._draining = False

    def drain(self) -> None:
        """Ends all streams with a `reconnect`; clients go on elsewhere with the token they have."""
        self._draining = True
        for writer in self._writers:
            writer.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        subscription = subscription_of(request)
        async with cancelling(self._fanout.Subscribe(subscription, metadata=call_metadata(request))) as call:
            responses = aiter(call)
            try:
                async with asyncio.timeout(self._open_timeout):
                    first = await anext(responses)
            except (TimeoutError, StopAsyncIteration):
                raise DependencyAway("fanout does not answer; try again", retry_after=1.0) from None
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            if request.method != "HEAD":
                with _streams.track_inprogress():
                    await self._pass_on(first, responses, receive, send)
            await send(_chunk(b"", more=False))

    async def _pass_on(
        self, first: SubscribeResponse, responses: AsyncIterator[SubscribeResponse], receive: Receive, send: Send
    ) -> None:
        """Writes until either side ends or the gateway stops."""
        writer = asyncio.create_task(_write(first, responses, send))
        hung_up = asyncio.create_task(_hung_up(receive))
        self._writers.add(writer)
        try:
            await asyncio.wait({writer, hung_up}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._writers.discard(writer)
            for task in (writer, hung_up):
                task.cancel()
            await asyncio.wait({writer, hung_up})
        if self._draining:
            item = Item()
            item.reconnect.within.FromSeconds(0)
            await send(_chunk(_event(item, "")))
        elif not writer.cancelled():
            writer.result()


def subscription_of(request: Request) -> SubscribeRequest:
    """What a request subscribes to. Raises FieldsInvalid."""
    query = request.query_params
    wrong = [(name, "is no parameter of this method") for name in query if name not in _PARAMETERS]
    # A browser's own header is newer than the address it was given at first.
    token = request.headers.get("last-event-id") or query.get("last_event_id", "")
    subscription = SubscribeRequest(resume_token=token)
    for game_id in query.getlist("game"):
        subscription.targets.add(game_id=game_id)
    for team_id in query.getlist("team"):
        subscription.targets.add(team_id=team_id)
    if not subscription.targets:
        wrong.append(("game", "name at least one game or team"))
    if heartbeat := query.get("heartbeat"):
        try:
            subscription.heartbeat.FromMilliseconds(round(float(heartbeat) * 1000))
        except (ValueError, OverflowError):
            wrong.append(("heartbeat", "is no number of seconds"))
    if wrong:
        raise FieldsInvalid("; ".join(f"{name}: {why}" for name, why in wrong), violations=wrong)
    return subscription


async def _write(first: SubscribeResponse, responses: AsyncIterator[SubscribeResponse], send: Send) -> None:
    await send(_chunk(_RETRY + events(first)))
    try:
        # A browser that does not read makes `send` wait, and then fanout, whose flow control sees that nobody reads.
        async for response in responses:
            await send(_chunk(events(response)))
    except grpc.aio.AioRpcError as error:
        await send(_chunk(b"event: error\ndata: " + orjson.dumps(problem(error)) + b"\n\n"))


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def events(response: SubscribeResponse) -> bytes:
    """One write of the stream as events."""
    *others, last = response.items or [Item()]
    _items.inc(len(response.items))
    return b"".join([_event(item, "") for item in others] + [_event(last, response.resume_token)])


def _event(item: Item, token: str) -> bytes:
    lines = f"id: {token}\n".encode() if token else b""
    kind = item.WhichOneof("kind")
    if kind is None:  # of a newer fanout; an id alone still moves a browser's position
        return lines and lines + b"\n"
    packed = item.SerializeToString()
    data = _shared_json(packed) if len(packed) <= _LARGEST_SHARED else message_json(item).encode()
    return b"event: %b\n%bdata: %b\n\n" % (kind.encode(), lines, data)


@lru_cache(maxsize=1024)
def _shared_json(packed: bytes) -> bytes:
    """An item's JSON. Whoever follows a game gets the same items, and writing one costs more than all the rest."""
    return message_json(Item.FromString(packed)).encode()


def _chunk(body: bytes, *, more: bool = True) -> AsgiMessage:
    return {"type": "http.response.body", "body": body, "more_body": more}
