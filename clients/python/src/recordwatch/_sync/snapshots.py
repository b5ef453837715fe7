# Made from _async/snapshots.py: npx vitest run test/clients/python/generated.test.ts --update
"""Snapshots: the distinct versions of a record’s data. `latest` works for a snapshot’s id."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
from .downloads import Download
from .pages import Pages
from .transport import Transport

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


class Snapshots:
    """`client.snapshots`: the versions of a record’s data."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, record: str, **query: Unpack[ListSnapshotsQuery]) -> Pages[Snapshot]:
        """A record’s snapshots, newest first."""
        return Pages(self._transport, f"/v1/sources/{segment(record)}/snapshots", "snapshots", query)

    def get(self, record: str, snapshot: str = "latest") -> Snapshot:
        """One snapshot."""
        return cast(
            Snapshot,
            self._transport.call("GET", f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}"),
        )

    def rows(
        self, record: str, snapshot: str = "latest", **query: Unpack[ListRowsOfSnapshotQuery]
    ) -> Pages[SnapshotRow]:
        """The rows of a snapshot with their keys. For all rows of a large snapshot, `export` is faster."""
        return Pages(
            self._transport,
            f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/rows",
            "rows",
            {"limit": ROWS_OF_PAGE, **query},
        )

    def export(
        self, record: str, snapshot: str = "latest", **query: Unpack[RowChoice]
    ) -> Iterator[RowData]:
        """The rows of a snapshot as they arrive, in one request."""
        choice = cast(DownloadSnapshotQuery, {**query, "format": "jsonl"})
        with self.download(record, snapshot, **choice) as download:
            for row in download.rows():
                yield row

    @contextmanager
    def download(
        self, record: str, snapshot: str = "latest", **query: Unpack[DownloadSnapshotQuery]
    ) -> Iterator[Download]:
        """A snapshot as a file in CSV or JSON Lines."""
        with self._transport.stream(
            f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/download", query
        ) as response:
            yield Download(response)

    def to_pandas(
        self, record: str, snapshot: str = "latest", **query: Unpack[RowChoice]
    ) -> pandas.DataFrame:
        """The rows as a table of pandas. Needs the extra `pandas`."""
        return tables.to_pandas([row for row in self.export(record, snapshot, **query)])

    def to_polars(
        self, record: str, snapshot: str = "latest", **query: Unpack[RowChoice]
    ) -> polars.DataFrame:
        """The rows as a table of Polars. Needs the extra `polars`."""
        return tables.to_polars([row for row in self.export(record, snapshot, **query)])

    def to_arrow(
        self, record: str, snapshot: str = "latest", **query: Unpack[RowChoice]
    ) -> pyarrow.Table:
        """The rows as a table of Arrow. Needs the extra `arrow`."""
        return tables.to_arrow([row for row in self.export(record, snapshot, **query)])

    def create_download_link(
        self, record: str, snapshot: str = "latest", **body: Unpack[CreateDownloadLinkRequest]
    ) -> DownloadLink:
        """A link to a snapshot’s file that works for 15 minutes without a credential."""
        return cast(
            DownloadLink,
            self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/download-links",
                body=body,
            ),
        )

    def sample(
        self, record: str, snapshot: str = "latest", **query: Unpack[SampleSnapshotRowsQuery]
    ) -> RowSample:
        """Some rows, at random or by the values of a column."""
        return cast(
            RowSample,
            self._transport.call(
                "GET", f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/sample", query=query
            ),
        )

    def profile(
        self, record: str, snapshot: str = "latest", **query: Unpack[GetSnapshotProfileQuery]
    ) -> Profile:
        """The columns: type, extremes, distinct values, samples."""
        return cast(
            Profile,
            self._transport.call(
                "GET", f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/profile", query=query
            ),
        )

    def query(
        self, record: str, snapshot: str = "latest", **body: Unpack[QuerySnapshotRequest]
    ) -> QueryResult:
        """Counts, groups and adds up rows."""
        return cast(
            QueryResult,
            self._transport.call(
                "POST", f"/v1/sources/{segment(record)}/snapshots/{segment(snapshot)}/query", body=body
            ),
        )

    def row(self, record: str, key: str) -> SnapshotRow:
        """One row of the latest snapshot, by its key."""
        return cast(
            SnapshotRow,
            self._transport.call("GET", f"/v1/sources/{segment(record)}/rows/{segment(key)}"),
        )

    def row_history(
        self, record: str, key: str, **query: Unpack[GetRowHistoryQuery]
    ) -> Pages[RowHistoryEntry]:
        """When a row appeared, changed, disappeared and returned."""
        return Pages(
            self._transport, f"/v1/sources/{segment(record)}/rows/{segment(key)}/history", "rows", query
        )
