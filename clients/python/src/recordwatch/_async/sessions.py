"""Anonymous sessions: one record, watched for 24 hours without an account."""

from __future__ import annotations

from typing import Unpack, cast

from ..models import CreatedSession, CreateSessionRequest, Session
from .transport import AsyncTransport


class AsyncSessions:
    """`client.sessions`: anonymous sessions."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self, *, wait: int | None = None, **body: Unpack[CreateSessionRequest]
    ) -> CreatedSession:
        """Starts a session. Its token is the `api_key` of a client for its record. Not repeated after a lost answer."""
        return cast(CreatedSession, await self._transport.call("POST", "/v1/sessions", body=body, wait=wait))

    async def get(self) -> Session:
        """What remains of the session whose token the client has."""
        return cast(Session, await self._transport.call("GET", "/v1/sessions/self"))
