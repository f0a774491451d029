"""A server of its own, and a caller who posts plain JSON-RPC to it."""

import http.client
import json
import os
import re
import subprocess
import tempfile


class Refused(Exception):
    """What agon would not do, in its own words."""


class House:
    """agon on a free port and a store of its own, for as long as it is entered."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        store = f"sqlite:{self.folder.name}/agon.db"
        serve = ["serve", "--listen", "127.0.0.1:0", "--store", store, "--no-browser"]
        agon = os.environ["AGON"]
        self.server = subprocess.Popen([agon, *serve], stderr=subprocess.PIPE, text=True)
        first = self.server.stderr.readline()
        listens = re.search(r"http://127\.0\.0\.1:(\d+)", first)
        assert listens, f"agon did not start: {first}"
        self.port = int(listens[1])
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.communicate()
        self.folder.cleanup()


class Caller:
    def __init__(self, port):
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def call(self, tool, **arguments):
        """The text of the answer, and the facts beside it."""
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self.line.request("POST", "/mcp", json.dumps(message), headers)
        answer = json.loads(self.line.getresponse().read())
        if "error" in answer:
            raise Refused(answer["error"]["message"])
        result = answer["result"]
        text = result["content"][0]["text"]
        if result.get("isError"):
            raise Refused(text)
        return text, result.get("structuredContent", {})
