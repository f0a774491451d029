"""What came of each attack, counted, and the table that tells it."""

import collections
import sys

COLUMNS = ["attack", "tried", "answered", "lost", "doubled", "untrue", "memory before", "after"]
# Faults that begin alike are told once; so many that do not are told at all.
ALIKE, TOLD = 40, 12


class Tally:
    """One attack's row."""

    def __init__(self, name):
        self.name = name
        self.counts = collections.Counter()
        self.faults = collections.defaultdict(list)
        self.before = self.after = None
        # How many megabytes more there may be in the end than in the beginning.
        self.may_grow = 0

    def tried(self):
        self.counts["tried"] += 1

    def answered(self):
        self.counts["answered"] += 1

    def fault(self, kind, what):
        """Something lost, doubled, untrue or dead."""
        self.counts[kind] += 1
        self.faults[kind].append(what)

    def weigh(self, before, after, may_grow):
        self.before, self.after, self.may_grow = before, after, may_grow
        if after - before > may_grow:
            self.fault("grown", f"by {after - before:.0f} MB, more than {may_grow} MB")

    def row(self):
        memory = ["-" if m is None else f"{m:.0f} MB" for m in (self.before, self.after)]
        counted = [str(self.counts[name]) for name in COLUMNS[1:6]]
        return [self.name, *counted, *memory]

    @property
    def holds(self):
        return not self.faults

    def tell(self, out=sys.stderr):
        for kind, faults in self.faults.items():
            alike = collections.defaultdict(list)
            for what in faults:
                alike[what[:ALIKE]].append(what)
            for same in list(alike.values())[:TOLD]:
                print(f"{self.name}: {kind} ({len(same)}): {same[0]}", file=out)


def table(tallies):
    rows = [COLUMNS, *(tally.row() for tally in tallies)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        first, *rest = (cell.ljust(width) if n == 0 else cell.rjust(width)
                        for n, (cell, width) in enumerate(zip(row, widths)))
        lines.append("| " + " | ".join([first, *rest]) + " |")
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)
