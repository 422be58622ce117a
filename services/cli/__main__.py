"""The command line."""

import logging
import os
import sys

os.environ.setdefault(
    "GRPC_VERBOSITY", "ERROR"
)  # read when grpc is imported: connections come and go, which is no news

import grpc
import structlog
from cyclopts import App

from scoreline_client import ScorelineError
from services.cli.audit import audit, rebuild
from services.cli.feed import feed
from services.cli.fold import fold
from services.cli.mesh import NothingRuns
from services.cli.session import complain, explain
from services.cli.up import up
from services.cli.watch import watch
from services.runtime.local import LocalError

app = App(name="scoreline", help="Live scores in the exact order they happened.")
for command in (up, feed, fold, watch, audit, rebuild):
    app.command(command)
app.command("services.cli.bench:app", name="bench")


def main() -> None:
    """Run a command. Its result is the exit code: 0 good, 1 failed, 2 called wrongly."""
    # Standard output is for what was asked; what the parts have to say goes beside it.
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    try:
        sys.exit(app())
    except (NothingRuns, LocalError, ScorelineError) as error:
        sys.exit(complain(str(error)))
    except grpc.RpcError as error:
        sys.exit(complain(explain(error)))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
