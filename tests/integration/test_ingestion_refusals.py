"""What ingestion refuses: each with its reason, and kept byte for byte where an authorised provider sent it."""

from collections.abc import AsyncGenerator
from datetime import timedelta

import grpc
import orjson
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from prometheus_client import REGISTRY

from scoreline.game.v1.source_pb2 import Observation, PlayReport
from scoreline.ingestion.v1.dead_letter_service_pb2 import GetDeadLetterRequest, ListDeadLettersRequest
from scoreline.ingestion.v1.ingestion_service_pb2 import IngestRequest
from scoreline.ingestion.v1.provider_key_service_pb2 import (
    CreateProviderKeyRequest,
    CreateProviderKeyResponse,
    ListProviderKeysRequest,
    RevokeProviderKeyRequest,
)
from services.runtime.clock import now, to_timestamp
from services.runtime.errors import reason_of
from tests.support.ingestion import (
    AS_OPERATOR,
    Metadata,
    Refusal,
    Rig,
    bearer,
    goal,
    observed,
    payload,
    running_ingestion,
    typed,
)

INVALID, EXISTS = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ALREADY_EXISTS
UNKNOWN, FORBIDDEN = grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED
LIMIT = 4 * 1024 * 1024


@pytest.fixture(scope="module")
async def rig(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Rig]:
    async with running_ingestion(tmp_path_factory.mktemp("refusals")) as rig:
        yield rig


async def new_key(rig: Rig, provider: str = "scoreline", *competition_ids: str) -> CreateProviderKeyResponse:
    request = CreateProviderKeyRequest(provider=provider, competition_ids=competition_ids)
    return await rig.keys.CreateProviderKey(request, metadata=AS_OPERATOR)


async def is_in_the_dead_letters(rig: Rig, refusal: Refusal, sent: bytes, game_id: str = "") -> None:
    shown = await rig.letters.GetDeadLetter(
        GetDeadLetterRequest(dead_letter_id=int(refusal.metadata["dead_letter_id"])), metadata=AS_OPERATOR
    )
    assert shown.payload == sent
    letter = shown.dead_letter
    assert (letter.reason, letter.game_id, letter.size_bytes) == (refusal.reason, game_id, len(sent))
    assert letter.message


async def dead_letters_and_raw(rig: Rig) -> tuple[int, int]:
    return await rig.count("ingestion.dead_letters"), await rig.count("log.raw")


def counted(provider: str, reason: str) -> float:
    labels = {"provider": provider, "reason": reason}
    return REGISTRY.get_sample_value("scoreline_ingestion_refusals_total", labels) or 0


NOTHING: Metadata = ()


@pytest.mark.parametrize(
    ("metadata", "kind"),
    [
        (NOTHING, (UNKNOWN, "KEY_MISSING")),
        (bearer("wrong"), (UNKNOWN, "KEY_INVALID")),
        (bearer(""), (UNKNOWN, "KEY_INVALID")),
        ((("authorization", "Basic abc"),), (UNKNOWN, "KEY_INVALID")),
    ],
)
async def test_a_wrong_or_missing_key(rig: Rig, metadata: Metadata, kind: tuple[grpc.StatusCode, str]) -> None:
    before = await dead_letters_and_raw(rig)
    assert (await rig.refused(typed(observed("no-key", goal(1))), metadata)).kind in (kind, (UNKNOWN, "KEY_MISSING"))
    assert (await rig.refused(payload("scoreline", b"no JSON"), metadata)).code == UNKNOWN
    assert await dead_letters_and_raw(rig) == before


async def test_an_unknown_provider(rig: Rig) -> None:
    before, count = await dead_letters_and_raw(rig), counted("", "PROVIDER_UNKNOWN")
    refusal = await rig.refused(payload("acme", b"{}"))
    assert refusal.kind == (INVALID, "PROVIDER_UNKNOWN")
    assert refusal.metadata["provider"] == "acme"
    assert "nhl" in refusal.metadata["known"]
    assert await dead_letters_and_raw(rig) == before
    assert counted("", "PROVIDER_UNKNOWN") == count + 1


