"""More sessions, streams and games than anybody needs; one honest player is served meanwhile."""

import asyncio
import time

from caller import CLIENT, TAKES, Caller, Lost, request
from place import Place

# How long a player may wait for a weak computer's answer while others ask for strong ones.
PATIENCE = 60


async def flood_of_sessions(place, stage, until):
    caller = Caller(place.nodes[0].address)
    hello = request(0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                      "clientInfo": {**CLIENT, "name": "n" * 1000}})
    for _ in range(stage.many(4000)):
        if time.monotonic() > until:
            break
        stage.tally.tried()
        await served(stage, caller.post("/mcp", hello))
    caller.close()


async def served(stage, asking):
    """An answer, be it a refusal with a reason; never a failure of ours."""
    try:
        answer = await asking
    except Lost as lost:
        stage.tally.fault("untrue", f"no answer: {lost}")
        return None
    stage.tally.answered()
    if answer.status >= 500 and answer.status != 503:
        stage.tally.fault("untrue", f"{answer.status} {answer.raw[:200]}")
    return answer


async def flood_of_streams(place, stage, until):
    """Streams that are opened and hardly read."""
    host, port = place.nodes[0].address.rsplit(":", 1)
    caller, writers = Caller(place.nodes[0].address), []
    game = (await caller.call("createGame", {"type": "agent"})).facts["game_id"]
    caller.close()
    for number in range(stage.many(600)):
        if time.monotonic() > until:
            break
        path = ["/api/events", f"/api/games/{game}/events"][number % 2]
        stage.tally.tried()
        try:
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: {TAKES}\r\n\r\n".encode())
            writers.append(writer)
            async with asyncio.timeout(30):
                first = await reader.readline()
        except (OSError, TimeoutError) as error:
            stage.tally.fault("untrue", f"no answer to {path}: {error!r}")
            continue
        stage.tally.answered()
        if first.split()[1:2] not in ([b"200"], [b"429"], [b"503"]):
            stage.tally.fault("untrue", f"{path}: {first!r}")
    while time.monotonic() < until:
        await asyncio.sleep(0.2)
    for writer in writers:
        writer.transport.abort()


async def flood_of_games(place, stage, until):
    caller = Caller(place.nodes[0].address)
    for number in range(stage.many(2000)):
        if time.monotonic() > until:
            break
        stage.tally.tried()
        wish = {"type": "computer", "difficulty": 10, "color": "black"} if number % 4 == 0 else {
            "type": "agent", "board": "fen"}
        await served(stage, caller.call("createGame", wish))
    caller.close()


async def honest_game(place, stage, until):
    """Against the weakest computer, which answers in time whatever others want of the strongest."""
    caller = Caller(place.nodes[0].address)
    answer = await caller.call("createGame", {"type": "computer", "difficulty": 1, "board": "fen"})
    game = answer.facts["pass"]
    for move in ["a2a3", "b2b3", "h2h3", "g2g3"]:
        if time.monotonic() > until:
            break
        moved = await caller.call("finishTurn", {"game_id": game, "move": move})
        if moved.refused:
            break
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            waited = await caller.call("waitForNextTurn", {"game_id": game})
            if waited.facts["status"] != "timeout":
                break
        else:
            stage.tally.fault("untrue", f"a weak computer did not answer within {PATIENCE} s")
    caller.close()


async def flood(stage):
    async with Place(stage.tally, flags=["--wait-seconds", "5"]) as place:
        until = time.monotonic() + stage.seconds
        attacks = [flood_of_sessions, flood_of_streams, flood_of_games, honest_game]
        await asyncio.gather(*(attack(place, stage, until) for attack in attacks))
        await place.recover()
        place.end(may_grow=300)
