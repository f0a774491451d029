"""Games played with the official Python client, in both eras of the protocol."""

import pytest

pytestmark = pytest.mark.anyio

FOOLS_MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]
TIMEOUT = "Timeout: No move received yet. Please call this tool again immediately."
VERSIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}

each_mode = pytest.mark.parametrize("mode", VERSIONS)
each_transport = pytest.mark.parametrize("transport", ["HTTP", "stdio"])


async def play_to_the_end(white, black):
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
async def test_the_tools_are_listed(house, transport, mode):
    async with house.connect(transport, mode) as player:
        assert player.client.protocol_version == VERSIONS[mode]
        listed = await player.client.list_tools()
        names = {tool.name for tool in listed.tools}
        assert names >= {"createGame", "joinGame", "waitForNextTurn", "finishTurn"}
        assert all(tool.description and tool.output_schema for tool in listed.tools)


@each_mode
async def test_two_connections_play_a_game_to_its_end(house, mode):
    async with house.connect("HTTP", mode) as white, house.connect("HTTP", mode) as black:
        await play_to_the_end(white, black)


@each_mode
async def test_two_processes_on_one_store_play_a_game_to_its_end(house, mode):
    async with house.connect("stdio", mode) as white, house.connect("stdio", mode) as black:
        await play_to_the_end(white, black)


@each_mode
async def test_a_process_plays_with_the_server_on_its_store(house, mode):
    async with house.connect("stdio", mode) as white, house.connect("HTTP", mode) as black:
        await play_to_the_end(white, black)


@each_transport
@each_mode
async def test_a_wait_that_takes_too_long_says_to_call_again(house, transport, mode):
    house.flags = ["--wait-seconds", "1"]
    async with house.connect(transport, mode) as player:
        await player.create(type="agent", color="black")
        waited = await player.wait()
        assert waited.text == TIMEOUT
        assert not waited.is_refused


@each_transport
@each_mode
async def test_an_illegal_move_is_refused_and_not_played(house, transport, mode):
    async with house.connect(transport, mode) as player:
        await player.create(type="agent")
        refused = await player.play("e2e5")
        assert refused.is_refused
        assert refused.text.startswith("Invalid move: ")
        seen = await player.call("getGame", game_id=player.game_id)
        assert seen.facts.history == []


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


@each_transport
@each_mode
async def test_a_hero_explores_the_dungeon(house, transport, mode):
    async with house.connect(transport, mode) as player:

        async def call(tool, **arguments):
            answer = await player.call(tool, conversationId="python", **arguments)
            return vars(answer.facts)

        room = await call("get_current_room", seed="8")
        assert room["success"] and room["exits"]
        seen = {room["roomId"]}
        for step in range(30):
            moves = [a for a in room["availableActions"] if a.startswith("move_to_room")]
            if not moves:
                break
            moved = await call("move_to_room", direction=moves[step // 2 % len(moves)].split()[1])
            assert moved["success"], moved
            seen.add(moved["newRoomId"])
            room = moved
        assert len(seen) > 2
        stats = await call("get_player_stats")
        assert stats["hp"] == stats["maxHp"] == 25
        drawn = await call("get_map")
        assert {room["roomId"] for room in drawn["rooms"] if room["state"] == "visited"} == seen
        refused = await call("move_to_room", direction="sideways")
        assert refused["error"]["code"] == "INVALID_ARGUMENT"
