"""Plays every row of the seeds, prints what does not hold, and how many do.

    tests/seeds/run [--only TEXT]
    tests/seeds/run --write

--only plays the rows whose name has TEXT in it, like 003: or createGame. --write plays none, and
writes docs/seeds.md; otherwise it must be what would be written.
"""

import argparse
import concurrent.futures
import pathlib
import sys
import traceback

import document
import rows
from houses import Street

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "seeds.md"


def play(street, row, door):
    """What is wrong, or None."""
    try:
        row.play(street.house(row.house), door)
    except rows.Wrong as wrong:
        return str(wrong)
    except Exception:  # a row that cannot be played does not hold, whatever the reason
        return traceback.format_exc(limit=-4)
    return None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--write", action="store_true")
    options.add_argument("--only", default="")
    options = options.parse_args()
    seeds = rows.load()
    text = document.document(seeds)
    if options.write:
        DOCUMENT.write_text(text)
        return
    wanted = [row for seed in seeds for row in seed.rows if options.only in row.name]
    failed = {}
    street = Street()
    try:
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            playing = {pool.submit(play, street, row, door): (row, door)
                       for row in wanted for door in row.over}
            for played in concurrent.futures.as_completed(playing):
                row, door = playing[played]
                if played.result():
                    failed.setdefault(row, {})[door] = played.result()
    finally:
        street.close()
    for row in wanted:
        if row in failed:
            doors, what = ", ".join(failed[row]), next(iter(failed[row].values()))
            print(f"FAILED {row.name} (over {doors})\n      {what}")
        if row.otherwise and row not in failed:
            print(f"otherwise {row.name}\n      {row.otherwise}")
    stale = not options.only and (not DOCUMENT.exists() or DOCUMENT.read_text() != text)
    if stale:
        print("docs/seeds.md is not what these rows say; write it with: make docs")
    print(f"{len(wanted) - len(failed)} of {len(wanted)}")
    print(f"{len(wanted) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed or stale else 0)


if __name__ == "__main__":
    main()
