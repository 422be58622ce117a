"""Games, a bus that loses, repeats and reorders, and viewers that break off and resume, around fanout's pure core."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from scoreline.fanout.v1.fanout_service_pb2 import Item, Snapshot, SubscribeResponse, Target
from scoreline.game.v1.header_pb2 import GameStatus
from scoreline.game.v1.state_pb2 import GameState, GameUpdate
from scoreline.game.v1.stats_pb2 import GameStatistics, StatLine
from services.fanout.domain.follow import Follow, Step
from services.fanout.domain.game import Game, Heard
from services.fanout.domain.items import GameSnapshot, encode_snapshot
from services.fanout.domain.subscription import Subscription
from services.fanout.domain.targets import Targets
from services.fanout.domain.token import TokenSigner

Waiting = tuple[Follow, Subscription]

PAGE = 4  # updates of one read, few so that catching up takes several
SIGNER = TokenSigner(b"a key that all replicas share")
TEAM = "team-a"


class TrueGame:
    """What gamestate knows of a game."""

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.epoch = "1"
        self.seq = 0

    def update(self, seq: int) -> GameUpdate:
        update = GameUpdate(game_id=self.game_id, seq=seq, epoch=self.epoch, team_ids=[TEAM, "team-b"])
        update.event.event_id = f"{self.game_id}/{self.epoch}/{seq}"
        if seq % 5 == 0:
            update.correction.reason = "looked at again"
        return update

    def page(self, after: int) -> list[GameUpdate]:
        return [self.update(seq) for seq in range(after + 1, min(self.seq, after + PAGE) + 1)]

    def state(self) -> GameState:
        state = GameState(game_id=self.game_id, seq=self.seq, epoch=self.epoch)
        state.header.status = GameStatus.GAME_STATUS_LIVE
        state.header.home.team_id, state.header.away.team_id = TEAM, "team-b"
        return state

    def statistics(self) -> GameStatistics:
        return GameStatistics(players=[StatLine(subject_id=f"player-{number}") for number in range(3)])


class Replica:
    """One process of fanout, as far as it is pure. What it reads arrives when `land` says so, as old as it was then."""

    def __init__(self, truth: dict[str, TrueGame]) -> None:
        self.truth = truth
        self.games: dict[str, Game] = {}
        self._snapshots: dict[str, tuple[GameSnapshot, list[Waiting]]] = {}
        self._pages: list[tuple[str, list[GameUpdate], Waiting]] = []

    def game(self, game_id: str) -> Game:
        return self.games.setdefault(game_id, Game(game_id))

    def hear(self, update: GameUpdate) -> None:
        game = self.games.get(update.game_id)
        if game is not None and game.hear(update) is Heard.OTHER_EPOCH:
            self._read_snapshot(game)

    def repair(self, game: Game) -> None:
        true = self.truth[game.game_id]
        if game.hear_head(true.epoch, true.seq) is Heard.OTHER_EPOCH:
            self._read_snapshot(game)
        elif game.is_open:
            while game.is_behind:
                for update in true.page(game.seq):
                    game.hear(update)

    def supply(self, follow: Follow, step: Step, subscription: Subscription) -> None:
        game, position = follow.game, follow.position
        if step is Step.SNAPSHOT or position is None:
            self._read_snapshot(game).append((follow, subscription))
        else:
            true = self.truth[game.game_id]
            self._pages.append((true.epoch, true.page(max(position.seq - 1, 0)), (follow, subscription)))

    def land(self) -> bool:
        """One read arrives. False when none is under way."""
        if self._pages:
            epoch, page, (follow, subscription) = self._pages.pop(0)
            if epoch == follow.game.epoch:
                follow.give_updates(page, page[-1].seq if page else 0)
                subscription.ready(follow)
            else:
                self._read_snapshot(follow.game).append((follow, subscription))
            return True
        for game_id in self._snapshots:
            snapshot, waiting = self._snapshots.pop(game_id)
            game = self.games[game_id]
            if not game.is_open or game.epoch != snapshot.epoch:
                game.open(snapshot)
            else:
                game.snapshot = snapshot
            for follow, subscription in waiting:
                follow.give_snapshot(snapshot)
                subscription.ready(follow)
            return True
        return False

    def _read_snapshot(self, game: Game) -> "list[Waiting]":
        """Who waits for the one read that is under way."""
        true = self.truth[game.game_id]
        read = encode_snapshot(true.state(), true.statistics())
        return self._snapshots.setdefault(game.game_id, (read, []))[1]


@dataclass
class Screen:
    """What a viewer knows, and where to go on."""

    positions: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])  # epoch and seq
    parts: Snapshot = field(default_factory=Snapshot)  # of a snapshot that is not whole
    token: str = ""


@dataclass
class Connection:
    """What one stream of a viewer brought."""

    replica: Replica
    subscription: Subscription
    heads: dict[str, tuple[str, int]]  # at the opening
    told: list[tuple[str, str, int]] = field(default_factory=list[tuple[str, str, int]])  # game, epoch, seq
    # At CaughtUp: its count, how many had been told, and the positions.
    caught_up: tuple[int, int, dict[str, tuple[str, int]]] | None = None


class Viewer:
    """One viewer over all its connections; it checks each item against what it saw before."""

    def __init__(self, targets: list[Target]) -> None:
        self.targets = Targets(targets)
        self.screen = Screen()
        self.saved: list[Screen] = []  # after each write, to go back to
        self.connections: list[Connection] = []
        self.connected = False

    def connect(self, replica: Replica, *, skip_snapshot: bool) -> None:
        subscription = Subscription(self.targets, lambda: None)
        for game_id in replica.truth:
            if self.targets.reasons(game_id, [TEAM]):
                subscription.follow(replica.game(game_id))
        games = [follow.game for follow in subscription.follows.values() if follow.game.is_open]
        heads = {game.game_id: (game.epoch, game.seq) for game in games}
        token = SIGNER.read(self.screen.token) if self.screen.token else None
        if token is None:
            self.screen = Screen(dict(heads) if skip_snapshot else {})
        subscription.start(token, skip_snapshot=skip_snapshot)
        self.screen.parts = Snapshot()  # a new stream begins a snapshot anew
        self.connections.append(Connection(replica, subscription, heads))
        self.connected = True

    def break_off(self, back: int) -> None:
        """Loses the connection, and what the last `back` writes brought, as if they had never arrived."""
        if self.connected:
            self.connections[-1].subscription.close()
            self.connected = False
        del self.saved[max(len(self.saved) - back, 0) :]
        self.screen = self.saved[-1] if self.saved else Screen()

    def read(self) -> bool:
        """Takes one write. False when there was nothing."""
        connection = self.connections[-1]
        write = connection.subscription.next_write()
        if not write.items:
            return False
        parts = Snapshot()
        parts.CopyFrom(self.screen.parts)
        self.screen = Screen(dict(self.screen.positions), parts)
        for item in SubscribeResponse.FromString(b"".join(write.items)).items:
            self._see(item, connection)
        self.screen.token = SIGNER.sign(self.targets.digest, connection.subscription.positions())
        self.saved.append(self.screen)
        return True

    def supply(self) -> bool:
        """Begins to read what the stream waits for. False when it waits for nothing."""
        connection = self.connections[-1]
        if not connection.subscription.reads:
            return False
        follow, step = connection.subscription.reads.popleft()
        connection.replica.supply(follow, step, connection.subscription)
        return True

    def _see(self, item: Item, connection: Connection) -> None:
        positions = self.screen.positions
        match item.WhichOneof("kind"):
            case "snapshot":
                self.screen.parts.MergeFrom(item.snapshot)
                if not item.snapshot.last_part:
                    return
                assert len(self.screen.parts.statistics.players) == 3, "parts of two snapshots"
                state = self.screen.parts.state
                self.screen.parts = Snapshot()
                assert state.game_id not in positions, "a snapshot without a reset"
                positions[state.game_id] = (state.epoch, state.seq)
            case "update" | "correction":
                delivery = item.update if item.HasField("update") else item.correction
                update = delivery.update
                assert update.seq == delivery.prev_delivered_seq + 1
                assert positions[update.game_id] == (update.epoch, delivery.prev_delivered_seq)
                assert item.HasField("correction") == update.HasField("correction")
                assert list(delivery.reasons) == list(self.targets.reasons(update.game_id, update.team_ids))
                connection.told.append((update.game_id, update.epoch, update.seq))
                positions[update.game_id] = (update.epoch, update.seq)
            case "reset":
                positions.pop(item.reset.game_id, None)
                self.screen.parts = Snapshot()
            case "caught_up":
                assert connection.caught_up is None
                connection.caught_up = (item.caught_up.replayed, len(connection.told), dict(positions))
            case _:
                pass


class World:
    """Two games, two replicas and some viewers."""

    def __init__(self, targets: Sequence[list[Target]]) -> None:
        self.truth = {game_id: TrueGame(game_id) for game_id in ("g1", "g2")}
        self.replicas = [Replica(self.truth), Replica(self.truth)]
        self.viewers = [Viewer(its) for its in targets]

    def live(self, happenings: list[tuple[object, ...]]) -> None:
        """Each happening is the name of a method below and its arguments."""
        for name, *arguments in happenings:
            getattr(self, str(name))(*arguments)

    def come_to_rest(self) -> None:
        """Nothing more happens: heads reach all replicas, all viewers come back and read to the end."""
        for viewer in self.viewers:
            if not viewer.connected:
                viewer.connect(self.replicas[0], skip_snapshot=False)
        moved = True
        while moved:
            for number in range(len(self.replicas)):
                self.hear_heads(number)
            moved = False
            for replica in self.replicas:
                moved = replica.land() or moved
            for viewer in self.viewers:
                while viewer.read() or viewer.supply():
                    moved = True

    def play(self, game_id: str, arrives: list[bool]) -> None:
        """Things happen, of which the bus brings some."""
        true = self.truth[game_id]
        for heard in arrives:
            true.seq += 1
            for replica in self.replicas if heard else ():
                replica.hear(true.update(true.seq))

    def hear_again(self, game_id: str, replica: int, back: int) -> None:
        """The bus brings something late or twice."""
        true = self.truth[game_id]
        if true.seq > back:
            self.replicas[replica].hear(true.update(true.seq - back))

    def hear_heads(self, replica: int) -> None:
        """Heads reveal what was lost."""
        for game in self.replicas[replica].games.values():
            self.replicas[replica].repair(game)
            game.tidy()

    def rebuild(self, game_id: str, seq: int) -> None:
        """A game's history becomes another one."""
        true = self.truth[game_id]
        true.epoch, true.seq = str(int(true.epoch) + 1), seq

    def restart(self, replica: int) -> None:
        """A process ends and starts again."""
        for viewer in self.viewers:
            if viewer.connected and viewer.connections[-1].replica is self.replicas[replica]:
                viewer.break_off(0)
        self.replicas[replica] = Replica(self.truth)

    def connect(self, viewer: int, replica: int, skip_snapshot: bool) -> None:
        """A viewer comes, or comes back with its last token."""
        if not self.viewers[viewer].connected:
            self.viewers[viewer].connect(self.replicas[replica], skip_snapshot=skip_snapshot)

    def break_off(self, viewer: int, back: int) -> None:
        """A connection breaks; its last writes never arrived."""
        self.viewers[viewer].break_off(back)

    def read(self, viewer: int) -> None:
        """A viewer takes a write."""
        if self.viewers[viewer].connected:
            self.viewers[viewer].read()

    def supply(self, viewer: int) -> None:
        """What a viewer's stream waits for is being read."""
        if self.viewers[viewer].connected:
            self.viewers[viewer].supply()

    def land(self, replica: int) -> None:
        """Something that was read arrives."""
        self.replicas[replica].land()
