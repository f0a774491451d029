"""Attacks agon in every way we know and prints what came of it; see `run`."""

import argparse
import asyncio
import contextlib
import random
import resource
import sys
import time

import database
import doors
import floods
import fuzzing
import kills
import machine
import slow
from tally import Tally, table

# Each attack, and its share of the time; some take the time they take.
ATTACKS = {
    "fuzz": (fuzzing.fuzz, 8),
    "slow and half-sent": (slow.slow, 3),
    "floods": (floods.flood, 3),
    "nothing read": (doors.unread, 2),
    "behind a proxy": (doors.strangers, 0),
    "kills, one file": (kills.kill_on_a_file, 3),
    "kills, three nodes": (database.kill_nodes, 3),
    "Postgres stopped": (database.stop, 0),
    "Postgres frozen": (database.freeze, 0),
    "Postgres cut off": (database.cut, 0),
    "Postgres mute": (database.mute, 0),
    "Postgres cancels": (database.cancel, 0),
    "disk full": (machine.full_disk, 0),
    "store deleted": (machine.deleted_store, 0),
    "log deleted": (machine.deleted_log, 0),
    "store damaged": (machine.damaged_store, 0),
    "clock set back": (machine.clock_set_back, 0),
}
# What those need that have no share, in minutes.
TAKEN = 3


class Street(contextlib.AsyncExitStack):
    """What is open for longer than one attack."""

    nodes = None


class Stage:
    """What one attack is given: its time, its dice and its row of the table."""

    def __init__(self, tally, seconds, options, street):
        self.tally, self.seconds, self.short = tally, seconds, options.short
        self.dice = random.Random(f"{options.seed}/{tally.name}")
        self.street = street

    async def nodes(self, make):
        """The nodes that all attacks on them share: to open them takes longer than most attacks."""
        if self.street.nodes is None:
            self.street.nodes = await self.street.enter_async_context(make(self.tally))
        self.street.nodes.begin(self.tally)
        return self.street.nodes

    def many(self, number):
        """So many, or fewer where there is little time."""
        return max(2, number // 4) if self.short else number

    def trouble(self, seconds):
        """How long a fault lasts."""
        return seconds / 5 if self.short else seconds


async def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--minutes", type=float, default=9)
    arguments.add_argument("--short", action="store_true", help="for every change")
    arguments.add_argument("--seed", default="agon")
    arguments.add_argument("--only", metavar="NAME", action="append",
                           help="attacks with this in their names")
    options = arguments.parse_args()
    minutes = 0.5 if options.short else max(options.minutes - TAKEN, 0.5)
    chosen = {name: attack for name, attack in ATTACKS.items()
              if not options.only or any(only in name for only in options.only)}
    # Many callers have many connections.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536), most))
    print(f"the seed is {options.seed!r}", flush=True)
    shares = sum(share for _, share in ATTACKS.values())
    tallies = []
    async with Street() as street:
        for name, (attack, share) in chosen.items():
            tally = Tally(name)
            tallies.append(tally)
            began = time.monotonic()
            await attack(Stage(tally, minutes * 60 * share / shares, options, street))
            tally.tell()
            print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(table(tallies))
    return 0 if all(tally.holds for tally in tallies) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
