"""A machine that lets the server down: its disk is full, its store deleted or damaged, its clock set back."""

import asyncio
import contextlib
import os
import pathlib
import sqlite3
import subprocess
import time

import wire
from caller import Caller
from ledger import Ledger
from place import RECOVERY, Place

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


async def deleted_log(stage):
    """What was answered before the write-ahead log was deleted is there when the server starts again."""
    async with Place(stage.tally) as place:
        async def trouble():
            (place.folder / "agon.db-wal").unlink()
            await says_unready(place, "its write-ahead log was deleted")
            await asyncio.sleep(stage.trouble(5))
            place.kill(place.nodes[0])
            await place.start_again(place.nodes[0])

        await let_down(stage, place, trouble)


def grow(file, megabytes):
    """Adds rows, and leaves nothing in the log."""
    with contextlib.closing(sqlite3.connect(file)) as store:
        rows = ((file.name, "x" * 1000) for _ in range(megabytes * 1000))
        store.executemany("insert into match_log (game, contest, player, at, until, text) "
                          "values (1, ?, 'P01', 1, 1 << 60, ?)", rows)
        store.commit()
        store.execute("pragma wal_checkpoint(truncate)")


def cut(file, _dice):
    os.truncate(file, file.stat().st_size // 4)


def overwrite(file, dice):
    size = file.stat().st_size
    with file.open("r+b") as raw:
        raw.seek(size // 4)
        raw.write(dice.randbytes(size // 2))


def flip_bits(file, dice):
    """Not in the first page, without which it does not open."""
    with file.open("r+b") as raw:
        for _ in range(2000):
            place = dice.randrange(4096, file.stat().st_size)
            raw.seek(place)
            byte = raw.read(1)[0]
            raw.seek(place)
            raw.write(bytes([byte ^ 1 << dice.randrange(8)]))


async def damaged_store(stage):
    """A server whose store is damaged while it runs says that it is not ready, refuses, and writes
    nothing more. Of a large store that was damaged before, enough is read at the start to refuse it."""
    for harm, megabytes in [(cut, 2), (overwrite, 0)]:
        async with Place(stage.tally) as place:
            node, file = await filled(stage, place, megabytes)
            await place.start_again(node)
            harm(file, stage.dice)
            caller = Caller(node.address)

            async def create():
                stage.tally.tried()
                return await caller.call("createGame", {"type": "agent"})

            for _ in range(RECOVERY * 10):
                if not await place.ready(node):
                    break
                await create()
                await asyncio.sleep(0.1)
            else:
                stage.tally.fault("untrue", f"ready, though its store is damaged: {harm.__name__}")
            kept = file.read_bytes()
            for _ in range(stage.many(20)):
                if not (await create()).refused:
                    stage.tally.fault("untrue", "a game is saved in a damaged store")
                stage.tally.answered()
            if file.read_bytes() != kept:
                stage.tally.fault("untrue", "more was written into a damaged store")
            caller.close()
            place.end(may_grow=200)
    async with Place(stage.tally) as place:
        _, file = await filled(stage, place, 100)
        flip_bits(file, stage.dice)
        kept = file.read_bytes()
        stage.tally.tried()
        serve = [place.program, "--store", place.store(), "serve", "--listen", "127.0.0.1:0"]
        started = await asyncio.create_subprocess_exec(*serve, stderr=asyncio.subprocess.PIPE)
        said = (await asyncio.wait_for(started.communicate(), RECOVERY))[1].decode()
        stage.tally.answered()
        if started.returncode == 0 or "is damaged" not in said:
            stage.tally.fault("untrue", f"a damaged store is opened: {said}")
        if file.read_bytes() != kept:
            stage.tally.fault("untrue", "a damaged store was written into")


async def filled(stage, place, megabytes):
    """A server that was killed after some games, and its store, which holds so much more now."""
    node, file = place.nodes[0], place.folder / "agon.db"
    await Ledger(place, stage.tally, stage.dice).play(stage.trouble(5), stage.many(16))
    place.kill(node)
    await asyncio.to_thread(grow, file, megabytes)
    return node, file


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
                if place.rows("select name from leases where name like 'computer%'"):
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
