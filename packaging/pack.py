#!/usr/bin/env python3
"""Makes everything a release consists of, from the programs that are there.

    packaging/pack.py PROGRAMS INTO

PROGRAMS holds a folder for each platform, by Rust's name for it, with the program inside, as
packaging/build leaves them. What is missing there is left out, and said.
"""

import hashlib
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True

import archives  # noqa: E402
import crates  # noqa: E402
import mcpb  # noqa: E402
import npm  # noqa: E402
import registry  # noqa: E402
import wheels  # noqa: E402
from names import PLATFORMS, ROOT  # noqa: E402


def main(programs, into):
    if not (ROOT / "crates/server/pages/built").exists():
        sys.exit("the pages are not built; build them with: make pages")
    programs, into = pathlib.Path(programs).resolve(), pathlib.Path(into).resolve()
    found = {platform: programs / platform.target / platform.program for platform in PLATFORMS}
    for platform in [platform for platform, program in found.items() if not program.exists()]:
        print(f"without {platform.label}: there is no {found.pop(platform)}", file=sys.stderr)
    host = found.get(PLATFORMS[0])
    if host is None:
        sys.exit("the program for this machine is asked what it offers, and is not there")
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    about = archives.extras(host)
    made = [archives.source(into)]
    # That they build is for the test to see, which takes minutes.
    made += [pathlib.Path(shutil.copy(crate, into)) for crate in crates.packed("--no-verify")]
    made += [archives.archive(platform, program, about, into) for platform, program in found.items()]
    made += [wheels.wheel(platform, program, into) for platform, program in found.items()]
    with tempfile.TemporaryDirectory(dir=into.parent) as stage:
        made += npm.packages(found, pathlib.Path(stage), into)
    bundle = mcpb.bundle(found, host, into)
    made += [bundle, registry.write(bundle, into)]
    sums = [(hashlib.sha256(path.read_bytes()).hexdigest(), path.name) for path in sorted(made)]
    (into / "SHA256SUMS").write_text("".join(f"{sum}  {name}\n" for sum, name in sums))
    for path in made:
        print(f"{path.stat().st_size / 1e6:8.1f} MB  {path.name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
