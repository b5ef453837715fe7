"""Connects to an MCP server as the package `mcp` does by default, in its 1.x or its 2.x way.

Prints the address that its user is to open, reads from standard input the one that they come back to, and prints
what the server answers as JSON: the registration, the tokens' scope, and the structured content of list_sources.
Usage: connect.py SERVER_URL REDIRECT_URI [SCOPE]
"""

import asyncio
import json
import sys
from urllib.parse import parse_qs, urlsplit

from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import OAuthClientMetadata

try:
    import httpx2
    from mcp.client.auth import AuthorizationCodeResult
    from mcp.client.streamable_http import streamable_http_client
except ImportError:  # 1.12
    from mcp.client.streamable_http import streamablehttp_client

    def back(code, state, _iss):
        return code, state

    def connect(url, auth):
        return streamablehttp_client(url, auth=auth)

else:

    def back(code, state, iss):
        return AuthorizationCodeResult(code=code, state=state, iss=iss)

    def connect(url, auth):
        return streamable_http_client(url, http_client=httpx2.AsyncClient(auth=auth))


class Memory:
    """Where the package keeps what it was given."""

    tokens = None
    client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def open_browser(url):
    print(url, flush=True)


async def come_back():
    line = await asyncio.to_thread(sys.stdin.readline)
    query = parse_qs(urlsplit(line.strip()).query)
    return back(*(query.get(name, [None])[0] for name in ("code", "state", "iss")))


async def main(url, redirect_uri, scope=None):
    memory = Memory()
    auth = OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(
            client_name="Python", redirect_uris=[redirect_uri], **({} if scope is None else {"scope": scope})
        ),
        storage=memory,
        redirect_handler=open_browser,
        callback_handler=come_back,
    )
    async with connect(url, auth) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        answer = (await session.call_tool("list_sources", {})).model_dump(by_alias=True)
    print(
        json.dumps(
            {
                "method": memory.client.token_endpoint_auth_method,
                "hasSecret": memory.client.client_secret is not None,
                "scope": memory.tokens.scope,
                "content": answer["structuredContent"],
            }
        )
    )


asyncio.run(main(*sys.argv[1:]))
