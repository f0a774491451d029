"""OpenSpiel's player by Monte Carlo tree search (MCTSBot), which plays random games to their end, in
games that we know too.

As a program it takes the name of a game, says that it is ready, or that it does not know the game, and
then answers: a line on stdin is a game in JSON, its moves, the simulations for one more and a seed; a
line on stdout is that move."""

import json
import sys

import pyspiel

from writing import column, heap, square, word


# What we call it, what OpenSpiel calls it, and how an action is written here.
KINDS = {
    "tic-tac-toe": ("tic_tac_toe", square(3, 3)),
    "gomoku": ("gomoku", square(15, 15)),
    "connect-four": ("connect_four", column),
    "nim": ("nim(pile_sizes=3;5;7,is_misere=false)", heap),
    "othello": ("othello", word),
    "hex": ("hex(board_size=11)", word),
}


class Table:
    """A game there, followed by what is written here."""

    def __init__(self, theirs, write):
        self.game = pyspiel.load_game(theirs)
        self.write = write
        self.begin()

    def begin(self):
        self.state = self.game.new_initial_state()
        self.moves = []

    def play(self, text):
        legal = self.state.legal_actions()
        action = next(a for a in legal if self.write(a, self.state) == text)
        self.moves.append(text)
        self.state.apply_action(action)

    def follow(self, moves):
        """Comes to where these moves lead."""
        if self.moves != moves[: len(self.moves)]:
            self.begin()
        for text in moves[len(self.moves) :]:
            self.play(text)

    def choose(self, simulations, seed):
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(self.game, evaluator, 2.0, simulations, 100, True, seed, False)
        return self.write(bot.step(self.state), self.state)


def main():
    known = KINDS.get(sys.argv[1])
    print("ready" if known else "unknown", flush=True)
    table = known and Table(*known)
    for line in sys.stdin if table else ():
        asked = json.loads(line)
        table.follow(asked["moves"])
        print(table.choose(asked["simulations"], asked["seed"]), flush=True)


if __name__ == "__main__":
    main()
