"""A view for Django that receives webhooks: path("hook", receive_webhooks(secret, handle))."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

from asgiref.sync import async_to_sync
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from .errors import SignatureError
from .webhooks import ReceivedWebhook, open_secret, verify_webhook

__all__ = ["receive_webhooks"]


def receive_webhooks(
    secret: str, handle: Callable[[ReceivedWebhook], Awaitable[None] | None]
) -> Callable[[HttpRequest], HttpResponse]:
    """Answers 204 when `handle` has returned, and 401 without a valid signature.

    When `handle` raises, the answer is 500, and the service sends the webhook again later. Django limits the body by
    DATA_UPLOAD_MAX_MEMORY_SIZE. Raises RecordwatchError if the secret is empty or damaged.
    """
    open_secret(secret)

    def receive(request: HttpRequest) -> HttpResponse:
        try:
            webhook = verify_webhook(secret, request.headers, request.body)
        except RequestDataTooBig:
            return HttpResponse(status=413)
        except SignatureError:
            return HttpResponse(status=401)
        result = handle(webhook)
        if inspect.isawaitable(result):
            async_to_sync(_end)(result)
        return HttpResponse(status=204)

    # The signature is what shows where the request comes from.
    view: Callable[[HttpRequest], HttpResponse] = csrf_exempt(require_POST(receive))
    return view


async def _end(result: Awaitable[None]) -> None:
    await result
