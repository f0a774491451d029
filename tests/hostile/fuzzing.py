"""Every tool, message and route, called with what its own description asks for and with what it does
not: whatever comes, each request has one answer that says what was wrong with it."""

import asyncio
import json
import pathlib
import re
import time
import urllib.parse

import wire
from caller import Caller, Door, Lost, request
from ledger import Ledger
from place import Place
from values import Pool, Values

ROOMS = ["/mcp", "/chess/mcp", "/dungeon/mcp", "/league/mcp", "/referee/mcp"]
ERAS = ["plain", "session", "modern"]
SOURCE = pathlib.Path(__file__).resolve().parents[2] / "crates/server/src"
# Words that belong in our log and in no answer.
OURS = re.compile(r"panicked|RUST_BACKTRACE|\.rs:\d+|rusqlite|tokio_postgres|SQLITE_|sqlstate", re.I)
# Every method of MCP that a client may call, and what it carries.
METHODS = {
    "initialize": {"protocolVersion": "string", "capabilities": "object", "clientInfo": "object"},
    "ping": {}, "tools/list": {"cursor": "string"}, "resources/list": {"cursor": "string"},
    "resources/templates/list": {"cursor": "string"}, "resources/read": {"uri": "string"},
    "resources/subscribe": {"uri": "string"}, "resources/unsubscribe": {"uri": "string"},
    "prompts/list": {"cursor": "string"},
    "prompts/get": {"name": "string", "arguments": "object"},
    "completion/complete": {"ref": "object", "argument": "object"},
    "logging/setLevel": {"level": "string"}, "server/discover": {},
    "notifications/initialized": {}, "notifications/cancelled": {"requestId": "string"},
    "notifications/progress": {"progressToken": "string", "progress": "number"},
}
BROKEN = [b"", b"{", b"[]", b"null", b"[[]]", b'"x"', b"\xff\xfe", b"{}", b'{"jsonrpc":"2.0"}',
          b'{"jsonrpc":"2.0","id":{},"method":"ping"}', b"[" * 5000, b'{"a":' * 5000,
          b'{"jsonrpc":"1.0","id":1,"method":"ping"}', b'{"jsonrpc":"2.0","id":1,"method":7}']


def routes():
    """Every route of the pages, as the server's own source has it."""
    source = (SOURCE / "web/mod.rs").read_text()
    return re.findall(r'\.route\("([^"]+)", (get|post)\(', source)


def league_messages():
    """Every name of every message of the league, and what each must carry."""
    source = (SOURCE / "league/wire/message.rs").read_text()
    rows = re.findall(r'row\(\w+, "(\w+)", \w+, "(\w+)",\s*&\[(.*?)\],\s*&\[(.*?)\]\)', source, re.S)
    quoted = lambda text: re.findall(r'"([^"]+)"', text)
    return [([kind, carrier, *quoted(also)], quoted(own)) for kind, carrier, also, own in rows]


def is_readable(message):
    """Whether our SDK can read it; on stdio it says nothing to what it cannot, as all do."""
    try:
        text = json.dumps(message, ensure_ascii=False)
        text.encode()
    except UnicodeEncodeError:
        return False
    params = message.get("params")
    params = {} if params is None else params
    is_request = message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str)
    is_shaped = isinstance(params, dict) and isinstance(params.get("_meta", {}), dict)
    return is_request and is_shaped and "[" * 50 not in text


