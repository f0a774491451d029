"""What a release consists of, and what everything in it is called. Nothing else says so.

The version is the workspace's, in Cargo.toml. The program's repository has no address yet: where one is
needed, OWNER stands for whoever publishes it (`make dist OWNER=somebody`).
"""

import os
import pathlib
import re
import tomllib
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]

VERSION = WORKSPACE["version"]
LICENSE = WORKSPACE["license"]
SUMMARY = "Games for AI agents and people: chess, a dungeon, leagues and more, over MCP"
KEYWORDS = WORKSPACE["keywords"]

OWNER = os.environ.get("OWNER") or "OWNER"
REPOSITORY = f"https://github.com/{OWNER}/agon"
RELEASE = f"{REPOSITORY}/releases/download/v{VERSION}"

# `agon` alone is taken on PyPI and npm.
MCP_NAME = f"io.github.{OWNER}/agon"
PYTHON_NAME = "agon-server"
NPM_NAME = "agon-mcp"
CRATES = {"rules": "agon-rules", "players": "agon-players", "chess-engine": "agon-chess-engine"}


class Platform(NamedTuple):
    target: str
    """As Rust calls it."""
    node: str
    """As Node calls it: system and processor."""
    wheel: str
    """As Python calls it."""

    @property
    def system(self):
        return self.node.split("-")[0]

    @property
    def program(self):
        return "agon.exe" if self.system == "win32" else "agon"

    @property
    def label(self):
        """As people call it."""
        return self.node.replace("win32", "windows").replace("darwin", "macos")


# The static program asks nothing of a Linux but its kernel, so it serves both of Python's families.
# What macOS it takes at least is Rust's own choice, and the test reads it from the program.
PLATFORMS = [
    Platform("x86_64-unknown-linux-musl", "linux-x64", "manylinux2014_x86_64.musllinux_1_1_x86_64"),
    Platform("aarch64-unknown-linux-musl", "linux-arm64", "manylinux2014_aarch64.musllinux_1_1_aarch64"),
    Platform("x86_64-pc-windows-gnu", "win32-x64", "win_amd64"),
    Platform("aarch64-apple-darwin", "darwin-arm64", "macosx_11_0_arm64"),
    Platform("x86_64-apple-darwin", "darwin-x64", "macosx_10_12_x86_64"),
]


def readme():
    """The README as registries show it: by itself, and with the name that proves whose it is."""
    text = (ROOT / "README.md").read_text()
    # Pictures and links inside the tree lead nowhere from there.
    text = re.sub(r"!\[[^]]*\]\((?!https?:)[^)]*\)\n*", "", text)
    text = re.sub(r"\]\((?!https?:)([^)]*)\)", rf"]({REPOSITORY}/blob/v{VERSION}/\1)", text)
    return f"{text}\nmcp-name: {MCP_NAME}\n"
