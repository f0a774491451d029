"""Attacks agon in every way we know and prints what came of it; see `run`."""

import argparse
import asyncio
import random
import sys
import time

import fuzzing
import kills
from tally import Tally, table

# Each attack, and its share of the time.
ATTACKS = {
    "fuzz": (fuzzing.fuzz, 4),
    "kills, one file": (kills.kill_on_a_file, 2),
}


class Stage:
    """What one attack is given: its time, its dice and its row of the table."""

    def __init__(self, tally, seconds, seed, short):
        self.tally, self.seconds, self.short = tally, seconds, short
        self.dice = random.Random(f"{seed}/{tally.name}")

    def many(self, number):
        """So many, or fewer where there is little time."""
        return max(2, number // 4) if self.short else number


async def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--minutes", type=float, default=9)
    arguments.add_argument("--short", action="store_true", help="a minute, for every change")
    arguments.add_argument("--seed", default="agon")
    arguments.add_argument("--only", metavar="NAME", action="append", help="attacks with this in their names")
    options = arguments.parse_args()
    minutes = 1 if options.short else options.minutes
    chosen = {name: attack for name, attack in ATTACKS.items()
              if not options.only or any(only in name for only in options.only)}
    print(f"the seed is {options.seed!r}", flush=True)
    shares = sum(share for _, share in ATTACKS.values())
    tallies = []
    for name, (attack, share) in chosen.items():
        tally = Tally(name)
        tallies.append(tally)
        stage = Stage(tally, minutes * 60 * share / shares, options.seed, options.short)
        began = time.monotonic()
        await attack(stage)
        tally.tell()
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    print(table(tallies))
    return 0 if all(tally.holds for tally in tallies) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
