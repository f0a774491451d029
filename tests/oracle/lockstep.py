"""The same random games in our rules and in OpenSpiel, compared at every move: who moves, which moves
are legal, when it is over and what everybody has then."""

import argparse
import json
import random
import subprocess

import pyspiel

CARDS = "JQK"


def square(columns, rows):
    """Rows are counted from the top there, from the bottom here."""
    return lambda action, _: f"{chr(97 + action % columns)}{rows - action // columns}"


def column(action, _):
    return str(action + 1)


def heap(action, state):
    name = state.action_to_string(action)
    pile, take = (int(part.split(":")[1]) for part in name.rstrip(";").split(", "))
    return f"{pile}:{take}"


def word(action, state):
    return state.action_to_string(action).lower()


# What we call it, our set-up, what OpenSpiel calls it, and how an action is written here.
KINDS = [
    ("tic-tac-toe", {}, "tic_tac_toe", square(3, 3)),
    ("tic-tac-toe", {"columns": 6, "rows": 5, "length": 4}, "mnk(m=6,n=5,k=4)", square(6, 5)),
    ("gomoku", {}, "gomoku", square(15, 15)),
    ("connect-four", {}, "connect_four", column),
    ("nim", {}, "nim(pile_sizes=3;5;7,is_misere=false)", heap),
    ("nim", {"heaps": [1, 3, 5, 7], "misere": True}, "nim(pile_sizes=1;3;5;7,is_misere=true)", heap),
    ("kuhn-poker", {"hands": 1}, "kuhn_poker", word),
]


class Ours:
    def __init__(self, program):
        pipe = subprocess.PIPE
        self.program = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True)

    def play(self, game):
        self.program.stdin.write(json.dumps(game) + "\n")
        self.program.stdin.flush()
        told = self.program.stdout.readline()
        assert told, f"our rules do not take {game}"
        return json.loads(told)

    def end(self):
        self.program.stdin.close()
        assert self.program.wait() == 0


def deal(state, views):
    """Gives everybody there the card that it holds here."""
    for seat, view in enumerate(views):
        state.apply_action(CARDS.index(view["hand"]["cards"][seat]))


def expected(state, write):
    if state.is_terminal():
        return {"due": [], "offers": [], "points": [int(points) for points in state.returns()]}
    seat = state.current_player()
    moves = sorted(write(action, state) for action in state.legal_actions())
    return {"due": [seat], "offers": [moves], "points": None}


def check(ours, kind, seed):
    name, setup, theirs, write = kind
    state = pyspiel.load_game(theirs).new_initial_state()
    game = {"game": name, "setup": setup, "seed": seed, "moves": []}
    if state.is_chance_node():
        deal(state, ours.play(game)["views"])
    states, dice = [expected(state, write)], random.Random(seed)
    while not state.is_terminal():
        action = dice.choice(state.legal_actions())
        game["moves"].append(write(action, state))
        state.apply_action(action)
        states.append(expected(state, write))
    told = ours.play(game)["states"]
    for number, (here, there) in enumerate(zip(told, states, strict=True)):
        here["offers"] = [sorted(moves) for moves in here["offers"]]
        assert here == there, f"{game} after {number} moves: {here} here, {there} there"
    return len(game["moves"])


def main():
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--program", required=True, help="the example lockstep of our rules")
    flags.add_argument("--games", type=int, default=500, help="of each kind")
    flags.add_argument("--only", help="one kind, by our name")
    flags = flags.parse_args()
    ours = Ours(flags.program)
    for kind in KINDS:
        if flags.only not in (None, kind[0]):
            continue
        moves = sum(check(ours, kind, seed) for seed in range(flags.games))
        print(f"{kind[0]} {json.dumps(kind[1])}: {flags.games} games, {moves} moves, no difference")
    ours.end()


main()
