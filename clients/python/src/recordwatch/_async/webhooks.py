"""Webhooks of a record: endpoints that get its events."""

from __future__ import annotations

from typing import Unpack, cast

from .._requests import segment
from ..models import (
    CreatedWebhook,
    CreateWebhookRequest,
    Delivery,
    ListDeliveriesQuery,
    ListWebhooksQuery,
    RecoverWebhookRequest,
    Recovery,
    RotateWebhookSecretRequest,
    TestWebhookRequest,
    UpdateWebhookRequest,
    Webhook,
)
from .pages import AsyncPages
from .transport import AsyncTransport


class AsyncWebhooks:
    """`client.webhooks`: the webhooks of a record."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, record: str, **query: Unpack[ListWebhooksQuery]) -> AsyncPages[Webhook]:
        """A record’s webhooks."""
        return AsyncPages(self._transport, f"/v1/sources/{segment(record)}/webhooks", "webhooks", query)

    async def create(
        self, record: str, *, idempotency_key: str | None = None, **body: Unpack[CreateWebhookRequest]
    ) -> CreatedWebhook:
        """Sends a record’s changes to an endpoint. Only this answer shows the secret."""
        return cast(
            CreatedWebhook,
            await self._transport.call_for_secret(
                "POST",
                f"/v1/sources/{segment(record)}/webhooks",
                "secret",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    async def get(self, record: str, webhook: str) -> Webhook:
        """One webhook."""
        return cast(
            Webhook,
            await self._transport.call("GET", f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}"),
        )

    async def update(self, record: str, webhook: str, **body: Unpack[UpdateWebhookRequest]) -> Webhook:
        """Changes a webhook, enables or disables it."""
        return cast(
            Webhook,
            await self._transport.call(
                "PATCH", f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}", body=body
            ),
        )

    async def delete(self, record: str, webhook: str) -> None:
        """Deletes a webhook with its deliveries."""
        await self._transport.call("DELETE", f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}")

    async def rotate_secret(
        self,
        record: str,
        webhook: str,
        *,
        idempotency_key: str | None = None,
        **body: Unpack[RotateWebhookSecretRequest],
    ) -> CreatedWebhook:
        """Makes a new secret, or sets one. The previous one works for 24 hours more."""
        return cast(
            CreatedWebhook,
            await self._transport.call_for_secret(
                "POST",
                f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/rotate-secret",
                "secret",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    async def test(
        self,
        record: str,
        webhook: str,
        *,
        wait: int | None = None,
        idempotency_key: str | None = None,
        **body: Unpack[TestWebhookRequest],
    ) -> Delivery:
        """Sends an example. With `wait`, the answer has the attempt."""
        return cast(
            Delivery,
            await self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/test",
                body=body,
                wait=wait,
                idempotency_key=idempotency_key,
            ),
        )

    async def recover(
        self,
        record: str,
        webhook: str,
        *,
        idempotency_key: str | None = None,
        **body: Unpack[RecoverWebhookRequest],
    ) -> Recovery:
        """Sends what a webhook has missed."""
        return cast(
            Recovery,
            await self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/recover",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    def deliveries(
        self, record: str, webhook: str, **query: Unpack[ListDeliveriesQuery]
    ) -> AsyncPages[Delivery]:
        """What was sent, and what waits."""
        return AsyncPages(
            self._transport,
            f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/deliveries",
            "deliveries",
            query,
        )

    async def delivery(self, record: str, webhook: str, delivery: str) -> Delivery:
        """One delivery, with its body and what the endpoint answered."""
        return cast(
            Delivery,
            await self._transport.call(
                "GET",
                f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/deliveries/{segment(delivery)}",
            ),
        )

    async def redeliver(
        self,
        record: str,
        webhook: str,
        delivery: str,
        *,
        wait: int | None = None,
        idempotency_key: str | None = None,
    ) -> Delivery:
        """Sends a delivery again."""
        return cast(
            Delivery,
            await self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/deliveries/{segment(delivery)}/redeliver",
                wait=wait,
                idempotency_key=idempotency_key,
            ),
        )
