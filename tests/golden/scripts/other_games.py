"""Games that are told by their card: on a board, with cards, with sealed moves, at a table of three.

The server alone draws cards and dice, so what was drawn is not compared, and whatever hangs on it is
left out: hands are folded, and liar is said where no dice could be as the bid says.
"""

from steps import call, meanwhile

DRAWN = [
    # Where it was drawn from.
    (r"\b[0-9a-f]{64}\b", "<hash>"),
    (r"(?<=Seed: )\d+|^\d{9,20}$", "<seed>"),
    # Cards that are seen, in words and in the view.
    (r"(?<=You hold )[JQK]|(?<=cards )[JQK](?=:)|(?<=:)[JQK](?=[,.])", "<card>"),
    (r'"[JQK]"', '"<card>"'),
    # Dice that are seen, and how many there were of a face.
    (r"(?<=Player \d )[1-6]{5}", "<dice>"),
    (r"\[[1-6](,[1-6]){4}\]", "[<dice>]"),
    (r"(?<=, there are )\d+", "<number>"),
]


def turn(number, move, seat, **more):
    return call("finishTurn", game_id=f"${seat}", move=move, turn=number, **more)


CONNECT_FOUR = [
    call("gameRules", game="Connect 4"),
    call("createGame", game="connect-four", seat="green"),
    call("createGame", game="connect-four", fen="8/8/8/8/8/8/8/8 w - - 0 1"),
    call("createGame", game="connect-four", setup={"columns": 8}),
    call("createGame", type="agent", game="connect-four", keep={"red": "pass", "game": "game_id"}),
    turn(1, "9", "red"),
    turn(1, "4", "red"),
    call("joinGame", game_id="$game", color="black", by="two", keep={"yellow": "pass"}),
    call("joinGame", game_id="$game", by="three"),
    call("waitForNextTurn", game_id="$yellow", by="two"),
    turn(1, "4", "yellow", by="two"),
    turn(2, "5", "yellow", by="two"),
    # The same call once more, and one that means another turn.
    turn(2, "5", "yellow", by="two"),
    turn(2, "6", "red"),
    call("getGame", game_id="$game", by="three"),
    turn(3, "4", "red"),
    turn(4, "5", "yellow", by="two"),
    turn(5, "4", "red"),
    turn(6, "5", "yellow", by="two"),
    # By who moved last: of two processes on one store, the other may hear of it a moment later.
    call("gameAction", game_id="$red", action="offerDraw", by="two"),
    turn(7, "3", "red", claim_win=True),
    meanwhile(
        call("waitForNextTurn", game_id="$yellow", by="two"),
        turn(7, "4", "red", claim_win=True),
    ),
    turn(8, "5", "yellow", by="two"),
    call("getGame", game_id="$yellow", by="two"),
]

# Whoever bets is not called, so it is the same whoever holds what.
KUHN_POKER = [
    call("createGame", type="agent", game="kuhn-poker", setup={"hands": 3},
         keep={"first": "pass", "game": "game_id"}),
    call("joinGame", game_id="$game", by="two", keep={"second": "pass"}),
    turn(1, "raise 3", "first"),
    turn(1, "bet", "first"),
    call("waitForNextTurn", game_id="$second", by="two"),
    # That ends the hand, and begins the next one.
    turn(2, "fold", "second", by="two"),
    turn(2, "fold", "second", by="two"),
    turn(3, "bet", "second", by="two"),
    call("waitForNextTurn", game_id="$first"),
    call("getGame", game_id="$game", by="three"),
    turn(4, "pass", "first"),
    turn(5, "bet", "first"),
    turn(6, "pass", "second", by="two"),
    call("getGame", game_id="$first"),
]

SEALED = [
    call("createGame", type="agent", game="prisoner's dilemma", setup={"rounds": 2},
         keep={"first": "pass", "game": "game_id"}),
    call("joinGame", game_id="$game", by="two", keep={"second": "pass"}),
    # Who waits reads anew: of two processes on one store, the other may hear of it a moment later.
    call("waitForNextTurn", game_id="$first"),
    turn(1, "cooperate", "first"),
    turn(1, "cooperate", "first"),
    turn(1, "defect", "first"),
    call("getGame", game_id="$game", by="three"),
    call("waitForNextTurn", game_id="$second", by="two"),
    meanwhile(
        call("waitForNextTurn", game_id="$first"),
        turn(1, "defect", "second", by="two"),
    ),
    turn(3, "stag", "first"),
    turn(3, "defect", "second", by="two"),
    turn(3, "defect", "first", wait=True),
    call("waitForNextTurn", game_id="$second", by="two"),
]

# The computer sits down and never gets to move.
LIARS_DICE = [
    call("gameRules", game="liars-dice"),
    call("createGame", game="liars-dice", seats=["me", "god"]),
    call("createGame", game="liars-dice", seats=["me", "agent"], setup={"seats": 3}),
    call("createGame", game="liars-dice", seats=["me", "agent", "computer 1"],
         keep={"first": "pass", "game": "game_id"}),
    call("joinGame", game_id="$game", by="two", keep={"second": "pass"}),
    turn(1, "liar", "first"),
    turn(1, "ones x 14", "first"),
    call("waitForNextTurn", game_id="$second", by="two"),
    turn(2, "sixes x 13", "second", by="two"),
    call("getGame", game_id="$game", by="three"),
    turn(2, "liar", "second", by="two"),
    call("waitForNextTurn", game_id="$first"),
    call("getGame", game_id="$second", by="two"),
]

RESIGNED = [
    call("createGame", type="agent", game="othello", keep={"black": "pass", "game": "game_id"}),
    call("joinGame", game_id="$game", by="two", keep={"white": "pass"}),
    turn(1, "resign", "black"),
    call("gameAction", game_id="$black", action="resign", turn=1),
    call("gameAction", game_id="$black", action="resign", turn=1),
    call("waitForNextTurn", game_id="$white", by="two"),
    call("getGame", game_id="$white", by="two"),
]

STEPS = [*CONNECT_FOUR, *KUHN_POKER, *SEALED, *LIARS_DICE, *RESIGNED]