async def test_a_key_of_another_provider(rig: Rig) -> None:
    before = await dead_letters_and_raw(rig)
    key = await new_key(rig, "nhl")
    refusal = await rig.refused(payload("scoreline", b"no JSON"), bearer(key.secret))
    assert refusal.kind == (FORBIDDEN, "KEY_SCOPE")
    assert refusal.metadata["needs"] == "provider scoreline"
    assert await dead_letters_and_raw(rig) == before


async def test_a_key_for_some_competitions(rig: Rig) -> None:
    cup = bearer((await new_key(rig, "scoreline", "cup", "shield")).secret)
    assert (await rig.send(typed(observed("scope", goal(1))), cup)).games[0].events == 2
    assert (await rig.send(typed(observed("scope", goal(2), header=False)), cup)).games[0].events == 1
    await rig.send(typed(observed("scope-league", goal(1), competition_id="league")))
    before = await dead_letters_and_raw(rig)

    for refused in (
        observed("scope-new", goal(1), competition_id="league"),
        observed("scope-new", goal(1), competition_id=""),
        observed("scope-league", goal(2), competition_id="league"),
        observed("scope-league", goal(2), header=False),
        # A header cannot take another competition's game.
        observed("scope-league", goal(2), competition_id="cup"),
    ):
        assert (await rig.refused(typed(refused), cup)).kind == (FORBIDDEN, "KEY_SCOPE")

    assert await dead_letters_and_raw(rig) == before
    assert len(await rig.events("scope-league")) == 2
    assert await rig.count("log.games", "game_id = 'scope-new'") == 0


async def test_a_key_lives_from_its_creation_to_its_revocation(rig: Rig) -> None:
    made = await new_key(rig)
    other = await new_key(rig)
    with_key = bearer(made.secret)
    await rig.send(typed(observed("rotation", goal(1))), with_key)

    listed = (await rig.keys.ListProviderKeys(ListProviderKeysRequest(), metadata=AS_OPERATOR)).keys
    assert [key.key_id for key in listed[:2]] == [other.key.key_id, made.key.key_id]
    assert made.key in listed
    async with rig.pool.connection() as connection:
        rows = await (await connection.execute("SELECT k::text FROM ingestion.provider_keys k")).fetchall()
    assert made.secret not in str(rows)

    request = RevokeProviderKeyRequest(key_id=made.key.key_id)
    revoked = (await rig.keys.RevokeProviderKey(request, metadata=AS_OPERATOR)).key
    assert revoked.HasField("revoke_time")
    assert (await rig.refused(typed(observed("rotation", goal(2))), with_key)).kind == (UNKNOWN, "KEY_INVALID")
    assert (await rig.keys.RevokeProviderKey(request, metadata=AS_OPERATOR)).key == revoked
    await rig.send(typed(observed("rotation", goal(2))), bearer(other.secret))


async def test_a_key_ends_at_its_time(rig: Rig) -> None:
    ends = to_timestamp(now() + timedelta(seconds=0.5))
    made = await rig.keys.CreateProviderKey(
        CreateProviderKeyRequest(provider="scoreline", expire_time=ends), metadata=AS_OPERATOR
    )
    request = typed(observed("expiry", goal(1)), "expiry-1")
    while to_timestamp(now()).ToNanoseconds() < ends.ToNanoseconds():
        try:
            await rig.send(request, bearer(made.secret))
        except grpc.aio.AioRpcError:
            assert to_timestamp(now()).ToNanoseconds() >= ends.ToNanoseconds()
    assert (await rig.refused(request, bearer(made.secret))).kind == (UNKNOWN, "KEY_INVALID")


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (CreateProviderKeyRequest(provider="acme"), "PROVIDER_UNKNOWN"),
        (CreateProviderKeyRequest(provider="No Name"), "FIELDS_INVALID"),
        (CreateProviderKeyRequest(provider="nhl", competition_ids=["a b"]), "FIELDS_INVALID"),
        (CreateProviderKeyRequest(provider="nhl", expire_time=Timestamp(seconds=1)), "FIELDS_INVALID"),
        (CreateProviderKeyRequest(provider="nhl", expire_time=Timestamp(seconds=2**62)), "FIELDS_INVALID"),
    ],
)
async def test_a_key_that_cannot_be_made(rig: Rig, request_: CreateProviderKeyRequest, reason: str) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await rig.keys.CreateProviderKey(request_, metadata=AS_OPERATOR)
    assert reason_of(refused.value) == reason


