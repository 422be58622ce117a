"""Messages on one stream: in order within a game, each acknowledged after its commit, and outages that lose none."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

import grpc
import pytest

from scoreline.ingestion.v1.dead_letter_service_pb2 import GetDeadLetterRequest
from scoreline.ingestion.v1.ingestion_service_pb2 import (
    Acknowledgement,
    IngestRequest,
    IngestStreamRequest,
    IngestStreamResponse,
    NumberedMessage,
)
from scoreline.ingestion.v1.provider_key_service_pb2 import CreateProviderKeyRequest, RevokeProviderKeyRequest
from services.runtime.errors import error_info_of, reason_of
from services.runtime.rpc.channel import cancelling
from tests.support.ingestion import (
    AS_OPERATOR,
    LONGEST_WAIT,
    Metadata,
    Rig,
    bearer,
    goal,
    observed,
    payload,
    running_ingestion,
    typed,
)


@pytest.fixture(scope="module")
async def rig(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Rig]:
    async with running_ingestion(tmp_path_factory.mktemp("stream")) as rig:
        yield rig


async def numbered(requests: Sequence[IngestRequest]) -> AsyncIterator[IngestStreamRequest]:
    """In requests of one, two and three messages in turn."""
    messages = [NumberedMessage(message_number=number, message=request) for number, request in enumerate(requests)]
    count = 1
    while messages:
        yield IngestStreamRequest(messages=messages[:count])
        messages, count = messages[count:], count % 3 + 1


def single(number: int, request: IngestRequest | None = None) -> IngestStreamRequest:
    return IngestStreamRequest(messages=[NumberedMessage(message_number=number, message=request)])


async def stream(
    rig: Rig, requests: Sequence[IngestRequest], metadata: Metadata = AS_OPERATOR
) -> dict[int, Acknowledgement]:
    """Send messages and give their acknowledgements, in the order they came."""
    found: dict[int, Acknowledgement] = {}
    call = rig.ingestion.IngestStream(numbered(requests), metadata=metadata, timeout=LONGEST_WAIT)
    async with cancelling(call):
        async for response in call:
            for acknowledgement in response.acknowledgements:
                assert acknowledgement.message_number not in found
                found[acknowledgement.message_number] = acknowledgement
    return found


async def test_ordered_and_durable_over_many_games(rig: Rig) -> None:
    requests = [typed(observed(f"mix-{n % 7}", goal(n // 7)), f"mix-{n}") for n in range(700)]
    acknowledged = await stream(rig, requests)

    assert set(acknowledged) == set(range(700))
    for game in range(7):
        events = await rig.events(f"mix-{game}")
        assert [event.event_id for event in events] == ["header:1", *(f"play:play-{n}:1" for n in range(100))]
        results = [acknowledged[n].result.games[0] for n in range(game, 700, 7)]
        assert [result.last_seq for result in results] == list(range(2, 102))
    assert [event.seq for event in await rig.hears("mix-3", 101)] == list(range(1, 102))


async def test_a_refused_message_ends_nothing(rig: Rig) -> None:
    requests = [
        typed(observed("mixed", goal(1, event_id="e1"))),
        typed(observed("a.b", goal(1))),
        payload("nhl", b"no JSON"),
        payload("nhl", b"x" * (4 * 1024 * 1024 + 1)),
        payload("acme", b"{}"),
        IngestRequest(provider="scoreline"),
        typed(observed("mixed", goal(2, event_id="e1"))),
        payload("sportradar-nba-push", b'{"heartbeat": {}}'),
        typed(observed("mixed", goal(3))),
    ]
    acknowledged = await stream(rig, requests)

    reasons = [error_info_of(acknowledged[n].error).reason for n in range(9)]
    assert reasons == [
        "",
        "FIELDS_INVALID",
        "PAYLOAD_UNREADABLE",
        "PAYLOAD_TOO_LARGE",
        "PROVIDER_UNKNOWN",
        "FIELDS_INVALID",
        "EVENT_ID_REUSED",
        "",
        "",
    ]
    assert [acknowledged[n].HasField("result") for n in range(9)] == [reason == "" for reason in reasons]
    assert [event.event_id for event in await rig.events("mixed")] == ["header:1", "e1", "play:play-3:1"]
    for n in (1, 2, 3, 6):
        letter = int(error_info_of(acknowledged[n].error).metadata["dead_letter_id"])
        shown = await rig.letters.GetDeadLetter(GetDeadLetterRequest(dead_letter_id=letter), metadata=AS_OPERATOR)
        sent = requests[n].payload or requests[n].observation.SerializeToString()
        assert shown.payload == sent


async def test_a_request_without_a_message_is_refused(rig: Rig) -> None:
    call = rig.ingestion.IngestStream(metadata=AS_OPERATOR, timeout=LONGEST_WAIT)
    await call.write(single(5))
    await call.done_writing()
    (response,) = [one async for one in call]
    (acknowledgement,) = response.acknowledgements
    assert (acknowledgement.message_number, error_info_of(acknowledgement.error).reason) == (5, "FIELDS_INVALID")


async def test_unique_a_stream_sent_again_adds_nothing(rig: Rig) -> None:
    requests = [typed(observed("resent", goal(n)), f"resent-{n}") for n in range(50)]
    first = await stream(rig, requests)
    again = await stream(rig, requests[20:] + requests[:20])
    assert all(one.result.repeated for one in again.values())
    assert {one.result.raw_id for one in first.values()} == {one.result.raw_id for one in again.values()}
    assert len(await rig.events("resent")) == 51


async def test_a_stream_with_a_bad_key_ends(rig: Rig) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stream(rig, [typed(observed("stranger", goal(1)))], bearer("wrong"))
    assert (refused.value.code(), reason_of(refused.value)) == (grpc.StatusCode.UNAUTHENTICATED, "KEY_INVALID")
    assert await rig.events("stranger") == []


async def test_a_stream_ends_when_its_key_does_and_what_was_taken_is_acknowledged(rig: Rig) -> None:
    made = await rig.keys.CreateProviderKey(CreateProviderKeyRequest(provider="scoreline"), metadata=AS_OPERATOR)
    call = rig.ingestion.IngestStream(metadata=bearer(made.secret), timeout=LONGEST_WAIT)
    await call.write(single(1, typed(observed("ending", goal(1)))))
    first = await call.read()
    assert isinstance(first, IngestStreamResponse)
    assert first.acknowledgements[0].result.games[0].events == 2

    await rig.keys.RevokeProviderKey(RevokeProviderKeyRequest(key_id=made.key.key_id), metadata=AS_OPERATOR)
    await call.write(single(2, typed(observed("ending", goal(2)))))
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await call.read()
    assert reason_of(ended.value) == "KEY_INVALID"
    assert len(await rig.events("ending")) == 2


async def test_a_key_of_another_provider_is_refused_message_by_message(rig: Rig) -> None:
    made = await rig.keys.CreateProviderKey(CreateProviderKeyRequest(provider="nhl"), metadata=AS_OPERATOR)
    acknowledged = await stream(rig, [typed(observed("foreign", goal(1)))], bearer(made.secret))
    assert error_info_of(acknowledged[0].error).reason == "KEY_SCOPE"


async def test_durable_messages_wait_for_a_database_that_is_away(rig: Rig) -> None:
    postgres = rig.stack.children.get("postgres")
    if postgres is None:
        pytest.skip("the database is not ours to kill")
    before = await rig.count("ingestion.dead_letters")
    sending = asyncio.create_task(
        stream(rig, [typed(observed(f"outage-{n % 5}", goal(n)), f"outage-{n}") for n in range(1500)])
    )
    single = typed(observed("outage-single", goal(1)), "outage-single")
    await rig.hears("outage-0", 1)
    assert postgres.pid is not None
    os.kill(postgres.pid, signal.SIGKILL)
    answer = await rig.send(single)
    acknowledged = await sending

    assert all(one.HasField("result") for one in acknowledged.values())
    assert len(acknowledged) == 1500
    assert answer.games[0].game_id == "outage-single"
    for game in range(5):
        events = await rig.events(f"outage-{game}")
        assert [event.event_id for event in events] == ["header:1", *(f"play:play-{n}:1" for n in range(game, 1500, 5))]
        assert [event.seq for event in events] == list(range(1, 302))
    assert await rig.count("ingestion.dead_letters") == before


async def test_a_database_that_stays_away_is_an_honest_answer(rig: Rig) -> None:
    postgres = rig.stack.children.get("postgres")
    if postgres is None:
        pytest.skip("the database is not ours to stop")
    request = typed(observed("frozen", goal(1)), "frozen-1")
    async with rig.pool.connection() as connection, connection.transaction():
        await connection.execute("SET LOCAL idle_in_transaction_session_timeout = '60s'")
        await connection.execute("SET LOCAL transaction_timeout = '60s'")
        await connection.execute("LOCK TABLE log.games IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(grpc.aio.AioRpcError) as away:
            await rig.ingestion.Ingest(request, metadata=AS_OPERATOR, timeout=2)
    assert (away.value.code(), reason_of(away.value)) == (grpc.StatusCode.UNAVAILABLE, "DEPENDENCY_AWAY")
    answer = await rig.send(request)
    assert [game.last_seq for game in answer.games] == [2]
    assert [event.seq for event in await rig.events("frozen")] == [1, 2]
