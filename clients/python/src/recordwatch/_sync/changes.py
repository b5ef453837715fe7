# Made from _async/changes.py: npx vitest run test/clients/python/generated.test.ts --update
"""Changes of a record: its delta events and their rows, and comparisons of snapshots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal, Unpack, cast

from .._requests import segment
from ..models import (
    Comparison,
    DeltaEvent,
    DeltaRow,
    DownloadDeltaQuery,
    GetDeltaEventQuery,
    GetLatestDeltaEventQuery,
    ListDeltaEventsQuery,
    ListDeltaRowsQuery,
)
from .downloads import Download
from .pages import Pages
from .transport import Transport


class Changes:
    """`client.changes`: the changes of a record."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, record: str, **query: Unpack[ListDeltaEventsQuery]) -> Pages[DeltaEvent]:
        """A record’s delta events, newest first."""
        return Pages(self._transport, f"/v1/sources/{segment(record)}/delta", "events", query)

    def latest(self, record: str, **query: Unpack[GetLatestDeltaEventQuery]) -> DeltaEvent:
        """The latest delta event."""
        return cast(
            DeltaEvent,
            self._transport.call("GET", f"/v1/sources/{segment(record)}/delta/latest", query=query),
        )

    def get(self, record: str, event: str, **query: Unpack[GetDeltaEventQuery]) -> DeltaEvent:
        """One delta event."""
        return cast(
            DeltaEvent,
            self._transport.call(
                "GET", f"/v1/sources/{segment(record)}/delta/{segment(event)}", query=query
            ),
        )

    def rows(self, record: str, event: str, **query: Unpack[ListDeltaRowsQuery]) -> Pages[DeltaRow]:
        """The new, changed and deleted rows of a delta event, by key. `latest` is the latest event."""
        return Pages(
            self._transport, f"/v1/sources/{segment(record)}/delta/{segment(event)}/rows", "rows", query
        )

    @contextmanager
    def download(
        self, record: str, event: str, **query: Unpack[DownloadDeltaQuery]
    ) -> Iterator[Download]:
        """The rows of a delta event as a file. `latest` is the latest event."""
        with self._transport.stream(
            f"/v1/sources/{segment(record)}/delta/{segment(event)}/download", query
        ) as response:
            yield Download(response)

    def compare(
        self, record: str, start: str, end: str, *, keys_limit: int | None = None
    ) -> Comparison:
        """How many rows differ between two snapshots, and which."""
        query = {"from": start, "to": end, "keysLimit": keys_limit}
        return cast(
            Comparison,
            self._transport.call("GET", f"/v1/sources/{segment(record)}/compare", query=query),
        )

    def compare_rows(
        self,
        record: str,
        start: str,
        end: str,
        *,
        limit: int | None = None,
        change_type: Literal["new", "changed", "deleted"] | None = None,
        search: str | None = None,
        field: Sequence[str] | None = None,
        changed_field: Sequence[str] | None = None,
    ) -> Pages[DeltaRow]:
        """The rows that differ between two snapshots, by key."""
        query = {
            "from": start,
            "to": end,
            "limit": limit,
            "changeType": change_type,
            "search": search,
            "field": field,
            "changedField": changed_field,
        }
        return Pages(self._transport, f"/v1/sources/{segment(record)}/compare/rows", "rows", query)
