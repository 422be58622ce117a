"""Ingestion's own: providers' keys, and what could not be used."""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        CREATE TABLE ingestion.provider_keys (
            key_id          text PRIMARY KEY,
            provider        text NOT NULL,
            competition_ids text[] NOT NULL,
            secret_digest   bytea NOT NULL UNIQUE,
            create_time     timestamptz NOT NULL,
            expire_time     timestamptz,
            revoke_time     timestamptz
        )
    """)
    op.execute("""
        CREATE TABLE ingestion.dead_letters (
            dead_letter_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            raw_id         bigint NOT NULL UNIQUE,
            provider       text NOT NULL,
            game_id        text NOT NULL,
            reason         text NOT NULL,
            message        text NOT NULL,
            receive_time   timestamptz NOT NULL,
            size_bytes     bigint NOT NULL
        )
    """)
    op.execute("CREATE INDEX dead_letters_by_provider ON ingestion.dead_letters (provider, dead_letter_id)")


def downgrade() -> None:
    op.execute("DROP TABLE ingestion.dead_letters, ingestion.provider_keys")
