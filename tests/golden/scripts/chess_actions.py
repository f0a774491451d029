"""Draws, takebacks, hints, forms of the board, positions, retries."""

from steps import call, meanwhile

# A rook against a king, where moves to and fro repeat.
SHUFFLE = "7k/8/8/8/8/8/8/K5R1 w - - 0 1"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


# Of two processes on one store, the one that created a game may hear a moment later that the other
# has joined it; who looks is told.
LOOK = call("getGame", game_id="$w")


def two(**setup):
    """A game of two agents."""
    return [
        call("createGame", type="agent", board="fen", keep={"w": "pass", "g": "game_id"}, **setup),
        call("joinGame", game_id="$g", board="fen", by="two", keep={"b": "pass"}),
        LOOK,
    ]


def white(action, **more):
    return call("gameAction", game_id="$w", action=action, **more)


def black(action, **more):
    return call("gameAction", game_id="$b", action=action, by="two", **more)


def play(*moves):
    sides = [("one", "$w"), ("two", "$b")]
    return [call("finishTurn", game_id=sides[turn % 2][1], move=move, by=sides[turn % 2][0])
            for turn, move in enumerate(moves)]


DRAWS = [
    *two(),
    *[white(action) for action in
      ["acceptDraw", "declineDraw", "claimDraw", "takeback", "declineTakeback", "dance"]],
    meanwhile(call("waitForNextTurn", game_id="$b", by="two"), white("offerDraw")),
    white("offerDraw"),
    call("getGame", game_id="$w"),
    call("getGame", game_id="$g", by="three"),
    meanwhile(call("waitForNextTurn", game_id="$w"), black("declineDraw")),
    black("offerDraw"),
    call("waitForNextTurn", game_id="$w"),
    white("acceptDraw"),
    call("waitForNextTurn", game_id="$b", by="two"),
    black("offerDraw"),
]

TAKEBACKS = [
    *two(),
    *play("e2e4", "e7e5"),
    white("takeback"),
    call("waitForNextTurn", game_id="$b", by="two"),
    black("declineTakeback"),
    black("takeback"),
    call("waitForNextTurn", game_id="$w"),
    white("takeback"),
    call("waitForNextTurn", game_id="$b", by="two"),
    black("resign"),
]

CLAIMS = [
    *two(fen=SHUFFLE),
    *play("g1f1", "h8h7", "f1g1", "h7h8", "g1f1", "h8h7", "f1g1"),
    white("claimDraw"),
    black("offerDraw"),
    call("finishTurn", game_id="$b", move="h7h8", by="two"),
    call("waitForNextTurn", game_id="$w"),
    white("claimDraw"),
]

FORMS = [
    call("createGame", type="agent", board=board, fen=MATE_IN_ONE)
    for board in ["table", "letters", "fen", "clay"]
] + [
    call("createGame", type="agent", board="letters", keep={"w": "pass", "g": "game_id"}),
    call("joinGame", game_id="$g", by="two", board="table", keep={"b": "pass"}),
    LOOK,
    *play("e2e4", "c5", "Nf3"),
]

HINTS = [
    *two(),
    call("getGame", game_id="$w", hint=True),
    call("createGame", type="agent", board="fen", hints=True, fen=MATE_IN_ONE,
         keep={"w": "pass", "g": "game_id"}),
    call("getGame", game_id="$w", hint=True),
    call("joinGame", game_id="$g", by="two", hints=True, board="fen", keep={"b": "pass"}),
    call("getGame", game_id="$w", hint=True),
    call("getGame", game_id="$g", hint=True, by="three"),
    call("finishTurn", game_id="$w", move="a1a8", claim_win=True),
    call("getGame", game_id="$g", hint=True, by="three"),
    call("createGame", type="agent", hints=True, fen=MATE_IN_ONE,
         keep={"w": "pass", "g": "game_id"}),
    call("joinGame", game_id="$g", by="two"),
    call("getGame", game_id="$w", hint=True),
    call("createGame", type="computer", hints=True, difficulty=1, fen=MATE_IN_ONE,
         keep={"w": "pass"}),
    call("getGame", game_id="$w", hint=True),
]

RETRIES = [
    *two(),
    call("finishTurn", game_id="$w", move="e2e4", turn=1),
    call("finishTurn", game_id="$w", move="e2e4", turn=1),
    call("finishTurn", game_id="$w", move="e2e4"),
    call("finishTurn", game_id="$w", move="d2d4", turn=1),
    call("finishTurn", game_id="$w", move="d2d4", turn=7),
    white("resign", turn=1),
    white("resign", turn=2),
    white("resign", turn=2),
]

STEPS = [*DRAWS, *TAKEBACKS, *CLAIMS, *FORMS, *HINTS, *RETRIES]
