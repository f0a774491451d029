"""Our computer's highest level against OpenSpiel's player by random games (MCTSBot), seats exchanged:
it must score half of the points at least."""

import argparse
import json
import random
import subprocess

import pyspiel

from mcts import Table
from writing import column, word

# What we call it, our set-up, what OpenSpiel calls it, and how an action is written here.
KINDS = [
    ("connect-four", {}, "connect_four", column),
    ("othello", {}, "othello", word),
    ("hex", {"size": 7}, "hex(board_size=7)", word),
]


class Ours:
    def __init__(self, program):
        pipe = subprocess.PIPE
        self.program = subprocess.Popen([program], stdin=pipe, stdout=pipe, text=True)
        self.slowest = self.spent = self.moves = 0

    def answer(self, game):
        self.program.stdin.write(json.dumps(game) + "\n")
        self.program.stdin.flush()
        text, spent = self.program.stdout.readline().split()
        self.slowest = max(self.slowest, int(spent))
        self.spent += int(spent)
        self.moves += 1
        return text


def play(ours, kind, flags, number):
    name, setup, theirs, write = kind
    table = Table(theirs, write)
    # Games begin differently: each pair of them with two other moves.
    for chance in random.Random(number // 2).choices(range(1000), k=2):
        legal = table.state.legal_actions()
        table.play(write(legal[chance % len(legal)], table.state))
    own = number % 2
    while not table.state.is_terminal():
        if table.state.current_player() == own:
            game = {"game": name, "setup": setup, "seed": 1, "moves": table.moves}
            table.play(ours.answer({**game, "level": flags.level, "luck": number}))
        else:
            table.play(table.choose(flags.simulations, number))
    return (table.state.returns()[own] + 1) / 2


def main():
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--program", required=True, help="the example answer of our players")
    flags.add_argument("--only", help="one kind, by our name")
    flags.add_argument("--games", type=int, default=100)
    flags.add_argument("--level", type=int, default=10)
    flags.add_argument("--simulations", type=int, default=1000)
    flags = flags.parse_args()
    for kind in KINDS:
        if flags.only not in (None, kind[0]):
            continue
        ours = Ours(flags.program)
        score = sum(play(ours, kind, flags, number) for number in range(flags.games))
        mean, slowest = ours.spent / ours.moves / 1000, ours.slowest / 1000
        print(
            f"{kind[0]} {json.dumps(kind[1])}: {score:g} of {flags.games} points against "
            f"{flags.simulations} simulations, {mean:.1f} ms a move, {slowest:.0f} at most"
        )
        assert score * 2 >= flags.games, f"{kind[0]} is weaker than {flags.simulations} simulations"


main()
