"""The official clients as doors: what they hand to whoever calls by them."""

import json
import os
import subprocess

import wire

RUN = wire.HERE.parent / "clients/run"


def install():
    """Before several want it at once: what tests/clients needs."""
    subprocess.run([RUN, "--version"], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "AGON": wire.PROGRAM})


class Official(wire.Stdio):
    """A process in which an official client makes the calls it is told to."""

    def connect(self, server, capabilities, **target):
        wire.Client.__init__(self)
        about = {"client": wire.CLIENT, "capabilities": capabilities or {}, **target}
        self.start([RUN, self.relay, json.dumps(about)], {**server.env, "AGON": server.program})
        self.hello = self._await(lambda: self.answers.pop(0, None))

    def request(self, method, params=None, headers=None):
        answer = super().request(method, params, headers)
        # Some put it first, and passes are numbered as they come.
        if isinstance(answer.result, dict) and "_meta" in answer.result:
            answer.result["_meta"] = answer.result.pop("_meta")
        return answer


class TypeScript(Official):
    """Over HTTP, with a session."""

    label, relay = "typescript", "relay.js"

    def __init__(self, server, room=None, capabilities=None):
        url = server.page(f"/{room}/mcp" if room else "/mcp")
        self.connect(server, capabilities, url=url)


class Python(Official):
    """Over stdio, in the newest version of the protocol."""

    label, relay = "python", "relay.py"

    def __init__(self, server, room=None, capabilities=None):
        rooms = ["--rooms", room] if room else []
        command = [server.program, "--store", server.store, *rooms, *server.flags,
                   "--listen", "127.0.0.1:0"]
        self.connect(server, capabilities, command=command)


DOORS = [TypeScript, Python]
