"""A router for FastAPI that receives webhooks: app.include_router(receive_webhooks("/hook", secret, handle))."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from .errors import SignatureError
from .webhooks import MAX_BODY_BYTES, ReceivedWebhook, open_secret, verify_webhook

__all__ = ["receive_webhooks"]


def receive_webhooks(
    path: str, secret: str, handle: Callable[[ReceivedWebhook], Awaitable[None] | None]
) -> APIRouter:
    """Answers 204 when `handle` has returned, and 401 without a valid signature.

    When `handle` raises, the answer is 500, and the service sends the webhook again later. Raises RecordwatchError if
    the secret is empty or damaged.
    """
    open_secret(secret)

    async def receive(request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY_BYTES:
                return Response(status_code=413)
        try:
            webhook = verify_webhook(secret, request.headers, body)
        except SignatureError:
            return Response(status_code=401)
        # A plain function may wait, for example for a database. It may also give something to wait for.
        result = (
            handle(webhook)
            if inspect.iscoroutinefunction(handle)
            else await run_in_threadpool(handle, webhook)
        )
        if inspect.isawaitable(result):
            await result
        return Response(status_code=204)

    router = APIRouter()
    router.add_api_route(path, receive, methods=["POST"], status_code=204, include_in_schema=False)
    return router
