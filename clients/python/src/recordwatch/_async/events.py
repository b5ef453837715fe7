"""The feed: the events of all records that the credential can access, in the order of their commits."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from typing import Literal, NotRequired, TypedDict, Unpack, cast

from .._requests import wait_before
from ..errors import GoneError, RecordwatchError, feed_gone, is_foreign
from ..models import FeedEvent, ListEventsQuery, ListEventsResult
from ..places import AsyncPlaceStore, MemoryPlaceStore, PlaceStore
from ._pause import pause, settled
from .transport import AsyncTransport

# A proxy in between may end calls that stay silent for a minute.
WAIT = 30
# Beyond the time that the API waits: then the connection is dead.
TIMEOUT = 20.0


class FeedChoice(TypedDict):
    """Which events to follow."""

    limit: NotRequired[int]
    sourceId: NotRequired[str]
    type: NotRequired[list[Literal["delta", "check.failed", "check.recovered", "check.held", "record.quiet"]]]
    label: NotRequired[list[str]]
    condition: NotRequired[str]


class AsyncEvents:
    """`client.events`: the feed."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def page(self, *, wait: int | None = None, **query: Unpack[ListEventsQuery]) -> ListEventsResult:
        """One page. With `wait`, an empty page is answered as soon as there is an event."""
        answer = await self._transport.call("GET", "/v1/events", query=query, wait=wait)
        if not isinstance(answer.get("events"), list) or "nextCursor" not in answer:
            raise self._transport.unreadable()
        return cast(ListEventsResult, answer)

    async def follow(
        self,
        *,
        store: PlaceStore | AsyncPlaceStore | None = None,
        since: str | None = None,
        wait: int = WAIT,
        **choice: Unpack[FeedChoice],
    ) -> AsyncIterator[FeedEvent]:
        """Gives each event, waits for further ones, and reconnects.

        The place in `store` moves on when the loop asks for the next event: after a crash the event that was being
        handled comes again. `since` says where to begin if the store has no place: `now`, or a cursor; at the oldest
        kept event by default. Raises FeedGoneError when the events after the stored place are no longer kept.
        """
        place_store = MemoryPlaceStore() if store is None else store
        # A reader that follows the feed has nothing better to do than to try again.
        events = AsyncEvents(self._transport.changed(max_retries=math.inf, timeout=TIMEOUT))
        place = await settled(place_store.load()) or since
        has_answered = False
        while True:
            query = cast(ListEventsQuery, {**choice, "since": place})
            try:
                # The first call only finds the place of `now`. Until it is stored, a crash would lose events.
                seconds = None if place == "now" else wait
                page = await events._next_page(seconds, query, past_proxies=has_answered)
            except GoneError as error:
                if is_foreign(error):
                    raise
                raise feed_gone(error) from error
            has_answered = True
            last = place
            for event in page["events"]:
                yield event
                last = event["cursor"]
                await settled(place_store.save(last))
            place = page["nextCursor"]
            # Also without events: it passes those that were not asked for.
            if place != last:
                await settled(place_store.save(place))

    async def _next_page(
        self, wait: int | None, query: ListEventsQuery, *, past_proxies: bool
    ) -> ListEventsResult:
        """With `past_proxies`, again for as long as another server answers, such as a proxy while the service restarts.

        Only for a service that has answered before: otherwise its address may be wrong.
        """
        repetition = 0
        while True:
            try:
                return await self.page(wait=wait, **query)
            except RecordwatchError as error:
                if not past_proxies or not is_foreign(error):
                    raise
                seconds = min(self._transport.max_retry_wait, wait_before(repetition, error))
            repetition += 1
            await pause(seconds)
