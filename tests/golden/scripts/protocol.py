"""What MCP itself asks for, in each room."""

from official import Python, TypeScript
from steps import ask, but, call, hello
from wire import Modern, Plain, Stdio

ROOMS = ["chess", "dungeon", "league", "referee"]
APPS = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
CLIENTS = {room: {"room": room} for room in ROOMS} | {"app": {"capabilities": APPS}}

# As seed 004 has it.
INITIALIZE = {
    "protocolVersion": "2024-11-05",
    "capabilities": {"tools": {}, "resources": {}},
    "clientInfo": {"name": "player-agent", "version": "1.0.0"},
}


def lists(by):
    return [ask(method, by=by) for method in
            ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]]


# The official clients do not send such requests.
MALFORMED = [
    ask("no/such/method"),
    ask("tools/call"),
    ask("tools/call", {"name": "createGame", "arguments": "type=agent"}),
    ask("prompts/get"),
    ask("resources/read"),
    ask("logging/setLevel", {"level": "info"}),
]

UNKNOWN = [
    ask("tools/call", {"name": "noSuchTool", "arguments": {}}),
    ask("tools/call", {"name": "createGame"}),
    ask("tools/call", {"name": "get_map", "arguments": None}),
    ask("prompts/get", {"name": "no_such_prompt"}),
    ask("resources/read", {"uri": "no://such/resource"}),
    ask("resources/read", {"uri": "ui://chess/00000000"}),
    ask("resources/read", {"uri": "league://standings"}),
    ask("resources/read", {"uri": "game://state/R1M1"}),
    # The relay of the Python client does not complete.
    *but([Python], ask("completion/complete", {
        "ref": {"type": "ref/prompt", "name": "play_chess"},
        "argument": {"name": "color", "value": "w"}})),
]

# What a door without a session answers is in modern.py and plain_http.py.
SUBSCRIBING = [
    ask("resources/subscribe", {"uri": "no://such/resource"}),
    ask("resources/subscribe", {"uri": "league://standings"}),
    ask("resources/unsubscribe", {"uri": "league://standings"}),
]

# A host with MCP Apps has the board already.
APP = [
    call("createGame", type="human", color="black", by="app", keep={"agent": "pass"}),
    call("getGame", game_id="$agent", by="app"),
    call("createGame", type="computer", by="app"),
    call("createGame", type="computer", showUi=True, board="fen", by="app"),
]

STEPS = [
    *but([Modern, Plain], hello()),
    *but([Modern, Python], ask("ping")),
    *lists("one"),
    *[ask("prompts/get", {"name": name}) for name in ["play_chess", "run_dungeon", "play_league"]],
    ask("resources/read", {"uri": "ui://chess/board"}),
    *[step for room in ROOMS for step in [*but([Modern, Plain], hello(room)), *lists(room)]],
    # One room does not know the others' tools.
    call("createGame", type="agent", by="dungeon"),
    call("get_map", conversationId="elsewhere", by="chess"),
    ask("resources/read", {"uri": "league://standings"}, by="chess"),
    ask("prompts/get", {"name": "play_chess"}, by="referee"),
    *but([TypeScript, Python], *MALFORMED),
    *UNKNOWN,
    *but([Modern, Plain, Python], *SUBSCRIBING),
    # A plain client cannot say that it shows apps.
    *but([Plain], *APP),
    *but([Stdio, Modern, Plain, TypeScript, Python],
         ask("server/discover"), ask("initialize", INITIALIZE)),
]
