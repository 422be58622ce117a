"""What fanout can be told from outside."""

from typing import Annotated

from pydantic import Field, SecretStr

from services.runtime.settings import ServiceSettings


class FanoutSettings(ServiceSettings):
    """Settings of fanout."""

    gamestate: str = "127.0.0.1:50052"  # host:port or a gRPC name

    # Signs resume tokens; the same on all replicas. Without one each process makes its own, and its tokens end with it.
    token_key: SecretStr | None = None

    heartbeat: Annotated[float, Field(ge=0.5, le=30)] = 5  # seconds, for streams that do not ask for another
