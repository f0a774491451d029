"""One HTTP exchange, and what came back: JSON, or events one after the other."""

import http.client
import json
import select
import threading
from urllib.parse import urlsplit

# A call that waits ends by itself after 30 seconds at most; whoever waits longer waits for nothing.
PATIENCE = 60


class Answer:
    """What came back: HTTP status and headers where there are any, and the message."""

    def __init__(self, status, headers, raw, body=None):
        self.status = status
        self.headers = {name.lower(): value for name, value in headers}
        self.raw = raw
        self.body = body if body is not None else read(self.headers, raw)

    def _part(self, name):
        return self.body.get(name) if isinstance(self.body, dict) else None

    @property
    def result(self):
        return self._part("result")

    @property
    def error(self):
        return self._part("error")

    @property
    def content(self):
        return self.result.get("content", []) if isinstance(self.result, dict) else []

    @property
    def text(self):
        """All text blocks of a tool's answer."""
        return "\n".join(block["text"] for block in self.content if block["type"] == "text")

    @property
    def facts(self):
        return self.result.get("structuredContent") if isinstance(self.result, dict) else None

    @property
    def resource(self):
        """The resource that a tool's answer embeds, if it does."""
        blocks = [block for block in self.content if block["type"] == "resource"]
        return blocks[0]["resource"] if blocks else None

    @property
    def refused(self):
        return self.error is not None or bool(self.result and self.result.get("isError"))


def read(headers, raw):
    """The message in an HTTP body, be it JSON or the last answer of an event stream."""
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
    if headers.get("content-type", "").startswith("text/event-stream"):
        messages = [json.loads(data) for data in events(text.splitlines())]
        answers = [one for one in messages if "result" in one or "error" in one]
        return answers[-1] if answers else None
    try:
        return json.loads(text)
    except ValueError:
        return None


def events(lines):
    """The data of each server-sent event that has any."""
    data = []
    for line in lines:
        line = line.rstrip("\r\n")
        if line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif not line:
            if any(data):
                yield "\n".join(data)
            data = []
    if any(data):
        yield "\n".join(data)


def fetch(url, method="GET", headers=None, body=None, patience=PATIENCE):
    """One HTTP exchange: no proxy, no redirect, no header unasked."""
    parts = urlsplit(url)
    line = LINES.to(parts.hostname, parts.port or 80, patience)
    if isinstance(body, str):
        body = body.encode()
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        try:
            line.request(method, target or "/", body=body, headers=headers or {})
        except BrokenPipeError:
            # A server that has read enough of a body answers before it has all of it.
            line._HTTPConnection__state = http.client._CS_REQ_SENT
        response = line.getresponse()
        return Answer(response.status, response.getheaders(), response.read())
    except BaseException:
        line.close()
        raise


class Lines(threading.local):
    """Connections that are kept from one exchange to the next, each by one thread."""

    def __init__(self):
        self.open = {}

    def to(self, host, port, patience):
        line = self.open.get((host, port))
        # One that can be read from before anything was asked has been closed at the other end.
        if line and line.sock and select.select([line.sock], [], [], 0)[0]:
            line.close()
        if line is None:
            line = self.open[host, port] = http.client.HTTPConnection(host, port)
        line.timeout = patience
        if line.sock:
            line.sock.settimeout(patience)
        return line


LINES = Lines()


def post(url, message, headers=None, patience=PATIENCE):
    """Posts JSON, or a body that is text already, as it is."""
    body = message if isinstance(message, (str, bytes)) else json.dumps(message)
    headers = {"Content-Type": "application/json", **(headers or {})}
    return fetch(url, "POST", headers, body, patience)


class Stream:
    """An open event stream whose messages are handed out one by one."""

    def __init__(self, url, method, headers, body=None):
        parts = urlsplit(url)
        self.line = http.client.HTTPConnection(parts.hostname, parts.port, timeout=PATIENCE)
        self.line.request(method, parts.path, body=body, headers=headers)
        self.response = self.line.getresponse()
        self.status = self.response.status
        self.messages = (json.loads(data) for data in events(self._lines()))

    def _lines(self):
        for line in self.response:
            yield line.decode()

    def next(self):
        return next(self.messages)

    def until(self, method):
        """The next message of this method."""
        return next(one for one in self.messages if one.get("method") == method)

    def close(self):
        self.line.close()
