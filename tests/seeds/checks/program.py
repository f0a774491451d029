"""Checks of the program itself: how it starts, where it listens, what it opens."""

import os
import pathlib
import select
import tempfile
import types

import wire

from . import check


@check
def starts(stage, flags):
    with wire.Server(*flags) as server:
        answer = wire.Plain(server).request("tools/list")
        assert answer.status == 200, answer.raw


@check
def speaks_on_stdio(stage):
    with wire.Stdio(stage.house.server) as client:
        assert client.hello.result["serverInfo"]["name"]
        assert client.request("tools/list").result["tools"]
        assert "Game Created" in client.call("createGame", type="agent").text
    # Closed by now, so all that was said has been read.
    assert not client.noise, client.noise
    assert not client.answers, client.answers


@check
def session_is_a_stream(stage):
    with wire.Session(stage.house.server) as client:
        hello = client.hello
        assert hello.status == 200, hello.raw
        assert hello.headers["content-type"].startswith("text/event-stream"), hello.headers
        assert hello.headers["mcp-session-id"]


@check
def serves_pages_beside_stdio(stage):
    with wire.Stdio(stage.house.server) as client:
        page = wire.fetch(f"http://{client.address()}/")
        assert page.status == 200, page.raw
        assert page.headers["content-type"].startswith("text/html"), page.headers
        assert client.address().startswith("127.0.0.1:"), client.address()


class Desktop:
    """Somebody's desktop: a browser that writes down what it is asked to open."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="agon-desktop-")
        self.root = pathlib.Path(self.folder.name)
        opened = self.root / "opened"
        os.mkfifo(opened)
        # Open at both ends, so that nobody waits for the other to come.
        self.opened = os.open(opened, os.O_RDWR | os.O_NONBLOCK)
        for name in ["xdg-open", "gio", "gnome-open", "kde-open", "wslview"]:
            browser = self.root / name
            browser.write_text(f'#!/bin/sh\nfor url; do :; done\necho "$url" > {opened}\n')
            browser.chmod(0o755)

    def start(self, user, **more):
        """Has this user's host start the program and end it; where its pages were."""
        home = self.root / user
        home.mkdir(exist_ok=True)
        env = {**wire.environment(), "HOME": str(home), "XDG_DATA_HOME": str(home),
               "DISPLAY": ":99", "PATH": f"{self.root}:{os.environ['PATH']}",
               "MCP_DISABLE_BROWSER": "0", "SSH_CONNECTION": None, "CI": None, **more}
        agon = types.SimpleNamespace(
            program=wire.PROGRAM, store=f"sqlite:{home / 'agon.db'}",
            env={name: value for name, value in env.items() if value is not None})
        # Once it answers here, it has asked for the browser or never will.
        with wire.Stdio(agon) as client:
            return f"http://{client.address()}/"

    def next_opened(self):
        """The next address, whenever it comes."""
        there, _, _ = select.select([self.opened], [], [], wire.PATIENCE)
        assert there, "no browser was asked for"
        line = b""
        while not line.endswith(b"\n"):
            line += os.read(self.opened, 1)
        return line.decode().strip()


@check
def opens_the_browser_once(stage):
    desktop = Desktop()
    desktop.start("ada", MCP_DISABLE_BROWSER="1")
    first = desktop.start("ada")
    assert desktop.next_opened() == first
    desktop.start("ada")
    other = desktop.start("grace")
    assert desktop.next_opened() == other


@check
def starts_without_a_desktop(stage):
    desktop = Desktop()
    desktop.start("ada", DISPLAY=None, WAYLAND_DISPLAY=None)
    other = desktop.start("ada")
    assert desktop.next_opened() == other
