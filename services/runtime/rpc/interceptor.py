"""What every call goes through on its way to a servicer and back."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from types import TracebackType
from typing import Any, TypeAlias

import grpc
import grpc.aio
import structlog
from google.protobuf.message import Message

from services.runtime import request_id
from services.runtime.auth import gate, principal
from services.runtime.errors import STATUS_METADATA_KEY, fault_of
from services.runtime.rpc.call_metrics import MethodMetrics
from services.runtime.rpc.validation import validate, validated

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"  # quoted: generic in the stubs only
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Found: TypeAlias = "Handler | None"
Behaviour: TypeAlias = Callable[..., Any]  # (request or requests, context) to an answer or answers


class CallInterceptor(grpc.aio.ServerInterceptor):
    """Gives each call its request id, its principal, its metrics, the check of its messages, and its rich errors.

    It is one interceptor, and wraps each method once, because a chain of interceptors is built anew for every call. It
    has to be the innermost. Server-streaming handlers are closed as soon as their call ends, in their call's task.
    """

    def __init__(self, doorkeeper: gate.Gate, *, checks_itself: frozenset[str] = frozenset()) -> None:
        """`checks_itself`: paths of methods whose servicer calls `validate` itself."""
        self._gate = doorkeeper
        self._checks_itself = checks_itself
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Found]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Found:
        """The wrapped handler of a method; None, which gRPC answers with UNIMPLEMENTED, if it is not served."""
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is None:
            handler = await continuation(handler_call_details)
            if handler is None:
                return None
            wrapped = self._wrapped[method] = self._wrap(method, handler)
        return wrapped

    def _wrap(self, method: str, handler: Handler) -> Handler:
        metrics = MethodMetrics(method, streams_in=handler.request_streaming, streams_out=handler.response_streaming)

        def begin(context: Context) -> _Call:
            return _Call(method, context, metrics, self._gate)

        def check(request: Message) -> Message:
            return request if method in self._checks_itself else _checked(request)

        def check_stream(requests: AsyncIterator[Message]) -> AsyncIterator[Message]:
            return requests if method in self._checks_itself else validated(requests)

        codec = (handler.request_deserializer, handler.response_serializer)
        if handler.unary_unary:
            return grpc.unary_unary_rpc_method_handler(_answer(handler.unary_unary, begin, check), *codec)
        if handler.unary_stream:
            return grpc.unary_stream_rpc_method_handler(_stream(handler.unary_stream, begin, check, metrics), *codec)
        if handler.stream_unary:
            return grpc.stream_unary_rpc_method_handler(_answer(handler.stream_unary, begin, check_stream), *codec)
        assert handler.stream_stream is not None
        return grpc.stream_stream_rpc_method_handler(
            _stream(handler.stream_stream, begin, check_stream, metrics), *codec
        )


class _Call:
    """One call, from its metadata to its status."""

    def __init__(self, method: str, context: Context, metrics: MethodMetrics, doorkeeper: gate.Gate) -> None:
        self._method = method
        self._context = context
        self._metrics = metrics
        self._gate = doorkeeper
        self._began = 0.0
        self._request_id = ""
        self._authorization: str | None = None

    async def __aenter__(self) -> "_Call":
        self._began = self._metrics.begin()
        offered: str | None = None
        for key, value in self._context.invocation_metadata() or ():
            if key == request_id.METADATA_KEY:
                offered = str(value)
            elif key == gate.METADATA_KEY:
                self._authorization = str(value)
        self._request_id = request_id.take(offered)
        structlog.contextvars.bind_contextvars(request_id=self._request_id)
        self._context.set_trailing_metadata(((request_id.METADATA_KEY, self._request_id),))
        return self

    def admit(self) -> None:
        """Sets the principal. Raises a Fault when the caller may not call the method."""
        principal.enter(self._gate.admit(self._method, self._authorization))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._metrics.end(self._began, grpc.StatusCode.OK)
        elif isinstance(error, grpc.aio.AbortError):
            self._metrics.end(self._began, self._context.code())
        elif isinstance(error, Exception) and not isinstance(error, grpc.aio.InternalError):
            await self._abort(error)
        else:
            # Cancelled, or nobody is there any more to write to, which gRPC tells by an InternalError. Either has to go
            # on: a handler that returns instead leaks (grpc/grpc #43360).
            self._metrics.end(self._began, grpc.StatusCode.CANCELLED)

    async def _abort(self, error: Exception) -> None:
        fault = fault_of(error)
        self._metrics.end(self._began, fault.code)
        status = fault.status()
        trailers = (
            (request_id.METADATA_KEY, self._request_id),
            (STATUS_METADATA_KEY, status.SerializeToString()),
        )
        await self._context.abort(fault.code, status.message, trailers)


def _checked(request: Message) -> Message:
    validate(request)
    return request


def _answer(behaviour: Behaviour, begin: Callable[[Context], _Call], check: Callable[[Any], Any]) -> Behaviour:
    async def answer(request: Any, context: Context) -> Any:
        async with begin(context) as call:
            call.admit()
            return await behaviour(check(request), context)

    return answer


def _stream(
    behaviour: Behaviour,
    begin: Callable[[Context], _Call],
    check: Callable[[Any], Any],
    metrics: MethodMetrics,
) -> Behaviour:
    # It writes by itself and is no generator: cancelled while a write waits, a generator would be left to the garbage
    # collector, and the servicer's `finally` would run whenever that comes.
    async def stream(request: Any, context: Context) -> None:
        async with begin(context) as call:
            call.admit()
            responses = behaviour(check(request), context)
            if not hasattr(responses, "__aiter__"):
                await responses  # a handler that writes to the context
                return
            async with aclosing(responses):
                async for response in responses:
                    await context.write(response)
                    metrics.sent.inc()

    return stream
