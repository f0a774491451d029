"""A small MCP client for agon, with four doors, and the program behind them.

    with Server() as server:
        for door in DOORS:
            with door(server) as client:
                print(client.call("createGame", type="computer").text)

`Plain` posts JSON-RPC without a handshake, `Session` is MCP over HTTP with one (up to 2025-11-25),
`Modern` is MCP without sessions (2026-07-28), `Stdio` is a process of its own on the same store.
Nothing here knows a game.
"""

import itertools
import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import tempfile
import threading

from exchange import PATIENCE, Answer, Stream, fetch, post  # noqa: F401  callers use them too

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.path.realpath(os.environ.get("AGON") or HERE.parents[1] / "target/debug/agon")
LEGACY, MODERN = "2025-11-25", "2026-07-28"
CLIENT = {"name": "story", "version": "1"}


def environment():
    """What a process of agon sees: nothing of this user's own settings, and no browser."""
    ours = {k: v for k, v in os.environ.items() if not k.startswith("AGON_")}
    return {**ours, "MCP_DISABLE_BROWSER": "1"}


class Server:
    """`agon serve` on a store of its own, in a folder that goes with it."""

    def __init__(self, *flags, listen="127.0.0.1:0", store=None, program=PROGRAM, env=None):
        self.program = program
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="agon-"))
        self.store = store or f"sqlite:{self.folder / 'agon.db'}"
        self.flags = [*flags]
        self.listen = listen
        # A variable that is None is taken away.
        env = {**environment(), **(env or {})}
        self.env = {name: value for name, value in env.items() if value is not None}
        # Addresses of rooms that listen on a port of their own, by the room's name.
        self.aside = {}
        self.log = []
        # Who came with processes of their own; they go with the server, whatever went wrong before.
        self.guests = []
        self.process = None
        self.start()

    def start(self):
        """Starts it, or starts it again where it was."""
        command = [self.program, "serve", "--store", self.store, *self.flags]
        if self.listen:
            command += ["--listen", self.listen]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, env=self.env,
        )
        told = queue.Queue()
        threading.Thread(target=self._listen, args=(self.process, told), daemon=True).start()
        try:
            self.address = told.get(timeout=PATIENCE)
        except queue.Empty:
            self.address = None
        if not self.address:
            self.close()
            raise RuntimeError("agon did not start: " + "\n".join(self.log))
        if self.listen:
            self.listen = self.address

    def _listen(self, process, told):
        for line in process.stderr:
            self.log.append(line.rstrip("\n"))
            found = re.search(r"listens on http://(\S+)", line)
            aside = re.match(r"the (\w+) alone", line)
            if found and aside:
                self.aside[aside[1]] = found[1]
            elif found:
                self.home = found[1]
            # By now every address has been told.
            if line.startswith("games found"):
                told.put(self.home)
        told.put(None)

    @property
    def url(self):
        return self.page("/mcp")

    def page(self, path):
        return f"http://{self.address}{path}"

    def kill(self):
        """kill -9, as a crash would have it."""
        self.process.kill()
        self.process.wait()

    def close(self):
        for guest in self.guests:
            guest.close()
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Client:
    """What all doors have in common. Several threads may call at once."""

    def __init__(self):
        self.ids = itertools.count(1)

    def request(self, method, params=None, headers=None):
        message = {"jsonrpc": "2.0", "id": next(self.ids), "method": method,
                   "params": params or {}}
        return self.send(message, headers)

    def call(self, tool, /, **arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Plain(Client):
    """JSON-RPC, posted; no handshake, no header that a plain client would not send."""

    label = "plain"

    def __init__(self, server, path="/mcp"):
        super().__init__()
        self.url = server if isinstance(server, str) else server.page(path)

    def send(self, message, headers=None):
        return post(self.url, message, headers)


class Session(Client):
    """MCP over HTTP with a session."""

    label = "session"

    def __init__(self, server, path="/mcp", version=LEGACY, capabilities=None, client=CLIENT):
        super().__init__()
        self.url = server if isinstance(server, str) else server.page(path)
        self.headers = {"Accept": "application/json, text/event-stream"}
        self.streams = []
        self.hello = self.request("initialize", {
            "protocolVersion": version, "capabilities": capabilities or {}, "clientInfo": client,
        })
        self.headers["Mcp-Session-Id"] = self.hello.headers["mcp-session-id"]
        self.headers["MCP-Protocol-Version"] = self.hello.result["protocolVersion"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message, headers=None):
        return post(self.url, message, {**self.headers, **(headers or {})})

    def news(self):
        """Opens the stream of what the server says by itself; ends with the connection."""
        headers = {**self.headers, "Accept": "text/event-stream"}
        stream = Stream(self.url, "GET", headers)
        self.streams.append(stream)
        return stream

    def close(self):
        for stream in self.streams:
            stream.close()


class Modern(Client):
    """MCP over HTTP without sessions: every request says all there is to say."""

    label = "modern"

    def __init__(self, server, path="/mcp", capabilities=None, client=CLIENT):
        super().__init__()
        self.url = server if isinstance(server, str) else server.page(path)
        self.meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": capabilities or {},
            "io.modelcontextprotocol/clientInfo": client,
        }
        self.streams = []

    def _dress(self, message):
        params = message.get("params") or {}
        headers = {
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": MODERN,
            "Mcp-Method": message["method"],
        }
        name = params.get("name", params.get("uri"))
        if name is not None:
            headers["Mcp-Name"] = str(name)
        params = {**params, "_meta": {**self.meta, **params.get("_meta", {})}}
        return {**message, "params": params}, headers

    def send(self, message, headers=None):
        message, ours = self._dress(message)
        return post(self.url, message, {**ours, **(headers or {})})

    def news(self, *uris):
        """Opens a stream of what happens to these resources."""
        params = {"notifications": {"resourceSubscriptions": list(uris)}}
        message, headers = self._dress({
            "jsonrpc": "2.0", "id": next(self.ids), "method": "subscriptions/listen",
            "params": params,
        })
        headers["Content-Type"] = "application/json"
        stream = Stream(self.url, "POST", headers, json.dumps(message))
        self.streams.append(stream)
        return stream

    def close(self):
        for stream in self.streams:
            stream.close()


