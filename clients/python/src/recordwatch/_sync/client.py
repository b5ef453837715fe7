# Made from _async/client.py: npx vitest run test/clients/python/generated.test.ts --update
"""The client: the resources of the API under one object."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import httpx

from .._requests import MAX_RETRIES, MAX_RETRY_WAIT, TIMEOUT
from .account import Account
from .account_webhooks import AccountWebhooks
from .changes import Changes
from .checks import Checks
from .events import Events
from .key_requests import KeyRequests
from .keys import Keys
from .record_keys import RecordKeys
from .records import Records
from .sessions import Sessions
from .snapshots import Snapshots
from .transport import Transport, Settings
from .webhooks import Webhooks


class Recordwatch:
    """A client for one service and one credential. Close it, or use it in a `with` statement."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        max_retries: int = MAX_RETRIES,
        timeout: float = TIMEOUT,
        max_retry_wait: float = MAX_RETRY_WAIT,
        http_client: httpx.Client | None = None,
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
        self._transport = Transport(settings, http_client or httpx.Client())
        self.records = Records(self._transport)
        self.checks = Checks(self._transport)
        self.changes = Changes(self._transport)
        self.events = Events(self._transport)
        self.snapshots = Snapshots(self._transport)
        self.webhooks = Webhooks(self._transport)
        self.account_webhooks = AccountWebhooks(self._transport)
        self.keys = Keys(self._transport)
        self.record_keys = RecordKeys(self._transport)
        self.key_requests = KeyRequests(self._transport)
        self.account = Account(self._transport)
        self.sessions = Sessions(self._transport)

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
