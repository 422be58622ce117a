"""Alembic's environment of ingestion."""

from services.runtime.db.environment import run_migrations

run_migrations("ingestion")
