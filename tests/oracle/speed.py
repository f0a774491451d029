"""How fast OpenSpiel plays random games, in moves a second, as JSON by our names: its own loop in C++
(evaluate_bots), Python only between two games."""

import json
import random
import time

import pyspiel

KINDS = {
    "connect-four": "connect_four",
    "gomoku": "gomoku",
    "hex": "hex(board_size=11)",
    "kuhn-poker": "kuhn_poker",
    "leduc-poker": "leduc_poker(suit_isomorphism=true)",
    "nim": "nim(pile_sizes=3;5;7,is_misere=false)",
    "othello": "othello",
    "tic-tac-toe": "tic_tac_toe",
}
SECONDS = 1
SAMPLE = 300


def length(state, dice):
    """Of one random game, in moves."""
    moves = 0
    while not state.is_terminal():
        moves += not state.is_chance_node()
        state.apply_action(dice.choice(state.legal_actions()))
    return moves


def speed(name):
    game, dice = pyspiel.load_game(name), random.Random(1)
    mean = sum(length(game.new_initial_state(), dice) for _ in range(SAMPLE)) / SAMPLE
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    games, started = 0, time.perf_counter()
    while time.perf_counter() - started < SECONDS:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, games)
        games += 1
    return games * mean / (time.perf_counter() - started)


print(json.dumps({ours: speed(theirs) for ours, theirs in KINDS.items()}))
