"""The account: what it uses, who changed what, and the MCP clients that are connected to it."""

from __future__ import annotations

from typing import Unpack, cast

from .._requests import segment
from ..models import (
    AuditEntry,
    ConnectedClient,
    ListActivityQuery,
    ListAuditLogQuery,
    ListConnectedClientsQuery,
    RecordActivity,
    Usage,
)
from .pages import AsyncPages
from .transport import AsyncTransport


class AsyncAccount:
    """`client.account`: the account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def usage(self) -> Usage:
        """What the account uses, and its tier’s limits."""
        return cast(Usage, await self._transport.call("GET", "/v1/usage"))

    def audit_log(self, **query: Unpack[ListAuditLogQuery]) -> AsyncPages[AuditEntry]:
        """Who changed what, newest first."""
        return AsyncPages(self._transport, "/v1/auditlog", "entries", query)

    def activity(self, **query: Unpack[ListActivityQuery]) -> AsyncPages[RecordActivity]:
        """The rows that changed each day, of every record."""
        return AsyncPages(self._transport, "/v1/activity", "activity", query)

    def connected_clients(self, **query: Unpack[ListConnectedClientsQuery]) -> AsyncPages[ConnectedClient]:
        """The MCP clients that are connected to the account."""
        return AsyncPages(self._transport, "/v1/connectedclients", "connectedClients", query)

    async def disconnect_client(self, client_id: str) -> None:
        """Disconnects an MCP client."""
        await self._transport.call("DELETE", f"/v1/connectedclients/{segment(client_id)}")
