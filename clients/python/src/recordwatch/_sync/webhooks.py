# Made from _async/webhooks.py: npx vitest run test/clients/python/generated.test.ts --update
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
from .pages import Pages
from .transport import Transport


class Webhooks:
    """`client.webhooks`: the webhooks of a record."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, record: str, **query: Unpack[ListWebhooksQuery]) -> Pages[Webhook]:
        """A record’s webhooks."""
        return Pages(self._transport, f"/v1/sources/{segment(record)}/webhooks", "webhooks", query)

    def create(
        self, record: str, *, idempotency_key: str | None = None, **body: Unpack[CreateWebhookRequest]
    ) -> CreatedWebhook:
        """Sends a record’s changes to an endpoint. Only this answer shows the secret."""
        return cast(
            CreatedWebhook,
            self._transport.call_for_secret(
                "POST",
                f"/v1/sources/{segment(record)}/webhooks",
                "secret",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    def get(self, record: str, webhook: str) -> Webhook:
        """One webhook."""
        return cast(
            Webhook,
            self._transport.call("GET", f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}"),
        )

    def update(self, record: str, webhook: str, **body: Unpack[UpdateWebhookRequest]) -> Webhook:
        """Changes a webhook, enables or disables it."""
        return cast(
            Webhook,
            self._transport.call(
                "PATCH", f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}", body=body
            ),
        )

    def delete(self, record: str, webhook: str) -> None:
        """Deletes a webhook with its deliveries."""
        self._transport.call("DELETE", f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}")

    def rotate_secret(
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
            self._transport.call_for_secret(
                "POST",
                f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/rotate-secret",
                "secret",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    def test(
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
            self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/test",
                body=body,
                wait=wait,
                idempotency_key=idempotency_key,
            ),
        )

    def recover(
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
            self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/recover",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    def deliveries(
        self, record: str, webhook: str, **query: Unpack[ListDeliveriesQuery]
    ) -> Pages[Delivery]:
        """What was sent, and what waits."""
        return Pages(
            self._transport,
            f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/deliveries",
            "deliveries",
            query,
        )

    def delivery(self, record: str, webhook: str, delivery: str) -> Delivery:
        """One delivery, with its body and what the endpoint answered."""
        return cast(
            Delivery,
            self._transport.call(
                "GET",
                f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/deliveries/{segment(delivery)}",
            ),
        )

    def redeliver(
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
            self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/webhooks/{segment(webhook)}/deliveries/{segment(delivery)}/redeliver",
                wait=wait,
                idempotency_key=idempotency_key,
            ),
        )
