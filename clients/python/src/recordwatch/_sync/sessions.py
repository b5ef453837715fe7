# Made from _async/sessions.py: npx vitest run test/clients/python/generated.test.ts --update
"""Anonymous sessions: one record, watched for 24 hours without an account."""

from __future__ import annotations

from typing import Unpack, cast

from ..models import CreatedSession, CreateSessionRequest, Session
from .transport import Transport


class Sessions:
    """`client.sessions`: anonymous sessions."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, *, wait: int | None = None, **body: Unpack[CreateSessionRequest]
    ) -> CreatedSession:
        """Starts a session. Its token is the `api_key` of a client for its record. Not repeated after a lost answer."""
        return cast(CreatedSession, self._transport.call("POST", "/v1/sessions", body=body, wait=wait))

    def get(self) -> Session:
        """What remains of the session whose token the client has."""
        return cast(Session, self._transport.call("GET", "/v1/sessions/self"))