class Stdio(Client):
    """A process of agon that speaks on stdin and stdout, as a host starts it."""

    label = "stdio"

    def __init__(self, server, *flags, version=LEGACY, capabilities=None, client=CLIENT,
                 greet=True, listen="127.0.0.1:0"):
        super().__init__()
        command = [server.program, "--store", server.store, *flags]
        if listen:
            command += ["--listen", listen]
        self.start(command, server.env)
        if greet:
            self.hello = self.request("initialize", {
                "protocolVersion": version, "capabilities": capabilities or {},
                "clientInfo": client,
            })
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def start(self, command, env):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=env,
        )
        self.answers = {}
        self.arrived = threading.Condition()
        self.ended = False
        # What came that answers no request, and lines that are no JSON at all.
        self.notifications = []
        self.noise = []
        self.log = []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self):
        for line in self.process.stderr:
            with self.arrived:
                self.log.append(line.rstrip("\n"))
                self.arrived.notify_all()

    def _read(self):
        for line in self.process.stdout:
            with self.arrived:
                try:
                    message = json.loads(line)
                except ValueError:
                    self.noise.append(line)
                    continue
                if "method" in message:
                    self.notifications.append(message)
                else:
                    self.answers[message.get("id")] = Answer(None, (), line, message)
                self.arrived.notify_all()
        with self.arrived:
            self.ended = True
            self.arrived.notify_all()

    def send(self, message, headers=None):
        """Sends it and, if it is a request, waits for the answer; others may be under way."""
        line = message if isinstance(message, str) else json.dumps(message)
        with self.arrived:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        if not isinstance(message, dict) or "id" not in message:
            return None
        return self._await(lambda: self.answers.pop(message["id"], None))

    def notified(self, method):
        """The first notification of this method, now or when it comes."""
        return self._await(lambda: next(
            (one for one in self.notifications if one["method"] == method), None))

    def address(self):
        """Where it serves its pages."""
        def look():
            found = (re.search(r"listens on http://(\S+)", line) for line in self.log)
            return next((one[1] for one in found if one), None)
        return self._await(look)

    def _await(self, look):
        with self.arrived:
            found = []

            def there():
                found[:] = [look()]
                return found[0] is not None or self.ended
            self.arrived.wait_for(there, PATIENCE)
            if found[0] is None:
                raise RuntimeError("no answer on stdio: " + "\n".join(self.log))
            return found[0]

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


DOORS = [Plain, Session, Modern, Stdio]