class Fuzz:
    def __init__(self, place, tally, dice):
        self.place, self.tally, self.dice = place, tally, dice
        self.pool = Pool(game_id=["3f9a61c2"], conversationId=["fuzz", "fuzz 2"], move=["e2e4"],
                         uri=["ui://chess/board", "league://standings"], q=["fuzz"])
        self.values = Values(dice, self.pool)
        self.tools = {}
        self.routes = routes()
        self.messages = league_messages()
        assert len(self.routes) > 20 and len(self.messages) > 15, "the source reads otherwise now"

    async def learn_tools(self):
        """What every room offers, as it says itself."""
        caller = Caller(self.place.nodes[0].address)
        for room in ROOMS:
            answer = await caller.post(room, request(1, "tools/list"))
            self.tools[room] = answer.result["tools"]
        caller.close()

    async def run(self, seconds, workers):
        await self.learn_tools()
        until = time.monotonic() + seconds
        await asyncio.gather(*(self.work(until, n) for n in range(workers)),
                             self.work_on_stdio(until))

    async def work(self, until, number):
        caller = Caller(self.place.nodes[number % len(self.place.nodes)].address)
        doors = [Door(caller, room, era) for room in ROOMS for era in ERAS]
        for door in doors:
            await door.greet()
        while time.monotonic() < until:
            roll = self.dice.random()
            if roll < 0.25:
                await self.try_route(caller)
            elif roll < 0.28:
                await self.try_broken(caller)
            else:
                await self.try_message(self.dice.choice(doors))
        caller.close()

    def message(self, room):
        """A request for this room: a tool, a method or a message of the league."""
        number = self.dice.choice([1, 2**40, "a", "x" * 50])
        roll = self.dice.random()
        if roll < 0.7:
            tool = self.dice.choice(self.tools[room])
            arguments = self.values.of(tool["inputSchema"])
            return request(number, "tools/call", {"name": tool["name"], "arguments": arguments})
        if roll < 0.85:
            method, fields = self.dice.choice(list(METHODS.items()))
            schema = {"type": "object", "properties": {f: {"type": t} for f, t in fields.items()},
                      "required": list(fields)}
            made = {"jsonrpc": "2.0", "id": number, "method": method, "params": self.values.of(schema)}
            if method.startswith("notifications/"):
                del made["id"]
            return made
        return self.league_message(number)

    def league_message(self, number):
        names, own = self.dice.choice(self.messages)
        body = {"protocol": self.dice.choice(["league.v1", "league.v2"]), "message_type": names[0],
                "sender": "player:fuzz", "timestamp": "2026-01-01T00:00:00Z",
                "conversation_id": "550e8400-e29b-41d4-a716-446655440000"}
        for field in own:
            outer, _, inner = field.partition(".")
            value = self.values.of({"type": "string"}, inner or outer)
            if inner == "contact_endpoint" or outer == "endpoint":
                value = "http://127.0.0.1:9/mcp"
            if inner:
                body.setdefault(outer, {})[inner] = value
            else:
                body[outer] = value
        if self.dice.random() < 0.3:
            body.pop(self.dice.choice(list(body)))
        if self.dice.random() < 0.2:
            return body
        return request(number, self.dice.choice(names), body)

    async def try_message(self, door):
        message = self.message(door.path)
        shown = f"{door.era} {door.path} {json.dumps(message)[:600]}"
        self.tally.tried()
        try:
            answer = await door.send(message)
        except Lost as lost:
            self.tally.fault("untrue", f"no answer to {shown}: {lost}")
            return
        self.judge(answer, shown)
        if isinstance(message, dict) and "id" in message and "jsonrpc" in message:
            self.judge_reply(answer, message, shown)
        if answer.facts:
            self.learn(answer.facts)

    def learn(self, facts):
        """What an answer tells, but for the passes of a list: they open the honest players' seats too,
        and what is played there must be theirs."""
        listed = facts.get("games")
        for game in listed if isinstance(listed, list) else []:
            game.pop("pass", None)
        self.pool.learn(facts)

    async def try_route(self, caller):
        path, method = self.dice.choice(self.routes)
        fill = lambda _: urllib.parse.quote(str(self.dice.choice(self.pool["game_id"]))[:8]
                                            if self.dice.random() < 0.7 else self.values.text(),
                                            errors="replace", safe="")
        path = re.sub(r"\{[^}]+\}", fill, path)
        streams = path.endswith("/events")
        if self.dice.random() < 0.4:
            names = ["q", "status", "kind", "before", "limit", "id", "code", "depth", "from"]
            query = {name: str(self.values.of({"type": "string"}, name))
                     for name in self.dice.sample(names, 3)}
            path += "?" + urllib.parse.urlencode(query, errors="replace")
        headers = {}
        if self.dice.random() < 0.5:
            headers["Authorization"] = f"Bearer {self.dice.choice(self.pool['game_id'])}"
        body = b""
        if method == "post":
            headers["Content-Type"] = "application/json"
            fields = ["move", "action", "turn", "type", "color", "level", "pass", "passes", "name",
                      "code", "claim_win"]
            body = {name: self.values.of({"type": "string"}, name)
                    for name in self.dice.sample(fields, 4)}
        self.tally.tried()
        shown = f"{method} {path[:300]} {headers} {json.dumps(body)[:300] if body else ''}"
        try:
            if streams:
                await self.look_at_stream(path, headers, shown)
                return
            answer = await caller.ask(method.upper(), path, body, headers)
        except Lost as lost:
            self.tally.fault("untrue", f"no answer to {shown}: {lost}")
            return
        self.judge(answer, shown)
        if path.startswith("/api") and isinstance(answer.body, (dict, list)):
            self.pool.learn(answer.body)

    async def look_at_stream(self, path, headers, shown):
        """The beginning of an answer that does not end."""
        host, port = self.place.nodes[0].address.rsplit(":", 1)
        reader, writer = await asyncio.open_connection(host, int(port))
        said = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{said}\r\n".encode("latin-1", "replace"))
        try:
            async with asyncio.timeout(30):
                first = await reader.readline()
        except (OSError, TimeoutError) as error:
            raise Lost(str(error)) from error
        finally:
            writer.close()
        self.tally.answered()
        if not first.startswith(b"HTTP/1.1 ") or first.split()[1] >= b"500":
            self.tally.fault("untrue", f"{shown}: {first!r}")

    async def try_broken(self, caller):
        body = self.dice.choice(BROKEN)
        room = self.dice.choice(ROOMS)
        self.tally.tried()
        try:
            answer = await caller.post(room, body)
        except Lost as lost:
            self.tally.fault("untrue", f"no answer to {body[:100]}: {lost}")
            return
        self.judge(answer, f"{room} {body[:100]}")

    def judge(self, answer, shown):
        self.tally.answered()
        said = answer.raw.decode("utf-8", "replace")
        if answer.status >= 500:
            self.tally.fault("untrue", f"{answer.status} {said[:200]} to {shown}")
        elif found := OURS.search(said):
            self.tally.fault("untrue", f"{found[0]!r} is told to {shown}")

    def judge_reply(self, answer, message, shown):
        """A request has one answer of JSON-RPC, with its id, and it is not that we have failed."""
        body = answer.body
        if not isinstance(body, dict) or body.get("jsonrpc") != "2.0":
            self.tally.fault("untrue", f"{answer.status} {answer.raw[:200]} is no answer to {shown}")
        elif ("result" in body) == ("error" in body):
            self.tally.fault("untrue", f"{body} is no answer to {shown}")
        elif body.get("id") not in (message["id"], None):
            self.tally.fault("untrue", f"{body.get('id')} is answered to {shown}")
        elif (body.get("error") or {}).get("code") == -32603:
            self.tally.fault("untrue", f"{body['error']} to {shown}")

    async def work_on_stdio(self, until):
        """A host's own process, line by line."""
        server = self.place.nodes[0]
        process = await asyncio.create_subprocess_exec(
            server.program, "--store", server.store, *server.flags, "--listen", "127.0.0.1:0",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL, env=server.env, limit=1 << 24)
        hello = request(0, "initialize", {"protocolVersion": wire.LEGACY, "capabilities": {},
                                          "clientInfo": {"name": "fuzz", "version": "1"}})
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await self.say(process, hello)
        await self.hear(process, 0)
        await self.say(process, ready)
        number = 0
        while time.monotonic() < until and process.returncode is None:
            number += 1
            message = self.message("/mcp")
            if "id" not in message or not is_readable(message):
                continue
            message["id"] = number
            self.tally.tried()
            await self.say(process, message)
            answer = await self.hear(process, number)
            if answer is None:
                self.tally.fault("untrue", f"stdio: no answer to {json.dumps(message)[:500]}")
                break
            self.tally.answered()
        process.kill()
        await process.wait()

    async def say(self, process, message):
        process.stdin.write(json.dumps(message).encode() + b"\n")
        await process.stdin.drain()

    async def hear(self, process, number):
        """The answer with this id, or to what has none; whatever else is said before it."""
        try:
            async with asyncio.timeout(60):
                while line := await process.stdout.readline():
                    message = json.loads(line)
                    if message.get("id") in (number, None) and "method" not in message:
                        return message
        except (TimeoutError, ValueError):
            pass
        return None


async def fuzz(stage):
    """Structure-aware fuzzing of every tool, message and route, beside honest players."""
    async with Place(stage.tally, flags=["--wait-seconds", "1"]) as place:
        attack = Fuzz(place, stage.tally, stage.dice)
        ledger = Ledger(place, stage.tally, stage.dice)
        await asyncio.gather(attack.run(stage.seconds, stage.many(16)),
                             ledger.play(stage.seconds, players=4))
        await ledger.settle()
        place.end(may_grow=200)
