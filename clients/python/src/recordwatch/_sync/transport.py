# Made from _async/transport.py: npx vitest run test/clients/python/generated.test.ts --update
"""Sends requests: credentials, timeouts, repetitions, idempotency keys. Answers that refuse become errors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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


class Transport:
    """Sends the requests of a client."""

    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        api_key = None if settings.api_key is None else read_api_key(settings.api_key)
        self._settings = replace(settings, base_url=read_base_url(settings.base_url), api_key=api_key)
        self._http = http

    @property
    def max_retry_wait(self) -> float:
        return self._settings.max_retry_wait

    def close(self) -> None:
        self._http.close()

    def changed(self, **settings: Any) -> Transport:
        """The same connections with other settings."""
        return Transport(replace(self._settings, **settings), self._http)

    def call(
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
        response = self._send(request, stream=False)
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

    def call_for_secret(
        self, method: str, path: str, secret: str, *, body: Any = None, idempotency_key: str | None = None
    ) -> Any:
        """As `call`, for an answer that shows a secret once."""
        answer = self.call(method, path, body=body, idempotency_key=idempotency_key)
        if secret not in answer:
            raise SecretNotShownError(answer.get("id"))
        return answer

    @contextmanager
    def stream(self, path: str, query: Mapping[str, Any]) -> Iterator[httpx.Response]:
        """A file as it arrives. Not repeated after its first byte. A page of a proxy is no file."""
        response = self._send(self._request("GET", path, query), stream=True)
        assert response is not None
        try:
            if file_name(response.headers) is None:
                raise self.unreadable()
            yield response
        finally:
            response.close()

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

    def _send(self, request: Request, *, stream: bool) -> httpx.Response | None:
        """None if what was to be deleted was deleted by an attempt whose answer was lost."""
        may_be_done = False
        repetition = 0
        while True:
            try:
                return self._attempt(request, stream=stream)
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
            pause(min(seconds, self._settings.max_retry_wait))

    def _attempt(self, request: Request, *, stream: bool) -> httpx.Response:
        try:
            message = self._http.build_request(
                request.method,
                request.url,
                headers=request.headers,
                json=request.body,
                timeout=request.timeout,
            )
            response = self._http.send(message, stream=True)
            if stream and response.is_success:
                return response
            try:
                response.read()
            finally:
                response.close()
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
