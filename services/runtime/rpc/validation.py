"""Holds requests against the rules that stand in the contract."""

from collections.abc import AsyncIterator

from google.protobuf.message import Message
from protovalidate import Validator, Violation

from services.runtime.errors import FieldsInvalid

_validator = Validator()


def validate(message: Message) -> None:
    """Raises FieldsInvalid with every violation when the message breaks rules of the contract."""
    violations = _validator.collect_violations(message)
    if violations:
        listed = [_describe(violation) for violation in violations]
        fields = dict.fromkeys(field for field, _ in listed)
        raise FieldsInvalid(
            "; ".join(f"{field}: {why}" if field else why for field, why in listed),
            metadata={"fields": ", ".join(fields)},
            violations=listed,
        )


async def validated(messages: AsyncIterator[Message]) -> AsyncIterator[Message]:
    """The same messages, until one breaks the rules: then FieldsInvalid."""
    async for message in messages:
        validate(message)
        yield message


def _describe(violation: Violation) -> tuple[str, str]:
    """(path such as `plays[3].clock`, what is wrong)."""
    proto = violation.proto
    path = ""
    for element in proto.field.elements if proto.field else ():
        path += f".{element.field_name}" if path else element.field_name
        if element.subscript is not None:
            path += f"[{element.subscript.value!r}]"
    return path, proto.message or proto.rule_id
