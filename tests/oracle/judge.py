"""Random games through MCP, compared with another library move by move: positions, legal moves in
both notations, checks, claims, how games end, and the PGN that comes out. Moves are sent in whatever
way players write them."""

import argparse
import concurrent.futures
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess

import chess
import chess.pgn

from wire import Plain, Server

LONGEST = 100

# Where something soon happens: mates, stalemates, dead positions, promotions, repetitions.
CORNERS = [
    "8/8/8/8/8/1k6/1r6/K6R b - - 0 60",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "7k/7p/7P/8/8/7p/7P/7K w - - 90 70",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 140 90",
    "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1",
    "8/8/4k3/8/8/4K3/8/R6R w - - 0 1",
    "8/5b2/4k3/8/8/4K3/8/2B4n w - - 0 1",
]

# How a move may be written; what was read is compared all the same.
WRITTEN = [
    lambda uci, san: uci,
    lambda uci, san: san,
    lambda uci, san: f"{uci} ({san})",
    lambda uci, san: f"**{san}**",
    lambda uci, san: f"`{uci}`",
    lambda uci, san: f"I play {san}.",
    lambda uci, san: f"Final answer: {uci}",
    lambda uci, san: json.dumps({"move": san}),
    lambda uci, san: f"12. {san}!",
    lambda uci, san: san.replace("=", "/").replace("x", ":"),
    lambda uci, san: san.replace("O-O", "OO") if san == "O-O" else san,
]


def start(dice):
    """A board, and what createGame is to be told about it."""
    kind = dice.random()
    if kind < 0.5:
        return chess.Board(), {}
    if kind < 0.7:
        board = chess.Board.from_chess960_pos(dice.randrange(960))
        # With king and rooks in their usual places, nothing would say which chess it is.
        while chess.Board(board.fen()).is_valid():
            board = chess.Board.from_chess960_pos(dice.randrange(960))
        return board, {"fen": board.fen()}
    if kind < 0.85:
        fen = dice.choice(CORNERS)
        return chess.Board(fen), {"fen": fen}
    board = chess.Board()
    for _ in range(dice.randrange(60)):
        board.push(dice.choice(list(board.legal_moves)))
        if board.is_game_over():
            board.pop()
            break
    fen = board.fen(en_passant="legal")
    return chess.Board(fen), {"fen": fen}


def line(text, name):
    found = re.search(rf"^\*\*{name}\*\*: (.*)$", text, re.M)
    return found[1] if found else None


