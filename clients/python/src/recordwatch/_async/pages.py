"""A list that is read page by page while it is iterated over."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .transport import AsyncTransport

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list."""

    items: list[Item]
    has_more: bool
    #: Where the next page begins.
    next_cursor: str | None


class AsyncPages(Generic[Item]):
    """Iterating gives each item of all pages. Each iteration begins with the first page."""

    def __init__(self, transport: AsyncTransport, path: str, items: str, query: Mapping[str, Any]) -> None:
        self._transport = transport
        self._path = path
        self._items = items
        self._query = query

    async def page(self, cursor: str | None = None) -> Page[Item]:
        """One page: the first one, or the one that begins at `next_cursor` of the page before."""
        answer = await self._transport.call("GET", self._path, query={**self._query, "cursor": cursor})
        items = answer.get(self._items)
        if not isinstance(items, list) or "nextCursor" not in answer:
            raise self._transport.unreadable()
        return Page(items, answer["hasMore"], answer["nextCursor"])

    async def pages(self, cursor: str | None = None) -> AsyncIterator[Page[Item]]:
        """The pages themselves."""
        while True:
            page = await self.page(cursor)
            yield page
            cursor = page.next_cursor
            if not page.has_more or cursor is None:
                return

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.items:
                yield item

    async def to_list(self, limit: int | None = None) -> list[Item]:
        """All items, or the first ones."""
        found: list[Item] = []
        async for page in self.pages():
            found += page.items
            if limit is not None and len(found) >= limit:
                break
        return found[:limit]
