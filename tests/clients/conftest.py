"""Starts agon and connects the official Python client to it."""

import os
import pathlib
import subprocess
import sys
from contextlib import asynccontextmanager
from types import SimpleNamespace

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = pathlib.Path(__file__).parents[2]
sys.path += [str(ROOT / "examples"), str(ROOT / "tests/seeds")]
from wire import Server  # noqa: E402

PROGRAM = os.environ["AGON"]


@pytest.fixture
def anyio_backend():
    return "asyncio"


class House:
    """A store and the server on it, which keeps its port when it is started again."""

    def __init__(self, folder):
        self.store = f"sqlite:{folder / 'agon.db'}"
        self.flags = []
        self.server = None

    @property
    def arguments(self):
        listen = self.server.listen if self.server else "127.0.0.1:0"
        return ["--listen", listen, "--store", self.store, "--no-browser", *self.flags]

    def url(self):
        if self.server is None:
            self.server = Server(*self.flags, store=self.store)
        elif self.server.process.poll() is not None:
            self.server.start()
        return self.server.url

    def league_key(self):
        league = [PROGRAM, *self.arguments, "league", "key"]
        return subprocess.run(league, check=True, capture_output=True, text=True).stdout.strip()

    def kill(self):
        self.server.kill()

    @asynccontextmanager
    async def connect(self, transport, mode, path="/mcp", **options):
        if transport == "HTTP":
            target = self.url().removesuffix("/mcp") + path
        else:
            process = StdioServerParameters(command=PROGRAM, args=self.arguments)
            target = stdio_client(process, errlog=subprocess.DEVNULL)
        async with Client(target, mode=mode, read_timeout_seconds=60, **options) as client:
            yield Player(client)

    @asynccontextmanager
    async def following(self, transport, mode, uris):
        """A player who follows these, and an event: there has been news of each."""
        missing, complete = set(uris), anyio.Event()

        def hear(uri):
            missing.discard(str(uri))
            if not missing:
                complete.set()

        async def heard(message):
            if getattr(message, "method", "") == "notifications/resources/updated":
                hear(message.params.uri)

        async def listen(client, *, task_status):
            async with client.listen(resource_subscriptions=sorted(uris)) as news:
                task_status.started()
                async for event in news:
                    hear(getattr(event, "uri", ""))

        async with (
            self.connect(transport, mode, message_handler=heard) as player,
            anyio.create_task_group() as tasks,
        ):
            if mode == "auto":
                await tasks.start(listen, player.client)
            else:
                for uri in uris:
                    await player.client.subscribe_resource(uri)
            yield player, complete
            tasks.cancel_scope.cancel()


class Player:
    def __init__(self, client):
        self.client = client
        self.game_id = self.token = None

    async def call(self, tool, **arguments):
        result = await self.client.call_tool(tool, arguments)
        facts = SimpleNamespace(**(result.structured_content or {}))
        text, *rest = result.content
        return SimpleNamespace(text=text.text, rest=rest, facts=facts, is_refused=result.is_error)

    async def create(self, **arguments):
        return self._seated(await self.call("createGame", **arguments))

    async def join(self, game_id):
        return self._seated(await self.call("joinGame", game_id=game_id))

    def _seated(self, answer):
        self.game_id, self.token = answer.facts.game_id, getattr(answer.facts, "pass")
        return answer

    async def play(self, move, **arguments):
        return await self.call("finishTurn", game_id=self.token, move=move, **arguments)

    async def wait(self):
        return await self.call("waitForNextTurn", game_id=self.token)


@pytest.fixture
def house(tmp_path):
    house = House(tmp_path)
    yield house
    if house.server:
        house.server.close()
