#!/usr/bin/env python3
"""What calls and thoughts cost each of these programs in processor time, which does not depend on what
else the machine does:

    tests/dist/cost.py PROGRAM ...

Each plays the same games through MCP over HTTP, eight at once, and searches the same positions.
"""

import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "seeds"))
from wire import Plain, Server  # noqa: E402

GAMES, AT_ONCE = 200, 8
MOVES = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7".split()
NODES = 2_000_000


def play(server, _):
    client = Plain(server)
    white = client.call("createGame", type="agent").facts
    black = client.call("joinGame", game_id=white["game_id"]).facts
    for number, move in enumerate(MOVES):
        client.call("finishTurn", game_id=(white, black)[number % 2]["pass"], move=move)


def spent(process):
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(")")[-1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def calls(program):
    """Milliseconds of processor time for a call."""
    with Server(program=program) as server, concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        one = functools.partial(play, server)
        list(pool.map(one, range(20)))
        before = spent(server.process)
        list(pool.map(one, range(GAMES)))
        return (spent(server.process) - before) * 1000 / (GAMES * (len(MOVES) + 2))


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
