"""A league played by tools alone, and what its operator may do."""

from steps import ask, but, call, follow, news, operate
from wire import Plain

ALPHA, BETA = {"auth_token": "$alpha"}, {"auth_token": "$beta"}


def hand_in(who, game_round, number, **more):
    return call("submit_move", **who, match_id="R1M1", game_round=game_round, number=number, **more)


LOOK = [call("get_league"), call("get_standings"), call("get_schedule")]
READ = [ask("resources/read", {"uri": uri}) for uri in
        ["league://standings", "league://schedule", "game://state/R1M1", "game://state/R9M9",
         "league://standings/golden", "game://state/golden/R1M1", "league://standings/nowhere"]]

REGISTERING = [
    *LOOK,
    call("register_player"),
    call("register_player", player_name=""),
    call("register_player", player_name="x" * 200),
    call("register_player", player_name="Alpha", endpoint="ftp://localhost/"),
    call("register_player", player_name="Alpha", endpoint="http://169.254.169.254/"),
    call("register_player", player_name="AlphaBot", endpoint="http://localhost:8101/mcp",
         league_id="called"),
    operate("create", "golden"),
    call("register_player", player_name="Alpha", league_id="golden", version="1.0.0",
         keep={"alpha": "auth_token"}),
    call("wait_for_decision", auth_token="no such token"),
    call("submit_move", **ALPHA, match_id="R1M1", number=3),
    operate("key", keep="key"),
    call("start_league", league_id="golden", operator_token="$key"),
    call("register_player", player_name="Beta", keep={"beta": "auth_token"}),
    *LOOK,
    call("get_standings", league_id="nowhere"),
    call("get_league", league_id="golden"),
    call("start_league"),
    call("start_league", league_id="golden", operator_token="0" * 64),
    call("schedule_match", player1_id="P01", player2_id="P02", round_id=2),
    call("start_game", player1_id="P01", player2_id="P02", match_id="R2M1"),
    call("schedule_match"),
]

FOLLOWED = ["league://standings", "game://state/R1M1"]

PLAYING = [
    *but([Plain], follow(*FOLLOWED, by="follower")),
    call("start_league", league_id="golden", operator_token="$key"),
    call("wait_for_decision", **ALPHA),
    call("wait_for_decision", **BETA, league_id="golden"),
    *LOOK,
    *[hand_in(ALPHA, 1, number) for number in ["3", 2.9, 99, 0, None]],
    call("submit_move", **ALPHA, match_id="R1M1", choice="even"),
    call("submit_move", **ALPHA, match_id="R9M9", number=3),
    call("submit_move", **ALPHA, match_id="match", number=3),
    call("submit_move", auth_token="guess", match_id="R1M1", number=3),
    hand_in(ALPHA, 7, 3),
    hand_in(ALPHA, 1, 3),
    hand_in(ALPHA, 1, 5),
    call("get_game_state", match_id="R1M1"),
    hand_in(BETA, 1, 4),
    hand_in(BETA, 1, 4),
    call("wait_for_decision", **ALPHA),
    hand_in(ALPHA, 2, 3),
    hand_in(BETA, 2, 3),
    call("wait_for_decision", **BETA),
    call("register_player", player_name="Late", league_id="golden"),
    hand_in(ALPHA, 3, 1),
    hand_in(BETA, 3, 2),
    call("wait_for_decision", **ALPHA),
    hand_in(ALPHA, 4, 1),
    hand_in(BETA, 4, 2),
    call("wait_for_decision", **ALPHA),
    call("wait_for_decision", **BETA),
    *but([Plain], news(*FOLLOWED, by="follower")),
    *LOOK,
    *READ,
    call("get_game_state", match_id="R1M1"),
    call("get_game_state", match_id="R9M9"),
    call("get_game_state"),
    hand_in(ALPHA, 5, 1),
]

REFEREE = [
    call("validate_move", player_id="P01", move=3),
    call("validate_move", player_id="P01", move=6),
    call("validate_move", player_id="P01", move="3"),
    call("validate_move", player_id="P99", move=3),
    call("validate_move", player_id="P01"),
    call("make_move", number=3),
    call("get_my_state"),
]

# What only the operator does, while nobody moves.
STEERING = [
    operate("create", "steered"),
    call("register_player", player_name="One", league_id="steered", keep={"one": "auth_token"}),
    call("register_player", player_name="Two", league_id="steered"),
    call("start_league", league_id="steered", operator_token="$key"),
    call("wait_for_decision", auth_token="$one"),
    call("schedule_match", player1_id="P02", player2_id="P01", round_id=2, operator_token="$key"),
    call("schedule_match", player1_id="P77", player2_id="P01", round_id=2, operator_token="$key"),
    call("start_game", player1_id="P01", player2_id="P02", match_id="R3M1", operator_token="$key"),
    call("start_game", player1_id="P01", player2_id="P02", match_id="R1M1", operator_token="$key"),
    call("get_schedule", league_id="steered"),
    operate("end", "steered", "--reason", "it rains"),
    call("get_league", league_id="steered"),
    operate("status"),
    operate("standings", "golden"),
    operate("schedule", "golden"),
]

STEPS = [*REGISTERING, *PLAYING, *REFEREE, *STEERING]
