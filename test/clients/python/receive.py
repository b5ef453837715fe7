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


HANDLERS = {
    "": handle,
    ", async": handle_later,
    ", a function of an async one": lambda webhook: handle_later(webhook),
    ", an object": HandlerObject(),
}
urlpatterns = [path(f"hook{name}", django_receiver(SECRET, handler)) for name, handler in HANDLERS.items()]
settings.configure(
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["*"],
    SECRET_KEY="tests",
    MIDDLEWARE=["django.middleware.csrf.CsrfViewMiddleware"],
)
django.setup()


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


def by_django(name):
    client = DjangoClient(raise_request_exception=False, enforce_csrf_checks=True)
    for each in requests["requests"]:
        headers = {name: value for name, value in each["headers"].items() if name != "content-type"}
        answer = client.post(f"/hook{name}", each["body"], content_type="application/json", headers=headers)
        yield answer.status_code


async def main():
    results = {}
    for name, handler in HANDLERS.items():
        for framework in ("fastapi", "django"):
            if framework == "fastapi":
                statuses = [status async for status in by_fastapi(handler)]
            else:
                statuses = await asyncio.to_thread(lambda name=name: list(by_django(name)))
            results[f"{framework}{name}"] = {"statuses": statuses, "handled": handled[:]}
            handled.clear()
    unusable = requests["unusable"]
    results["refused"] = {name: [refusal(make, secret) for secret in unusable] for name, make in MAKERS.items()}
    print(json.dumps(results))


asyncio.run(main())
