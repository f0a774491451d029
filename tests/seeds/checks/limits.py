"""Checks of how often one may ask. Each has a server of its own, with the limits as they are."""

import json
import threading

import wire
from leagues import Cup, registration

from . import check

# Far more than any limit here; whoever gets so far is not limited.
ENDLESS = 1000


def query(**more):
    return {"jsonrpc": "2.0", "id": 1, "method": "league_query", "params": {
        "protocol": "league.v2", "message_type": "LEAGUE_QUERY", "sender": "player:P01",
        "timestamp": "2024-12-13T10:00:00Z", "conversation_id": "uuid",
        "query_type": "GET_STANDINGS", "league_id": "league_2024_01", **more}}


def until_limited(ask):
    """How often it was answered before it was limited, and what was said then."""
    for times in range(ENDLESS):
        answer = ask()
        if answer.status == 429:
            assert int(answer.headers["retry-after"]) >= 1, answer.headers
            assert isinstance(answer.error["code"], int), answer.raw
            assert answer.error["message"], answer.raw
            return times
        assert answer.status == 200, answer.raw
    raise AssertionError(f"{ENDLESS} times and no limit")


def register(server, number):
    message = registration(
        "league_2024_01", f"Agent {number}", f"http://localhost:{8100 + number}/mcp")
    return wire.Plain(server).request("LEAGUE_REGISTER_REQUEST", message)


@check
def manager_is_limited(stage):
    with wire.Server() as server:
        register(server, 1)
        times = until_limited(lambda: wire.post(server.url, query()))
        # The registration was the first, or had an allowance of its own.
        assert times >= 99, f"limited after {times}"


@check
def a_class_is_no_flood(stage):
    with wire.Server() as server:
        for number in range(1, 31):
            answer = register(server, number)
            assert answer.status == 200, answer.raw
            for _ in range(3):
                asked = wire.post(server.url, query(auth_token=answer.result["auth_token"]))
                assert asked.status == 200, asked.raw


@check
def allowance_is_ones_own(stage):
    with wire.Server() as server:
        token = register(server, 1).result["auth_token"]
        until_limited(lambda: wire.post(server.url, query()))
        own = wire.post(server.url, query(auth_token=token))
        assert own.status == 200, own.raw


@check
def chess_is_not_counted(stage):
    with wire.Server() as server:
        client = wire.Plain(server)
        game = client.call("createGame", type="agent").facts["game_id"]
        for _ in range(200):
            answer = client.call("getGame", game_id=game)
            assert answer.status == 200 and not answer.refused, answer.raw


@check
def referee_is_limited(stage):
    with wire.Server() as server:
        cup = Cup(server, "cup", "--time-limit", "300")
        for who in ["one", "other"]:
            cup.join_without_address(who)
        cup.start()
        cup.decision("one")
        referee = wire.Plain(server, "/referee/mcp")
        times = until_limited(
            lambda: referee.call("get_game_state", match_id="R1M1", league_id="cup"))
        assert 50 <= times, f"limited after {times}"


@check
def moves_are_not_counted(stage):
    with wire.Server() as server:
        cup = Cup(server, "cup", "--double")
        players = ["one", "two", "three"]
        for who in players:
            cup.join_without_address(who)
        cup.start()
        moves = dict.fromkeys(players, 0)
        wrong = []

        def play(who):
            try:
                while told := cup.decision(who):
                    answer = cup.submit(who, told, 1 + moves[who] % 5)
                    assert answer.status == 200, answer.raw
                    moves[who] += 1
            except AssertionError as error:
                wrong.append(error)
        threads = [threading.Thread(target=play, args=(who,)) for who in players]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong, wrong
        assert min(moves.values()) > 10, moves
        table = json.loads(cup.clerk.call("get_standings", league_id="cup").text)["standings"]
        assert all(line["forfeits"] == 0 for line in table), table
