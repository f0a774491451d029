"""The same random games in our rules and in OpenSpiel, compared at every move: who moves, which moves
are legal, when it is over and what everybody has then."""

import argparse
import json
import random
import subprocess

import pyspiel

from writing import column, heap, square, step, word

CARDS = "JQK"
FACES = ["ones", "twos", "threes", "fours", "fives", "sixes"]


def bet(action, state):
    """A call of nothing is a check here, and the first raise of a round a bet."""
    asked = 0 in state.legal_actions()
    return ["fold", "call" if asked else "check", "raise" if asked else "bet"][action]


def bid(action, state):
    """The quantity comes first there, and the face in digits."""
    quantity, _, face = state.action_to_string(action).partition("-")
    return f"{FACES[int(face) - 1]} x {quantity}" if face else quantity.lower()


class Table:
    """Liar's dice for more than OpenSpiel's two players. All dice together decide, so two of theirs
    hold them for everybody; whose turn it is goes round our table, and the last two who moved have
    won and lost."""

    def __init__(self, seats, dice):
        assert seats * dice % 2 == 0, "two must be able to hold as many each"
        self.seats = seats
        self.game = f"liars_dice(numdice={seats * dice // 2})"

    def new_initial_state(self):
        return Seated(self.seats, pyspiel.load_game(self.game).new_initial_state())


class Seated:
    def __init__(self, seats, state):
        self.seats = seats
        self.state = state

    def __getattr__(self, name):
        return getattr(self.state, name)

    def moves(self):
        return sum(move.player != pyspiel.PlayerId.CHANCE for move in self.state.full_history())

    def legal_actions(self, _=None):
        return self.state.legal_actions()

    def current_player(self):
        return self.moves() % self.seats

    def returns(self):
        points = [0] * self.seats
        for move in (self.moves() - 2, self.moves() - 1):
            points[move % self.seats] = self.state.returns()[move % 2]
        return points


class Hands:
    """Poker over several hands, which OpenSpiel ends after one: the players take turns in beginning, and
    what they have won is added up."""

    def __init__(self, game, hands):
        self.game = game
        self.hands = hands

    def new_initial_state(self):
        return Hand(pyspiel.load_game(self.game), self.hands)


class Hand:
    """The hand that is played now. Whoever begins it is the first player there."""

    def __init__(self, game, hands):
        self.game = game
        self.left = hands
        self.first = 0
        self.chips = [0, 0]
        self.state = game.new_initial_state()

    def __getattr__(self, name):
        return getattr(self.state, name)

    def seat(self, player):
        return (player + self.first) % 2

    def current_player(self):
        return self.seat(self.state.current_player())

    def legal_actions(self, _=None):
        return self.state.legal_actions()

    def apply_action(self, action):
        self.state.apply_action(action)
        if not self.state.is_terminal():
            return
        for player, won in enumerate(self.state.returns()):
            self.chips[self.seat(player)] += won
        self.left -= 1
        if self.left:
            self.first = 1 - self.first
            self.state = self.game.new_initial_state()

    def returns(self):
        return self.chips


def choice(*choices):
    return lambda action, _: choices[action]


def repeated(choices, table, rounds):
    """A table that is the same for both, played over and over."""
    other = [list(column) for column in zip(*table)]
    stage = pyspiel.create_matrix_game("stage", "stage", choices, choices, table, other)
    return pyspiel.create_repeated_game(stage, {"num_repetitions": rounds})


