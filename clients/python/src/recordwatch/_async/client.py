"""The client: the resources of the API under one object."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import httpx

from .._requests import MAX_RETRIES, MAX_RETRY_WAIT, TIMEOUT
from .account import AsyncAccount
from .account_webhooks import AsyncAccountWebhooks
from .changes import AsyncChanges
from .checks import AsyncChecks
from .events import AsyncEvents
from .key_requests import AsyncKeyRequests
from .keys import AsyncKeys
from .record_keys import AsyncRecordKeys
from .records import AsyncRecords
from .sessions import AsyncSessions
from .snapshots import AsyncSnapshots
from .transport import AsyncTransport, Settings
from .webhooks import AsyncWebhooks


class AsyncRecordwatch:
    """A client for one service and one credential. Close it, or use it in a `with` statement."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        max_retries: int = MAX_RETRIES,
        timeout: float = TIMEOUT,
        max_retry_wait: float = MAX_RETRY_WAIT,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        """
        :param base_url: the service's address, without `/v1`
        :param api_key: an API key or a session's token; none for `sessions.create` and `key_requests.start`
        :param max_retries: repetitions of a request that was not answered, or with 429 or 5xx
        :param timeout: seconds without any data of an answer, in addition to `wait`
        :param max_retry_wait: a longer `Retry-After` is not waited for: the call raises; `events.follow` waits this long
        :param http_client: sends the requests, for example through a proxy
        """
        settings = Settings(base_url, api_key, max_retries, timeout, max_retry_wait)
        self._transport = AsyncTransport(settings, http_client or httpx.AsyncClient())
        self.records = AsyncRecords(self._transport)
        self.checks = AsyncChecks(self._transport)
        self.changes = AsyncChanges(self._transport)
        self.events = AsyncEvents(self._transport)
        self.snapshots = AsyncSnapshots(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)
        self.account_webhooks = AsyncAccountWebhooks(self._transport)
        self.keys = AsyncKeys(self._transport)
        self.record_keys = AsyncRecordKeys(self._transport)
        self.key_requests = AsyncKeyRequests(self._transport)
        self.account = AsyncAccount(self._transport)
        self.sessions = AsyncSessions(self._transport)

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
