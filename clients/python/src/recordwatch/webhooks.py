"""Webhooks that arrive: whether they are genuine, and what they say."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from ._json import read_json
from .errors import RecordwatchError, SignatureError
from .models import (
    CheckFailedPayload,
    CheckRecoveredPayload,
    DeltaPayload,
    SchemaChangedPayload,
    WebhookDisabledPayload,
)

WebhookEvent = (
    DeltaPayload | CheckFailedPayload | CheckRecoveredPayload | SchemaChangedPayload | WebhookDisabledPayload
)

PREFIX = "whsec_"
MIN_KEY_BYTES = 24
MAX_KEY_BYTES = 64

# A body is never larger (`maxBodyBytes` of a webhook), with room for the envelope of a CloudEvent.
MAX_BODY_BYTES = 2 * 1024 * 1024


@dataclass(frozen=True)
class ReceivedWebhook:
    """A genuine webhook."""

    #: The same on every attempt: leave out what was handled before.
    id: str
    event: WebhookEvent


def open_secret(secret: str) -> Webhook:
    """Receivers call it when they are made, so that a missing secret shows before the first webhook.

    Raises RecordwatchError if it is empty, so that anybody could sign, or damaged.
    """
    try:
        # A secret without the prefix is used as it is (docs/webhooks.md).
        return Webhook(key_of(secret[len(PREFIX) :]) if secret.startswith(PREFIX) else secret.encode())
    # The library has a kind of error for each fault, and None has no methods.
    except Exception as error:
        raise RecordwatchError(
            "The secret of the webhook is missing or damaged. Give all of it, as the service showed it."
        ) from error


def key_of(encoded: str) -> bytes:
    """Unlike the library's decoder, it skips nothing: of a placeholder that would make a key that anybody knows."""
    bare = encoded.rstrip("=")
    key = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    is_whole = base64.b64encode(key).decode().rstrip("=") == bare
    if is_whole and MIN_KEY_BYTES <= len(key) <= MAX_KEY_BYTES:
        return key
    raise ValueError(f"It is not base64 of {MIN_KEY_BYTES} to {MAX_KEY_BYTES} bytes.")


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes | str) -> ReceivedWebhook:
    """The webhook of a request. `body` must be as it arrived, before any parsing. Raises SignatureError."""
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else body
    named = {name.lower(): value for name, value in headers.items()}
    webhook = open_secret(secret)
    try:
        webhook.verify(text, named, json_parse=False)
    # Damaged headers raise a ValueError.
    except (WebhookVerificationError, ValueError) as error:
        raise SignatureError("The signature of the webhook is not valid.") from error
    content = read_json(text)
    # With `format: "cloudevents"` the event is in an envelope.
    event = content["data"] if "specversion" in content else content
    return ReceivedWebhook(named["webhook-id"], cast(WebhookEvent, event))
