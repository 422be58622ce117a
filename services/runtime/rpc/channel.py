"""Channels to other services."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TypeVar

import grpc.aio

from services.runtime.rpc.options import channel_options

AnyCall = TypeVar("AnyCall", bound=grpc.aio.RpcContext)


def open_channel(target: str) -> grpc.aio.Channel:
    """A channel to `host:port` or a gRPC name such as `dns:///gamestate:50051`; it spreads calls over all addresses.

    It connects at the first call and again by itself. Keep one for as long as the process lives and close it at the
    end. Only for the event loop that it was opened in.
    """
    return grpc.aio.insecure_channel(target, options=channel_options())


@asynccontextmanager
async def cancelling(call: AnyCall) -> AsyncGenerator[AnyCall]:
    """Ends a stream at the end of the block, however it is left.

    A call whose reader walks away is never ended by itself (grpc/grpc #43462): its handler at the server stays.
    """
    try:
        yield call
    finally:
        call.cancel()
