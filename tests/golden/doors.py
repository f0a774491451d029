"""The doors, and how what they say differs by design from what a session says."""

import json
import re

import wire
from official import Python, TypeScript

DOORS = [wire.Session, wire.Stdio, wire.Modern, wire.Plain]
OFFICIAL = [TypeScript, Python]
# How the name of a client stands behind the kind of player, in words, in JSON and in PGN.
CLIENT = rf' (\\?")?{wire.CLIENT["name"]}(?(1)\1|(?="))'
NEWS = '"method":"notifications/resources/updated","params":{'


def expected(door, step):
    """The answer that `door` must give where a session gave this one."""
    parts, code = dict(step.parts), step.parts.get("error.code")
    if door in (wire.Modern, Python):
        # Version 2026-07-28: a result names its type, an unknown resource is a wrong parameter.
        if step.method and code is None:
            parts["resultType"] = "complete"
        if code == "-32002":
            parts["error.code"] = "-32602"
        if "protocolVersion" in parts:
            parts["protocolVersion"] = wire.MODERN
    if door is wire.Modern and NEWS in parts.get("", ""):
        # News carries the id of its subscription: the first request of the client that follows.
        of = '"_meta":{"io.modelcontextprotocol/subscriptionId":1},'
        parts[""] = parts[""].replace(NEWS, NEWS + of)
    if door in (wire.Modern, wire.Plain) and code == "-32601":
        # Without a session, the HTTP status also says that there is no such method.
        parts["HTTP"] = "404"
    if door is wire.Plain:
        # A plain client sends no name.
        parts = {label: re.sub(CLIENT, "", text) for label, text in parts.items()}
    if door is TypeScript and code:
        # The client throws an error that quotes the server's.
        parts["error.name"] = "McpError"
        parts["error.message"] = f"MCP error {code}: {parts['error.message']}"
    return parts

