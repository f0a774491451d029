"""Checks of the league: what agents were sent, what adds up, how players are told their moves."""

import json
import sqlite3
import threading

import wire
from agent import Agent
from leagues import Cup, new_cup, registration
from scenes import SCENES

from . import check

GAME = ["GAME_START", "MOVE_REQUEST", "ROUND_RESULT", "GAME_END"]


def cup_of(stage):
    """The league that the row's scene has made."""
    return next(cup for cup in stage.house.guests.values() if cup.name == stage.saved["cup"])


def of_the_seed(stage):
    """The two agents that know nothing but the seed."""
    agents = cup_of(stage).agents
    return agents["one"], agents["other"]


@check
def recorded(stage, message, by="one", round=1, again=False):
    """what an agent was sent"""
    for found in cup_of(stage).agents[by].messages(message):
        if found.get("game_round", round) == round and ("previous_error" in found) == again:
            return wire.Answer(None, (), json.dumps(found), found)
    raise AssertionError(f"no such {message} was sent")


@check
def all_speak_league_v1(stage):
    for agent in of_the_seed(stage):
        sent = [one["message"] for one in agent.heard if "message_type" in one["message"]]
        assert {one["message_type"] for one in sent} >= set(GAME), sent
        for one in sent:
            assert one["protocol"] == "league.v1", one


@check
def scores_add_up(stage):
    for agent in of_the_seed(stage):
        for start in agent.messages("GAME_START"):
            role = {one["player_id"]: one["role"] for one in start["players"]}
            scores = dict.fromkeys(role, 0)
            results = [one for one in agent.messages("ROUND_RESULT")
                       if one["match_id"] == start["match_id"]]
            requests = [one for one in agent.messages("MOVE_REQUEST")
                        if one["match_id"] == start["match_id"]]
            for request, result in zip(requests, results, strict=True):
                state = request["game_state"]
                assert state["your_role"] == role[agent.player_id], request
                assert state["scores"] == scores, request
                scores[result["round_winner"]] += 1
                assert result["scores"] == scores, result


@check
def moves_are_taken(stage):
    agent, _ = of_the_seed(stage)
    results = agent.messages("ROUND_RESULT")
    assert results
    for result in results:
        played = result["moves"][agent.player_id]
        assert played == agent.number(result["game_round"]), result


@check
def rounds_follow_from_moves(stage):
    for agent in of_the_seed(stage):
        roles = {start["match_id"]: {one["role"]: one["player_id"] for one in start["players"]}
                 for start in agent.messages("GAME_START")}
        for result in agent.messages("ROUND_RESULT"):
            total = sum(result["moves"].values())
            kind = "ODD" if total % 2 else "EVEN"
            assert (result["sum"], result["sum_type"]) == (total, kind), result
            assert result["round_winner"] == roles[result["match_id"]][kind], result


@check
def ends_follow_from_scores(stage):
    for agent in of_the_seed(stage):
        ends = agent.messages("GAME_END")
        assert len(ends) == 3, ends
        for end in ends:
            winner, = [who for who, won in end["final_scores"].items() if won == 3]
            assert end["winner"] == winner, end
            points = {who: 3 if who == winner else 0 for who in end["final_scores"]}
            assert end["match_points"] == points, end


@check
def standings_add_up(stage):
    table = json.loads(stage.call("get_standings", league_id=stage.saved["cup"]).text)
    lines = table["standings"]
    assert [line["points"] for line in lines] == sorted(
        (line["points"] for line in lines), reverse=True), lines
    for line in lines:
        assert line["points"] == 3 * line["wins"], line
        assert line["wins"] + line["losses"] == 3, line


@check
def forfeits(stage, by):
    cup = cup_of(stage)
    line = cup.standing(cup.agents[by].player_id)
    assert line["points"] == 0 and line["losses"] == line["forfeits"] == 2, line
    honest = cup.standing(cup.agents["honest"].player_id)
    assert honest["points"] == 6 and honest["forfeits"] == 0, honest


@check
def registration_without(stage, field):
    """`LEAGUE_REGISTER_REQUEST`, as it is printed, without one field"""
    message = registration("league_2024_01", stage.saved["name"], stage.saved["endpoint"])
    inside, _, name = field.rpartition(".")
    del (message[inside] if inside else message)[name]
    return stage.client().request("LEAGUE_REGISTER_REQUEST", message)


@check
def a_spoilt_league(stage):
    with wire.Server() as server:
        message = registration("league_2024_01", "Alpha", "http://localhost:8101/mcp")
        assert wire.Plain(server).request("LEAGUE_REGISTER_REQUEST", message).status == 200
        server.kill()
        with sqlite3.connect(server.store.removeprefix("sqlite:")) as store:
            store.execute("update turns set move = 'scribble'")
        store.close()
        server.start()
        message = registration("league_2024_01", "Beta", "http://localhost:8102/mcp")
        answer = wire.Plain(server).request("LEAGUE_REGISTER_REQUEST", message)
        assert answer.status == 500, answer.raw
        assert answer.error["code"] == -32603, answer.raw
        assert "scribble" not in answer.raw.decode(), answer.raw


class CallsBack(Agent):
    """One that answers at once with nothing, and brings its move as a call of its own."""

    token = None

    def answer(self, request):
        answer = super().answer(request)
        move = answer["result"]
        if move.get("message_type") != "MOVE_RESPONSE":
            return answer
        move["auth_token"] = self.token
        threading.Thread(target=lambda: wire.Plain("http://localhost:8001/mcp").request(
            "MOVE_RESPONSE", move)).start()
        return {"result": {"status": "received"}}