@pytest.mark.parametrize("key_id", ["nobody", "a\0b"])
async def test_a_key_that_is_not_there_cannot_be_revoked(rig: Rig, key_id: str) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await rig.keys.RevokeProviderKey(RevokeProviderKeyRequest(key_id=key_id), metadata=AS_OPERATOR)
    assert reason_of(refused.value) == "PROVIDER_KEY_NOT_FOUND"


async def test_providers_are_no_operators(rig: Rig) -> None:
    with_key = bearer((await new_key(rig)).secret)
    for call in (
        rig.keys.CreateProviderKey(CreateProviderKeyRequest(provider="nhl"), metadata=with_key),
        rig.keys.ListProviderKeys(ListProviderKeysRequest(), metadata=with_key),
        rig.letters.ListDeadLetters(ListDeadLettersRequest(), metadata=with_key),
        rig.letters.GetDeadLetter(GetDeadLetterRequest(dead_letter_id=1), metadata=with_key),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call
        assert refused.value.code() in (UNKNOWN, FORBIDDEN)


@pytest.mark.parametrize(
    ("provider", "sent", "path"),
    [
        ("nhl", b"no JSON", ""),
        ("nhl", b"", ""),
        ("nhl", b"\xff\xfe\x00", ""),
        ("nhl", b'{"hello": "world"}', "id"),
        ("nhl", b"[]", ""),
        ("scoreline", b"no JSON", ""),
        ("scoreline", b'{"hello": "world"}', "hello"),
        ("scoreline", b'{"gameId": "a.b"}', "game_id"),
        ("scoreline", b'{"gameId": "a b"}', "game_id"),
        ("scoreline", b'{"gameId": "x", "\\u0000\\ud800": 1}', None),
        ("sportradar-nba-push", b'{"payload": {}}', None),
    ],
)
async def test_a_payload_that_cannot_be_read(rig: Rig, provider: str, sent: bytes, path: str | None) -> None:
    with_key = bearer((await new_key(rig, provider)).secret)
    count = counted(provider, "PAYLOAD_UNREADABLE")
    refusal = await rig.refused(payload(provider, sent), with_key)
    assert refusal.kind == (INVALID, "PAYLOAD_UNREADABLE")
    assert refusal.metadata["provider"] == provider
    assert path is None or refusal.metadata["path"] == path
    assert counted(provider, "PAYLOAD_UNREADABLE") == count + 1
    await is_in_the_dead_letters(rig, refusal, sent)


@pytest.mark.parametrize("excess", [1, 8 * 1024 * 1024])
async def test_a_payload_over_the_limit(rig: Rig, excess: int) -> None:
    sent = bytes(range(256)) * (LIMIT // 256) + b"x" * excess
    refusal = await rig.refused(payload("nhl", sent))
    assert refusal.kind == (INVALID, "PAYLOAD_TOO_LARGE")
    assert refusal.metadata["limit_bytes"] == str(LIMIT)
    assert refusal.metadata["size_bytes"] == str(len(sent))
    await is_in_the_dead_letters(rig, refusal, sent)


async def test_a_payload_at_the_limit_is_read(rig: Rig) -> None:
    refusal = await rig.refused(payload("nhl", b" " * LIMIT))
    assert refusal.kind == (INVALID, "PAYLOAD_UNREADABLE")


@pytest.mark.parametrize(
    ("seen", "fields"),
    [
        (observed("a.b", goal(1)), "observation.game_id"),
        (observed("a b", goal(1)), "observation.game_id"),
        (observed("", goal(1)), "observation.game_id"),
        (Observation(game_id="x", plays=[PlayReport()]), "observation.plays[0].play"),
        (Observation(game_id="x y", scope="s" * 65), "observation.game_id, observation.scope"),
        (observed("nul", goal(1, event_id="a\0b")), None),
        (observed("points", goal(1, points=-1)), "observation.plays[0].play.scored.points"),
    ],
)
async def test_typed_events_that_break_the_rules(rig: Rig, seen: Observation, fields: str | None) -> None:
    refusal = await rig.refused(typed(seen), bearer((await new_key(rig)).secret))
    assert refusal.kind == (INVALID, "FIELDS_INVALID")
    assert fields is None or refusal.metadata["fields"] == fields
    await is_in_the_dead_letters(rig, refusal, seen.SerializeToString(), seen.game_id)


async def test_a_game_whose_sport_nobody_told(rig: Rig) -> None:
    seen = observed("no-sport", goal(1), header=False)
    refusal = await rig.refused(typed(seen, "no-sport-1"))
    assert refusal.kind == (INVALID, "FIELDS_INVALID")
    assert refusal.metadata["fields"] == "header.sport"
    await is_in_the_dead_letters(rig, refusal, seen.SerializeToString(), "no-sport")
    assert await rig.count("log.games", "game_id = 'no-sport'") == 0

    # Once the game is known, the same message under the same request id does its work.
    await rig.send(typed(observed("no-sport")))
    answer = await rig.send(typed(seen, "no-sport-1"))
    assert (answer.games[0].events, answer.repeated) == (1, False)
    assert (await rig.send(typed(seen, "no-sport-1"))).repeated


async def test_an_event_id_with_other_content(rig: Rig) -> None:
    await rig.send(typed(observed("other", goal(1, event_id="e1"))))
    seen = observed("other", goal(1, points=2, event_id="e1"), header=False)
    refusal = await rig.refused(typed(seen))
    assert refusal.kind == (EXISTS, "EVENT_ID_REUSED")
    assert (refusal.metadata["event_id"], refusal.metadata["game_id"]) == ("e1", "other")
    await is_in_the_dead_letters(rig, refusal, seen.SerializeToString(), "other")
    assert len(await rig.events("other")) == 2


@pytest.mark.parametrize("play_id", ["header", "header:", "roster", "play:play-1"])
async def test_no_play_id_makes_an_event_id_of_another(rig: Rig, play_id: str) -> None:
    game = f"made-{play_id.replace(':', '')}-{len(play_id)}"
    await rig.send(typed(observed(game, goal(1))))
    seen = observed(game, goal(2), header=False)
    seen.plays[0].play.play_id = play_id
    answer = await rig.send(typed(seen))
    assert answer.games[0].events == 1


async def test_a_game_of_another_provider(rig: Rig) -> None:
    teams = {
        side: {"id": number, "abbrev": side[:3].upper()} for number, side in enumerate(("awayTeam", "homeTeam"), 1)
    }
    document: dict[str, object] = {
        "id": 77,
        "gameState": "FUT",
        "gameType": 2,
        "season": 20262027,
        "plays": [],
        "rosterSpots": [],
        **teams,
    }
    await rig.send(payload("nhl", orjson.dumps(document)))
    seen = observed("nhl-77", goal(1))
    seen.header.sport = "ice_hockey"
    refusal = await rig.refused(typed(seen))
    assert refusal.kind == (grpc.StatusCode.FAILED_PRECONDITION, "PROVIDER_CONFLICT")
    assert (refusal.metadata["game_id"], refusal.metadata["provider"]) == ("nhl-77", "nhl")
    await is_in_the_dead_letters(rig, refusal, seen.SerializeToString(), "nhl-77")


async def test_a_request_id_with_another_payload(rig: Rig) -> None:
    await rig.send(typed(observed("request", goal(1)), "request-1"))
    await rig.refused(payload("scoreline", b"no JSON", "request-2"))
    before = await dead_letters_and_raw(rig)
    for request in (
        typed(observed("request", goal(2)), "request-1"),
        typed(observed("request-other", goal(1)), "request-1"),
        payload("scoreline", b"no JSON", "request-1"),
        payload("scoreline", b"no JSON either", "request-2"),
        typed(observed("request", goal(2)), "request-2"),
    ):
        refusal = await rig.refused(request)
        assert refusal.kind == (EXISTS, "REQUEST_ID_REUSED")
        assert refusal.metadata["request_id"] == request.request_id
    assert await dead_letters_and_raw(rig) == before


async def test_a_bad_message_again_is_the_same_dead_letter(rig: Rig) -> None:
    for request in (
        payload("nhl", b"no JSON", "dead-1"),
        payload("nhl", b"x" * (LIMIT + 1), "dead-2"),
        typed(observed("dead game"), "dead-3"),
        typed(observed("dead-sport", header=False), "dead-4"),
    ):
        first = await rig.refused(request)
        rows = await dead_letters_and_raw(rig)
        again = await rig.refused(request)
        assert again.kind == first.kind
        assert again.metadata == first.metadata
        assert await dead_letters_and_raw(rig) == rows


@pytest.mark.parametrize(
    ("request_", "fields"),
    [
        (IngestRequest(provider="scoreline"), "content"),
        (IngestRequest(provider="Not A Name", payload=b"{}"), "provider"),
        (payload("scoreline", b"{}", "r" * 129), "request_id"),
        (payload("scoreline", b"{}", "a\0b"), "request_id"),
        (IngestRequest(provider="nhl", payload=b"{}", asked_at=Timestamp(seconds=2**60)), "asked_at"),
        (IngestRequest(provider="nhl", payload=b"{}", asked_at=Timestamp(nanos=-1)), "asked_at"),
    ],
)
async def test_a_request_that_is_none(rig: Rig, request_: IngestRequest, fields: str) -> None:
    before = await dead_letters_and_raw(rig)
    refusal = await rig.refused(request_)
    assert refusal.kind == (INVALID, "FIELDS_INVALID")
    assert refusal.metadata["fields"] == fields
    assert await dead_letters_and_raw(rig) == before


async def test_dead_letters_are_listed_in_pages(rig: Rig) -> None:
    made = [int((await rig.refused(payload("nhl", f"no {n}".encode()))).metadata["dead_letter_id"]) for n in range(5)]
    await rig.refused(payload("scoreline", b"no JSON"))

    request, seen = ListDeadLettersRequest(page_size=2, provider="nhl"), list[int]()
    while True:
        page = await rig.letters.ListDeadLetters(request, metadata=AS_OPERATOR)
        assert len(page.dead_letters) <= 2
        assert {letter.provider for letter in page.dead_letters} == {"nhl"}
        seen.extend(letter.dead_letter_id for letter in page.dead_letters)
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert seen[:5] == made[::-1]
    assert seen == sorted(set(seen), reverse=True)
    assert len(seen) == await rig.count("ingestion.dead_letters", "provider = 'nhl'")

    everything = await rig.letters.ListDeadLetters(ListDeadLettersRequest(page_size=500), metadata=AS_OPERATOR)
    assert len(everything.dead_letters) == await rig.count("ingestion.dead_letters")


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (ListDeadLettersRequest(page_token="nonsense"), "PAGE_TOKEN_INVALID"),
        (ListDeadLettersRequest(page_size=501), "FIELDS_INVALID"),
        (ListDeadLettersRequest(page_size=-1), "FIELDS_INVALID"),
        (ListDeadLettersRequest(provider="acme"), "FIELDS_INVALID"),
        (GetDeadLetterRequest(dead_letter_id=0), "FIELDS_INVALID"),
        (GetDeadLetterRequest(dead_letter_id=2**50), "DEAD_LETTER_NOT_FOUND"),
    ],
)
async def test_dead_letters_that_are_asked_for_wrongly(
    rig: Rig, request_: ListDeadLettersRequest | GetDeadLetterRequest, reason: str
) -> None:
    call = (
        rig.letters.ListDeadLetters(request_, metadata=AS_OPERATOR)
        if isinstance(request_, ListDeadLettersRequest)
        else rig.letters.GetDeadLetter(request_, metadata=AS_OPERATOR)
    )
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call
    assert reason_of(refused.value) == reason
