"""Plays a first move with the official client over stdio, as a host would that was told this command:

    tests/clients/run first_move.py COMMAND [ARGUMENT ...]
"""

import os
import sys

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(command, *arguments):
    process = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    async with Client(stdio_client(process), read_timeout_seconds=120) as client:
        created = await client.call_tool("createGame", {"type": "computer", "difficulty": 1})
        seat = {"game_id": created.structured_content["pass"]}
        played = await client.call_tool("finishTurn", seat | {"move": "e2e4"})
        assert not played.is_error, played
        answered = await client.call_tool("waitForNextTurn", seat)
        assert not answered.is_error, answered
        print(answered.content[0].text.splitlines()[0])


anyio.run(main, *sys.argv[1:])