@check
def brings_its_move(stage):
    cup = new_cup(stage.house.server)
    for who, number in [("one", 3), ("other", 2)]:
        agent = CallsBack(number=lambda _, number=number: number)
        agent.token = cup.join_by_message(who, agent)["auth_token"]
    try:
        cup.start()
        cup.finish()
        end = cup.agents["one"].messages("GAME_END")[0]
        assert sorted(end["final_scores"].values()) == [0, 3], end
        assert end["forfeited"] == [], end
    finally:
        cup.close()


# Our own players

def player_at(stage, port):
    """Our own player on this port, once it has played."""
    stage.saved.update(SCENES["a played league"](stage))
    return wire.Plain(f"http://localhost:{port}/mcp")


@check
def player_tools(stage, port):
    answer = player_at(stage, port).request("tools/list")
    tools = {tool["name"]: tool["inputSchema"] for tool in answer.result["tools"]}
    number = tools["make_move"]["properties"]["number"]
    assert {"type": "integer", "minimum": 1, "maximum": 5}.items() <= number.items(), tools
    assert tools["make_move"]["required"] == ["number"], tools
    assert not tools["get_my_state"].get("required"), tools


@check
def player_initializes(stage, port):
    answer = player_at(stage, port).request("initialize", {
        "protocolVersion": "2024-11-05", "capabilities": {"tools": {}, "resources": {}},
        "clientInfo": {"name": "player-agent", "version": "1.0.0"}})
    assert answer.status == 200, answer.raw
    assert answer.result["protocolVersion"] == "2024-11-05", answer.raw
    assert {"tools", "resources"} <= set(answer.result["capabilities"]), answer.raw
    assert {"name", "version"} <= set(answer.result["serverInfo"]), answer.raw


@check
def player_refuses_nine(stage, port):
    answer = player_at(stage, port).call("make_move", number=9)
    assert answer.refused and "1 to 5" in answer.text, answer.raw


@check
def player_state(stage, port):
    state = json.loads(player_at(stage, port).call("get_my_state").text)
    assert state["player_id"] == "P03" and state["league_id"] == stage.saved["cup"], state
    assert state["record"]["played"] == 3, state
    assert state["last_match"]["over"] is True, state


@check
def players_are_told_their_moves(stage):
    cup = new_cup(stage.house.server)
    numbers = {"Tic": 3, "Tac": 2}
    for port, name in [(8105, "Tic"), (8106, "Tac")]:
        cup.join_by_program(name, port, "--strategy", "mcp")
    try:
        cup.start()
        hands = [threading.Thread(target=tell_moves, args=(player.url, number))
                 for player, number in zip(cup.players, numbers.values(), strict=True)]
        for hand in hands:
            hand.start()
        cup.finish()
        for hand in hands:
            hand.join()
        played = json.loads(cup.clerk.call(
            "get_game_state", match_id="R1M1", league_id=cup.name).text)
        for round in played["rounds"]:
            assert sorted(round["moves"].values()) == [2, 3], played
        # Three and two are odd every time.
        assert sorted(played["scores"].values()) == [0, 3], played
    finally:
        cup.close()


def tell_moves(url, number):
    """Tells a player this number whenever it is asked for a move, until its match is over."""
    player = wire.Plain(url)
    while True:
        state = json.loads(player.call("get_my_state", wait_seconds=1).text)
        if (state.get("last_match") or {}).get("over"):
            return
        for _ in state["moves_asked"]:
            player.call("make_move", number=number)


@check
def greets_with_a_session(stage):
    with wire.Session(stage.house.server, version="2024-11-05") as client:
        assert client.hello.status == 200, client.hello.raw
        assert client.hello.headers["mcp-session-id"]
        assert client.hello.result["protocolVersion"] == "2024-11-05", client.hello.raw


@check
def greets_on_stdio(stage):
    with wire.Stdio(stage.house.server, version="2024-11-05") as client:
        assert client.hello.result["protocolVersion"] == "2024-11-05", client.hello.raw
        assert {"tools", "resources"} <= set(client.hello.result["capabilities"]), client.hello.raw


@check
def tells_of_changes(stage, uri):
    """Follows a resource through one door, changes it through another, and hears of it."""
    with wire.Server() as server:
        cup = Cup(server, "watched")
        for who in ["one", "other"]:
            cup.join_without_address(who)
        if uri.startswith("game:"):
            cup.start()
            first = [cup.decision(who) for who in ["one", "other"]]
        with follow(stage.door, server, uri) as heard:
            if uri == "league://standings":
                cup.join_without_address("third")
            elif uri == "league://schedule":
                cup.start()
            else:
                for who, told in zip(["one", "other"], first, strict=True):
                    cup.submit(who, told, 3)
            assert heard()["params"]["uri"] == uri


class follow:
    """A subscription through one door; what is told of it."""

    UPDATED = "notifications/resources/updated"

    def __init__(self, door, server, uri):
        if door == "stdio":
            self.client = wire.Stdio(server)
            self.heard = lambda: self.client.notified(self.UPDATED)
        else:
            self.client = {"session": wire.Session, "modern": wire.Modern}[door](server)
            stream = self.client.news() if door == "session" else self.client.news(uri)
            if door == "modern":
                stream.until("notifications/subscriptions/acknowledged")
            self.heard = lambda: stream.until(self.UPDATED)
        if door != "modern":
            answer = self.client.request("resources/subscribe", {"uri": uri})
            assert not answer.refused, answer.raw

    def __enter__(self):
        return self.heard

    def __exit__(self, *_):
        self.client.close()

