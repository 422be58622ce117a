"""REST, built from the `google.api.http` annotations of the contracts: each annotated rpc is a route."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any, cast

import grpc.aio
from google.api import annotations_pb2, http_pb2  # pyright: ignore[reportMissingTypeStubs]
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from services.gateway.message_json import message_json
from services.gateway.metadata import call_metadata
from services.gateway.transcoding import fill

_LARGEST_BODY = 4 * 1024 * 1024  # bytes
_UNKEEPABLE = {"cache-control": "no-store"}


@dataclass(frozen=True)
class Binding:
    """One way to call an rpc over HTTP.

    Attributes:
        verb: in capitals.
        path: in Starlette's form; the variable of the field `game.game_id` is called `game__game_id`.
        body_field: what the body holds: "*" the whole request, a field's name, or "" nothing.
        method: the rpc.
    """

    verb: str
    path: str
    body_field: str
    method: MethodDescriptor


def bindings(service: ServiceDescriptor) -> Iterator[Binding]:
    """The ways to call the annotated rpcs of a service. Raises ValueError for an annotation that is not understood."""
    for method in service.methods:
        rule = cast("Any", method.GetOptions()).Extensions[annotations_pb2.http]
        for way in (rule, *rule.additional_bindings):
            if way.WhichOneof("pattern"):
                yield _binding(method, way)


def _binding(method: MethodDescriptor, rule: http_pb2.HttpRule) -> Binding:
    verb = rule.WhichOneof("pattern")
    path = "" if verb in (None, "custom") else str(getattr(rule, verb))
    if not path or "*" in path or "=" in path or rule.response_body:
        raise ValueError(f"{method.full_name}: the gateway does not know this google.api.http rule: {rule}")
    return Binding(str(verb).upper(), path.replace(".", "__"), rule.body, method)


def routes(channel: grpc.aio.Channel, services: Sequence[ServiceDescriptor], call_timeout: float) -> list[Route]:
    """Routes for all annotated rpcs of services that are reached over one channel.

    Args:
        channel: where the services are.
        services: their descriptors.
        call_timeout: seconds that a call may take.
    """
    by_path: dict[str, dict[str, Rpc]] = {}
    for service in services:
        for binding in bindings(service):
            by_path.setdefault(binding.path, {})[binding.verb] = Rpc(channel, binding, call_timeout)
    # A path with a word stands before one with a variable at the same place.
    return [
        Route(path, partial(_answer, rpcs), methods=list(rpcs))
        for path, rpcs in sorted(by_path.items(), key=lambda entry: (entry[0].count("{"), entry[0]))
    ]


async def _answer(rpcs: dict[str, "Rpc"], request: Request) -> Response:
    return await rpcs["GET" if request.method == "HEAD" else request.method].answer(request)


class Rpc:
    """One rpc behind one binding."""

    def __init__(self, channel: grpc.aio.Channel, binding: Binding, call_timeout: float) -> None:
        method = binding.method
        service = method.containing_service
        assert service is not None
        self._binding = binding
        self._timeout = call_timeout
        self._request_type: type[Message] = GetMessageClass(method.input_type)
        self._response_type: type[Message] = GetMessageClass(method.output_type)
        # The answer stays bytes until it is known that the caller has not got them already.
        self._call = channel.unary_unary(
            f"/{service.full_name}/{method.name}",
            request_serializer=self._request_type.SerializeToString,
            response_deserializer=bytes,
        )

    async def answer(self, request: Request) -> Response:
        """Calls and gives the answer as JSON; 304 without a body when the caller's ETag still holds.

        Raises FieldsInvalid, HTTPException and grpc.aio.AioRpcError.
        """
        message = self._request_type()
        fill(
            message,
            path={name.replace("__", "."): str(value) for name, value in request.path_params.items()},
            query=request.query_params.multi_items(),
            body_field=self._binding.body_field,
            body=await _read_body(request) if self._binding.body_field else b"",
        )
        packed: bytes = await self._call(message, metadata=call_metadata(request), timeout=self._timeout)
        headers = _UNKEEPABLE
        if self._binding.verb == "GET":
            etag = f'"{blake2b(packed, digest_size=16).hexdigest()}"'
            personal = "private, " if "authorization" in request.headers else ""
            headers = {"etag": etag, "cache-control": f"{personal}no-cache"}
            if _holds(etag, request.headers.get("if-none-match", "")):
                return Response(status_code=304, headers=headers)
        answer = self._response_type.FromString(packed)
        return Response(message_json(answer), headers=headers, media_type="application/json")


async def _read_body(request: Request) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_BODY:
            raise HTTPException(413, f"a body is at most {_LARGEST_BODY} bytes")
    return bytes(body)


def _holds(etag: str, if_none_match: str) -> bool:
    told = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
    return etag in told or "*" in told
