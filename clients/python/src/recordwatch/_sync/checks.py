# Made from _async/checks.py: npx vitest run test/clients/python/generated.test.ts --update
"""Checks: the runs against a record’s origin."""

from __future__ import annotations

from typing import Unpack, cast

from .._requests import segment
from ..models import AcceptedCheck, Check, CheckDetail, ListChecksQuery
from .pages import Pages
from .transport import Transport


class Checks:
    """`client.checks`: the checks of a record."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def run(self, record: str, *, wait: int | None = None, idempotency_key: str | None = None) -> Check:
        """Checks a record now. With `wait`, the answer has the outcome."""
        return cast(
            Check,
            self._transport.call(
                "POST", f"/v1/sources/{segment(record)}/check", wait=wait, idempotency_key=idempotency_key
            ),
        )

    def list(self, record: str, **query: Unpack[ListChecksQuery]) -> Pages[Check]:
        """A record’s checks, newest first."""
        return Pages(self._transport, f"/v1/sources/{segment(record)}/checks", "checks", query)

    def get(self, record: str, check: str) -> CheckDetail:
        """One check; for a held one also what it would change."""
        return cast(
            CheckDetail,
            self._transport.call("GET", f"/v1/sources/{segment(record)}/checks/{segment(check)}"),
        )

    def accept(
        self, record: str, check: str, *, wait: int | None = None, idempotency_key: str | None = None
    ) -> AcceptedCheck:
        """Accepts a held check: its rows become the next snapshot."""
        return cast(
            AcceptedCheck,
            self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/checks/{segment(check)}/accept",
                wait=wait,
                idempotency_key=idempotency_key,
            ),
        )

    def reject(self, record: str, check: str, *, idempotency_key: str | None = None) -> Check:
        """Discards a held check."""
        return cast(
            Check,
            self._transport.call(
                "POST",
                f"/v1/sources/{segment(record)}/checks/{segment(check)}/reject",
                idempotency_key=idempotency_key,
            ),
        )
