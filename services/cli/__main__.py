"""The command line."""

import sys

import grpc
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
