"""Requests of programs for an API key, which a person allows in the dashboard."""

from __future__ import annotations

from typing import Unpack, cast

from ..models import (
    AnswerKeyRequestRequest,
    CollectedKey,
    CollectKeyRequest,
    KeyRequest,
    StartedKeyRequest,
    StartKeyRequestRequest,
)
from .transport import AsyncTransport


class AsyncKeyRequests:
    """`client.key_requests`: requests for an API key."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def start(self, **body: Unpack[StartKeyRequestRequest]) -> StartedKeyRequest:
        """Asks for a key, without a credential. Show the code and the address of the answer to the person."""
        return cast(StartedKeyRequest, await self._transport.call("POST", "/v1/key-requests", body=body))

    async def collect(self, **body: Unpack[CollectKeyRequest]) -> CollectedKey:
        """Collects the key when the person has allowed it, without a credential. Only this answer shows it."""
        return cast(CollectedKey, await self._transport.call("POST", "/v1/key-requests/collect", body=body))

    async def get(self, user_code: str) -> KeyRequest:
        """The request under a code, while it waits for an answer."""
        query = {"userCode": user_code}
        return cast(KeyRequest, await self._transport.call("GET", "/v1/key-requests", query=query))

    async def answer(
        self, *, idempotency_key: str | None = None, **body: Unpack[AnswerKeyRequestRequest]
    ) -> None:
        """Allows or refuses a request."""
        await self._transport.call(
            "POST", "/v1/key-requests/answer", body=body, idempotency_key=idempotency_key
        )
