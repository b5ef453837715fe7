"""What the two clients share: how requests are written, and when they are repeated."""

from __future__ import annotations

import random
import re
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, cast
from urllib.parse import quote, urlsplit

import httpx

from .errors import ApiConnectionError, ApiError, NotFoundError, RecordwatchError

MAX_RETRIES = 4
TIMEOUT = 60.0
MAX_RETRY_WAIT = 120.0
FIRST_WAIT = 0.5
LONGEST_WAIT = 15.0
# A server may ask for no wait each time, or for one that has passed by its clock.
AT_ONCE = 2
# Each answer of the API has one of these members (test/clients/operations.test.ts).
MARKS = {"id", "hasMore", "sourceId", "expiresAt", "key", "totalRows", "undecided", "tier"}
# The server cannot do what was asked, and never will.
LASTING = {501, 505}


@dataclass
class Request:
    """A request that can be sent several times."""

    method: str
    url: str
    timeout: float
    # Neither shows in a traceback: they hold the credential, and secrets of the caller.
    headers: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    body: Any = field(default=None, repr=False)
    # Whether doing it twice does no harm.
    is_repeatable: bool = True


def write_request(
    base_url: str,
    method: str,
    path: str,
    *,
    query: Mapping[str, Any] | None,
    body: Any,
    wait: int | None,
    idempotency_key: str | None,
    timeout: float,
) -> Request:
    headers = {"accept": "application/json"}
    if wait is not None:
        headers["prefer"] = f"wait={wait}"
    if method == "POST":
        headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
    url = httpx.URL(f"{base_url}{path}", params=list(pairs(query or {})))
    # A session has no owner yet for whom an answer could be kept, so a repetition would start a second one.
    is_repeatable = path != "/v1/sessions"
    return Request(method, str(url), timeout + (wait or 0), headers, body, is_repeatable)


def pairs(query: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Query parameters as the API reads them: lists are repeated, members are in brackets (`filter[price][gt]=10`)."""
    for name, value in query.items():
        yield from pairs_of(name, value)


def pairs_of(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if value is None:
        return
    if isinstance(value, bool):
        yield name, "true" if value else "false"
    elif isinstance(value, Mapping):
        for member, inner in value.items():
            yield from pairs_of(f"{name}[{member}]", inner)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from pairs_of(name, item)
    else:
        yield name, str(value)


def segment(value: str) -> str:
    """A value as a part of a path."""
    # URLs have no way to write these as a part of a path.
    if value in ("", ".", ".."):
        raise RecordwatchError(f"an id or a key cannot be “{value}” in a path")
    return quote(value, safe="")


def read_base_url(base_url: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise RecordwatchError(
            "base_url must be the service’s address, for example https://recordwatch.example"
        )
    if "@" in parts.netloc:
        raise RecordwatchError(
            "base_url must have no user name and no password. The key is an argument of its own: api_key."
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def read_api_key(api_key: str) -> str:
    """Without white space around it. What no header can hold is refused here, and not repeated in the error."""
    key = api_key.strip()
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise RecordwatchError(
            "api_key must be one API key and nothing else: characters of ASCII without spaces."
        )
    return key


def file_name(headers: httpx.Headers) -> str | None:
    """The name that the API gives each file."""
    named = re.search(r'filename="([^"]*)"', headers.get("content-disposition", ""))
    return named[1] if named else None


def is_answer(value: Any) -> bool:
    """Tells an answer of Recordwatch from the JSON of another server, such as a proxy's."""
    return isinstance(value, dict) and not MARKS.isdisjoint(cast(dict[str, Any], value))


def is_not_found(error: RecordwatchError) -> bool:
    """Whether the service says so. A proxy's own 404, as while the service restarts, does not count."""
    return isinstance(error, NotFoundError) and error.code == "not_found"


def is_passing(status: int) -> bool:
    """Whether a later repetition may succeed. Proxies have statuses of their own, such as 520 to 530."""
    return status in (408, 429) or (status >= 500 and status not in LASTING)


def is_surely_not_done(error: RecordwatchError) -> bool:
    """Whether the request was refused before anything was done."""
    return isinstance(error, ApiError) and error.status == 429


def is_worth_repeating(error: RecordwatchError, is_repeatable: bool) -> bool:
    """What may have been done is repeated only if doing it twice does no harm."""
    if isinstance(error, ApiConnectionError):
        return is_repeatable
    if not isinstance(error, ApiError):
        return False
    if is_surely_not_done(error) or error.code == "idempotency_in_progress":
        return True
    return is_repeatable and is_passing(error.status)


def wait_before(repetition: int, error: RecordwatchError) -> float:
    """Doubles with each repetition, and varies so that clients which fail together do not return together."""
    asked = error.retry_after if isinstance(error, ApiError) else None
    if asked is not None and repetition < AT_ONCE:
        return asked
    ceiling = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(repetition, 16))
    return max(asked or 0.0, ceiling * random.uniform(0.5, 1))


def read_retry_after(value: str | None, now: float | None = None) -> float | None:
    """Seconds, from a number or a date (RFC 9110, section 10.2.3); None if there is none that can be read."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        at = parsedate_to_datetime(value).timestamp()
    except ValueError:
        return None
    return max(0.0, at - (time.time() if now is None else now))


def split_lines(rest: bytes, part: bytes) -> tuple[list[bytes], bytes]:
    """The complete lines, and what follows them. Only a line feed ends a line of JSON Lines."""
    *lines, rest = (rest + part).split(b"\n")
    return [line for line in lines if line], rest
