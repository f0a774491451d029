"""Players whose server is killed in the middle of everything go on."""

from steps import but, call, crash
from wire import Modern, Plain, Session

DOORS = [Session, Modern, Plain]

STEPS = [
    call("createGame", type="agent", keep={"white": "pass", "game": "game_id"}),
    call("joinGame", game_id="$game", by="two", keep={"black": "pass"}),
    call("finishTurn", game_id="$white", move="f2f3"),
    call("finishTurn", game_id="$black", move="e7e5", by="two"),
    call("get_current_room", conversationId="killed", seed="8"),
    call("move_to_room", conversationId="killed", direction="North", requestId="once"),
    call("register_player", player_name="One", league_id="killed", keep={"token": "auth_token"}),
    crash(),
    call("finishTurn", game_id="$black", move="e7e5", by="two"),
    call("waitForNextTurn", game_id="$white"),
    # A session goes on too, and its bare ids with it.
    *but([Modern, Plain], call("getGame", game_id="$game")),
    call("finishTurn", game_id="$white", move="g2g4"),
    call("getGame", game_id="$white"),
    call("move_to_room", conversationId="killed", direction="North", requestId="once"),
    call("get_map", conversationId="killed"),
    call("register_player", player_name="One", league_id="killed", auth_token="$token"),
    call("get_league"),
]
