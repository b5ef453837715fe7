"""Writes the synchronous client from the asynchronous one: src/recordwatch/_sync from src/recordwatch/_async."""

from __future__ import annotations

import re
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src/recordwatch"
# Its counterpart is written by hand.
BY_HAND = {"_pause.py", "__init__.py"}
NOTE = "# Made from _async/{name}: npx vitest run test/clients/python/generated.test.ts --update\n"

REPLACEMENTS = [
    (r"await settled\((.*)\)", r"\1"),
    (r"from \._pause import settled\n", ""),
    (r"from \._pause import pause, settled\n", "from ._pause import pause\n"),
    (r"async def", "def"),
    (r"async for", "for"),
    (r"async with", "with"),
    (r"await ", ""),
    (r"asynccontextmanager", "contextmanager"),
    (r"AsyncIterator", "Iterator"),
    (r"__aiter__", "__iter__"),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"AbstractAsyncContextManager", "AbstractContextManager"),
    (r"httpx\.AsyncClient", "httpx.Client"),
    (r"aclose\(", "close("),
    (r"aread\(", "read("),
    (r"aiter_bytes\(", "iter_bytes("),
    (r"from \.\.places import AsyncPlaceStore, ", "from ..places import "),
    (r"PlaceStore \| AsyncPlaceStore", "PlaceStore"),
    (r"\bAsync([A-Z])", r"\1"),
    (r"an asynchronous", "a synchronous"),
]


def synchronous(source: Path) -> str:
    text = source.read_text("utf-8")
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    return NOTE.format(name=source.name) + text


if __name__ == "__main__":
    # All files as one text, for the test that keeps them up to date; or written, with --write.
    for source in sorted((PACKAGE / "_async").glob("*.py")):
        if source.name in BY_HAND:
            continue
        text = synchronous(source)
        if "--write" in sys.argv:
            (PACKAGE / "_sync" / source.name).write_text(text, "utf-8")
        else:
            sys.stdout.write(f"=== {source.name}\n{text}")
