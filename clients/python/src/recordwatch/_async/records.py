"""Records: data behind a URL that the service watches.

`record` is an id, a slug, or `self` with a credential of one record.
"""

from __future__ import annotations

from typing import Unpack, cast

from .._requests import segment
from ..models import (
    ConditionPreview,
    CreateRecordRequest,
    EventsPreview,
    GetRecordActivityQuery,
    GetRecordActivityResult,
    KeepRecordRequest,
    ListRecordsQuery,
    PreviewConditionRequest,
    PreviewEventsRequest,
    PreviewRecordRequest,
    PreviewRuleRequest,
    Record,
    RecordPreview,
    RulePreview,
    UpdateRecordRequest,
)
from .pages import AsyncPages
from .transport import AsyncTransport


class AsyncRecords:
    """`client.records`: what is watched."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[ListRecordsQuery]) -> AsyncPages[Record]:
        """The records that the credential can access."""
        return AsyncPages(self._transport, "/v1/sources", "sources", query)

    async def preview_new(
        self, *, idempotency_key: str | None = None, **body: Unpack[PreviewRecordRequest]
    ) -> RecordPreview:
        """Fetches a URL once, and shows what a record of it would watch. Creates nothing."""
        return cast(
            RecordPreview,
            await self._transport.call("POST", "/v1/previews", body=body, idempotency_key=idempotency_key),
        )

    async def create(
        self,
        *,
        wait: int | None = None,
        idempotency_key: str | None = None,
        **body: Unpack[CreateRecordRequest],
    ) -> Record:
        """Starts watching the data behind a URL. With `wait`, the first check is waited for."""
        return cast(
            Record,
            await self._transport.call(
                "POST", "/v1/sources", body=body, wait=wait, idempotency_key=idempotency_key
            ),
        )

    async def get(self, record: str) -> Record:
        """One record, with its notices."""
        return cast(Record, await self._transport.call("GET", f"/v1/sources/{segment(record)}"))

    async def update(
        self, record: str, *, wait: int | None = None, **body: Unpack[UpdateRecordRequest]
    ) -> Record:
        """Changes settings."""
        return cast(
            Record,
            await self._transport.call("PATCH", f"/v1/sources/{segment(record)}", body=body, wait=wait),
        )

    async def delete(self, record: str) -> None:
        """Deletes a record with all of its history."""
        await self._transport.call("DELETE", f"/v1/sources/{segment(record)}")

    async def pause(self, record: str, *, idempotency_key: str | None = None) -> Record:
        """Stops checking a record until it is resumed."""
        return cast(
            Record,
            await self._transport.call(
                "POST", f"/v1/sources/{segment(record)}/pause", idempotency_key=idempotency_key
            ),
        )

    async def resume(self, record: str, *, idempotency_key: str | None = None) -> Record:
        """Resumes a paused record, with a check at once."""
        return cast(
            Record,
            await self._transport.call(
                "POST", f"/v1/sources/{segment(record)}/resume", idempotency_key=idempotency_key
            ),
        )

    async def preview(
        self, record: str, *, idempotency_key: str | None = None, **body: Unpack[PreviewRuleRequest]
    ) -> RulePreview:
        """Shows what other key fields, ignored fields, rules or another header line would make of the latest body."""
        return cast(
            RulePreview,
            await self._transport.call(
                "POST", f"/v1/sources/{segment(record)}/preview", body=body, idempotency_key=idempotency_key
            ),
        )

    async def preview_events(
        self, record: str, *, idempotency_key: str | None = None, **body: Unpack[PreviewEventsRequest]
    ) -> EventsPreview:
        """What the latest events would have been under other rules or ignored fields."""
        return cast(
            EventsPreview,
            await self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/preview/events",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    async def preview_condition(
        self, record: str, *, idempotency_key: str | None = None, **body: Unpack[PreviewConditionRequest]
    ) -> ConditionPreview:
        """How often a webhook with this condition and these filters would have been called in the last 30 days."""
        return cast(
            ConditionPreview,
            await self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/preview/condition",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    async def keep(self, *, idempotency_key: str | None = None, **body: Unpack[KeepRecordRequest]) -> Record:
        """Moves the record of an anonymous session into the account, with its history."""
        return cast(
            Record,
            await self._transport.call(
                "POST", "/v1/sources/self/keep", body=body, idempotency_key=idempotency_key
            ),
        )

    async def activity(self, record: str, **query: Unpack[GetRecordActivityQuery]) -> GetRecordActivityResult:
        """Counts changes and checks by hour or day."""
        return cast(
            GetRecordActivityResult,
            await self._transport.call("GET", f"/v1/sources/{segment(record)}/activity", query=query),
        )
