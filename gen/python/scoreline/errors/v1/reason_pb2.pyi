from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Reason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REASON_UNSPECIFIED: _ClassVar[Reason]
    REASON_FIELDS_INVALID: _ClassVar[Reason]
    REASON_INTERNAL: _ClassVar[Reason]
    REASON_DEPENDENCY_AWAY: _ClassVar[Reason]
    REASON_DRAINING: _ClassVar[Reason]
    REASON_PAGE_TOKEN_INVALID: _ClassVar[Reason]
    REASON_KEY_MISSING: _ClassVar[Reason]
    REASON_KEY_INVALID: _ClassVar[Reason]
    REASON_KEY_SCOPE: _ClassVar[Reason]
    REASON_PROVIDER_UNKNOWN: _ClassVar[Reason]
    REASON_PAYLOAD_UNREADABLE: _ClassVar[Reason]
    REASON_PAYLOAD_TOO_LARGE: _ClassVar[Reason]
    REASON_EVENT_ID_REUSED: _ClassVar[Reason]
    REASON_REQUEST_ID_REUSED: _ClassVar[Reason]
    REASON_PROVIDER_CONFLICT: _ClassVar[Reason]
    REASON_GAME_NOT_FOUND: _ClassVar[Reason]
    REASON_TARGET_NOT_FOUND: _ClassVar[Reason]
    REASON_POSITION_UNKNOWN: _ClassVar[Reason]
    REASON_LOG_BROKEN: _ClassVar[Reason]
    REASON_DEAD_LETTER_NOT_FOUND: _ClassVar[Reason]
    REASON_PROVIDER_KEY_NOT_FOUND: _ClassVar[Reason]
    REASON_RESUME_TOKEN_INVALID: _ClassVar[Reason]
    REASON_READER_TOO_SLOW: _ClassVar[Reason]
REASON_UNSPECIFIED: Reason
REASON_FIELDS_INVALID: Reason
REASON_INTERNAL: Reason
REASON_DEPENDENCY_AWAY: Reason
REASON_DRAINING: Reason
REASON_PAGE_TOKEN_INVALID: Reason
REASON_KEY_MISSING: Reason
REASON_KEY_INVALID: Reason
REASON_KEY_SCOPE: Reason
REASON_PROVIDER_UNKNOWN: Reason
REASON_PAYLOAD_UNREADABLE: Reason
REASON_PAYLOAD_TOO_LARGE: Reason
REASON_EVENT_ID_REUSED: Reason
REASON_REQUEST_ID_REUSED: Reason
REASON_PROVIDER_CONFLICT: Reason
REASON_GAME_NOT_FOUND: Reason
REASON_TARGET_NOT_FOUND: Reason
REASON_POSITION_UNKNOWN: Reason
REASON_LOG_BROKEN: Reason
REASON_DEAD_LETTER_NOT_FOUND: Reason
REASON_PROVIDER_KEY_NOT_FOUND: Reason
REASON_RESUME_TOKEN_INVALID: Reason
REASON_READER_TOO_SLOW: Reason
