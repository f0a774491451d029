"""Links, resources, prompts and capabilities with the official Python client."""

import json
import re
import urllib.request

import anyio
import pytest
from mcp import MCPError
from mcp.types import ElicitResult, PromptReference

pytestmark = pytest.mark.anyio

each_mode = pytest.mark.parametrize("mode", ["legacy", "auto"])
each_transport = pytest.mark.parametrize("transport", ["HTTP", "stdio"])

LINK = re.compile(r"http://127\.0\.0\.1:\d+/game/[0-9a-f]{8}#open=[0-9a-f]+")


def open_link(link):
    """Opens a link as its page does. Returns the pass."""
    site, game, code = re.fullmatch(r"(http://[^/]+)/game/(\w+)#open=(\w+)", link).groups()
    ask = urllib.request.Request(
        f"{site}/api/games/{game}/open",
        data=json.dumps({"code": code}).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(ask) as answer:
        return json.load(answer)["pass"]


@pytest.mark.parametrize("action", ["accept", "decline"])
@each_transport
@each_mode
async def test_a_host_shows_the_link_and_the_model_sees_it_only_if_that_failed(house, transport, mode, action):
    shown = []

    async def show(context, asked):
        assert asked.mode == "url"
        shown.append(asked.url)
        return ElicitResult(action=action)

    async with house.connect(transport, mode, elicitation_callback=show) as agent:
        created = await agent.create(type="human", color="black")
        told = {"accept": "has been given the link", "decline": "declined to open the board"}
        assert told[action] in created.text
        assert len(shown) == 1
        renewed = await agent.call("gameAction", game_id=agent.token, action="newLink")
        assert len(shown) == 2
        board = await anyio.to_thread.run_sync(open_link, shown[1])
        assert not (await agent.call("finishTurn", game_id=board, move="e2e4")).is_refused
        waited = await agent.wait()
        assert waited.facts.history == ["e4"]
        assert ("#open=" in repr([created, renewed, waited])) == (action == "decline")
        assert len((await agent.call("listGames")).facts.games) == 1


@pytest.mark.filterwarnings("ignore:resources/subscribe")
@each_transport
@each_mode
async def test_those_who_watch_are_told_of_moves(house, transport, mode):
    async with house.connect(transport, mode) as player:
        await player.create(type="agent")
        uri = f"chess://game/{player.game_id}"
        async with house.following(transport, mode, {uri}) as (watcher, news):
            await player.play("e2e4")
            with anyio.fail_after(30):
                await news.wait()
            seen = await watcher.client.read_resource(uri)
            assert json.loads(seen.contents[0].text)["history"] == ["e4"]


@each_transport
@each_mode
async def test_what_is_not_there_is_named(house, transport, mode):
    async with house.connect(transport, mode) as player:
        for uri in ["chess://game/00000000", "dungeon://game/00000000", "nonsense://x"]:
            with pytest.raises(MCPError) as missing:
                await player.client.read_resource(uri)
            assert missing.value.code == (-32602 if mode == "auto" else -32002)
            assert missing.value.error.data["uri"] == uri


@each_transport
@each_mode
async def test_prompts_can_be_filled_in_and_completed(house, transport, mode):
    async with house.connect(transport, mode) as player:
        prompt = await player.client.get_prompt("play_chess", {"level": "3"})
        assert "difficulty=3" in prompt.messages[0].content.text
        ref = PromptReference(name="play_chess")
        begun = {"name": "opponent", "value": "hu"}
        completed = await player.client.complete(ref, begun)
        assert completed.completion.values == ["human"]


@each_mode
async def test_rooms_announce_what_they_have(house, mode):
    for path, has_prompts in [("/mcp", True), ("/chess/mcp", True), ("/referee/mcp", False)]:
        async with house.connect("HTTP", mode, path=path) as player:
            capabilities = player.client.server_capabilities
            assert (capabilities.prompts is not None) == has_prompts, path
            assert (capabilities.completions is not None) == has_prompts, path
