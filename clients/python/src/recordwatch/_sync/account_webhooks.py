# Made from _async/account_webhooks.py: npx vitest run test/clients/python/generated.test.ts --update
"""Webhooks of the account: endpoints that get the events of all records, of those with given labels, or of a list."""

from __future__ import annotations

from typing import Unpack, cast

from .._requests import segment
from ..models import (
    AccountWebhook,
    ConditionPreview,
    CreateAccountWebhookRequest,
    CreatedAccountWebhook,
    Delivery,
    ListAccountDeliveriesQuery,
    ListAccountWebhooksQuery,
    PreviewAccountConditionRequest,
    RecoverAccountWebhookRequest,
    Recovery,
    RotateAccountWebhookSecretRequest,
    TestAccountWebhookRequest,
    UpdateAccountWebhookRequest,
)
from .pages import Pages
from .transport import Transport


class AccountWebhooks:
    """`client.account_webhooks`: the webhooks of the account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[ListAccountWebhooksQuery]) -> Pages[AccountWebhook]:
        """The account’s webhooks."""
        return Pages(self._transport, "/v1/webhooks", "webhooks", query)

    def create(
        self, *, idempotency_key: str | None = None, **body: Unpack[CreateAccountWebhookRequest]
    ) -> CreatedAccountWebhook:
        """Sends the events of the chosen records to an endpoint. Only this answer shows the secret."""
        return cast(
            CreatedAccountWebhook,
            self._transport.call_for_secret(
                "POST",
                "/v1/webhooks",
                "secret",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    def get(self, webhook: str) -> AccountWebhook:
        """One webhook."""
        return cast(
            AccountWebhook,
            self._transport.call("GET", f"/v1/webhooks/{segment(webhook)}"),
        )

    def update(self, webhook: str, **body: Unpack[UpdateAccountWebhookRequest]) -> AccountWebhook:
        """Changes a webhook, enables or disables it."""
        return cast(
            AccountWebhook,
            self._transport.call("PATCH", f"/v1/webhooks/{segment(webhook)}", body=body),
        )

    def delete(self, webhook: str) -> None:
        """Deletes a webhook with its deliveries."""
        self._transport.call("DELETE", f"/v1/webhooks/{segment(webhook)}")

    def rotate_secret(
        self,
        webhook: str,
        *,
        idempotency_key: str | None = None,
        **body: Unpack[RotateAccountWebhookSecretRequest],
    ) -> CreatedAccountWebhook:
        """Makes a new secret, or sets one. The previous one works for 24 hours more."""
        return cast(
            CreatedAccountWebhook,
            self._transport.call_for_secret(
                "POST",
                f"/v1/webhooks/{segment(webhook)}/rotate-secret",
                "secret",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    def test(
        self,
        webhook: str,
        *,
        wait: int | None = None,
        idempotency_key: str | None = None,
        **body: Unpack[TestAccountWebhookRequest],
    ) -> Delivery:
        """Sends an example. With `wait`, the answer has the attempt."""
        return cast(
            Delivery,
            self._transport.call(
                "POST",
                f"/v1/webhooks/{segment(webhook)}/test",
                body=body,
                wait=wait,
                idempotency_key=idempotency_key,
            ),
        )

    def recover(
        self,
        webhook: str,
        *,
        idempotency_key: str | None = None,
        **body: Unpack[RecoverAccountWebhookRequest],
    ) -> Recovery:
        """Sends what a webhook has missed."""
        return cast(
            Recovery,
            self._transport.call(
                "POST",
                f"/v1/webhooks/{segment(webhook)}/recover",
                body=body,
                idempotency_key=idempotency_key,
            ),
        )

    def preview_condition(
        self, *, idempotency_key: str | None = None, **body: Unpack[PreviewAccountConditionRequest]
    ) -> ConditionPreview:
        """How often a webhook with these settings would have been called in the last 30 days."""
        return cast(
            ConditionPreview,
            self._transport.call(
                "POST", "/v1/webhooks/preview/condition", body=body, idempotency_key=idempotency_key
            ),
        )

    def deliveries(self, webhook: str, **query: Unpack[ListAccountDeliveriesQuery]) -> Pages[Delivery]:
        """What was sent, and what waits."""
        return Pages(
            self._transport,
            f"/v1/webhooks/{segment(webhook)}/deliveries",
            "deliveries",
            query,
        )

    def delivery(self, webhook: str, delivery: str) -> Delivery:
        """One delivery, with its body and what the endpoint answered."""
        return cast(
            Delivery,
            self._transport.call(
                "GET",
                f"/v1/webhooks/{segment(webhook)}/deliveries/{segment(delivery)}",
            ),
        )

    def redeliver(
        self,
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
                f"/v1/webhooks/{segment(webhook)}/deliveries/{segment(delivery)}/redeliver",
                wait=wait,
                idempotency_key=idempotency_key,
            ),
        )