class Game:
    def __init__(self, caller, dice):
        self.caller, self.dice = caller, dice
        self.board, setup = start(dice)
        self.first = self.board.copy()
        white = self.call("createGame", type="agent", **setup).facts
        black = self.call("joinGame", game_id=white["game_id"]).facts
        self.id = white["game_id"]
        self.passes = {chess.WHITE: white["pass"], chess.BLACK: black["pass"]}
        self.plies = 0

    def call(self, tool, **arguments):
        answer = self.caller.call(tool, **arguments)
        assert not answer.refused, answer.error or answer.text
        return answer

    def same(self, what, ours, theirs):
        assert ours == theirs, f"{what}: {ours!r} here, {theirs!r} there; {self.board.fen()}, {self.id}"

    def mine(self):
        return self.passes[self.board.turn]

    def names(self):
        board = self.board
        return {board.uci(move): (board.san(move), move) for move in board.legal_moves}

    def compare(self, text, names):
        board = self.board
        self.same("the position", line(text, "FEN"), board.fen(en_passant="legal"))
        self.same("check", line(text, "Check") is not None, board.is_check())
        told = line(text, "Draw") or ""
        claimable = board.is_repetition(3) or board.is_fifty_moves()
        self.same("a claim", "can be claimed with gameAction" in told, claimable)
        self.same("any claim", "can be claimed" in told, board.can_claim_draw())
        legal = [pair.rstrip(")").split(" (") for pair in line(text, "Legal moves").split(", ")]
        legal = {uci: san for uci, san in legal}
        self.same("legal moves", legal, {uci: san for uci, (san, _) in names.items()})

    def choose(self, names):
        """Sometimes the last move back again, so that positions repeat."""
        if self.dice.random() < 0.3 and len(self.board.move_stack) >= 2:
            last = self.board.move_stack[-2]
            back = chess.Move(last.to_square, last.from_square).uci()
            if back in names:
                return back
        return self.dice.choice(sorted(names))

    def refuse_something(self, names):
        squares = self.dice.sample(chess.SQUARE_NAMES, 2)
        wrong = "".join(squares)
        if any(uci.startswith(wrong) for uci in names) or self.castles(wrong):
            return
        answer = self.caller.call("finishTurn", game_id=self.mine(), move=wrong)
        assert answer.refused and "Invalid move" in answer.text, f"{wrong}: {answer.text}"

    def castles(self, text):
        """Castling has more names than one."""
        try:
            return self.board.is_castling(self.board.parse_uci(text))
        except ValueError:
            return True

    def play(self):
        while self.board.outcome() is None and self.plies < LONGEST:
            text = self.call("waitForNextTurn", game_id=self.mine()).text
            names = self.names()
            self.compare(text, names)
            if self.dice.random() < 0.02:
                self.refuse_something(names)
            if self.board.can_claim_draw() and self.dice.random() < 0.1:
                return self.claim(line(text, "Draw"))
            uci = self.choose(names)
            san, move = names[uci]
            sent = self.dice.choice(WRITTEN)(uci, san)
            text = self.call("finishTurn", game_id=self.mine(), move=sent).text
            self.board.push(move)
            self.plies += 1
            outcome = self.board.outcome()
            if outcome is None:
                assert f"Move accepted: {uci} ({san})" in text, f"{sent!r}: {text}"
        return self.ended(text)

    def claim(self, told):
        """With the move that brings it about, where one is named."""
        named = re.search("with the move (.*)", told)
        move = {"move": named[1]} if named else {}
        text = self.call("gameAction", game_id=self.mine(), action="claimDraw", **move).text
        assert "Game Over: Draw by" in text, text
        if named:
            self.board.push(self.names()[named[1]][1])
            claimable = self.board.is_repetition(3) or self.board.is_fifty_moves()
            self.same("the move named", True, claimable)
            self.board.pop()
        return "1/2-1/2"

    def ended(self, text):
        outcome = self.board.outcome()
        if outcome is None:
            return "*"
        said = {
            chess.Termination.CHECKMATE: "wins by Checkmate",
            chess.Termination.STALEMATE: "Draw by stalemate",
            chess.Termination.INSUFFICIENT_MATERIAL: "Draw by insufficient material",
            chess.Termination.SEVENTYFIVE_MOVES: "Draw by the seventy-five-move rule",
            chess.Termination.FIVEFOLD_REPETITION: "Draw by fivefold repetition",
        }[outcome.termination]
        assert f"{said}." in text, f"{outcome}: {text}"
        return outcome.result()

    def read(self, result):
        """The PGN, once the other library has made the same of it."""
        text = self.call("getGame", game_id=self.id).text
        pgn = text.split("```pgn\n")[1].split("```")[0]
        game = chess.pgn.read_game(io.StringIO(pgn))
        self.same("errors", game.errors, [])
        self.same("result", game.headers["Result"], result)
        self.same("the start", game.board().fen(), self.first.fen())
        self.same("moves", list(game.mainline_moves()), self.board.move_stack)
        ended = "unterminated" if result == "*" else "normal"
        self.same("termination", game.headers["Termination"], ended)
        told = all(node.emt() is not None for node in game.mainline())
        self.same("times", told, result != "*" or not self.board.move_stack)
        return pgn


def judge(url, seed, count):
    """So many games; their PGNs, and how many half-moves they had."""
    caller = Plain(url)
    pgns, plies = [], 0
    for n in range(count):
        dice = random.Random(f"{seed}/{n}")
        game = Game(caller, dice)
        try:
            result = game.play()
            pgns.append(game.read(result))
        except Exception as error:
            raise AssertionError(f"game {n} of seed {seed}: {error}") from error
        plies += game.plies
    return pgns, plies


def extract(pgns, folder):
    """Has pgn-extract read them all; it has something to say only where something is wrong."""
    file = folder / "games.pgn"
    file.write_text("\n".join(pgns))
    # Debian keeps it among the games, which not everybody has on the PATH.
    program = shutil.which("pgn-extract", path=f"{os.environ['PATH']}:/usr/games")
    check = subprocess.run([program, "-s", "-r", str(file)], capture_output=True, text=True)
    # Silent as it is told to be, it counts every thousandth game aloud.
    lines = (check.stdout + check.stderr).splitlines()
    said = "\n".join(line for line in lines if not line.startswith("Games: ")).strip()
    assert check.returncode == 0 and not said, said
    copy = subprocess.run([program, "-s", str(file)], capture_output=True, text=True, check=True)
    count = copy.stdout.count("[Event ")
    assert count == len(pgns), f"pgn-extract read {count} of {len(pgns)} games"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--games", type=int, default=150)
    arguments.add_argument("--seed", default=str(random.randrange(1 << 32)))
    arguments.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("."))
    options = arguments.parse_args()
    workers = max(2, min(os.cpu_count() or 2, 8))
    shares = [options.games // workers + (n < options.games % workers) for n in range(workers)]
    print(f"the judge's seed is {options.seed}", flush=True)
    with Server() as server, concurrent.futures.ProcessPoolExecutor(workers) as pool:
        seeds = [f"{options.seed}/{n}" for n in range(workers)]
        results = list(pool.map(judge, [server.url] * workers, seeds, shares))
    pgns = [pgn for part, _ in results for pgn in part]
    extract(pgns, options.keep)
    plies = sum(plies for _, plies in results)
    print(f"{len(pgns)} games, {plies} half-moves: no difference")


if __name__ == "__main__":
    main()