# What we call it, our set-up, what OpenSpiel calls it or makes it from, and how an action is written
# here.
KINDS = [
    ("tic-tac-toe", {}, "tic_tac_toe", square(3, 3)),
    ("tic-tac-toe", {"columns": 6, "rows": 5, "length": 4}, "mnk(m=6,n=5,k=4)", square(6, 5)),
    ("gomoku", {}, "gomoku", square(15, 15)),
    ("connect-four", {}, "connect_four", column),
    ("nim", {}, "nim(pile_sizes=3;5;7,is_misere=false)", heap),
    ("nim", {"heaps": [1, 3, 5, 7], "misere": True}, "nim(pile_sizes=1;3;5;7,is_misere=true)", heap),
    ("connect-four", {"opening": 6}, "connect_four", column),
    ("gomoku", {"opening": 8}, "gomoku", square(15, 15)),
    ("othello", {}, "othello", word),
    ("othello", {"opening": 8}, "othello", word),
    ("hex", {}, "hex(board_size=11)", word),
    ("hex", {"size": 5}, "hex(board_size=5)", word),
    ("hex", {"size": 7, "swap": True}, "hex(board_size=7,swap=true)", word),
    ("hex", {"size": 6, "swap": True, "opening": 1}, "hex(board_size=6,swap=true)", word),
    ("breakthrough", {}, "breakthrough", step(8)),
    ("breakthrough", {"opening": 8}, "breakthrough", step(8)),
    ("breakthrough", {"rows": 4, "columns": 3}, "breakthrough(rows=4,columns=3)", step(4)),
    ("breakthrough", {"rows": 5, "columns": 12}, "breakthrough(rows=5,columns=12)", step(5)),
    ("breakthrough", {"rows": 12, "columns": 6}, "breakthrough(rows=12,columns=6)", step(12)),
    ("kuhn-poker", {"hands": 1}, "kuhn_poker", word),
    ("kuhn-poker", {"hands": 7}, Hands("kuhn_poker", 7), word),
    ("liars-dice", {}, "liars_dice(numdice=5)", bid),
    ("liars-dice", {"dice": 1}, "liars_dice(numdice=1)", bid),
    ("liars-dice", {"seats": 3, "dice": 2}, Table(3, 2), bid),
    ("liars-dice", {"seats": 4}, Table(4, 5), bid),
    ("liars-dice", {"seats": 5, "dice": 4}, Table(5, 4), bid),
    ("liars-dice", {"seats": 6, "dice": 1}, Table(6, 1), bid),
    ("leduc-poker", {"hands": 1}, "leduc_poker(suit_isomorphism=true)", bet),
    ("leduc-poker", {"hands": 4}, Hands("leduc_poker(suit_isomorphism=true)", 4), bet),
    (
        "matrix-game",
        {"rounds": 5},
        repeated(["cooperate", "defect"], [[3, 0], [5, 1]], 5),
        choice("cooperate", "defect"),
    ),
    (
        "matrix-game",
        {"game": "stag-hunt"},
        repeated(["stag", "hare"], [[4, 0], [3, 3]], 20),
        choice("stag", "hare"),
    ),
    (
        "matrix-game",
        {"game": "rock-paper-scissors", "rounds": 9},
        pyspiel.create_repeated_game("matrix_rps", {"num_repetitions": 9}),
        choice("rock", "paper", "scissors"),
    ),
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
    """Gives everybody there the card or the die that it has here, and lays the same on the table."""
    dealt = sum(move.player == pyspiel.PlayerId.CHANCE for move in state.full_history())
    if "dice" in views[0]:
        dice = [die for seat, view in enumerate(views) for die in view["dice"][seat]]
        return state.apply_action(dice[dealt] - 1)
    hand = views[0]["hand"]
    # Whoever begins has its card first there.
    first = getattr(state, "first", 0)
    held = [views[seat]["hand"]["cards"][seat] for seat in (first, 1 - first)]
    cards = held + [hand.get("table")]
    state.apply_action(CARDS.index(cards[dealt]))


def expand(offer):
    """The moves that an offer stands for: itself, or those of its range."""
    before, dots, last = offer.partition("..")
    if not dots:
        return [offer]
    words, first = before.rsplit(" ", 1)
    return [f"{words} {number}" for number in range(int(first), int(last) + 1)]


def legal(state, seat, write):
    return sorted(write(action, state) for action in state.legal_actions(seat))


def expected(state, write):
    if state.is_terminal():
        return {"due": [], "offers": [], "points": list(state.returns())}
    due = [state.current_player()]
    if state.is_simultaneous_node():
        due = list(range(state.num_players()))
    return {"due": due, "offers": [legal(state, seat, write) for seat in due], "points": None}


def begin(theirs):
    game = pyspiel.load_game(theirs) if isinstance(theirs, str) else theirs
    return game.new_initial_state()


def follow(state, text, write):
    """Plays there what is written so here."""
    state.apply_action(next(a for a in state.legal_actions() if write(a, state) == text))


def check(ours, kind, seed):
    name, setup, theirs, write = kind
    state = begin(theirs)
    game = {"game": name, "setup": setup, "seed": seed, "moves": []}
    for text in ours.play(game)["views"][0].get("opening", []):
        follow(state, text, write)
    states, dice = [], random.Random(seed)
    while True:
        while state.is_chance_node():
            deal(state, ours.play(game)["views"])
        states.append(expected(state, write))
        if state.is_terminal():
            break
        if state.is_simultaneous_node():
            seats = range(state.num_players())
            actions = [dice.choice(state.legal_actions(seat)) for seat in seats]
            game["moves"] += [write(action, state) for action in actions]
            # One is in already, and the other is waited for.
            for seat in seats[1:]:
                offers = [legal(state, other, write) for other in seats[seat:]]
                states.append({"due": list(seats[seat:]), "offers": offers, "points": None})
            state.apply_actions(actions)
        else:
            action = dice.choice(state.legal_actions())
            game["moves"].append(write(action, state))
            state.apply_action(action)
    told = ours.play(game)["states"]
    for number, (here, there) in enumerate(zip(told, states, strict=True)):
        here["offers"] = [sorted(m for o in offers for m in expand(o)) for offers in here["offers"]]
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
