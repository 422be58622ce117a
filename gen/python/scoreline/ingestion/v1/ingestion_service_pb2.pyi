import datetime

from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.rpc import status_pb2 as _status_pb2
from scoreline.game.v1 import source_pb2 as _source_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class IngestRequest(_message.Message):
    __slots__ = ("provider", "request_id", "payload", "observation", "asked_at")
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    ASKED_AT_FIELD_NUMBER: _ClassVar[int]
    provider: str
    request_id: str
    payload: bytes
    observation: _source_pb2.Observation
    asked_at: _timestamp_pb2.Timestamp
    def __init__(self, provider: _Optional[str] = ..., request_id: _Optional[str] = ..., payload: _Optional[bytes] = ..., observation: _Optional[_Union[_source_pb2.Observation, _Mapping]] = ..., asked_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class IngestResponse(_message.Message):
    __slots__ = ("raw_id", "games", "repeated")
    RAW_ID_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    REPEATED_FIELD_NUMBER: _ClassVar[int]
    raw_id: int
    games: _containers.RepeatedCompositeFieldContainer[GameResult]
    repeated: bool
    def __init__(self, raw_id: _Optional[int] = ..., games: _Optional[_Iterable[_Union[GameResult, _Mapping]]] = ..., repeated: _Optional[bool] = ...) -> None: ...

class GameResult(_message.Message):
    __slots__ = ("game_id", "first_seq", "events", "last_seq")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_SEQ_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQ_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    first_seq: int
    events: int
    last_seq: int
    def __init__(self, game_id: _Optional[str] = ..., first_seq: _Optional[int] = ..., events: _Optional[int] = ..., last_seq: _Optional[int] = ...) -> None: ...

class IngestStreamRequest(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[NumberedMessage]
    def __init__(self, messages: _Optional[_Iterable[_Union[NumberedMessage, _Mapping]]] = ...) -> None: ...

class NumberedMessage(_message.Message):
    __slots__ = ("message_number", "message")
    MESSAGE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    message_number: int
    message: IngestRequest
    def __init__(self, message_number: _Optional[int] = ..., message: _Optional[_Union[IngestRequest, _Mapping]] = ...) -> None: ...

class IngestStreamResponse(_message.Message):
    __slots__ = ("acknowledgements",)
    ACKNOWLEDGEMENTS_FIELD_NUMBER: _ClassVar[int]
    acknowledgements: _containers.RepeatedCompositeFieldContainer[Acknowledgement]
    def __init__(self, acknowledgements: _Optional[_Iterable[_Union[Acknowledgement, _Mapping]]] = ...) -> None: ...

class Acknowledgement(_message.Message):
    __slots__ = ("message_number", "result", "error")
    MESSAGE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    message_number: int
    result: IngestResponse
    error: _status_pb2.Status
    def __init__(self, message_number: _Optional[int] = ..., result: _Optional[_Union[IngestResponse, _Mapping]] = ..., error: _Optional[_Union[_status_pb2.Status, _Mapping]] = ...) -> None: ...
