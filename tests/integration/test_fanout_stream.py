"""The stream, over a real bus and real gRPC."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from scoreline.fanout.v1.fanout_service_pb2 import Freshness, Item, ResetReason, StartMode, Target
from scoreline.game.v1.header_pb2 import GameStatus
from services.runtime.errors import metadata_of, reason_of
from services.runtime.local import Stack, nats_server
from tests.support.fanout import AWAY, HOME, Replica, Stand, stand_on

G = [Target(game_id="g")]
BOTH_TEAMS = [Target(team_id=HOME), Target(team_id=AWAY)]


@pytest.fixture(scope="module")
async def nats_url(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[str]:
    async with Stack(tmp_path_factory.mktemp("fanout")) as stack:
        yield await stack.engine(nats_server)


@pytest.fixture
async def stand(nats_url: str) -> AsyncGenerator[Stand]:
    async with stand_on(nats_url) as stand:
        yield stand


@pytest.fixture
async def replica(stand: Stand) -> AsyncGenerator[Replica]:
    async with stand.replica() as replica:
        yield replica


def kinds(items: Sequence[Item]) -> list[str | None]:
    return [item.WhichOneof("kind") for item in items]


async def test_accepted_then_the_snapshot_then_caught_up_then_what_happens(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    for _ in range(3):
        stand.happen("g", heard=False)
    async with replica.stream(G) as reader:
        accepted, snapshot, caught_up = await reader.until("caught_up")
        assert accepted.accepted.mode == StartMode.START_MODE_SNAPSHOT
        assert [(head.game_id, head.seq) for head in accepted.accepted.heads] == [("g", 3)]
        assert accepted.accepted.subscription_id
        assert snapshot.snapshot.state.seq == 3
        assert caught_up.caught_up.replayed == 0
        stand.happen("g")
        stand.happen("g", correction="offside")
        update, correction = await reader.until("correction")
        assert (update.update.update.seq, update.update.prev_delivered_seq) == (4, 3)
        assert (correction.correction.update.seq, correction.correction.prev_delivered_seq) == (5, 4)
        assert list(update.update.reasons) == G
        assert all(response.server_time.seconds for response in reader.responses)


async def test_a_game_without_events_catches_up_too(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    async with replica.stream(G) as reader:
        assert kinds(await reader.until("caught_up")) == ["accepted", "snapshot", "caught_up"]
        stand.happen("g")
        assert await reader.seqs(1) == [1]


async def test_resumes_on_another_replica(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    async with replica.stream(G) as reader:
        await reader.until("caught_up")
        for _ in range(5):
            stand.happen("g")
        await reader.seqs(5)
        token = reader.token
    for _ in range(600):
        stand.happen("g")
    async with stand.replica() as other, other.stream(G, resume_token=token) as reader:
        assert (await reader.next("accepted")).accepted.mode == StartMode.START_MODE_RESUMED
        items = await reader.until("caught_up")
        assert [item.update.update.seq for item in items[:-1]] == list(range(6, 606))
        assert items[-1].caught_up.replayed == 600
        stand.happen("g")
        assert await reader.seqs(606) == [606]


async def test_a_token_covers_exactly_what_came_with_it(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    async with replica.stream(G) as reader:
        await reader.until("caught_up")
        for _ in range(50):
            stand.happen("g")
            await asyncio.sleep(0)
        await reader.seqs(50)
        delivered = 0
        tokens = {0: ""}
        for response in reader.responses:
            delivered = max([delivered, *(item.update.update.seq for item in response.items)])
            tokens[delivered] = response.resume_token
    del tokens[0]
    for seq, token in tokens.items():
        async with replica.stream(G, resume_token=token) as reader:
            items = await reader.until("caught_up")
            assert [item.update.update.seq for item in items[1:-1]] == list(range(seq + 1, 51))


async def test_what_the_bus_loses_repeats_and_turns_round_comes_once_and_in_order(
    stand: Stand, replica: Replica
) -> None:
    stand.kept.new("g")
    async with replica.stream(G) as reader:
        await reader.until("caught_up")
        updates = [stand.happen("g", heard=False) for _ in range(40)]
        for at in (0, 1, 1, 5, 4, 3, 2, 0, 8, 9, 20, 19, 30, 30):
            stand.publish(updates[at])
        assert await reader.seqs(31) == list(range(1, 32))
        # The last ones never come: heads reveal them.
        assert await reader.seqs(40) == list(range(32, 41))


async def test_another_epoch_resets_that_game_alone(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    stand.kept.new("h")
    stand.happen("g", heard=False)
    async with replica.stream([*G, Target(game_id="h")]) as reader:
        await reader.until("caught_up")
        old = reader.token
        rebuilt = stand.kept.new("g", epoch="2")
        for _ in range(3):
            rebuilt.add()
        reset, snapshot = await reader.next("reset"), await reader.next()
        assert (reset.reset.game_id, reset.reset.reason) == ("g", ResetReason.RESET_REASON_EPOCH_CHANGED)
        assert (snapshot.snapshot.state.epoch, snapshot.snapshot.state.seq) == ("2", 3)
        stand.happen("h")
        assert (await reader.next()).update.update.game_id == "h"
    async with replica.stream([*G, Target(game_id="h")], resume_token=old) as reader:
        items = await reader.until("caught_up")
        assert sorted(map(str, kinds(items))) == ["accepted", "caught_up", "reset", "snapshot", "update"]


async def test_a_position_that_the_history_does_not_have_is_a_reset(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    for _ in range(5):
        stand.happen("g", heard=False)
    async with replica.stream(G) as reader:
        await reader.until("caught_up")
    stand.kept.new("g").add()
    async with replica.stream(G, resume_token=reader.token) as reader:
        _, reset, snapshot, _ = await reader.until("caught_up")
        assert reset.reset.reason == ResetReason.RESET_REASON_POSITION_UNKNOWN
        assert snapshot.snapshot.state.seq == 1


async def test_a_token_of_other_targets_resumes_what_stayed_and_resets_the_rest(stand: Stand, replica: Replica) -> None:
    for game_id in ("g", "h"):
        stand.kept.new(game_id)
    async with replica.stream(G) as reader:
        await reader.until("caught_up")
    stand.happen("g")
    async with replica.stream([*G, Target(game_id="h")], resume_token=reader.token) as reader:
        items = (await reader.until("caught_up"))[1:]
        assert [item.update.update.game_id for item in items if item.HasField("update")] == ["g"]
        assert [item.reset.game_id for item in items if item.HasField("reset")] == ["h"]
        assert [item.snapshot.state.game_id for item in items if item.HasField("snapshot")] == ["h"]


async def test_live_begins_with_what_comes(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    stand.happen("g", heard=False)
    async with replica.stream(G, skip_snapshot=True) as reader:
        accepted, caught_up = await reader.until("caught_up")
        assert (accepted.accepted.mode, accepted.accepted.heads[0].seq) == (StartMode.START_MODE_LIVE, 1)
        assert caught_up.caught_up.replayed == 0
        stand.happen("g")
        item = await reader.next("update")
        assert (item.update.update.seq, item.update.prev_delivered_seq) == (2, 1)


@pytest.mark.parametrize("targets", [G, [Target(team_id=HOME)]])
async def test_the_end_of_a_game(stand: Stand, replica: Replica, targets: list[Target]) -> None:
    stand.kept.new("g")
    async with replica.stream(targets) as reader:
        await reader.until("caught_up")
        stand.happen("g", status=GameStatus.GAME_STATUS_FINAL)
        stand.happen("g", correction="after the end")
        items = await reader.until("correction")
        assert kinds(items) == ["update", "game_end", "correction"]
        assert items[1].game_end.seq == 1
    async with replica.stream(targets) as reader:
        assert kinds(await reader.until("caught_up")) == ["accepted", "snapshot", "game_end", "caught_up"]


async def test_a_follower_of_both_teams_gets_one_delivery_with_both_reasons(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    async with replica.stream([*G, *BOTH_TEAMS, *G]) as reader:
        assert kinds(await reader.until("caught_up")) == ["accepted", "snapshot", "caught_up"]
        stand.happen("g")
        stand.happen("g")
        first, second = await reader.next("update"), await reader.next("update")
        assert list(first.update.reasons) == [*G, *BOTH_TEAMS]
        assert second.update.update.seq == 2


@pytest.mark.parametrize("heard", [True, False])
async def test_a_new_game_of_a_team_begins_with_its_snapshot(stand: Stand, replica: Replica, heard: bool) -> None:
    stand.kept.new("g")
    async with replica.stream([Target(team_id=HOME)]) as reader:
        await reader.until("caught_up")
        stand.kept.new("others", teams=("x", "y"))
        stand.happen("others")
        stand.kept.new("later")
        stand.happen("later", heard=heard)
        item = await reader.next("snapshot", "update")
        assert (item.snapshot.state.game_id, item.snapshot.state.seq) == ("later", 1)
        stand.happen("later")
        assert (await reader.next("update")).update.prev_delivered_seq == 1
    async with replica.stream([Target(team_id=HOME)], resume_token=reader.token) as reader:
        assert kinds(await reader.until("caught_up"))[1:] in (["caught_up"], ["update", "caught_up"])


async def test_targets_that_do_not_exist_are_all_listed(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    targets = [*G, Target(game_id="x"), Target(team_id="nobody"), Target(game_id="z")]
    async with replica.stream(targets) as reader:
        error = await reader.error()
    assert (error.code(), reason_of(error)) == (grpc.StatusCode.NOT_FOUND, "TARGET_NOT_FOUND")
    assert metadata_of(error)["targets"] == "game:x, game:z, team:nobody"


async def test_a_changed_token_is_refused(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    async with replica.stream(G) as reader:
        await reader.until("caught_up")
    changed = ("A" if reader.token[0] != "A" else "B") + reader.token[1:]
    async with replica.stream(G, resume_token=changed) as reader:
        error = await reader.error()
    assert (error.code(), reason_of(error)) == (grpc.StatusCode.INVALID_ARGUMENT, "RESUME_TOKEN_INVALID")


async def test_a_request_without_targets_is_refused(replica: Replica) -> None:
    async with replica.stream([]) as reader:
        error = await reader.error()
    assert (error.code(), reason_of(error)) == (grpc.StatusCode.INVALID_ARGUMENT, "FIELDS_INVALID")


@pytest.mark.parametrize(
    ("asked", "counts"), [(Duration(nanos=1), 0.5), (Duration(seconds=31), 30.0), (Duration(seconds=2), 2.0), (None, 5)]
)
async def test_heartbeats_are_clamped(stand: Stand, replica: Replica, asked: Duration | None, counts: float) -> None:
    stand.kept.new("g")
    async with replica.stream(G, heartbeat=asked) as reader:
        accepted = await reader.next("accepted")
        assert accepted.accepted.heartbeat.ToMilliseconds() == counts * 1000


async def test_a_quiet_stream_beats_and_says_where_it_is(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    stand.happen("g", heard=False)
    async with replica.stream(G, heartbeat=Duration(nanos=500_000_000)) as reader:
        await reader.until("caught_up")
        for _ in range(2):
            beat = await reader.next()
            assert [(head.game_id, head.seq) for head in beat.heartbeat.heads] == [("g", 1)]
        assert reader.responses[-1].resume_token


async def test_a_silent_bus_is_told_and_bridged(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    async with replica.stream(G) as reader:
        await reader.until("caught_up")
        stand.told = False
        stale = await reader.next("source_status")
        assert stale.source_status.freshness == Freshness.FRESHNESS_STALE
        stand.happen("g", heard=False)
        assert await reader.seqs(1) == [1]
        async with replica.stream(G) as late:
            items = await late.until("caught_up")
            assert [item.source_status.freshness for item in items if item.HasField("source_status")] == [
                Freshness.FRESHNESS_STALE
            ]
        stand.kept.away = True
        assert (await reader.next("source_status")).source_status.freshness == Freshness.FRESHNESS_DOWN
        stand.kept.away, stand.told = False, True
        recovered = await reader.next("source_status")
        while recovered.source_status.freshness == Freshness.FRESHNESS_STALE:
            recovered = await reader.next("source_status")
        assert recovered.source_status.freshness == Freshness.FRESHNESS_RECOVERED
        assert recovered.source_status.since.seconds >= stale.source_status.since.seconds


async def test_without_gamestate_a_catch_up_ends_in_an_error(
    stand: Stand, replica: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.fanout.gamestate._ANSWER_WITHIN", 0.3)
    stand.kept.new("g")
    stand.kept.away = True
    async with replica.stream(G) as reader:
        error = await reader.error()
    assert (error.code(), reason_of(error)) == (grpc.StatusCode.UNAVAILABLE, "DEPENDENCY_AWAY")


async def test_a_crowd_reads_gamestate_once(stand: Stand, replica: Replica) -> None:
    stand.kept.new("g")
    async with asyncio.TaskGroup() as tasks:

        async def come() -> None:
            async with replica.stream(G) as reader:
                await reader.until("caught_up")
                await gone.wait()

        gone = asyncio.Event()
        for _ in range(50):
            tasks.create_task(come())
        await asyncio.sleep(0.5)
        gone.set()
    assert stand.kept.reads["GetGame"] < 10


async def test_a_replica_that_stops_sends_its_streams_away(stand: Stand) -> None:
    stand.kept.new("g")
    async with stand.replica() as replica, replica.stream(G) as reader:
        await reader.until("caught_up")
        stopping = asyncio.create_task(replica.server.drain_and_stop(5))
        assert (await reader.next("reconnect")).reconnect.within.ToMilliseconds() > 0
        stand.happen("g")
        assert await reader.seqs(1) == [1]
        error = await reader.error()
        assert (error.code(), reason_of(error)) == (grpc.StatusCode.UNAVAILABLE, "DRAINING")
        await stopping
        async with stand.replica() as other, other.stream(G, resume_token=reader.token) as resumed:
            assert kinds(await resumed.until("caught_up")) == ["accepted", "caught_up"]
