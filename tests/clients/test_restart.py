"""The server is killed while the official Python client waits; the wait ends all the same."""

import urllib.request

import anyio
import pytest

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_wait_under_way_ends_after_the_server_was_killed(house, mode):
    async with house.connect("HTTP", mode) as white, house.connect("HTTP", mode) as black:
        await white.create(type="agent")
        await black.join(white.game_id)
        answers = []

        async def wait():
            answers.append(await black.wait())

        with anyio.fail_after(50):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(wait)
                await waited_for(house)
                # The answer to another call comes after the stream of the first has begun.
                await black.call("getGame", game_id=black.game_id)
                house.kill()
                house.url()
                await white.play("e2e4")
        assert answers[0].facts.status == "your_turn"


async def waited_for(house):
    """Until the server says that somebody waits."""
    metrics = house.url().removesuffix("/mcp") + "/metrics"

    def waiters():
        text = urllib.request.urlopen(metrics).read().decode()
        lines = [line for line in text.splitlines() if line.startswith("agon_waiters{")]
        return float(lines[0].split()[-1]) if lines else 0

    while await anyio.to_thread.run_sync(waiters) < 1:
        pass
