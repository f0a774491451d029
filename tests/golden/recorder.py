"""Plays a script through one door and says, step by step, what was asked and what was answered."""

import collections
import http.server
import json
import re
import subprocess
import urllib.request
import threading

import wire
from normal import Normal, compact
from official import Official

PATIENCE = 60


# An answer. `number` is the step of the script, `method` the MCP method that was called, if any.
Step = collections.namedtuple("Step", "number title parts method")

class Recording:
    """Plays the steps of a script that its door takes part in, and notes the answers."""

    def __init__(self, script, door):
        self.steps = []
        self.script, self.door = script, door
        self.kept, self.clients, self.streams, self.listeners = {}, {}, {}, {}
        with wire.Server(*getattr(script, "FLAGS", [])) as self.server:
            self.normal = Normal(version(self.server.program))
            try:
                for self.number, step in enumerate(script.STEPS, 1):
                    if door not in step.get("but", []):
                        getattr(self, step["do"])(step)
            except Exception as fault:
                after = self.steps[-1].title if self.steps else "the start"
                said = "\n".join(self.server.log[-20:])
                fault.add_note(f"over {door.label}, after {after}; agon said:\n{said}")
                raise
            finally:
                for one in [*self.clients.values(), *self.listeners.values()]:
                    one.close()

    def client(self, name):
        if name not in self.clients:
            about = dict(getattr(self.script, "CLIENTS", {}).get(name, {}))
            room = about.pop("room", None)
            if self.door is wire.Stdio:
                flags = ["--rooms", room] if room else []
                self.clients[name] = wire.Stdio(self.server, *flags, *self.server.flags, **about)
            elif issubclass(self.door, Official):
                self.clients[name] = self.door(self.server, room, **about)
            else:
                path = f"/{room}/mcp" if room else "/mcp"
                self.clients[name] = self.door(self.server, path, **about)
        return self.clients[name]

    def filled(self, value):
        """With what was kept in the place of "$name"."""
        if isinstance(value, dict):
            return {name: self.filled(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self.filled(part) for part in value]
        if isinstance(value, str):
            return re.sub(r"\$(\w+)", lambda m: self.kept[m[1]], value)
        return value

    def note(self, title, parts, method=None):
        """With something else in the place of what was drawn."""
        for drawn, instead in getattr(self.script, "DRAWN", []):
            parts = {label: re.sub(drawn, instead, text) for label, text in parts.items()}
        self.steps.append(Step(self.number, title, parts, method))

    def ask(self, step):
        params = self.filled(step["params"])
        self.told(step, params, self.client(step["by"]).request(step["method"], params))

    def hello(self, step):
        self.note(f"{step['by']}: the handshake", self.parts(self.client(step["by"]).hello))

    def crash(self, _):
        self.server.kill()
        self.server.start()
        self.note("the server is killed and started again", {})

    def follow(self, step):
        client, parts = self.client(step["by"]), {}
        if self.door is wire.Modern:
            self.streams[step["by"]] = client.news(*step["uris"])
            method = self.streams[step["by"]].next()["method"]
            assert method == "notifications/subscriptions/acknowledged", method
        else:
            if self.door is wire.Session:
                self.streams[step["by"]] = client.news()
            for uri in step["uris"]:
                parts |= self.parts(client.request("resources/subscribe", {"uri": uri}))
        self.note(f"{step['by']} follows {compact(step['uris'])}", parts)

    def news(self, step):
        """How often there is news, and in which order, is nobody's business."""
        heard = {}
        for uri in step["uris"]:
            while uri not in heard:
                message = self.next_message(step["by"], heard)
                heard[message.get("params", {}).get("uri", message["method"])] = message
        messages = [compact(self.normal.of(heard[about])) for about in sorted(heard)]
        self.note(f"{step['by']} hears of {compact(step['uris'])}", {"": "\n".join(messages)})

    def next_message(self, by, heard):
        if by in self.streams:
            return self.streams[by].next()
        said = lambda: next((one for one in self.client(by).notifications
                             if one.get("params", {}).get("uri") not in heard), None)
        with self.client(by).arrived:
            assert self.client(by).arrived.wait_for(said, PATIENCE), "no news"
            return said()

    def told(self, step, params, answer):
        for name, field in step["keep"].items():
            assert answer.facts, f"{self.door.label}: {step} was answered {answer.raw}"
            self.kept[name] = answer.facts[field] if field != "board" else board_pass(answer)
        title = f"{step['by']}: {self.title(step['method'], params)}"
        self.note(title, self.parts(answer), step["method"])

    def title(self, method, params):
        params = self.normal.of(params)
        if method == "tools/call" and params.keys() == {"name", "arguments"}:
            return f"{params['name']} {compact(params['arguments'])}"
        return f"{method} {compact(params)}"

    def meanwhile(self, step):
        waiting, deed = step["waiting"], step["deed"]
        params, came = self.filled(waiting["params"]), []
        client = self.client(waiting["by"])
        thread = threading.Thread(
            target=lambda: came.append(client.request(waiting["method"], params)))
        thread.start()
        self.ask(deed)
        thread.join(PATIENCE)
        self.told(waiting, params, came[0])

    def post(self, step):
        body = self.filled(step["body"])
        path = self.filled(step["path"])
        url = path if path.startswith("http") else self.server.page(path)
        answer = wire.post(url, body, step["headers"])
        shown = body if isinstance(body, str) else compact(self.normal.of(body))
        headers = "".join(f" {name}: {value};" for name, value in step["headers"].items())
        shown = shown if len(shown) < 1000 else f"{shown[:80]}... ({len(shown)} characters)"
        self.note(f"POST {self.normal.of(path)}{headers} {shown}", self.parts(answer))

    def operate(self, step):
        command = [self.server.program, "--store", self.server.store, "league"]
        arguments = self.filled(list(step["arguments"]))
        ran = subprocess.run(
            [*command, *arguments], capture_output=True, text=True, env=self.server.env)
        assert ran.returncode == 0, ran.stderr
        if step["keep"]:
            self.kept[step["keep"]] = ran.stdout.strip()
            self.normal.learn(ran.stdout.strip(), "operator_token")
        said = self.normal.of(ran.stdout.rstrip())
        # The id of a league stands in the address of its page.
        said = re.sub(r"/league/[0-9a-f]{8}", "/league/<id>", said)
        self.note(f"agon league {' '.join(arguments)}", {"": said} if said else {})

    def listen(self, step):
        self.seat(step["name"], Listener(step["says"]))

    def player(self, step):
        self.seat(step["name"], Fellow(self.server, step["name"], step["flags"]))

    def seat(self, name, listener):
        self.listeners[name] = listener
        self.normal.names[listener.address] = f"<{name}>"
        self.kept[name] = f"http://{listener.address}/mcp"

    def heard(self, step):
        messages, news = [], {}
        for message in self.listeners[step["name"]].heard_until(*step["until"]):
            about = meant(message)
            if "match_id" in about or "message_type" not in about:
                messages.append(message)
            else:
                about["conversation_id"] = "<any>"
                news.setdefault(about["message_type"], message)
        # News of a league comes at any time and in no order.
        for message in messages + [news[kind] for kind in sorted(news)]:
            # Numbers are given to all players' questions as they are asked, at once.
            message = {k: v for k, v in self.normal.of(message).items() if k != "id"}
            self.note(f"{step['name']} hears {message.get('method')}", fields("", message))

    def parts(self, answer):
        """An answer as named parts, in the order they are told."""
        if answer is None:
            return {}
        parts = {}
        if answer.status not in (None, 200):
            parts["HTTP"] = str(answer.status)
        if answer.body is None:
            text = answer.raw if isinstance(answer.raw, str) else answer.raw.decode()
            return {**parts, "body": self.normal.of(text)}
        raw = answer.body if isinstance(answer.body, dict) else {"body": answer.body}
        body = dict(self.normal.of(raw))
        for name in ("jsonrpc", "id"):
            body.pop(name, None)
        result = body.pop("result", None)
        if isinstance(result, dict) and "content" in result:
            if result.setdefault("isError", "missing") is False:
                del result["isError"]
            parts |= content(result.pop("content"), answer)
            parts |= fields("structure", result.pop("structuredContent", None))
        return parts | fields("", result) | fields("", body)


def version(program):
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    return said.stdout.split()[-1]


# The seats that links have opened, by the page of their game.
OPENED = {}


def board_pass(answer):
    """The pass that a person's board plays with: the board's own, or the one its link is good for."""
    text = answer.resource["text"]
    state = re.search(r'id="agon-state">(.*?)</script>', text, re.S)
    if state:
        return json.loads(state[1])["game_id"]
    page, code = re.search(r'href="([^"#]+)(?:#open=([0-9a-f]{16}))?"', text).groups()
    if page not in OPENED:
        post = urllib.request.Request(
            page.replace("/game/", "/api/games/") + "/open", json.dumps({"code": code}).encode(),
            {"content-type": "application/json"})
        OPENED[page] = json.load(urllib.request.urlopen(post))["pass"]
    return OPENED[page]


def content(blocks, answer):
    parts = {}
    for number, (block, raw) in enumerate(zip(blocks, answer.content), 1):
        block = dict(block)
        label = f"{block.pop('type')} {number}" if number > 1 else block.pop("type")
        text = block.pop("text", None)
        if text is not None and answer.facts is not None and read(raw["text"]) == answer.facts:
            text = "(the structure, as JSON)"
        if text is not None:
            parts[label] = text
        parts |= fields(label, block)
    return parts


def read(text):
    """JSON as the value it stands for, any other text as it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def fields(label, value):
    """An object field by field, and lists of things with names one thing after the other."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        return {label: compact(value)}
    parts = {}
    for name, part in value.items():
        name = f"{label}.{name}" if label else name
        has_names = isinstance(part, list) and part and all(
            isinstance(thing, dict) and "name" in thing for thing in part)
        if has_names and name in ("tools", "resources", "resourceTemplates", "prompts"):
            for thing in part:
                parts |= fields(f"{name} {thing['name']}", thing)
        elif name in ("error", "params", "contents", "messages") and isinstance(part, dict):
            parts |= fields(name, part)
        else:
            parts[name] = part if isinstance(part, str) else compact(part)
    return parts


class Fellow:
    """`agon player`, whose league is not there."""

    def __init__(self, server, name, flags):
        command = [server.program, "player", "--name", name, "--manager", "http://127.0.0.1:9/mcp"]
        self.process = subprocess.Popen(
            [*command, *flags], stderr=subprocess.PIPE, text=True, env=server.env)
        self.address = re.search(r"http://([^/]+)", self.process.stderr.readline())[1]

    def close(self):
        self.process.kill()
        self.process.communicate()


def meant(request):
    """The message of the league that a request carries, be it as a method or as a tool."""
    params = request.get("params", {})
    return params.get("arguments", params)


class Listener:
    """A player of a league that listens and says what it was told to."""

    def __init__(self, says):
        self.heard, self.more = [], threading.Condition()
        listener = self

        class Ear(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                message = json.loads(self.rfile.read(int(self.headers["content-length"])))
                result = says.get(meant(message).get("message_type"), {"status": "ok"})
                if message.get("method") == "tools/call":
                    result = {"content": [{"type": "text", "text": json.dumps(result)}]}
                answer = {"jsonrpc": "2.0", "id": message.get("id"), "result": result}
                if message.get("method") == "initialize":
                    del answer["result"]
                    answer["error"] = {"code": -32601, "message": "Method not found"}
                with listener.more:
                    listener.heard.append(message)
                    listener.more.notify_all()
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ear)
        self.address = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def heard_until(self, *kinds):
        """What was heard when there had been one of each kind. How often a handshake is tried
        meanwhile is nobody's business."""
        types = lambda: [meant(one).get("message_type") for one in self.heard]
        with self.more:
            assert self.more.wait_for(lambda: {*kinds} <= {*types()}, PATIENCE), types()
            last = max(types().index(kind) for kind in kinds)
            return [one for one in self.heard[:last + 1] if one.get("method") != "initialize"]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
