"""The rows of the seeds: read from their files, and each played through every door it is for.

A row says where it stands in its seed (`line`), what is said there in our own words (`says`), what
is sent and what must come. A row with one exchange has it in itself, one with several has them as
`step`s, in order:

    call, with          a tool and its arguments
    method, params      another method of MCP
    post, body, headers an HTTP POST to a path or an address, the body as JSON or as it is
    get, headers        an HTTP GET
    run                 a command of the program, on the same store
    check, given        a function in `checks`, for what does not fit into data

    at, by              which endpoint (/mcp if it is not said); which connection, if there are two

and what must come of it:

    text, match, silent words in the text, patterns in it, words that must not be in it
    facts, json         what structuredContent holds, and the text read as JSON
    result, error       of the JSON-RPC answer, which is `answer` as a whole
    resource            that is embedded
    status, back        of HTTP: the number, and headers; all of these as `expect` has it
    refused             whether it is refused; if it is not said, it must not be
    save                what later steps call $name: a path, or a pattern in the text (`text:`) or
                        in the embedded page (`page:`)

$talk, $name, $endpoint and $league are a conversationId, a player's name and address and a
league's name that no other row uses. $seat is what a client of the seeds sends as game_id: the id
it was told, where its connection lasts, and the pass where calls stand alone; $other_seat is the
same for the one who joined.

What `before` names, from openings.toml or from `scenes`, happens first. A row whose
seed is contradicted, by itself or another, says in `otherwise` why it is resolved as it is.
"""

import itertools
import json
import pathlib
import re
import tomllib
import uuid

import checks
import scenes
from expect import MISSING, differences, show
from wire import Answer, fetch, post

HERE = pathlib.Path(__file__).resolve().parent
OPENINGS = tomllib.loads((HERE / "openings.toml").read_text())["opening"]
NUMBERS = itertools.count()
SENDS = ["call", "method", "post", "get", "run", "check"]
GIVES = {"with", "params", "body", "headers", "given", "at", "by", "save"}
# What must come, by the part of the answer that it is about.
PARTS = {"facts": "facts", "json": "json", "result": "result", "error": "error", "answer": "body",
         "resource": "resource", "status": "status", "back": "headers"}
MUST = {"text", "match", "silent", "refused", *PARTS}
ABOUT = {"line", "says", "over", "house", "otherwise", "before", "step", "sent", "comes"}


class Seed:
    """One file of rows."""

    def __init__(self, file):
        data = tomllib.loads(file.read_text())
        self.number = data["seed"]
        self.title = data["title"]
        self.about = data["about"]
        default = {"over": data["over"], "house": data.get("house", "seeds")}
        self.rows = [Row(self, {**default, **row}) for row in data["row"]]


class Row:
    def __init__(self, seed, data):
        self.seed = seed
        self.line = str(data["line"])
        self.says = data["says"]
        self.over = data["over"]
        self.house = data["house"]
        self.otherwise = data.get("otherwise")
        self.before = data.get("before")
        self.sent, self.comes = data.get("sent"), data.get("comes")
        own = {name: value for name, value in data.items() if name not in ABOUT}
        self.steps = data.get("step") or [own]
        for step in self.steps:
            unknown = set(step) - set(SENDS) - GIVES - MUST
            assert not unknown, f"{self.name}: {unknown}"
            assert len(set(step) & set(SENDS)) == 1, f"{self.name}: one thing is sent at a time"
        asks = any(set(step) & {*MUST, "check"} for step in self.steps)
        assert asks, f"{self.name}: nothing is asked for"

    @property
    def name(self):
        return f"{self.seed.number}:{self.line} {self.says}"

    def play(self, house, door):
        """Plays it; raises Wrong if something else comes than must."""
        stage = Stage(house, door)
        if self.before in OPENINGS:
            steps = OPENINGS[self.before]["step"]
        elif self.before:
            stage.saved.update(scenes.SCENES[self.before](stage))
            steps = []
        else:
            steps = []
        for step in [*steps, *self.steps]:
            stage.take(step)


class Wrong(Exception):
    """What came, and what is wrong with it."""


