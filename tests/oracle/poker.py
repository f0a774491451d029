"""How both kinds of poker are played at the highest level, judged by OpenSpiel: what somebody who knew it
would win, and what a hand is worth to the first player if both play so."""

import argparse
import json
import subprocess

import pyspiel

CARDS = "JQK"
MOVES = {"kuhn-poker": ["Pass", "Bet"], "leduc-poker": ["Fold", "Call", "Raise"]}

# What we call it, what OpenSpiel calls it, what a hand is worth, and how many chips may be won at most.
KINDS = [
    ("kuhn-poker", "kuhn_poker", -1 / 18, 0.001),
    ("leduc-poker", "leduc_poker(suit_isomorphism=true)", -0.085606424078, 0.001),
]


def known(kind, state):
    """What whoever is next knows, as it is written here."""
    dealt, said = [], [[], []]
    for move in state.full_history():
        if move.player == pyspiel.PlayerId.CHANCE:
            dealt.append(CARDS[move.action])
        else:
            said[len(dealt) > 2].append(MOVES[kind][move.action])
    said = ["[" + ", ".join(moves) + "]" for moves in said]
    own = dealt[state.current_player()]
    if kind == "kuhn-poker":
        return f"{own} {said[0]}"
    table = f"Some({dealt[2]})" if len(dealt) > 2 else "None"
    return f"{own} {table} [{said[0]}, {said[1]}]"


def translate(kind, state, plays, policy):
    """Every situation there with what is played here."""
    if state.is_terminal():
        return
    if not state.is_chance_node():
        shares = plays[known(kind, state)]
        policy[state.information_state_string()] = list(zip(state.legal_actions(), shares, strict=True))
    for action in state.legal_actions():
        translate(kind, state.child(action), plays, policy)


def main():
    flags = argparse.ArgumentParser(description=__doc__)
    flags.add_argument("--program", required=True, help="the example policy of our players")
    flags = flags.parse_args()
    for kind, theirs, value, most in KINDS:
        told = subprocess.run([flags.program, kind], check=True, capture_output=True, text=True)
        plays = json.loads(told.stdout)
        game, policy = pyspiel.load_game(theirs), {}
        translate(kind, game.new_initial_state(), plays, policy)
        lost = pyspiel.exploitability(game, policy)
        worth = pyspiel.expected_returns(game.new_initial_state(), pyspiel.TabularPolicy(policy), -1, True)[0]
        print(f"{kind}: {lost:.5f} chips a hand can be won from it, worth {worth:.5f} to the first")
        assert lost <= most, f"{kind} can be exploited by {lost}"
        assert abs(worth - value) <= lost, f"{kind} is worth {value}"


main()
