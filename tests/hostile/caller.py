"""Many callers at once: HTTP by asyncio, and what MCP's doors want said in it."""

import asyncio
import itertools
import json

from exchange import Answer

# A call that waits ends by itself after 30 seconds at most; whoever waits longer waits in vain.
PATIENCE = 60
MODERN = "2026-07-28"
CLIENT = {"name": "hostile", "version": "1"}
TAKES = "application/json, text/event-stream"


class Lost(Exception):
    """No answer came. Whether the call was done is not known."""


class Caller:
    """One connection, opened again when it has broken. Ends with `close`."""

    def __init__(self, address):
        self.address = address
        self.streams = None

    async def ask(self, method, path, body=b"", headers=None, patience=PATIENCE):
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode("utf-8", "surrogatepass")
        try:
            async with asyncio.timeout(patience):
                return await self._exchange(method, path, body, headers or {})
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError) as error:
            self.close()
            raise Lost(f"{method} {path}: {type(error).__name__} {error}") from error
        except BaseException:
            self.close()
            raise

    async def _exchange(self, method, path, body, headers):
        if self.streams is None:
            host, port = self.address.rsplit(":", 1)
            self.streams = await asyncio.open_connection(host, int(port), limit=1 << 24)
        reader, writer = self.streams
        headers = {"Host": self.address, "Content-Length": len(body), **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        head = f"{method} {path} HTTP/1.1\r\n{head}\r\n"
        writer.write(head.encode("latin-1", "replace") + body)
        try:
            await writer.drain()
        except ConnectionError:
            # A server that has read enough of a body answers before it has all of it.
            pass
        answer = await read_answer(reader)
        if answer.headers.get("connection") == "close":
            self.close()
        return answer

    async def post(self, path, message, headers=None, patience=PATIENCE):
        headers = {"Content-Type": "application/json", "Accept": TAKES, **(headers or {})}
        return await self.ask("POST", path, message, headers, patience)

    async def call(self, tool, arguments, path="/mcp"):
        """A tool, called without a handshake."""
        return await self.post(path, request(1, "tools/call",
                                             {"name": tool, "arguments": arguments}))

    def close(self):
        if self.streams:
            self.streams[1].close()
        self.streams = None


async def read_answer(reader):
    """One HTTP answer, to its end."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    status = int(head[0].split(" ", 2)[1])
    headers = [tuple(line.split(": ", 1)) for line in head[1:] if ": " in line]
    named = {name.lower(): value for name, value in headers}
    if status in (204, 304):
        raw = b""
    elif named.get("transfer-encoding") == "chunked":
        raw = b"".join([part async for part in chunks(reader)])
    elif "content-length" in named:
        raw = await reader.readexactly(int(named["content-length"]))
    else:
        raw = await reader.read()
    return Answer(status, headers, raw)


async def chunks(reader):
    while size := int(await reader.readline(), 16):
        yield await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readline()


def request(number, method, params=None):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


class Door:
    """How a client of one era dresses what it posts: plainly, in a session, or without one."""

    def __init__(self, caller, path, era):
        self.caller, self.path, self.era = caller, path, era
        self.session = None
        self.ids = itertools.count(1)

    async def greet(self):
        """The handshake, where there is one."""
        if self.era != "session":
            return
        hello = request(0, "initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT})
        answer = await self.caller.post(self.path, hello)
        self.session = answer.headers.get("mcp-session-id")
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await self.caller.post(self.path, ready, self.headers(ready))

    def headers(self, message):
        if self.era == "session":
            return {"Mcp-Session-Id": self.session, "MCP-Protocol-Version": "2025-11-25"}
        if self.era != "modern" or not isinstance(message, dict):
            return {}
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        name = params.get("name", params.get("uri"))
        said = {"MCP-Protocol-Version": MODERN, "Mcp-Method": message.get("method")}
        if isinstance(name, str):
            said["Mcp-Name"] = name
        return {name: value for name, value in said.items() if is_header(value)}

    def dress(self, message):
        if self.era == "modern" and isinstance(message.get("params"), dict):
            meta = {"io.modelcontextprotocol/protocolVersion": MODERN,
                    "io.modelcontextprotocol/clientCapabilities": {},
                    "io.modelcontextprotocol/clientInfo": CLIENT}
            message = {**message, "params": {"_meta": meta, **message["params"]}}
        return message

    async def send(self, message):
        message = self.dress(message) if isinstance(message, dict) else message
        return await self.caller.post(self.path, message, self.headers(message))

    async def ask(self, method, params=None):
        return await self.send(request(next(self.ids), method, params))


def is_header(value):
    """What may stand in a header as it is."""
    return isinstance(value, str) and value.isascii() and value.isprintable() and value == value.strip()
