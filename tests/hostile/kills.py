"""kill -9 under load: whatever was answered is there afterwards, once."""

import asyncio
import time

from ledger import Ledger
from place import Place


async def kill_again_and_again(place, dice, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await asyncio.sleep(dice.uniform(0.3, 2))
        node = dice.choice(place.nodes)
        place.kill(node)
        await place.start_again(node)


async def kill_on_a_file(stage):
    async with Place(stage.tally) as place:
        ledger = Ledger(place, stage.tally, stage.dice)
        await asyncio.gather(ledger.play(stage.seconds, stage.many(16)),
                             kill_again_and_again(place, stage.dice, stage.seconds))
        await ledger.settle()
        place.end(may_grow=100 + ledger.weight())
