"""Server reflection under both of its names."""

from collections.abc import Sequence
from typing import Any

import grpc
import grpc.aio
from grpc_reflection.v1alpha import reflection, reflection_pb2

_SERVICES = ("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")


def add_reflection(server: grpc.aio.Server, services: Sequence[str]) -> None:
    """Tells clients such as `grpcurl` and `buf curl` what the services are.

    The library has v1alpha only; the messages of v1 are the same bytes.
    """
    servicer: Any = reflection.aio.ReflectionServicer([*services, *_SERVICES])  # it has no types
    method = grpc.stream_stream_rpc_method_handler(
        servicer.ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler(service, {"ServerReflectionInfo": method}) for service in _SERVICES]
    )