class Stage:
    """A row being played through one door."""

    def __init__(self, house, door):
        self.house = house
        self.door = door
        number = next(NUMBERS)
        self.saved = {"talk": str(uuid.uuid4()), "name": f"Agent {number}",
                      "endpoint": f"http://localhost:{8110 + number}/mcp",
                      "league": f"league_{number}"}

    def client(self, by="one", at="/mcp"):
        return self.house.client(self.door, by, at)

    def call(self, tool, /, **arguments):
        return self.client().call(tool, **arguments)

    def take(self, step):
        step = {name: self.fill(value) if name != "save" else value for name, value in step.items()}
        answer = self.send(step)
        wrong = list(judge(step, answer))
        if wrong:
            came = answer.text or answer.raw
            raise Wrong("; ".join(wrong) + "\n      sent: " + sent(step) +
                        "\n      came: " + show(came, 700))
        for name, path in step.get("save", {}).items():
            self.saved[name] = pick(answer, path)

    def send(self, step):
        client = lambda: self.client(step.get("by", "one"), step.get("at", "/mcp"))
        if "call" in step:
            return client().call(step["call"], **step.get("with", {}))
        if "method" in step:
            return client().request(step["method"], step.get("params"))
        if "post" in step:
            return post(self.house.page(step["post"]), step["body"], step.get("headers"))
        if "get" in step:
            return fetch(self.house.page(step["get"]), headers=step.get("headers"))
        if "run" in step:
            return self.house.run(*step["run"])
        try:
            return checks.CHECKS[step["check"]](self, **step.get("given", {})) or NOTHING
        except AssertionError as error:
            raise Wrong(f"{step['check']}: {error}") from error

    def fill(self, value):
        """Puts what was saved in the place of its name."""
        if isinstance(value, dict):
            return {self.fill(name): self.fill(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.fill(inner) for inner in value]
        if not isinstance(value, str):
            return value
        whole = re.fullmatch(r"\$(\w+)", value)
        if whole and whole[1] in ["seat", "other_seat"]:
            alone = self.door in ["plain", "modern"]
            return self.saved[whole[1].replace("seat", "pass") if alone else "game"]
        if whole:
            return self.saved[whole[1]]
        return re.sub(r"\$\{(\w+)\}", lambda name: str(self.saved[name[1]]), value)


NOTHING = Answer(None, (), "", {})


def judge(step, answer):
    """All that is wrong with an answer."""
    if answer.refused != step.get("refused", False) and not {"error", "check"} & set(step):
        yield "it is refused" if answer.refused else "it is not refused"
    text = answer.text or text_of(answer.raw)
    for part in step.get("text", []):
        if part not in text:
            yield f"{part!r} is not in the text"
    for pattern in step.get("match", []):
        if not re.search(pattern, text):
            yield f"{pattern!r} does not match the text"
    for part in step.get("silent", []):
        if part in text:
            yield f"{part!r} is in the text"
    for name, part in PARTS.items():
        if name in step:
            yield from differences(step[name], look(answer, part), name)


def text_of(raw):
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw


def look(answer, name):
    if name == "json":
        try:
            return json.loads(answer.text)
        except ValueError:
            return MISSING
    found = getattr(answer, name)
    return MISSING if found is None else found


def pick(answer, path):
    if path.startswith(("text:", "page:")):
        text = answer.text or text_of(answer.raw)
        if path.startswith("page:"):
            text = (answer.resource or {}).get("text", "")
        found = re.search(path[5:].strip(), text)
        if not found:
            raise Wrong(f"{path!r} is not in {show(text, 800)}")
        return found[1]
    first, *steps = re.split(r"[.\[\]]+", path.rstrip("]"))
    value = look(answer, first)
    try:
        for step in steps:
            value = value[int(step)] if isinstance(value, list) else value[step]
    except (KeyError, IndexError, TypeError) as error:
        raise Wrong(f"there is no {path} in {show(answer.body, 800)}") from error
    return value


def sent(step):
    """What a step sends, as one would write it down."""
    if "call" in step:
        given = ", ".join(f"{k}={json.dumps(v, ensure_ascii=False)}"
                          for k, v in step.get("with", {}).items())
        return f"{step['call']}({given})"
    if "method" in step:
        return f"{step['method']} {compact(step.get('params', {}))}"
    if "post" in step:
        body = step["body"] if isinstance(step["body"], str) else compact(step["body"])
        return f"POST {step['post']} {' '.join(body.split())}"
    if "get" in step:
        return f"GET {step['get']}"
    if "run" in step:
        return " ".join(["agon", *step["run"]])
    about = (checks.CHECKS[step["check"]].__doc__ or step["check"]).splitlines()[0].rstrip(".")
    given = ", ".join(f"{k}={json.dumps(v)}" for k, v in step.get("given", {}).items())
    return f"{about} ({given})" if given else about


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def load():
    return [Seed(file) for file in sorted(HERE.glob("0*.toml"))]
