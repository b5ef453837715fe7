"""JSON with each digit of its integers."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any


def read_json(text: str | bytes) -> Any:
    """As json.loads. An integer of more digits than Python converts, usually 4,300, is a Decimal. Raises ValueError."""
    try:
        return json.loads(text)
    except ValueError:
        # What is no JSON fails again.
        return json.loads(text, parse_int=_integer)


def _integer(digits: str) -> int | Decimal:
    try:
        return int(digits)
    except ValueError:
        return Decimal(digits)


def write_json(value: Any) -> str:
    """As json.dumps, also for what `read_json` gives."""
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, dict):
        members = (f"{json.dumps(name)}: {write_json(member)}" for name, member in value.items())
        return f"{{{', '.join(members)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(write_json, value))}]"
    return json.dumps(value)
