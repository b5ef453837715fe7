"""Calls the client as lines of JSON on standard input ask, and answers each with a line."""

import asyncio
import inspect
import json
import sys

import httpx
from recordwatch import AsyncRecordwatch, FilePlaceStore, MemoryPlaceStore, Recordwatch, RecordwatchError

clients = {}
opened = {}


async def settle(value):
    return await value if inspect.isawaitable(value) else value


async def collect(value):
    """The items of an iterator of either kind."""
    if hasattr(value, "__aiter__"):
        return [item async for item in value]
    return list(value)


async def client(kind, name, **options):
    clients[name] = (AsyncRecordwatch if kind == "async" else Recordwatch)(**options)


def find(name, path):
    found = clients[name]
    for part in path.split("."):
        found = getattr(found, part)
    return found


async def call(name, path, args, kwargs):
    value = await settle(find(name, path)(*args, **kwargs))
    is_list = hasattr(value, "__aiter__") or hasattr(value, "__next__") or hasattr(value, "to_list")
    return await collect(value) if is_list else value


async def page(name, path, args, kwargs, cursor):
    found = await settle(find(name, path)(*args, **kwargs).page(cursor))
    return {"items": found.items, "has_more": found.has_more, "next_cursor": found.next_cursor}


async def download(name, args, kwargs):
    context = find(name, "snapshots.download")(*args, **kwargs)
    if hasattr(context, "__aenter__"):
        async with context as file:
            return [file.file_name, (await file.read()).decode()]
    with context as file:
        return [file.file_name, file.read().decode()]


async def fail_amid_download(name, args):
    """A request of the caller's own fails while a download is open."""
    context = find(name, "snapshots.download")(*args)
    if hasattr(context, "__aenter__"):
        async with context:
            raise httpx.ConnectError("elsewhere")
    with context:
        raise httpx.ConnectError("elsewhere")


async def table(name, kind, record):
    made = await settle(find(name, f"snapshots.to_{kind}")(record))
    if kind == "pandas":
        return {"types": {name: str(each) for name, each in made.dtypes.items()}, "rows": made.to_dict("records")}
    if kind == "polars":
        return {"types": {name: str(each) for name, each in made.schema.items()}, "rows": made.to_dicts()}
    return {"types": {each.name: str(each.type) for each in made.schema}, "rows": made.to_pylist()}


class LaterStore:
    """A store whose methods are asynchronous, as in a database."""

    def __init__(self):
        self.within = MemoryPlaceStore()

    async def load(self):
        return self.within.load()

    async def save(self, place):
        self.within.save(place)

    async def clear(self):
        self.within.clear()


async def follow(name, handle, place=None, **options):
    store = FilePlaceStore(place) if place else LaterStore() if isinstance(clients[name], AsyncRecordwatch) else None
    opened[handle] = find(name, "events.follow")(store=store, **options)


async def next_of(handle):
    events = opened[handle]
    return await anext(events) if hasattr(events, "__anext__") else next(events)


async def clear(place):
    FilePlaceStore(place).clear()


COMMANDS = {each.__name__: each for each in (client, call, page, download, fail_amid_download, table, follow, next_of, clear)}


def described(error):
    names = ("code", "status", "request_id", "pointer", "retry_after", "id")
    return {
        "error": type(error).__name__,
        "message": str(error),
        **{name: getattr(error, name) for name in names if hasattr(error, name)},
    }


async def main():
    for line in sys.stdin:
        command, options = json.loads(line)
        try:
            answer = {"value": await COMMANDS[command](**options)}
        except (RecordwatchError, httpx.ConnectError) as error:
            answer = described(error)
        # Integers that Python does not convert are decimals.
        sys.stdout.write(f"{json.dumps(answer, default=str)}\n")
        sys.stdout.flush()


asyncio.run(main())
