"""Gamestate's own knobs."""

from pydantic import Field

from services.runtime.settings import ServiceSettings


class GamestateSettings(ServiceSettings):
    """Settings of gamestate."""

    apply_workers: int = Field(default=2, ge=1, le=64)  # games applied at a time, each with a connection while it is
    plays_in_memory: int = Field(default=100_000, ge=1)  # of all folds together; about 3 KiB each
    sweep_every: float = Field(default=0.1, gt=0)  # seconds between looks for events that nobody applied
    heads_every: float = Field(default=0.5, gt=0)  # seconds between messages of newest versions
