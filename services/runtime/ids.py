"""Scoreline's ids, made from a provider's name and the provider's own id."""

import hashlib
import re

_LONGEST = 64
_ESCAPED = re.compile(r"[^A-Za-z0-9-]")


def scoreline_id(provider: str, foreign_id: str | int) -> str:
    """`<provider>-<foreign id>` for a game, team, player or competition.

    Other characters than letters, digits and `-` become `_hh` for each byte of their UTF-8 form. What would be longer
    than 64 characters ends in a digest instead. Raises ValueError on an empty foreign id.
    """
    text = str(foreign_id)
    if not text:
        raise ValueError("the provider's id is empty")
    escaped = _ESCAPED.sub(lambda found: "".join(f"_{byte:02x}" for byte in found[0].encode()), text)
    made = f"{provider}-{escaped}"
    if len(made) <= _LONGEST:
        return made
    digest = hashlib.sha256(text.encode()).hexdigest()[:24]
    return f"{provider[: _LONGEST - 25]}-{digest}"
