"""Sends requests, given as JSON on standard input, to receivers in FastAPI and Django, and prints what they answered and handled."""

import asyncio
import json
import sys

import django
import httpx
from django.conf import settings
from django.test import Client as DjangoClient
from django.urls import path
from fastapi import FastAPI

from recordwatch import RecordwatchError
from recordwatch.django import receive_webhooks as django_receiver
from recordwatch.fastapi import receive_webhooks as fastapi_receiver

requests = json.load(sys.stdin)
SECRET = requests["secret"]
handled = []


def handle(webhook):
    if webhook.event.get("isTest"):
        raise OSError("The handler is broken")
    handled.append([webhook.id, webhook.event["sourceName"]])


async def handle_later(webhook):
    await asyncio.sleep(0)
    handle(webhook)


class HandlerObject:
    async def __call__(self, webhook):
        await handle_later(webhook)


urlpatterns = [path("hook", django_receiver(SECRET, handle))]
settings.configure(
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["*"],
    SECRET_KEY="tests",
    MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
)
django.setup()


# As from an environment variable that is not set, those with which anybody could sign, and those that are not whole.
UNUSABLE = (None, "", "whsec_", "whsec_!", "whsec_<secret>", "whsec_c2Vj…")
MAKERS = {
    "fastapi": lambda secret: fastapi_receiver("/hook", secret, handle),
    "django": lambda secret: django_receiver(secret, handle),
}


def refusal(make, secret):
    try:
        make(secret)
    except RecordwatchError as error:
        return str(error)
    return None


async def by_fastapi(handler):
    app = FastAPI()
    app.include_router(fastapi_receiver("/hook", SECRET, handler))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        for each in requests["requests"]:
            yield (await client.post("/hook", headers=each["headers"], content=each["body"])).status_code


def by_django():
    client = DjangoClient(raise_request_exception=False, enforce_csrf_checks=True)
    for each in requests["requests"]:
        headers = {name: value for name, value in each["headers"].items() if name != "content-type"}
        answer = client.post("/hook", each["body"], content_type="application/json", headers=headers)
        yield answer.status_code


async def main():
    results = {}
    forms = (
        ("fastapi", handle),
        ("fastapi, async", handle_later),
        ("fastapi, a function of an async one", lambda webhook: handle_later(webhook)),
        ("fastapi, an object", HandlerObject()),
    )
    for name, handler in forms:
        statuses = [status async for status in by_fastapi(handler)]
        results[name] = {"statuses": statuses, "handled": handled[:]}
        handled.clear()
    statuses = await asyncio.to_thread(lambda: list(by_django()))
    results["refused"] = {name: [refusal(make, secret) for secret in UNUSABLE] for name, make in MAKERS.items()}
    results["django"] = {"statuses": statuses, "handled": handled[:]}
    print(json.dumps(results))


asyncio.run(main())
