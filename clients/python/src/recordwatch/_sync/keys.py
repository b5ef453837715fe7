# Made from _async/keys.py: npx vitest run test/clients/python/generated.test.ts --update
"""API keys of the account."""

from __future__ import annotations

from typing import Unpack, cast

from .._requests import segment
from ..models import ApiKey, CreateApiKeyRequest, CreatedApiKey, ListApiKeysQuery
from .pages import Pages
from .transport import Transport


class Keys:
    """`client.keys`: the account’s API keys."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[ListApiKeysQuery]) -> Pages[ApiKey]:
        """The account’s keys."""
        return Pages(self._transport, "/v1/apikeys", "apiKeys", query)

    def create(
        self, *, idempotency_key: str | None = None, **body: Unpack[CreateApiKeyRequest]
    ) -> CreatedApiKey:
        """Creates a key for all records of the account. Only this answer shows it."""
        return cast(
            CreatedApiKey,
            self._transport.call_for_secret(
                "POST", "/v1/apikeys", "key", body=body, idempotency_key=idempotency_key
            ),
        )

    def revoke(self, key_id: str) -> None:
        """Revokes a key at once, and forever."""
        self._transport.call("DELETE", f"/v1/apikeys/{segment(key_id)}")
