"""Callers who read nothing of what they are told, and strangers behind a proxy on this machine."""

import asyncio
import contextlib
import itertools
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

from caller import Caller, Lost, request
from place import Place

# So long may a client read nothing here, so many connections are there, and so many bytes of answers.
IDLE, PLACES, ROOM = 1, 20, 4 << 20
# Everybody else has an answer within this time.
PATIENCE = 30
# More than a stranger may make in a minute, and how soon a league would call a new player.
SEARCHES, LATER = 400, 3
# Escaped it is many times as long; whoever repeats it all repeats megabytes.
LONG = "\u0301" * 400_000


async def read_nothing(place, stage, message):
    """Asks many times on one connection, and reads nothing."""
    host, port = place.nodes[0].address.rsplit(":", 1)
    stage.tally.tried()
    _, writer = await asyncio.open_connection(host, int(port), limit=1)
    writer.write(message)
    return writer


async def served(place):
    """Whether somebody else has an answer in time."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        caller = Caller(place.nodes[0].address)
        with contextlib.suppress(Lost):
            if (await caller.ask("GET", "/api/games?limit=1", patience=5)).status == 200:
                return True
        caller.close()
        await asyncio.sleep(0.1)
    return False


def posted(body):
    body = json.dumps(body, ensure_ascii=False).encode()
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def unread(stage):
    """Others are served meanwhile, and what nobody reads does not fill the memory."""
    limits = pathlib.Path(tempfile.mkdtemp(prefix="agon-hostile-")) / "limits.json"
    few = {"connections": PLACES, "idle_seconds": IDLE, "large_bodies_bytes": ROOM,
           "games_per_hour": 1_000_000}
    limits.write_text(json.dumps(few))
    async with Place(stage.tally, flags=["--limits", str(limits)]) as place:
        caller = Caller(place.nodes[0].address)
        for _ in range(200):
            await caller.call("createGame", {"type": "agent"})
        caller.close()
        place.begin(stage.tally)
        until = time.monotonic() + stage.seconds
        asks = posted(request(1, "resources/read", {"uri": LONG}))
        messages = [b"GET /api/games?limit=200 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 400, asks * 4]
        for message in itertools.cycle(messages):
            ask = (read_nothing(place, stage, message) for _ in range(PLACES + 10))
            writers = await asyncio.gather(*ask)
            await asyncio.sleep(IDLE / 2)
            if await served(place):
                stage.tally.answered()
            else:
                stage.tally.fault("untrue", f"nobody else was served for {PATIENCE} s")
            for writer in writers:
                writer.transport.abort()
            if message is messages[-1] and time.monotonic() > until:
                break
        await place.recover()
        place.end(may_grow=100)
    shutil.rmtree(limits.parent)


@contextlib.contextmanager
def nginx(upstream):
    """Debian's, with a plain `proxy_pass` before the server; its address."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="agon-hostile-"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    kept = "".join(f"{name}_temp_path {folder}/{name}; "
                   for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    (folder / "conf").write_text(
        f"master_process off; pid {folder}/pid; error_log {folder}/log; events {{}} "
        f"http {{ access_log off; {kept} server {{ listen {address}; "
        f"location / {{ proxy_pass http://{upstream}; }} }} }}")
    command = ["nginx", "-p", str(folder), "-e", "log", "-c", "conf"]
    # It returns when it listens.
    subprocess.run(command, check=True)
    try:
        yield address
    finally:
        subprocess.run([*command, "-s", "stop"], check=True)
        shutil.rmtree(folder, ignore_errors=True)


async def strangers(stage):
    """No pass, no call to this machine and no league for whoever comes by way of a proxy."""
    for flags in [[], ["--url", "https://games.example"]]:
        async with Place(stage.tally, flags=flags) as place:
            with nginx(place.nodes[0].address) as address:
                await probe(stage, place, address)
            place.end(may_grow=100)


async def probe(stage, place, behind):
    """What a stranger gets; and nothing is posted to this machine, now or a little later."""
    def called(*_):
        stage.tally.fault("untrue", "a stranger had this machine called")

    async with await asyncio.start_server(called, "127.0.0.1", 0) as listener:
        await ask_as_a_stranger(stage, place, behind, listener)
        await asyncio.sleep(LATER)


async def ask_as_a_stranger(stage, place, behind, listener):
    owner, stranger = Caller(place.nodes[0].address), Caller(behind)
    opened = [place.program, "--store", place.store(), "league", "create", "cup"]
    subprocess.run(opened, check=True, capture_output=True)
    port = listener.sockets[0].getsockname()[1]
    wish = {"type": "computer", "color": "black", "requestId": "first-of-mine"}
    game = (await owner.call("createGame", wish)).facts["pass"]

    def register(league):
        meta = {"display_name": "Eve", "version": "1.0.0", "game_types": ["even_odd"],
                "contact_endpoint": f"http://127.0.0.1:{port}/mcp"}
        return request(1, "register_player", {
            "message_type": "LEAGUE_REGISTER_REQUEST", "league_id": league, "player_meta": meta})

    for path, message in [
        ("/mcp", request(1, "tools/call", {"name": "listGames", "arguments": {}})),
        ("/mcp", request(1, "tools/call", {"name": "createGame", "arguments": wish})),
        ("/league/mcp", register("cup")),
        ("/league/mcp", register("another")),
    ]:
        stage.tally.tried()
        answer = await stranger.post(path, message)
        stage.tally.answered()
        if game in json.dumps(answer.body):
            stage.tally.fault("untrue", f"{message['method']} gave a stranger the owner's pass")
        if path == "/league/mcp" and b"ACCEPTED" in answer.raw:
            stage.tally.fault("untrue", f"a stranger plays in a league: {answer.raw[:200]}")
    for _ in range(SEARCHES):
        stage.tally.tried()
        answer = await stranger.ask("GET", "/api/games?q=x")
        stage.tally.answered()
        if answer.status == 429:
            break
    else:
        stage.tally.fault("untrue", f"{SEARCHES} searches of a stranger were not counted")
    owner.close()
    stranger.close()
