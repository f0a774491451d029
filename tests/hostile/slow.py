"""Requests that never end and answers that nobody reads: everybody else is served meanwhile."""

import asyncio
import time

from ledger import Ledger
from place import Place

# So long may a client be silent here.
IDLE = 1
BODY = 4 << 20

HEADS = [
    b"",
    b"GET",
    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 3000,
    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n" % BODY,
    b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n{",
    b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n{" % BODY,
]


async def half_send(address, dice, until, tally):
    """Begins a request and says no more, or a little now and then; it must be ended."""
    host, port = address.rsplit(":", 1)
    head = dice.choice(HEADS)
    drips = dice.random() < 0.5
    tally.tried()
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(head + b"x" * dice.choice([0, 0, 1000, 1 << 20]) * head.endswith(b"\r\n\r\n"))
        while time.monotonic() < until:
            try:
                async with asyncio.timeout(IDLE / 4):
                    if not await reader.read(1 << 16):
                        tally.answered()
                        return
            except TimeoutError:
                if drips:
                    writer.write(b"x")
    except OSError:
        tally.answered()
        return
    finally:
        writer.transport.abort()
    if not drips:
        tally.fault("untrue", f"{head[:60]!r} and no more was not ended within {IDLE} s")


async def slow(stage):
    """Half-sent requests by the hundred; honest players are served meanwhile."""
    async with Place(stage.tally, flags=["--idle-seconds", str(IDLE)]) as place:
        until = time.monotonic() + stage.seconds
        ledger = Ledger(place, stage.tally, stage.dice)
        address = place.nodes[0].address

        async def attack():
            while True:
                end = time.monotonic() + 4 * IDLE
                await asyncio.gather(*(half_send(address, stage.dice, end, stage.tally)
                                       for _ in range(stage.many(400))))
                if end > until:
                    return

        async def look():
            while time.monotonic() < until:
                if not await place.ready(place.nodes[0]):
                    stage.tally.fault("untrue", "not ready while others are slow")
                await asyncio.sleep(0.5)

        await asyncio.gather(attack(), look(), ledger.play(stage.seconds, 4))
        await ledger.settle()
        place.end(may_grow=100 + ledger.weight())
