"""The way of a message: from a request to what is asked of the log, and from the log's word to the answer."""

import asyncio
import uuid
from dataclasses import dataclass, field
from datetime import datetime

from prometheus_client import Counter

from scoreline.game.v1.source_pb2 import Observation
from scoreline.ingestion.v1.ingestion_service_pb2 import IngestRequest, IngestResponse
from services.eventlog.append import Incoming
from services.eventlog.log import EventLog
from services.eventlog.raw import PAYLOAD_LIMIT, Raw
from services.ingestion.batching import GameBatches
from services.ingestion.bus import EventPublisher
from services.ingestion.errors import PayloadTooLarge, ProviderUnknown
from services.ingestion.keyring import Sender
from services.ingestion.parsing import Parser
from services.ingestion.patience import patiently
from services.ingestion.providers import PROVIDERS, scoreline
from services.ingestion.refusal import Refusals
from services.ingestion.rules import check_scope
from services.runtime.clock import now
from services.runtime.errors import FieldsInvalid, KeyScope
from services.runtime.rpc.validation import validate

_messages = Counter("scoreline_ingestion_messages", "Messages taken, by provider.", ["provider"])
_LAST_SECOND = 253_402_300_799  # of the year 9999


@dataclass
class Pending:
    """A message that was accepted: what the log will say of it, or its answer if there is one already.

    Attributes:
        raw: the message.
        deadline: how long it waits for the database, in the loop's time.
        answers: one for each of `game_ids`, in the order of the message.
        raw_id: its number, if it was kept before its games; 0 if it is kept with its game.
    """

    raw: Raw
    deadline: float
    game_ids: list[str] = field(default_factory=list[str])
    answers: list["asyncio.Future[IngestResponse]"] = field(default_factory=list["asyncio.Future[IngestResponse]"])
    raw_id: int = 0
    answer: IngestResponse | None = None


