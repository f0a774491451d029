"""Three nodes whose Postgres is stopped, frozen, cut off, mute or cancelled under load."""

import asyncio
import time

from kills import kill_again_and_again
from ledger import Ledger
from postgres import Nodes

# A store that has not answered for this long is not ready.
UNREADY = 8


async def kill_nodes(stage):
    place = await stage.nodes(Nodes)
    ledger = Ledger(place, stage.tally, stage.dice)
    await asyncio.gather(ledger.play(stage.seconds, stage.many(16)),
                         kill_again_and_again(place, stage.dice, stage.seconds))
    await ledger.settle()
    place.end(may_grow=100 + ledger.weight())


async def befall(stage, trouble):
    """Players play while this befalls their Postgres, and for a while before and after."""
    place = await stage.nodes(Nodes)
    ledger = Ledger(place, stage.tally, stage.dice)

    async def meanwhile():
        await asyncio.sleep(1)
        await trouble(place)
        await place.recover()
        # Everybody is served again, and shows it.
        ledger.until = time.monotonic() + 2

    await asyncio.gather(ledger.play(24 * 60 * 60, stage.many(16)), meanwhile())
    await ledger.settle()
    place.end(may_grow=100 + ledger.weight())


async def is_unready(place, seconds):
    """The trouble lasts so long; who says to be ready towards its end is not."""
    await asyncio.sleep(seconds)
    if seconds >= UNREADY:
        for node in place.nodes:
            if await place.ready(node):
                place.tally.fault("untrue", f"ready, though Postgres has been away for {seconds} s")


async def stop(stage):
    async def trouble(place):
        await asyncio.to_thread(place.cluster.stop)
        await is_unready(place, stage.trouble(10))
        await asyncio.to_thread(place.cluster.start)
    await befall(stage, trouble)


async def freeze(stage):
    async def trouble(place):
        place.cluster.freeze(True)
        await is_unready(place, stage.trouble(20))
        place.cluster.freeze(False)
    await befall(stage, trouble)


async def cut(stage):
    async def trouble(place):
        place.line.cut()
        await is_unready(place, stage.trouble(10))
        place.line.mend()
    await befall(stage, trouble)


async def mute(stage):
    """Questions arrive and are carried out; answers do not come back, and then the line breaks."""
    async def trouble(place):
        place.line.answers.clear()
        await is_unready(place, stage.trouble(10))
        place.line.cut()
        await asyncio.sleep(0.5)
        place.line.mend()
    await befall(stage, trouble)


async def cancel(stage):
    """Somebody cancels what is under way, and ends connections, again and again."""
    ours = "from pg_stat_activity where application_name like 'agon%'"

    async def trouble(place):
        until = time.monotonic() + stage.trouble(10)
        while time.monotonic() < until:
            how = stage.dice.choice(["pg_cancel_backend", "pg_terminate_backend"])
            await asyncio.to_thread(place.cluster.ask, f"select {how}(pid) {ours}")
    await befall(stage, trouble)
