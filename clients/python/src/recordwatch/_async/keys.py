"""API keys of the account."""

from __future__ import annotations

from typing import Unpack, cast

from .._requests import segment
from ..models import ApiKey, CreateApiKeyRequest, CreatedApiKey, ListApiKeysQuery
from .pages import AsyncPages
from .transport import AsyncTransport


class AsyncKeys:
    """`client.keys`: the account’s API keys."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[ListApiKeysQuery]) -> AsyncPages[ApiKey]:
        """The account’s keys."""
        return AsyncPages(self._transport, "/v1/apikeys", "apiKeys", query)

    async def create(
        self, *, idempotency_key: str | None = None, **body: Unpack[CreateApiKeyRequest]
    ) -> CreatedApiKey:
        """Creates a key for all records of the account. Only this answer shows it."""
        return cast(
            CreatedApiKey,
            await self._transport.call_for_secret(
                "POST", "/v1/apikeys", "key", body=body, idempotency_key=idempotency_key
            ),
        )

    async def revoke(self, key_id: str) -> None:
        """Revokes a key at once, and forever."""
        await self._transport.call("DELETE", f"/v1/apikeys/{segment(key_id)}")
