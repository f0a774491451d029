"""Our computer against OpenSpiel's, which looks ahead by playing random games to their end
(MCTSBot), seats exchanged. Says what ours has scored."""

import argparse
import json
import random
import subprocess

import pyspiel


def word(action, state):
    return state.action_to_string(action).lower()


# What we call it, our set-up, what OpenSpiel calls it, and how an action is written here.
KINDS = {
    "connect-four": ({}, "connect_four", lambda action, _: str(action + 1)),
    "othello": ({}, "othello", word),
    "hex": ({"size": 7}, "hex(board_size=7)", word),
}


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


def play(ours, kind, level, simulations, number):
    setup, theirs, write = KINDS[kind]
    game = pyspiel.load_game(theirs)
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 100, True, number, False)
    own, moves = number % 2, []
    # Games begin differently: each pair of them with two other moves.
    for action in random.Random(number // 2).choices(range(1000), k=2):
        legal = state.legal_actions()
        moves.append(write(legal[action % len(legal)], state))
        state.apply_action(legal[action % len(legal)])
    while not state.is_terminal():
        if state.current_player() == own:
            text = ours.answer(
                {
                    "game": kind,
                    "setup": setup,
                    "seed": 1,
                    "moves": moves,
                    "level": level,
                    "luck": number,
                }
            )
            action = next(a for a in state.legal_actions() if write(a, state) == text)
        else:
            action = bot.step(state)
        moves.append(write(action, state))
        state.apply_action(action)
    return (state.returns()[own] + 1) / 2


def main():
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--program", required=True, help="the example answer of our players")
    flags.add_argument("--kind", choices=KINDS, required=True)
    flags.add_argument("--games", type=int, default=100)
    flags.add_argument("--level", type=int, default=10)
    flags.add_argument("--simulations", type=int, default=1000)
    flags = flags.parse_args()
    ours = Ours(flags.program)
    scores = []
    for number in range(flags.games):
        scores.append(play(ours, flags.kind, flags.level, flags.simulations, number))
        done = f"{sum(scores):g} of {len(scores)}"
        print(f"\r{flags.kind}, level {flags.level}: {done}", end="", flush=True)
    mean, slowest = ours.spent / ours.moves / 1000, ours.slowest / 1000
    print(f", {mean:.1f} ms a move, {slowest:.0f} at most")


main()
