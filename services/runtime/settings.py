"""What every service can be told from outside."""

from typing import Annotated, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

Port = Annotated[int, Field(ge=0, le=65535)]
Seconds = Annotated[float, Field(ge=0)]


class ServiceSettings(BaseSettings):
    """Settings that all services share, read from the environment as `SCORELINE_<NAME>`.

    Raises pydantic.ValidationError, without the values, when one cannot be read.
    """

    model_config = SettingsConfigDict(env_prefix="SCORELINE_", extra="ignore", frozen=True, hide_input_in_errors=True)

    # URLs may hold passwords, so they are not shown.
    postgres_url: Annotated[str, Field(repr=False)] = "postgresql://127.0.0.1:5432/scoreline"
    nats_url: Annotated[str, Field(repr=False)] = "nats://127.0.0.1:4222"  # of a cluster: several, parted by commas

    host: str = "127.0.0.1"
    port: Port = 0  # 0 takes a free one
    reuse_port: bool = False  # several processes share the port and the kernel spreads connections over them
    max_connection_age: Annotated[float, Field(gt=0)] | None = None  # seconds; then a client connects anew; None: never
    metrics_port: Port = 0  # 0 serves no metrics

    log_format: Literal["console", "json"] = "console"

    operator_key: SecretStr | None = None  # without one, nobody is an operator
    public_reads: bool = True  # viewers need no key

    drain_wait: Seconds = 0  # in NOT_SERVING before the stop, for load balancers to see it
    drain_grace: Seconds = 5  # that open calls get to end by themselves
