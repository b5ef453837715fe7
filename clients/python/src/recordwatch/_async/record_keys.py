"""API keys of one record."""

from __future__ import annotations

from typing import Unpack, cast

from .._requests import segment
from ..models import ApiKey, CreatedApiKey, CreateRecordApiKeyRequest, ListRecordApiKeysQuery
from .pages import AsyncPages
from .transport import AsyncTransport


class AsyncRecordKeys:
    """`client.record_keys`: the API keys of a record."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, record: str, **query: Unpack[ListRecordApiKeysQuery]) -> AsyncPages[ApiKey]:
        """A record’s keys."""
        return AsyncPages(self._transport, f"/v1/sources/{segment(record)}/apikeys", "apiKeys", query)

    async def create(
        self, record: str, *, idempotency_key: str | None = None, **body: Unpack[CreateRecordApiKeyRequest]
    ) -> CreatedApiKey:
        """Creates a key for one record. Only this answer shows it."""
        return cast(
            CreatedApiKey,
            await self._transport.call_for_secret(
                "POST",
                f"/v1/sources/{segment(record)}/apikeys",
                "key",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    async def revoke(self, record: str, key_id: str) -> None:
        """Revokes a key at once, and forever."""
        await self._transport.call("DELETE", f"/v1/sources/{segment(record)}/apikeys/{segment(key_id)}")
