"""The live view of `scoreline watch`: what happened scrolls by, the score stands below it."""

from types import TracebackType
from typing import Self, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from scoreline.fanout.v1.fanout_service_pb2 import Delivery, Item
from scoreline.game.v1.event_pb2 import ChangeKind
from scoreline.game.v1.header_pb2 import GameStatus, Header, Score
from scoreline.game.v1.play_pb2 import Play, PlayClass, Position
from scoreline.game.v1.state_pb2 import CorrectionKind, GameState, GameUpdate

_QUIET = (PlayClass.PLAY_CLASS_ACTION, PlayClass.PLAY_CLASS_ATTEMPT)
_COLOURS = {
    PlayClass.PLAY_CLASS_SCORE: "bold green",
    PlayClass.PLAY_CLASS_DISCIPLINE: "yellow",
    PlayClass.PLAY_CLASS_REVIEW: "magenta",
    PlayClass.PLAY_CLASS_PERIOD: "cyan",
}


class Scoreboard:
    """Prints plays and corrections as they come, and keeps a line for each game at the bottom."""

    def __init__(self, out: TextIO) -> None:
        self._console = Console(file=out, highlight=False)
        self._live = Live(console=self._console, refresh_per_second=8, auto_refresh=False)
        self._games: dict[str, tuple[Header, Score, GameStatus, Position]] = {}
        self._link = ""

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def show(self, item: Item) -> None:
        """Show one item of the stream."""
        match item.WhichOneof("kind"):
            case "snapshot" if item.snapshot.state.game_id:
                self._snapshot(item.snapshot.state)
            case "update":
                self._delivery(item.update)
            case "correction":
                self._delivery(item.correction)
            case "reset":
                self._console.print(f"[dim]{item.reset.game_id} begins anew[/]")
            case "source_status":
                self._console.print(f"[dim]data: {item.source_status.detail or 'fresh again'}[/]")
            case "game_end":
                self._console.print(f"[dim]{item.game_end.game_id} is over[/]")
            case _:
                pass
        self._live.update(self._board(), refresh=True)

    def _snapshot(self, state: GameState) -> None:
        self._games[state.game_id] = (state.header, state.score, state.header.status, state.position)
        for play in state.last_plays:
            self._console.print(_play_line(play, dim=True))

    def _delivery(self, delivery: Delivery) -> None:
        update = delivery.update
        header = self._games[update.game_id][0] if update.game_id in self._games else Header()
        if update.event.HasField("header") and update.event.header.current:
            header = update.event.header.header
        self._games[update.game_id] = (header, update.score, update.status, update.position)
        if update.HasField("correction"):
            self._correction(update)
        elif update.event.HasField("play") and update.event.play.kind != ChangeKind.CHANGE_KIND_DELETE:
            line = _play_line(update.event.play.play, dim=update.event.play.play.play_class in _QUIET)
            if update.late:
                line.append("  late", "dim italic")
            if update.HasField("score_at_play"):
                line.append(f"  {_score(update.score_at_play)}", "bold")
            self._console.print(line)

    def _correction(self, update: GameUpdate) -> None:
        correction = update.correction
        kind = CorrectionKind.Name(correction.kind).removeprefix("CORRECTION_KIND_").lower()
        line = Text(f"{kind:>10}  ", "bold red" if kind == "cancelled" else "dim")
        struck = "strike" if kind == "cancelled" else "dim"
        line.append(_play_line(update.event.play.play, dim=False).plain.strip(), struck)
        if correction.reason:
            line.append(f"  {correction.reason}", "italic")
        if correction.score_before != correction.score_after:
            line.append(f"  {_score(correction.score_before)} → {_score(correction.score_after)}", "bold red")
        self._console.print(line)

    def _board(self) -> Group:
        table = Table.grid(padding=(0, 2))
        for header, score, status, position in self._games.values():
            word = GameStatus.Name(status).removeprefix("GAME_STATUS_").replace("_", " ").lower()
            table.add_row(
                Text(header.home.name, "bold"),
                Text(_score(score), "bold reverse"),
                Text(header.away.name, "bold"),
                Text(position.display, "cyan"),
                Text(word, "dim"),
            )
        return Group(Text(""), table)


def _play_line(play: Play, *, dim: bool) -> Text:
    line = Text(f"{play.position.display:>10}  ", "dim" if dim else "cyan")
    line.append(play.text or play.kind.replace("_", " "), "dim" if dim else _COLOURS.get(play.play_class, ""))
    return line


def _score(score: Score) -> str:
    return f"{score.home}-{score.away}"
