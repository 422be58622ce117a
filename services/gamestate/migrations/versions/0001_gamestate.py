"""Games as they stand, their plays and their updates."""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_PARTITIONS = 16


def _partitioned(table: str, options: str = "") -> None:
    for number in range(_PARTITIONS):
        op.execute(
            f"CREATE TABLE gamestate.{table}_p{number:02d} PARTITION OF gamestate.{table} "
            f"FOR VALUES WITH (MODULUS {_PARTITIONS}, REMAINDER {number}) {options}"
        )


def upgrade() -> None:
    op.execute("""
        CREATE TABLE gamestate.games (
            game_id      text COLLATE "C" PRIMARY KEY,
            sport        text NOT NULL,
            applied_seq  bigint NOT NULL DEFAULT 0,
            epoch        text NOT NULL,
            status       smallint NOT NULL DEFAULT 0,
            in_play      boolean NOT NULL DEFAULT false,
            home_team_id text COLLATE "C" NOT NULL DEFAULT '',
            away_team_id text COLLATE "C" NOT NULL DEFAULT '',
            opening_home int NOT NULL DEFAULT 0,
            opening_away int NOT NULL DEFAULT 0,
            update_time  timestamptz NOT NULL,
            state        bytea NOT NULL DEFAULT '',
            statistics   bytea NOT NULL DEFAULT ''
        ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)
    """)
    op.execute("CREATE INDEX games_by_change ON gamestate.games (in_play, update_time, game_id)")
    op.execute("CREATE INDEX games_by_home ON gamestate.games (home_team_id)")
    op.execute("CREATE INDEX games_by_away ON gamestate.games (away_team_id)")
    op.execute("""
        CREATE TABLE gamestate.plays (
            game_id     text COLLATE "C" NOT NULL,
            play_id     text COLLATE "C" NOT NULL,
            period      int NOT NULL,
            place       bigint NOT NULL,
            play_class  smallint NOT NULL,
            home_points int NOT NULL,
            away_points int NOT NULL,
            seq         bigint NOT NULL,
            retracted   boolean NOT NULL,
            late        boolean NOT NULL,
            reason      text NOT NULL,
            play        bytea NOT NULL,
            PRIMARY KEY (game_id, play_id)
        ) PARTITION BY HASH (game_id)
    """)
    _partitioned("plays", "WITH (fillfactor = 80)")
    op.execute("""
        CREATE TABLE gamestate.updates (
            game_id text COLLATE "C" NOT NULL,
            seq     bigint NOT NULL,
            update  bytea NOT NULL,
            PRIMARY KEY (game_id, seq)
        ) PARTITION BY HASH (game_id)
    """)
    _partitioned("updates")


def downgrade() -> None:
    op.execute("DROP TABLE gamestate.updates, gamestate.plays, gamestate.games")
