"""Contract messages as JSON: proto3 JSON with the contract's own field names, and fields at their default shown."""

from google.protobuf import json_format
from google.protobuf.message import Message


def message_json(message: Message) -> str:
    """A message as one line of JSON. Fields that can be absent (messages, `optional`, oneofs) are left out when they
    are; all others are there, so that a score of 0 is told. 64-bit numbers are strings."""
    return json_format.MessageToJson(
        message,
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
        indent=None,
        ensure_ascii=False,
    )
