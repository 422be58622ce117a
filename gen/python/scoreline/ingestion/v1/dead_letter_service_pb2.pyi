import datetime

from buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DeadLetter(_message.Message):
    __slots__ = ("dead_letter_id", "provider", "game_id", "reason", "message", "receive_time", "raw_id", "size_bytes")
    DEAD_LETTER_ID_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RECEIVE_TIME_FIELD_NUMBER: _ClassVar[int]
    RAW_ID_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    dead_letter_id: int
    provider: str
    game_id: str
    reason: str
    message: str
    receive_time: _timestamp_pb2.Timestamp
    raw_id: int
    size_bytes: int
    def __init__(self, dead_letter_id: _Optional[int] = ..., provider: _Optional[str] = ..., game_id: _Optional[str] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ..., receive_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., raw_id: _Optional[int] = ..., size_bytes: _Optional[int] = ...) -> None: ...

class ListDeadLettersRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "provider")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    provider: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., provider: _Optional[str] = ...) -> None: ...

class ListDeadLettersResponse(_message.Message):
    __slots__ = ("dead_letters", "next_page_token")
    DEAD_LETTERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    dead_letters: _containers.RepeatedCompositeFieldContainer[DeadLetter]
    next_page_token: str
    def __init__(self, dead_letters: _Optional[_Iterable[_Union[DeadLetter, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetDeadLetterRequest(_message.Message):
    __slots__ = ("dead_letter_id",)
    DEAD_LETTER_ID_FIELD_NUMBER: _ClassVar[int]
    dead_letter_id: int
    def __init__(self, dead_letter_id: _Optional[int] = ...) -> None: ...

class GetDeadLetterResponse(_message.Message):
    __slots__ = ("dead_letter", "payload")
    DEAD_LETTER_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    dead_letter: DeadLetter
    payload: bytes
    def __init__(self, dead_letter: _Optional[_Union[DeadLetter, _Mapping]] = ..., payload: _Optional[bytes] = ...) -> None: ...
