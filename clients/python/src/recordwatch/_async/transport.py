"""Sends requests: credentials, timeouts, repetitions, idempotency keys. Answers that refuse become errors."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from .._json import read_json
from .._requests import (
    MAX_RETRIES,
    MAX_RETRY_WAIT,
    TIMEOUT,
    Request,
    file_name,
    is_answer,
    is_not_found,
    is_surely_not_done,
    is_worth_repeating,
    read_api_key,
    read_base_url,
    read_retry_after,
    wait_before,
    write_request,
)
from ..errors import (
    ApiConnectionError,
    RecordwatchError,
    SecretNotShownError,
    UnreadableAnswerError,
    api_error,
)
from ._pause import pause

NO_CONTENT = 204


@dataclass
class Settings:
    """The settings of a client."""

    base_url: str
    api_key: str | None = field(default=None, repr=False)
    max_retries: float = MAX_RETRIES
    timeout: float = TIMEOUT
    max_retry_wait: float = MAX_RETRY_WAIT


class AsyncTransport:
    """Sends the requests of a client."""

    def __init__(self, settings: Settings, http: httpx.AsyncClient) -> None:
        api_key = None if settings.api_key is None else read_api_key(settings.api_key)
        self._settings = replace(settings, base_url=read_base_url(settings.base_url), api_key=api_key)
        self._http = http

    @property
    def max_retry_wait(self) -> float:
        return self._settings.max_retry_wait

    async def close(self) -> None:
        await self._http.aclose()

    def changed(self, **settings: Any) -> AsyncTransport:
        """The same connections with other settings."""
        return AsyncTransport(replace(self._settings, **settings), self._http)

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        wait: int | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """The answer of a call, as the OpenAPI document describes it."""
        request = self._request(method, path, query, body, wait, idempotency_key)
        response = await self._send(request, stream=False)
        if response is None or response.status_code == NO_CONTENT:
            return None
        try:
            answer = read_json(response.content)
        except ValueError as error:
            raise self.unreadable() from error
        if not is_answer(answer):
            raise self.unreadable()
        return answer

    def unreadable(self) -> UnreadableAnswerError:
        """What to raise when an answer is not one of Recordwatch."""
        return UnreadableAnswerError(self._settings.base_url)

    async def call_for_secret(
        self, method: str, path: str, secret: str, *, body: Any = None, idempotency_key: str | None = None
    ) -> Any:
        """As `call`, for an answer that shows a secret once."""
        answer = await self.call(method, path, body=body, idempotency_key=idempotency_key)
        if secret not in answer:
            raise SecretNotShownError(answer.get("id"))
        return answer

    @asynccontextmanager
    async def stream(self, path: str, query: Mapping[str, Any]) -> AsyncIterator[httpx.Response]:
        """A file as it arrives. Not repeated after its first byte. A page of a proxy is no file."""
        response = await self._send(self._request("GET", path, query), stream=True)
        assert response is not None
        try:
            if file_name(response.headers) is None:
                raise self.unreadable()
            yield response
        finally:
            await response.aclose()

    def _request(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        wait: int | None = None,
        idempotency_key: str | None = None,
    ) -> Request:
        request = write_request(
            self._settings.base_url,
            method,
            path,
            query=query,
            body=body,
            wait=wait,
            idempotency_key=idempotency_key,
            timeout=self._settings.timeout,
        )
        if self._settings.api_key is not None:
            request.headers["authorization"] = f"Bearer {self._settings.api_key}"
        return request

    async def _send(self, request: Request, *, stream: bool) -> httpx.Response | None:
        """None if what was to be deleted was deleted by an attempt whose answer was lost."""
        may_be_done = False
        repetition = 0
        while True:
            try:
                return await self._attempt(request, stream=stream)
            except RecordwatchError as error:
                if may_be_done and request.method == "DELETE" and is_not_found(error):
                    return None
                may_be_done = may_be_done or not is_surely_not_done(error)
                if repetition >= self._settings.max_retries:
                    raise
                if not is_worth_repeating(error, request.is_repeatable):
                    raise
                seconds = wait_before(repetition, error)
                if seconds > self._settings.max_retry_wait and not math.isinf(self._settings.max_retries):
                    raise
            repetition += 1
            await pause(min(seconds, self._settings.max_retry_wait))

    async def _attempt(self, request: Request, *, stream: bool) -> httpx.Response:
        try:
            message = self._http.build_request(
                request.method,
                request.url,
                headers=request.headers,
                json=request.body,
                timeout=request.timeout,
            )
            response = await self._http.send(message, stream=True)
            if stream and response.is_success:
                return response
            try:
                await response.aread()
            finally:
                await response.aclose()
        except httpx.TimeoutException as error:
            raise ApiConnectionError(f"No answer within {request.timeout:g} seconds.") from error
        except (httpx.LocalProtocolError, httpx.UnsupportedProtocol) as error:
            raise RecordwatchError("The request cannot be sent.") from error
        except httpx.RequestError as error:
            raise ApiConnectionError("The service could not be reached.") from error
        if response.is_success:
            return response
        retry_after = read_retry_after(response.headers.get("retry-after"))
        raise api_error(response.status_code, response.text, retry_after)
