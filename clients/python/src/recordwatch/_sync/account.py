# Made from _async/account.py: npx vitest run test/clients/python/generated.test.ts --update
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
from .pages import Pages
from .transport import Transport


class Account:
    """`client.account`: the account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def usage(self) -> Usage:
        """What the account uses, and its tier’s limits."""
        return cast(Usage, self._transport.call("GET", "/v1/usage"))

    def audit_log(self, **query: Unpack[ListAuditLogQuery]) -> Pages[AuditEntry]:
        """Who changed what, newest first."""
        return Pages(self._transport, "/v1/auditlog", "entries", query)

    def activity(self, **query: Unpack[ListActivityQuery]) -> Pages[RecordActivity]:
        """The rows that changed each day, of every record."""
        return Pages(self._transport, "/v1/activity", "activity", query)

    def connected_clients(self, **query: Unpack[ListConnectedClientsQuery]) -> Pages[ConnectedClient]:
        """The MCP clients that are connected to the account."""
        return Pages(self._transport, "/v1/connectedclients", "connectedClients", query)

    def disconnect_client(self, client_id: str) -> None:
        """Disconnects an MCP client."""
        self._transport.call("DELETE", f"/v1/connectedclients/{segment(client_id)}")
