"""Waits that nobody ends."""

from steps import call

OFFICIAL = False

FLAGS = ["--wait-seconds", "1"]

STEPS = [
    call("createGame", type="agent", color="black", keep={"black": "pass"}),
    call("waitForNextTurn", game_id="$black"),
    call("createGame", type="human", color="black", showUi=True, keep={"agent": "pass"}),
    call("waitForNextTurn", game_id="$agent"),
    call("register_player", player_name="Alpha", league_id="slow", keep={"token": "auth_token"}),
    call("wait_for_decision", auth_token="$token"),
]
