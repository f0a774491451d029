"""Bodies as anybody may post them: wrong ones, the seeds' own, and every version's handshake."""

import wire
from steps import post

DOORS = [wire.Plain]

MCP = {"Accept": "application/json, text/event-stream"}
LIST = {"jsonrpc": "2.0", "id": "unique-request-id", "method": "tools/list", "params": {}}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
PRINTED = {
    "jsonrpc": "2.0",
    "method": "tools/call",
    "params": {
        "name": "get_current_room",
        "arguments": {"conversationId": "test-conversation-001", "seed": "8"},
    },
    "id": 1,
}


def initialize(version):
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": version, "capabilities": {"tools": {}, "resources": {}},
        "clientInfo": {"name": "player-agent", "version": "1.0.0"}}}


NO_MESSAGES = [
    "", "{", "{\"jsonrpc\":", "<html></html>", "[]", "5", "null",
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    '{"id":1,"method":"ping"}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}',
    '{"jsonrpc":"2.0","id":1,"method":"make_tea"}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":1,"result":{}}',
]

STEPS = [
    *[post(body) for body in NO_MESSAGES],
    *[post(body, headers={**MCP, "MCP-Protocol-Version": "2025-06-18"}) for body in NO_MESSAGES],
    post(PING),
    post({**PING, "method": "resources/subscribe", "params": {"uri": "league://standings"}}),
    post(PING, headers={"Content-Type": "text/plain"}),
    post(PING, headers={"Accept": "text/html"}),
    post(PING, headers={"Host": "evil.example"}),
    post(PING, headers={"Origin": "http://evil.example"}),
    post(PING, headers={**MCP, "Mcp-Session-Id": "no-such-session"}),
    post(PING, headers={**MCP, "MCP-Protocol-Version": "1999-01-01"}),
    # Seed 004's handshake, with and without what MCP asks of a client.
    post(initialize("2024-11-05")),
    post(initialize("2024-11-05"), headers={"Accept": "*/*"}),
    post(initialize("2024-11-05"), headers={"Accept": "application/json"}),
    *[post(initialize(version), headers=MCP) for version in
      ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "1999-01-01"]],
    # Seed 003's curl line, and the same with less around it.
    *[post(PRINTED, path) for path in
      ["/mcp/tools/call", "/dungeon/mcp/tools/call", "/dungeon/mcp", "/mcp"]],
    post(PRINTED["params"], "/mcp/tools/call"),
    *[post(body, "/mcp/tools/call") for body in ["", "{", "[]", '{"name": 5}',
      '{"name": "no_such_tool"}', '{"jsonrpc":"2.0","id":1,"method":"no"}']],
    post(PRINTED["params"], "/chess/mcp/tools/call"),
    post(LIST, "/referee/mcp/tools/call"),
    post(PING, "/no/such/mcp"),
]
