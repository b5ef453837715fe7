"""A file that the API sends: its bytes as they arrive, or its rows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager

import httpx

from .._json import read_json
from .._requests import file_name, split_lines
from ..errors import ApiConnectionError, RecordwatchError
from ..models import RowData


class AsyncDownload:
    """A file that is being downloaded."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.content_type: str = response.headers.get("content-type", "")
        #: The name that the API proposes.
        self.file_name = file_name(response.headers)

    async def parts(self) -> AsyncIterator[bytes]:
        """The bytes as they arrive."""
        with _reading():
            async for part in self._response.aiter_bytes():
                yield part

    async def read(self) -> bytes:
        """The whole file."""
        with _reading():
            return await self._response.aread()

    async def rows(self) -> AsyncIterator[RowData]:
        """The rows of a file in JSON Lines, as they arrive."""
        if "jsonl" not in self.content_type:
            raise RecordwatchError('Only a download with format="jsonl" has rows.')
        rest = b""
        async for part in self.parts():
            lines, rest = split_lines(rest, part)
            for line in lines:
                yield read_json(line)
        if rest:
            yield read_json(rest)


@contextmanager
def _reading() -> Generator[None, None, None]:
    try:
        yield
    except httpx.RequestError as error:
        raise ApiConnectionError("The download broke off.") from error
