"""Alembic's environment of the log."""

from services.runtime.db.environment import run_migrations

run_migrations("log")
