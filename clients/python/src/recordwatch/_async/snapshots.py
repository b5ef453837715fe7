"""Snapshots: the distinct versions of a record’s data. `latest` works for a snapshot’s id."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NotRequired, TypedDict, Unpack, cast

from .. import tables
from .._requests import segment
from ..models import (
    CreateDownloadLinkRequest,
    CreateDownloadLinkRequestFilter,
    DownloadLink,
    DownloadSnapshotQuery,
    GetRowHistoryQuery,
    GetSnapshotProfileQuery,
    ListRowsOfSnapshotQuery,
    ListSnapshotsQuery,
    Profile,
    QueryResult,
    QuerySnapshotRequest,
    RowData,
    RowHistoryEntry,
    RowSample,
    SampleSnapshotRowsQuery,
    Snapshot,
    SnapshotRow,
)
from .downloads import AsyncDownload
from .pages import AsyncPages
from .transport import AsyncTransport

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

# The most that the API sends at once.
ROWS_OF_PAGE = 100


class RowChoice(TypedDict):
    """Which rows to read."""

    search: NotRequired[str]
    field: NotRequired[list[str]]
    filter: NotRequired[dict[str, CreateDownloadLinkRequestFilter]]


class AsyncSnapshots:
    """`client.snapshots`: the versions of a record’s data."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, record: str, **query: Unpack[ListSnapshotsQuery]) -> AsyncPages[Snapshot]:
        """A record’s snapshots, newest first."""
        return AsyncPages(self._transport, f"/v1/sources/{segment(record)}/snapshots", "snapshots", query)

    async def get(self, record: str, snapshot: str = "latest") -> Snapshot:
        """One snapshot."""
        return cast(
            Snapshot,
            await self._transport.call("GET", f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}"),
        )

    def rows(
        self, record: str, snapshot: str = "latest", **query: Unpack[ListRowsOfSnapshotQuery]
    ) -> AsyncPages[SnapshotRow]:
        """The rows of a snapshot with their keys. For all rows of a large snapshot, `export` is faster."""
        return AsyncPages(
            self._transport,
            f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/rows",
            "rows",
            {"limit": ROWS_OF_PAGE, **query},
        )

    async def export(
        self, record: str, snapshot: str = "latest", **query: Unpack[RowChoice]
    ) -> AsyncIterator[RowData]:
        """The rows of a snapshot as they arrive, in one request."""
        choice = cast(DownloadSnapshotQuery, {**query, "format": "jsonl"})
        async with self.download(record, snapshot, **choice) as download:
            async for row in download.rows():
                yield row

    @asynccontextmanager
    async def download(
        self, record: str, snapshot: str = "latest", **query: Unpack[DownloadSnapshotQuery]
    ) -> AsyncIterator[AsyncDownload]:
        """A snapshot as a file in CSV or JSON Lines."""
        async with self._transport.stream(
            f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/download", query
        ) as response:
            yield AsyncDownload(response)

    async def to_pandas(
        self, record: str, snapshot: str = "latest", **query: Unpack[RowChoice]
    ) -> pandas.DataFrame:
        """The rows as a table of pandas. Needs the extra `pandas`."""
        return tables.to_pandas([row async for row in self.export(record, snapshot, **query)])

    async def to_polars(
        self, record: str, snapshot: str = "latest", **query: Unpack[RowChoice]
    ) -> polars.DataFrame:
        """The rows as a table of Polars. Needs the extra `polars`."""
        return tables.to_polars([row async for row in self.export(record, snapshot, **query)])

    async def to_arrow(
        self, record: str, snapshot: str = "latest", **query: Unpack[RowChoice]
    ) -> pyarrow.Table:
        """The rows as a table of Arrow. Needs the extra `arrow`."""
        return tables.to_arrow([row async for row in self.export(record, snapshot, **query)])

    async def create_download_link(
        self, record: str, snapshot: str = "latest", **body: Unpack[CreateDownloadLinkRequest]
    ) -> DownloadLink:
        """A link to a snapshot’s file that works for 15 minutes without a credential."""
        return cast(
            DownloadLink,
            await self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/download-links",
                body=body,
            ),
        )

    async def sample(
        self, record: str, snapshot: str = "latest", **query: Unpack[SampleSnapshotRowsQuery]
    ) -> RowSample:
        """Some rows, at random or by the values of a column."""
        return cast(
            RowSample,
            await self._transport.call(
                "GET", f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/sample", query=query
            ),
        )

    async def profile(
        self, record: str, snapshot: str = "latest", **query: Unpack[GetSnapshotProfileQuery]
    ) -> Profile:
        """The columns: type, extremes, distinct values, samples."""
        return cast(
            Profile,
            await self._transport.call(
                "GET", f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/profile", query=query
            ),
        )

    async def query(
        self, record: str, snapshot: str = "latest", **body: Unpack[QuerySnapshotRequest]
    ) -> QueryResult:
        """Counts, groups and adds up rows."""
        return cast(
            QueryResult,
            await self._transport.call(
                "POST", f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/query", body=body
            ),
        )

    async def row(self, record: str, key: str) -> SnapshotRow:
        """One row of the latest snapshot, by its key."""
        return cast(
            SnapshotRow,
            await self._transport.call("GET", f"/v1/sources/{segment(record)}/rows/{segment(key)}"),
        )

    def row_history(
        self, record: str, key: str, **query: Unpack[GetRowHistoryQuery]
    ) -> AsyncPages[RowHistoryEntry]:
        """When a row appeared, changed, disappeared and returned."""
        return AsyncPages(
            self._transport, f"/v1/sources/{segment(record)}/rows/{segment(key)}/history", "rows", query
        )
