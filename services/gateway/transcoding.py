"""From a path, a query and a body to the request message of an rpc.

Names are those of the contract or their lowerCamelCase form. A value is written as in proto3 JSON: enums by name or
number, timestamps as RFC 3339, durations as `3.5s`, bytes in base64.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pb2 import FieldDescriptorProto
from google.protobuf.message import Message

from services.runtime.errors import FieldsInvalid

_WHOLE = "*"
_BOOLS = {"true": True, "false": False}
# Messages that proto3 JSON writes as one string, so that a query can hold them.
_AS_TEXT = {"google.protobuf.Timestamp", "google.protobuf.Duration", "google.protobuf.FieldMask"}


def fill(
    message: Message, *, path: Mapping[str, str], query: Iterable[tuple[str, str]], body_field: str, body: bytes
) -> None:
    """Fills an empty request message.

    Args:
        message: of the rpc's input type.
        path: values of the path's variables, by dotted field name.
        query: the query's names and values, in order; a repeated field's name comes more than once.
        body_field: what the body holds: "*" the whole message, the name of a field, or "" nothing.
        body: JSON; an empty one leaves what it holds unset.

    Raises FieldsInvalid with everything that is wrong.
    """
    wrong: list[tuple[str, str]] = []
    if body_field and body:
        _merge_body(message, body_field, body, wrong)
    values: dict[str, list[str]] = {}
    for name, value in query:
        values.setdefault(name, []).append(value)
    for name, texts in values.items():
        fields = _resolve(message, name)
        dotted = ".".join(field.name for field in fields)
        if not fields or body_field == _WHOLE:
            wrong.append((name, "is no parameter of this method"))
        elif dotted in path or fields[0].name == body_field:
            wrong.append((name, "is set by the path" if dotted in path else "is set by the body"))
        else:
            _set(message, name, fields, texts, wrong)
    for name, text in path.items():
        _set(message, name, _resolve(message, name), [text], wrong)
    if wrong:
        names = ", ".join(dict.fromkeys(name for name, _ in wrong))
        told = "; ".join(f"{name}: {why}" for name, why in wrong)
        raise FieldsInvalid(told, metadata={"fields": names}, violations=wrong)


def _merge_body(message: Message, body_field: str, body: bytes, wrong: list[tuple[str, str]]) -> None:
    part = message if body_field == _WHOLE else getattr(message, body_field)
    try:
        json_format.Parse(body, part)
        if part is not message:
            part.SetInParent()
    except (json_format.ParseError, UnicodeDecodeError, RecursionError) as error:
        wrong.append(("body", str(error)))


def _resolve(message: Message, name: str) -> list[FieldDescriptor]:
    """The fields on the way to a value, outermost first; empty when there is no such value."""
    fields: list[FieldDescriptor] = []
    within = message.DESCRIPTOR
    for part in name.split("."):
        field = within and (within.fields_by_name.get(part) or within.fields_by_camelcase_name.get(part))
        if not field:
            return []
        fields.append(cast("FieldDescriptor", field))  # the stubs have two classes for it
        within = None if field.is_repeated else field.message_type
    kind = fields[-1].message_type
    return fields if kind is None or kind.full_name in _AS_TEXT else []


def _set(
    message: Message, name: str, fields: list[FieldDescriptor], texts: list[str], wrong: list[tuple[str, str]]
) -> None:
    leaf = fields[-1]
    if len(texts) > 1 and not leaf.is_repeated:
        wrong.append((name, "is given more than once"))
        return
    values = [_BOOLS.get(text, text) if leaf.type == FieldDescriptor.TYPE_BOOL else text for text in texts]
    tree: Any = values if leaf.is_repeated else values[0]
    for field in reversed(fields):
        tree = {field.name: tree}
    try:
        json_format.ParseDict(tree, message)
    except json_format.ParseError:
        wrong.append((name, f"is no {_type_name(leaf)}"))


def _type_name(field: FieldDescriptor) -> str:
    kind = field.enum_type or field.message_type
    if kind is not None:
        return kind.full_name
    number = cast("FieldDescriptorProto.Type.ValueType", field.type)
    return FieldDescriptorProto.Type.Name(number).removeprefix("TYPE_").lower()
