"""Waits without keeping other tasks from running, and takes results that may come later."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable
from typing import TypeVar, cast

import anyio

Result = TypeVar("Result")


async def pause(seconds: float) -> None:
    await anyio.sleep(seconds)


async def settled(result: Result | Awaitable[Result]) -> Result:
    """The result of a method that may be asynchronous."""
    if inspect.isawaitable(result):
        return await cast("Awaitable[Result]", result)
    return result
