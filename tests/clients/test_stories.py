"""Games played with the official Python client, in both eras of the protocol."""

import json

import anyio
import pytest

pytestmark = pytest.mark.anyio

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]
TIMEOUT = "Timeout: No move received yet. Please call this tool again immediately."
VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}

each_mode = pytest.mark.parametrize("mode", VERSIONS)
each_transport = pytest.mark.parametrize("transport", ["HTTP", "stdio"])


@each_transport
@each_mode
async def test_the_tools_are_listed(house, transport, mode):
    async with house.connect(transport, mode) as player:
        assert player.client.protocol_version == VERSIONS[mode]
        listed = await player.client.list_tools()
        names = {tool.name for tool in listed.tools}
        assert names >= {"createGame", "joinGame", "waitForNextTurn", "finishTurn"}
        assert all(tool.description and tool.output_schema for tool in listed.tools)


@each_transport
@each_mode
async def test_two_connections_play_a_game_to_its_end(house, transport, mode):
    async with house.connect(transport, mode) as white, house.connect(transport, mode) as black:
        await white.create(type="agent")
        await black.join(white.game_id)
        for turn, move in enumerate(FOOLS_MATE):
            mover, other = (white, black) if turn % 2 == 0 else (black, white)
            moved = await mover.play(move)
            assert not moved.is_refused, moved.text
            woken = await other.wait()
            assert woken.facts.last_move["uci"] == move
        assert "Game Over: Black wins by Checkmate" in moved.text
        assert "Game Over: Black wins by Checkmate" in woken.text
        assert woken.facts.winner == "black"


@each_transport
@each_mode
async def test_a_wait_that_takes_too_long_says_to_call_again(house, transport, mode):
    house.flags = ["--wait-seconds", "1"]
    async with house.connect(transport, mode) as player:
        await player.create(type="agent", color="black")
        waited = await player.wait()
        assert waited.text == TIMEOUT
        assert not waited.is_refused


@each_mode
async def test_players_go_on_after_the_server_was_killed(house, mode):
    async with house.connect("HTTP", mode) as white, house.connect("HTTP", mode) as black:
        await white.create(type="agent")
        await black.join(white.game_id)
        before = await white.play("e2e4")
        house.kill()
        house.url()
        again = await white.play("e2e4")
        assert again == before
        assert (await black.wait()).facts.history == ["e4"]
        assert not (await black.play("e7e5")).is_refused


FOLLOWED = {"league://standings", "game://state/R1M1"}


async def play_the_league(player, token):
    who = {"auth_token": token, "league_id": "followed"}
    while (told := (await player.call("wait_for_decision", **who)).facts).status != "league_over":
        if told.status == "your_move":
            place = {"match_id": told.match_id, "game_round": told.game_round}
            played = await player.call("submit_move", **who, **place, number=3)
            assert not played.is_refused, played.text


@pytest.mark.filterwarnings("ignore:resources/subscribe")
@each_mode
async def test_who_follows_a_league_is_told_while_it_is_played(house, mode):
    async with (
        house.connect("HTTP", mode) as one,
        house.connect("HTTP", mode) as two,
        house.following("HTTP", mode, FOLLOWED) as (follower, news),
        anyio.create_task_group() as tasks,
    ):
        tokens = []
        for name, player in (("one", one), ("two", two)):
            joined = await player.call("register_player", player_name=name, league_id="followed")
            tokens.append(joined.facts.auth_token)
        key = house.league_key()
        await follower.call("start_league", league_id="followed", operator_token=key)
        for player, token in zip((one, two), tokens):
            tasks.start_soon(play_the_league, player, token)
        with anyio.fail_after(30):
            await news.wait()
        table = await follower.client.read_resource("league://standings")
        assert len(json.loads(table.contents[0].text)["standings"]) == 2
        tasks.cancel_scope.cancel()
