"""Seed 002's scenarios, from the first call to the last."""

from steps import but, call, meanwhile
from wire import Modern, Plain

# One legal answer each time, so that the computer has no choice.
FORCED_BLACK = "7k/5K2/8/8/8/8/8/R7 w - - 0 1"
FORCED_WHITE = "r7/8/8/8/8/8/5k2/7K w - - 0 1"

COMPUTER = [
    call("createGame", type="computer"),
    call("createGame", type="computer", color="white", difficulty=1, fen=FORCED_BLACK,
         keep={"white": "pass", "game": "game_id"}),
    call("finishTurn", game_id="$white", move="a1a2"),
    call("waitForNextTurn", game_id="$white"),
    call("finishTurn", game_id="$white", move="a2h2"),
    call("waitForNextTurn", game_id="$white"),
    call("getGame", game_id="$white"),
    *but([Modern, Plain], call("getGame", game_id="$game")),
    # It would resign, and there would be no mate by black.
    call("createGame", type="computer", color="black", difficulty=10, fen=FORCED_WHITE,
         setup={"resigns": False}, keep={"black": "pass"}),
    call("waitForNextTurn", game_id="$black"),
    call("finishTurn", game_id="$black", move="a8h8", claim_win=True),
    call("createGame", type="computer", difficulty=1, fen=FORCED_BLACK, showUi=True,
         keep={"white": "pass", "board": "board"}),
    call("finishTurn", game_id="$board", move="a1a2"),
    call("waitForNextTurn", game_id="$white"),
    call("gameAction", game_id="$white", action="takeback"),
    call("gameAction", game_id="$white", action="resign"),
]

HUMAN_BLACK = [
    call("createGame", type="human", color="white", keep={"agent": "pass", "game": "game_id"}),
    call("finishTurn", game_id="$agent", move="e2e4", keep={"person": "board"}),
    call("finishTurn", game_id="$agent", move="e7e5"),
    call("finishTurn", game_id="$person", move="e2e4", by="two"),
    call("finishTurn", game_id="$person", move="f7f6", by="two"),
    call("waitForNextTurn", game_id="$agent"),
    meanwhile(
        call("waitForNextTurn", game_id="$person", by="two"),
        call("finishTurn", game_id="$agent", move="d2d4"),
    ),
    meanwhile(
        call("waitForNextTurn", game_id="$agent"),
        call("finishTurn", game_id="$person", move="g7g5", by="two"),
    ),
    call("getGame", game_id="$person", by="two"),
    call("finishTurn", game_id="$agent", move="d1h5"),
    call("waitForNextTurn", game_id="$person", by="two"),
]

HUMAN_WHITE = [
    call("createGame", type="human", color="black", keep={"agent": "pass", "person": "board"}),
    call("finishTurn", game_id="$person", move="f2f3", by="two"),
    call("waitForNextTurn", game_id="$agent"),
    call("finishTurn", game_id="$agent", move="e7e5"),
    call("finishTurn", game_id="$person", move="g2g4", by="two"),
    call("finishTurn", game_id="$agent", move="d8h4", claim_win=True),
    call("createGame", type="human", color="black", showUi=False),
    call("createGame", type="human", color="white", showUi=True, keep={"agent": "pass"}),
    call("finishTurn", game_id="$agent", move="e2e4"),
]

AGENTS = [
    call("createGame", type="agent", color="white", keep={"white": "pass", "game": "game_id"}),
    call("finishTurn", game_id="$white", move="f2f3"),
    call("getGame", game_id="$game", by="two"),
    call("joinGame", game_id="$game", by="two", keep={"black": "pass"}),
    call("finishTurn", game_id="$black", move="e7e5", by="two"),
    call("waitForNextTurn", game_id="$white"),
    meanwhile(
        call("waitForNextTurn", game_id="$black", by="two"),
        call("finishTurn", game_id="$white", move="g2g4"),
    ),
    call("finishTurn", game_id="$black", move="d8h4", by="two", claim_win=True),
    call("waitForNextTurn", game_id="$white"),
    call("waitForNextTurn", game_id="$black", by="two"),
    call("finishTurn", game_id="$white", move="a2a3"),
    call("gameAction", game_id="$white", action="resign"),
    *but([Modern, Plain],
         call("joinGame", game_id="$game", by="two"), call("getGame", game_id="$game", by="two")),
    # Black creates, white joins.
    call("createGame", type="agent", color="black", keep={"black": "pass", "game": "game_id"}),
    call("joinGame", game_id="$game", by="two", keep={"white": "pass"}),
    meanwhile(
        call("waitForNextTurn", game_id="$black"),
        call("finishTurn", game_id="$white", move="e4", by="two"),
    ),
]

# A bare id moves for the connection that created or joined. The second step is refused at every
# door: where there are no connections, nothing tells this client from the one that created the game.
BARE_IDS = [
    call("createGame", type="agent", keep={"game": "game_id"}),
    call("finishTurn", game_id="$game", move="e2e4", by="two"),
] + but(
    [Modern, Plain],
    call("finishTurn", game_id="$game", move="e2e4"),
    call("joinGame", game_id="$game", by="two"),
    call("finishTurn", game_id="$game", move="e7e5", by="two"),
    call("getGame", game_id="$game"),
    call("joinGame", game_id="$game", by="three"),
    call("getGame", game_id="$game", by="three"),
)

STEPS = [*COMPUTER, *HUMAN_BLACK, *HUMAN_WHITE, *AGENTS, *BARE_IDS]
