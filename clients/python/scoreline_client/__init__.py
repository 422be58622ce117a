"""Scoreline's Python client: live games as an async iterator that connects again and resumes by itself."""

from scoreline_client.client import ScorelineClient
from scoreline_client.errors import ScorelineError
from scoreline_client.watch import Watch

__all__ = ["ScorelineClient", "ScorelineError", "Watch"]
