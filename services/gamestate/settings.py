"""Gamestate's own knobs."""

from pydantic import Field

from services.runtime.settings import ServiceSettings


class GamestateSettings(ServiceSettings):
    """Settings of gamestate."""

    # Games applied at a time. More of them make smaller batches, and the rate that is held falls.
    apply_workers: int = Field(default=1, ge=1, le=64)
    plays_in_memory: int = Field(default=100_000, ge=1)  # of all folds together; about 3 KiB each
    sweep_every: float = Field(default=0.1, gt=0)  # seconds between looks for events that nobody applied
    heads_every: float = Field(default=0.5, gt=0)  # seconds between messages of newest versions
