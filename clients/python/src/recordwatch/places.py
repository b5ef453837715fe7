"""Where a reader of the feed keeps its place, so that it continues after a restart."""

from __future__ import annotations

import os
from collections.abc import Awaitable
from pathlib import Path
from typing import Protocol


class PlaceStore(Protocol):
    """Keeps a place. With the asynchronous client, the methods of AsyncPlaceStore work as well."""

    def load(self) -> str | None:
        """The stored place; None if there is none."""
        ...

    def save(self, place: str) -> None:
        """Called after the events up to this place have been handled. Returns when the place is safe."""
        ...

    def clear(self) -> None:
        """Forgets the place."""
        ...


class AsyncPlaceStore(Protocol):
    """A PlaceStore for the asynchronous client, for example in a database."""

    def load(self) -> Awaitable[str | None]: ...

    def save(self, place: str) -> Awaitable[None]: ...

    def clear(self) -> Awaitable[None]: ...


class MemoryPlaceStore:
    """Keeps the place as long as the object exists."""

    def __init__(self) -> None:
        self._place: str | None = None

    def load(self) -> str | None:
        return self._place

    def save(self, place: str) -> None:
        self._place = place

    def clear(self) -> None:
        self._place = None


class FilePlaceStore:
    """Keeps the place in a file. One process at a time may use it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def load(self) -> str | None:
        try:
            return self._path.read_text("utf-8").strip() or None
        except FileNotFoundError:
            return None

    def save(self, place: str) -> None:
        """The file has the place before or this one, whenever the process or the machine stops."""
        following = self._path.with_name(f"{self._path.name}.next")
        with open(following, "w", encoding="utf-8", opener=_private) as file:
            file.write(f"{place}\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(following, self._path)

    def clear(self) -> None:
        self._path.unlink(missing_ok=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
