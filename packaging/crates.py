#!/usr/bin/env python3
"""The crates as they are published, from a copy of the tree in target/crates.

    packaging/crates.py [FLAG ...]      packs them there with these flags of cargo package

In the tree they have plain names, because `cargo nextest run -p rules` goes by a package's name; as crates
those are others', so the copy gives them the names that are free. What the code calls them stays.
"""

import os
import pathlib
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True

from archives import tree  # noqa: E402
from names import CRATES, ROOT, VERSION, readme  # noqa: E402

COPY = ROOT / "target/crates"


def copied():
    """The tree with the names they are published under."""
    shutil.rmtree(COPY, ignore_errors=True)
    for path in tree():
        place = COPY / path.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)
    (COPY / "README.md").write_text(readme())
    workspace = COPY / "Cargo.toml"
    for plain, free in CRATES.items():
        change(workspace, f'\n{plain} = {{ path', f'\n{plain} = {{ package = "{free}", path')
        change(workspace, f"profile.dev.package.{plain}]", f"profile.dev.package.{free}]")
        crate = COPY / "crates" / plain / "Cargo.toml"
        library = plain.replace("-", "_")
        change(crate, f'name = "{plain}"\n', f'name = "{free}"\n')
        change(crate, "[dependencies]\n", f'[lib]\nname = "{library}"\n\n[dependencies]\n')
    return COPY


def change(path, before, after):
    text = path.read_text()
    assert before in text, f"{path}: {before}"
    path.write_text(text.replace(before, after))


def packed(*flags):
    """The packages, in the order in which they are published."""
    command = ["cargo", "package", "--quiet", "--workspace", "--offline", "--allow-dirty", *flags]
    target = ROOT / "target"
    # A package leaves the workspace's profile behind; with this, what is built already serves.
    settings = {"CARGO_TARGET_DIR": str(target), "CARGO_PROFILE_DEV_DEBUG": "line-tables-only"}
    subprocess.run(command, cwd=copied(), check=True, env=os.environ | settings)
    return [target / "package" / f"{name}-{VERSION}.crate" for name in [*CRATES.values(), "agon"]]


def forget():
    """Removes what cargo has unpacked and built of these crates before, which it takes for theirs ever after."""
    home = pathlib.Path(os.environ.get("CARGO_HOME") or pathlib.Path.home() / ".cargo")
    for name in CRATES.values():
        unpacked = home.glob(f"registry/src/-*/{name}-{VERSION}")
        built = ROOT.glob(f"target/debug/.fingerprint/{name}-*")
        for old in [*unpacked, *built]:
            shutil.rmtree(old)


if __name__ == "__main__":
    forget()
    for package in packed(*sys.argv[1:]):
        print(f"{package.stat().st_size / 1e6:8.1f} MB  {package}")
