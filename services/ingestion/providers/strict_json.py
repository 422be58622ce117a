"""Strict reading of a provider's JSON: a value is what the format says, or `Unreadable` tells its path and why not.

Each reader takes the object, the key and the object's own path with its dot ("details."), empty at the top. A null is
a value that the document does not have.
"""

from typing import Any, TypeAlias, cast

import orjson

from services.ingestion.providers.provider import Unreadable

Json: TypeAlias = dict[str, Any]

INT32 = 2**31 - 1
INT64 = 2**63 - 1
LONGEST_TEXT = 256


def parse(payload: bytes) -> Json:
    """The document, which must be an object in UTF-8 without NaN, lone surrogates or bottomless nesting."""
    try:
        document: object = orjson.loads(payload)
    except orjson.JSONDecodeError as error:
        raise Unreadable("", f"is not JSON: {error.msg} at character {error.pos}") from None
    if not isinstance(document, dict):
        raise Unreadable("", "is not an object")
    return cast(Json, document)


def read_object(holder: Json, key: str, path: str = "") -> Json:
    """An object, empty where the document has none."""
    value = holder.get(key)
    if type(value) is dict:
        return cast(Json, value)
    if value is None:
        return {}
    raise wrong(path + key, value, "an object")


def read_objects(holder: Json, key: str, path: str = "") -> list[Json]:
    """A list of objects, which must be there."""
    value = holder.get(key)
    if type(value) is not list:
        raise wrong(path + key, value, "a list")
    items = cast(list[Json], value)
    for index, item in enumerate(items):
        if type(item) is not dict:
            raise Unreadable(f"{path}{key}[{index}]", "is not an object")
    return items


def read_integer(holder: Json, key: str, path: str = "", least: int = 1, most: int = INT64) -> int:
    """An integer, which must be there; `true` is none."""
    value = holder.get(key)
    if type(value) is int and least <= value <= most:
        return value
    raise wrong(path + key, value, f"an integer from {least} to {most}")


def read_text(holder: Json, key: str, path: str = "") -> str:
    """A text, empty where the document has none."""
    value = holder.get(key)
    # PostgreSQL stores no NUL in a text.
    if type(value) is str and len(value) <= LONGEST_TEXT and "\0" not in value:
        return value
    if value is None:
        return ""
    raise wrong(path + key, value, f"a text of at most {LONGEST_TEXT} characters without NUL")


def wrong(path: str, value: object, wanted: str) -> Unreadable:
    """The error for a value that is not what was wanted."""
    return Unreadable(path, "is missing" if value is None else f"is not {wanted}")
