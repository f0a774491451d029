"""A machine that lets the server down: its disk is full, its store deleted, its clock set back."""

import asyncio
import contextlib
import pathlib
import subprocess
import time

import wire
from caller import Caller
from ledger import Ledger
from place import Place

DISK = 64 << 20
DAY = 24 * 60 * 60


async def let_down(stage, place, trouble):
    """Players play while this happens, and for a while before and after; then everything is killed, and
    what was answered is there."""
    ledger = Ledger(place, stage.tally, stage.dice)

    async def meanwhile():
        await asyncio.sleep(1)
        await trouble()
        await place.recover()
        ledger.until = time.monotonic() + 2

    await asyncio.gather(ledger.play(DAY, stage.many(16)), meanwhile())
    place.kill(place.nodes[0])
    await place.start_again(place.nodes[0])
    await ledger.settle()
    place.end(may_grow=100 + ledger.weight())


async def says_unready(place, why):
    """Until it says so, which it must soon."""
    for _ in range(100):
        if not await place.ready(place.nodes[0]):
            return
        await asyncio.sleep(0.1)
    place.tally.fault("untrue", f"ready, though {why}")


class SmallDisk(Place):
    """Its store is on a small file system, which goes with this process's mounts."""

    def _open(self):
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", str(self.folder)]
        subprocess.run(mount, check=True)
        super()._open()

    def clear(self):
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)
        super().clear()


def fill(file):
    """To the last byte of its disk. (Without a buffer, which would be written once more, in vain, at the end.)"""
    with file.open("wb", buffering=0) as raw, contextlib.suppress(OSError):
        while True:
            raw.write(b"\0" * (1 << 16))


async def full_disk(stage):
    async with SmallDisk(stage.tally) as place:
        filler = place.folder / "filler"

        async def trouble():
            fill(filler)
            await says_unready(place, "the disk is full")
            await asyncio.sleep(stage.trouble(5))
            filler.unlink()

        await let_down(stage, place, trouble)


async def deleted_store(stage):
    async with Place(stage.tally) as place:
        file, aside = place.folder / "agon.db", place.folder / "aside.db"

        async def trouble():
            file.rename(aside)
            await says_unready(place, "its store was deleted")
            await asyncio.sleep(stage.trouble(5))
            aside.rename(file)

        await let_down(stage, place, trouble)


def with_faked_clock(folder):
    """A program that runs agon by a clock of ours, and the file that says how far that is off."""
    found = sorted(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    assert found, "libfaketime is installed; if not: apt-get install faketime"
    clock, program = folder / "clock", folder / "agon"
    clock.write_text("+0")
    program.write_text(f"""#!/bin/sh
export LD_PRELOAD={found[-1]} FAKETIME_TIMESTAMP_FILE={clock} FAKETIME_NO_CACHE=1
export FAKETIME_DONT_FAKE_MONOTONIC=1
exec {wire.PROGRAM} "$@"
""")
    program.chmod(0o755)
    return program, clock


async def clock_set_back(stage):
    """By a day, while games are under way and while the computer has promised to think."""
    place = Place(stage.tally)
    place.program, clock = with_faked_clock(place.folder)
    async with place:
        async def trouble():
            caller = Caller(place.nodes[0].address)
            # Strong enough to be still thinking when it is killed.
            wish = {"type": "computer", "difficulty": 10, "board": "fen"}
            game = (await caller.call("createGame", wish)).facts["pass"]
            clock.write_text(f"-{DAY}")
            await computer_answers(stage, caller, game, "a2a3", "while it ran")
            # The next is told to a server that is gone when it has promised to think about it.
            await caller.call("finishTurn", {"game_id": game, "move": "b2b3"})
            for _ in range(200):
                if place.rows("select duty from duties where duty like 'computer%'"):
                    break
                await asyncio.sleep(0.005)
            place.kill(place.nodes[0])
            caller.close()
            clock.write_text(f"-{2 * DAY}")
            await place.start_again(place.nodes[0])
            await computer_answers(stage, caller, game, None, "before it was started again")
            caller.close()

        await let_down(stage, place, trouble)


async def computer_answers(stage, caller, game, move, when):
    if move:
        await caller.call("finishTurn", {"game_id": game, "move": move})
    for _ in range(3):
        waited = await caller.call("waitForNextTurn", {"game_id": game})
        if (waited.facts or {}).get("status") == "your_turn":
            return
    stage.tally.fault("untrue", f"the computer does not answer after the clock was set back {when}")
