# Made from _async/events.py: npx vitest run test/clients/python/generated.test.ts --update
"""The feed: the events of all records that the credential can access, in the order of their commits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal, NotRequired, TypedDict, Unpack, cast

from .._requests import wait_before
from ..errors import GoneError, RecordwatchError, feed_gone, is_foreign
from ..models import FeedEvent, ListEventsQuery, ListEventsResult
from ..places import MemoryPlaceStore, PlaceStore
from ._pause import pause
from .transport import Transport

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


class Events:
    """`client.events`: the feed."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def page(self, *, wait: int | None = None, **query: Unpack[ListEventsQuery]) -> ListEventsResult:
        """One page. With `wait`, an empty page is answered as soon as there is an event."""
        answer = self._transport.call("GET", "/v1/events", query=query, wait=wait)
        if not isinstance(answer.get("events"), list) or "nextCursor" not in answer:
            raise self._transport.unreadable()
        return cast(ListEventsResult, answer)

    def follow(
        self,
        *,
        store: PlaceStore | None = None,
        since: str | None = None,
        wait: int = WAIT,
        **choice: Unpack[FeedChoice],
    ) -> Iterator[FeedEvent]:
        """Gives each event, waits for further ones, and reconnects.

        The place in `store` moves on when the loop asks for the next event: after a crash the event that was being
        handled comes again. `since` says where to begin if the store has no place: `now`, or a cursor; at the oldest
        kept event by default. Raises FeedGoneError when the events after the stored place are no longer kept.
        """
        place_store = MemoryPlaceStore() if store is None else store
        # A reader that follows the feed has nothing better to do than to try again.
        events = Events(self._transport.changed(max_retries=math.inf, timeout=TIMEOUT))
        place = place_store.load() or since
        has_answered = False
        while True:
            query = cast(ListEventsQuery, {**choice, "since": place})
            try:
                # The first call only finds the place of `now`. Until it is stored, a crash would lose events.
                seconds = None if place == "now" else wait
                page = events._next_page(seconds, query, past_proxies=has_answered)
            except GoneError as error:
                if is_foreign(error):
                    raise
                raise feed_gone(error) from error
            has_answered = True
            last = place
            for event in page["events"]:
                yield event
                last = event["cursor"]
                place_store.save(last)
            place = page["nextCursor"]
            # Also without events: it passes those that were not asked for.
            if place != last:
                place_store.save(place)

    def _next_page(
        self, wait: int | None, query: ListEventsQuery, *, past_proxies: bool
    ) -> ListEventsResult:
        """With `past_proxies`, again for as long as another server answers, such as a proxy while the service restarts.

        Only for a service that has answered before: otherwise its address may be wrong.
        """
        repetition = 0
        while True:
            try:
                return self.page(wait=wait, **query)
            except RecordwatchError as error:
                if not past_proxies or not is_foreign(error):
                    raise
                seconds = min(self._transport.max_retry_wait, wait_before(repetition, error))
            repetition += 1
            pause(seconds)
