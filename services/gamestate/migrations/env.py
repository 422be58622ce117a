"""Alembic's environment of gamestate."""

from services.runtime.db.environment import run_migrations

run_migrations("gamestate")
