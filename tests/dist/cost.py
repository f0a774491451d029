#!/usr/bin/env python3
"""What calls and thoughts cost each of these programs in processor time, which does not depend on what
else the machine does:

    tests/dist/cost.py PROGRAM ...

Each plays the same games through MCP over HTTP, eight at once, and searches the same positions.
"""

import concurrent.futures
import http.client
import json
import os
import re
import subprocess
import sys
import tempfile

GAMES, AT_ONCE = 200, 8
MOVES = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7".split()
NODES = 2_000_000


class Server:
    def __init__(self, program, folder):
        flags = ["--listen", "127.0.0.1:0", "--store", f"sqlite:{folder}/agon.db", "--no-browser"]
        self.process = subprocess.Popen([program, "serve", *flags], stderr=subprocess.PIPE, text=True)
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)", self.process.stderr.readline())[1])

    def play(self, _):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        white = call(line, "createGame", type="agent")
        black = call(line, "joinGame", game_id=white["game_id"])
        for number, move in enumerate(MOVES):
            call(line, "finishTurn", game_id=(white, black)[number % 2]["pass"], move=move)
        line.close()

    def spent(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")")[-1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def call(line, name, **arguments):
    question = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    question["params"] = {"name": name, "arguments": arguments}
    line.request("POST", "/mcp", json.dumps(question), {"Content-Type": "application/json"})
    return json.loads(line.getresponse().read())["result"]["structuredContent"]


def calls(program):
    """Milliseconds of processor time for a call."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder)
        try:
            with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
                list(pool.map(server.play, range(20)))
                before = server.spent()
                list(pool.map(server.play, range(GAMES)))
            return (server.spent() - before) * 1000 / (GAMES * (len(MOVES) + 2))
        finally:
            server.process.kill()
            server.process.wait()


def search(program):
    """Thousands of positions searched in a second of processor time."""
    before = os.times()
    commands = f"uci\nposition startpos\ngo nodes {NODES}\n"
    with subprocess.Popen([program, "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        engine.stdin.write(commands)
        engine.stdin.flush()
        nodes = 0
        for line in engine.stdout:
            nodes = int(found[1]) if (found := re.search(r" nodes (\d+)", line)) else nodes
            if line.startswith("bestmove"):
                break
        engine.stdin.close()
    after = os.times()
    return nodes / 1000 / (after.children_user + after.children_system - before.children_user - before.children_system)


print(f"{'program':50} {'ms for a call':>14} {'kN/s':>8}")
for program in sys.argv[1:]:
    print(f"{program[-50:]:50} {calls(program):14.3f} {search(program):8.0f}", flush=True)
