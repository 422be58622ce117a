"""What the gateway can be told from outside."""

from typing import Annotated

from pydantic import Field

from services.runtime.settings import Port, ServiceSettings


class GatewaySettings(ServiceSettings):
    """Settings of the gateway, beside those that all services share."""

    port: Port = 8080

    # Where the services are, as `host:port` or a gRPC name such as `dns:///gamestate:50051`.
    gamestate: str = "127.0.0.1:50052"
    fanout: str = "127.0.0.1:50053"

    call_timeout: Annotated[float, Field(gt=0)] = 10  # seconds a unary call, and the opening of a stream, may take