class Intake:
    """Takes messages in two steps, so that a stream can accept the next before the last is committed."""

    def __init__(
        self, event_log: EventLog, batches: GameBatches, parser: Parser, refusals: Refusals, publisher: EventPublisher
    ) -> None:
        self._log = event_log
        self._batches = batches
        self._parser = parser
        self._refusals = refusals
        self._publisher = publisher

    async def accept(self, sender: Sender, request: IngestRequest, deadline: float) -> Pending:
        """Read a message and queue it for its games, behind what was accepted for them before.

        Waits only for large payloads, documents of many games and the dead. Raises a Fault when it is refused.
        """
        received_at = now()
        _check_envelope(request)
        _check_sender(sender, request.provider)
        typed = request.HasField("observation")
        payload = request.observation.SerializeToString() if typed else request.payload
        # A message without an id of the sender's gets one of ours: when it is not known whether its commit went
        # through, it is tried again and must not count twice.
        request_id = request.request_id or f"~{uuid.uuid4().hex}"
        pending = Pending(Raw(request.provider, request_id, received_at, typed, payload), deadline)
        try:
            observations = await self._read(request, payload)
        except Exception as error:
            game_id = request.observation.game_id if typed else ""
            pending.answer = await self._refusals.refuse(error, pending.raw, deadline, game_id=game_id)
            return pending
        await self._queue(sender, request, pending, observations)
        return pending

    async def conclude(self, pending: Pending) -> IngestResponse:
        """Give the answer to an accepted message. Raises a Fault when it is refused."""
        answer = pending.answer
        if answer is None:
            answer = await (self._answer_of_many(pending) if pending.raw_id else self._answer_of_one(pending))
        _messages.labels(pending.raw.provider).inc()
        if answer.repeated:
            await self._publish_again(pending, answer)
        return answer

    async def _read(self, request: IngestRequest, payload: bytes) -> list[Observation]:
        if len(payload) > PAYLOAD_LIMIT:
            sizes = {"limit_bytes": str(PAYLOAD_LIMIT), "size_bytes": str(len(payload))}
            raise PayloadTooLarge(f"{len(payload)} bytes are over the limit of {PAYLOAD_LIMIT}", metadata=sizes)
        if not request.HasField("observation"):
            return await self._parser.observe(request.provider, payload)
        if request.provider != scoreline.PROVIDER.name:
            violations = [("observation", f"only {scoreline.PROVIDER.name} sends typed events")]
        else:
            found = await self._parser.violations(request.observation, payload)
            violations = [(f"observation.{path}", why) for path, why in found]
        if violations:
            raise _fields_invalid(violations)
        return [request.observation]

    async def _queue(
        self, sender: Sender, request: IngestRequest, pending: Pending, observations: list[Observation]
    ) -> None:
        if not observations:
            pending.answer = IngestResponse()
            return
        for observation in observations:
            if observation.header.competition.competition_id:
                check_scope(sender.competition_ids, observation)
        if len(observations) > 1 and not await self._keep(pending):
            return
        asked_at_us = _asked_at_us(request, pending.raw.received_at)
        for observation in observations:
            message = Incoming(pending.raw, observation, pending.raw_id, asked_at_us, sender.competition_ids)
            pending.game_ids.append(observation.game_id)
            pending.answers.append(self._batches.add(message, pending.deadline))

    async def _keep(self, pending: Pending) -> bool:
        """Keep a document of many games before they are told; False if it was answered before."""
        try:
            kept = await patiently(lambda: self._log.keep(pending.raw), pending.deadline)
        except Exception as error:
            pending.answer = await self._refusals.refuse(error, pending.raw, pending.deadline)
            return False
        pending.raw_id = kept.raw_id
        if kept.answer:
            pending.answer = IngestResponse.FromString(kept.answer)
            pending.answer.repeated = True
        return not kept.answer

    async def _answer_of_one(self, pending: Pending) -> IngestResponse:
        try:
            return await pending.answers[0]
        except Exception as error:
            return await self._refusals.refuse(error, pending.raw, pending.deadline, game_id=pending.game_ids[0])

    async def _answer_of_many(self, pending: Pending) -> IngestResponse:
        outcomes = await asyncio.gather(*pending.answers, return_exceptions=True)
        whole = IngestResponse(raw_id=pending.raw_id)
        for game_id, outcome in zip(pending.game_ids, outcomes, strict=True):
            if isinstance(outcome, Exception):
                return await self._refusals.refuse(
                    outcome, pending.raw, pending.deadline, game_id=game_id, raw_id=pending.raw_id
                )
            if isinstance(outcome, BaseException):
                raise outcome
            whole.games.extend(outcome.games)
        raw_id, answer = pending.raw_id, whole.SerializeToString()
        try:
            first = await patiently(lambda: self._log.answer(raw_id, answer), pending.deadline)
        except Exception as error:
            return await self._refusals.refuse(error, pending.raw, pending.deadline, raw_id=raw_id)
        return IngestResponse.FromString(first)

    async def _publish_again(self, pending: Pending, answer: IngestResponse) -> None:
        """Publish what a repeated message made: its sender may have missed the answer because we died before that."""
        for game in answer.games:
            if game.events:
                first, count, game_id = game.first_seq, game.events, game.game_id
                events = await patiently(lambda: self._log.read(game_id, first - 1, count), pending.deadline)  # noqa: B023
                self._publisher.publish(events)


def _check_envelope(request: IngestRequest) -> None:
    """Hold everything but the content against the contract. Raises FieldsInvalid."""
    envelope = IngestRequest(provider=request.provider, request_id=request.request_id)
    if request.WhichOneof("content"):
        envelope.payload = b""
    validate(envelope)
    if "\0" in request.request_id:
        raise _fields_invalid([("request_id", "holds a null character")])
    asked_at = request.asked_at
    if not (0 <= asked_at.seconds <= _LAST_SECOND and 0 <= asked_at.nanos < 1_000_000_000):
        raise _fields_invalid([("asked_at", "is not between the years 1970 and 9999")])


def _check_sender(sender: Sender, provider: str) -> None:
    if provider not in PROVIDERS:
        known = ", ".join(sorted(PROVIDERS))
        raise ProviderUnknown(f"there is no provider {provider}", metadata={"provider": provider, "known": known})
    if sender.provider not in (None, provider):
        raise KeyScope(f"the key is not for {provider}", metadata={"needs": f"provider {provider}"})


def _fields_invalid(violations: list[tuple[str, str]]) -> FieldsInvalid:
    return FieldsInvalid(
        "; ".join(f"{path}: {why}" for path, why in violations),
        metadata={"fields": ", ".join(dict.fromkeys(path for path, _ in violations))},
        violations=violations,
    )


def _asked_at_us(request: IngestRequest, received_at: datetime) -> int:
    """Time at which a document was asked for, in microseconds; never later than its arrival, by whatever clock."""
    received = int(received_at.timestamp() * 1_000_000)
    if not request.HasField("asked_at"):
        return received
    return min(received, request.asked_at.seconds * 1_000_000 + request.asked_at.nanos // 1000)
