"""What ingestion can be told from outside."""

from pydantic import Field

from services.runtime.settings import ServiceSettings


class IngestionSettings(ServiceSettings):
    """Settings of ingestion, read from the environment as `SCORELINE_<NAME>`."""

    # Games that commit at a time; the others gather messages meanwhile, so that more would only make smaller batches.
    commits: int = Field(default=2, ge=1, le=100)
    parse_processes: int = Field(default=1, ge=1, le=64)  # for documents over 64 KiB
    # Seconds for which a provider's key that was looked up stays good; a revocation reaches other replicas after it.
    key_cache: float = Field(default=2.0, ge=0, le=60)
    # Seconds for which a message waits for a database that is away; a call's own deadline may cut it short.
    patience: float = Field(default=10.0, gt=0, le=300)
