"""The messages of seed 004, in every wrapping they come in, and what those who listen are told."""

import wire
from steps import heard, listen, operate, player, post

DOORS = [wire.Plain]


def message(kind, **fields):
    return {"protocol": "league.v1", "message_type": kind, "league_id": "spring",
            "conversation_id": "550e8400-e29b-41d4-a716-446655440000",
            "sender": "player:new_player", "timestamp": "2024-12-13T10:00:00Z", **fields}


def registration(name, endpoint, **fields):
    meta = {"display_name": name, "version": "1.0.0", "game_types": ["even_odd"],
            "contact_endpoint": endpoint}
    return message("LEAGUE_REGISTER_REQUEST", player_meta=meta, **fields)


def request(method, params):
    return {"jsonrpc": "2.0", "id": 3, "method": method, "params": params}


def tool(name, arguments):
    return request("tools/call", {"name": name, "arguments": arguments})


def without(body, field):
    return {name: value for name, value in body.items() if name != field}


NOWHERE = "http://localhost:8101/mcp"
REGISTER = registration("Agent Alpha", NOWHERE)

WRAPPED = [
    post(tool("register_player", {"player_name": "AlphaBot", "endpoint": NOWHERE})),
    post(tool("register_player", registration("By tool", NOWHERE + "/1"))),
    post(request("register_player", registration("By method", NOWHERE + "/2"))),
    post(request("LEAGUE_REGISTER_REQUEST", registration("By type", NOWHERE + "/3"))),
    post(registration("Bare", NOWHERE + "/4")),
    post(request("league.handle", {
        "envelope": without(registration("x", "x"), "player_meta"),
        "payload": {"player_meta": registration("In parts", NOWHERE + "/5")["player_meta"]}})),
    post(request("register_player", registration("On the referee's door", NOWHERE + "/6")),
         "/referee/mcp"),
    post(request("register_player", registration("On the league's door", NOWHERE + "/7")),
         "/league/mcp"),
    post(request("register_player", REGISTER), "/chess/mcp"),
]

WRONG = [
    *[post(request("register_player", without(REGISTER, field))) for field in REGISTER],
    post(request("register_player", {**REGISTER, "protocol": "league.v9"})),
    post(request("register_player", {**REGISTER, "message_type": "NO_SUCH_TYPE"})),
    post(request("register_player", {**REGISTER, "player_meta": {}})),
    post(request("register_player", {**REGISTER, "player_meta": "Alpha"})),
    post(request("register_player", {**REGISTER, "timestamp": "yesterday"})),
    post(request("register_player", {**REGISTER, "timestamp": "2024-12-13T10:00:00+02:00"})),
    post(request("register_player", {**REGISTER, "sender": "somebody"})),
    post(request("register_player", registration("Agent Alpha", "nonsense"))),
    post(request("MOVE_RESPONSE", message(
        "MOVE_RESPONSE", round_id=1, match_id="R1M1", sender="player:P01", game_round=1,
        move={"number": 3}))),
    post(request("GAME_START", message("GAME_START", match_id="R1M1"))),
    post(request("register_referee", message(
        "REFEREE_REGISTER_REQUEST", protocol="league.v2", sender="referee:x",
        referee_meta={"display_name": "x", "contact_endpoint": "http://127.0.0.1:9/"}))),
    post(request("report_match_result", message(
        "MATCH_RESULT_REPORT", protocol="league.v2", sender="referee:REF01", match_id="R1M1",
        auth_token="forged", result={"winner": "P01", "score": {"P01": 3, "P02": 0}}))),
    post(request("league_query", message(
        "LEAGUE_QUERY", protocol="league.v2", auth_token="forged", query_type="GET_STANDINGS"))),
    post(request("make_move", {"number": 3})),
]

# Two who listen: one always shows three fingers, the other two, so odd wins three rounds.
SAYS = [{"GAME_START": {"status": "ok"}, "MOVE_REQUEST": {"move": {"number": number}}}
        for number in [3, 2]]
LISTENING = [
    operate("create", "heard"),
    listen("Left", SAYS[0]),
    listen("Right", SAYS[1]),
    post(request("register_player", registration("Left", "$Left", league_id="heard"))),
    post(request("register_player", registration("Right", "$Right", league_id="heard"))),
    operate("start", "heard"),
    heard("Left", "GAME_END"),
    heard("Right", "GAME_END"),
]


def ask(kind, **fields):
    """As the referee of seed 004 asks a player."""
    return post(request(kind, message(kind, sender="referee", round_id=1, match_id="R1M1",
                                      **fields)), "$Three")


# Our own players: one whose tools decide, and one who shows three fingers.
PLAYER = [
    player("Fellow", "--strategy", "mcp"),
    player("Three", "--strategy", "always-3"),
    post(request("initialize", {
        "protocolVersion": "2024-11-05", "capabilities": {"tools": {}, "resources": {}},
        "clientInfo": {"name": "referee", "version": "1.0.0"}}), "$Fellow"),
    post(request("tools/list", {}), "$Fellow"),
    post(tool("get_my_state", {}), "$Fellow"),
    *[post(tool("make_move", {"number": number}), "$Fellow") for number in [6, "3", None, 3]],
    ask("GAME_START", players=[{"player_id": "P01", "role": "ODD"},
                               {"player_id": "P02", "role": "EVEN"}],
        game_config={"game_type": "even_odd", "rounds_to_win": 3, "max_rounds": 5,
                     "time_limit_seconds": 30}),
    ask("MOVE_REQUEST", game_round=1, time_limit_seconds=30, game_state={
        "your_role": "ODD", "scores": {"P01": 0, "P02": 0}, "previous_rounds": []}),
    ask("ROUND_RESULT", game_round=1, moves={"P01": 3, "P02": 2}, sum=5, sum_type="ODD",
        round_winner="P01", scores={"P01": 1, "P02": 0}),
    post(tool("get_my_state", {}), "$Three"),
    ask("GAME_END", final_scores={"P01": 3, "P02": 2}, winner="P01",
        match_points={"P01": 3, "P02": 0}),
    ask("NO_SUCH_TYPE"),
    post("{", "$Fellow"),
]

STEPS = [*WRAPPED, *WRONG, *LISTENING, *PLAYER]
