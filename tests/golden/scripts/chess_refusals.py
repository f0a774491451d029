"""What the chess tools refuse, and in which words."""

from steps import call

OFFICIAL = False

WRONG = [
    ("createGame", {}),
    ("createGame", {"type": "robot"}),
    ("createGame", {"type": 7}),
    ("createGame", {"type": None}),
    ("createGame", {"type": ""}),
    ("createGame", {"type": "Agent", "color": "White", "board": "fen"}),
    ("createGame", {"type": "agent", "color": "red"}),
    ("createGame", {"type": "agent", "color": None}),
    ("createGame", {"type": "agent", "color": ""}),
    ("createGame", {"type": "agent", "colour": "black", "board": "fen"}),
    ("createGame", {"type": "computer", "level": 3, "board": "fen"}),
    ("createGame", {"opponent": "computer"}),
    ("createGame", {"type": "computer", "difficulty": 0}),
    ("createGame", {"type": "computer", "difficulty": 11}),
    ("createGame", {"type": "computer", "difficulty": "five"}),
    ("createGame", {"type": "computer", "difficulty": "5", "board": "fen"}),
    ("createGame", {"type": "computer", "difficulty": 2.5}),
    ("createGame", {"type": "computer", "difficulty": None}),
    ("createGame", {"type": "agent", "showUi": "perhaps"}),
    ("createGame", {"type": "agent", "showUi": None, "board": "fen"}),
    ("createGame", {"type": "agent", "board": "clay"}),
    ("createGame", {"type": "agent", "fen": "no"}),
    ("createGame", {"type": "agent", "fen": ""}),
    ("createGame", {"type": "agent", "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}),
    ("createGame", {"type": "agent", "hints": "yes"}),
    ("createGame", {"type": "agent", "board": "fen", "opening": "Sicilian"}),
    ("joinGame", {}),
    ("joinGame", {"game_id": "00000000"}),
    ("joinGame", {"game_id": "1234"}),
    ("joinGame", {"game_id": "chess"}),
    ("getGame", {}),
    ("getGame", {"game_id": ""}),
    ("getGame", {"game_id": None}),
    ("getGame", {"game_id": 12345678}),
    ("getGame", {"game_id": "00000000"}),
    ("waitForNextTurn", {}),
    ("waitForNextTurn", {"game_id": "00000000"}),
    ("finishTurn", {"game_id": "00000000", "move": "e2e4"}),
    ("finishTurn", {"game_id": "00000000"}),
    ("finishTurn", {"move": "e2e4"}),
    ("gameAction", {"game_id": "00000000", "action": "win"}),
    ("gameAction", {"game_id": "00000000", "action": "resign"}),
    ("gameAction", {"game_id": "00000000"}),
]

MOVES = ["e3e4", "e7e5", "a1a4", "e2e5", "Ke2", "O-O", "", "pawn to king four", "hello", "♞f3",
         "0000", "e2e4q"]

STEPS = [
    *[call(tool, **arguments) for tool, arguments in WRONG],
    call("createGame", type="agent", keep={"white": "pass", "game": "game_id"}),
    *[call("finishTurn", game_id="$white", move=move) for move in MOVES],
    call("finishTurn", game_id="$white", move=None),
    call("finishTurn", game_id="$white", move="e2e4", claim_win=True),
    call("finishTurn", game_id="$white", move="e2e4", claim_win="yes"),
    call("finishTurn", game_id="$white", move="e2e4", turn="first"),
    call("finishTurn", game_id="$game-0000000000000000", move="e2e4"),
    call("joinGame", game_id="$white", by="two", keep={"black": "pass"}),
    call("finishTurn", game_id="$black", move="e7e5", by="two"),
    call("finishTurn", game_id="$game", move="e2e4", by="three"),
    call("waitForNextTurn", game_id="$game", by="three"),
    call("gameAction", game_id="$game", action="resign", by="three"),
    call("gameAction", game_id="$white", action=""),
    call("getGame", game_id="$white"),
    # Words that gameAction knows, sent as moves.
    *[call("finishTurn", game_id="$white", move=move)
      for move in ["acceptDraw", "offerDraw", "resign"]],
]
