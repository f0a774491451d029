"""`agon uci` through the engine module of another chess library."""

import os
import unittest

import chess
import chess.engine

MATE = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"


class Engine(unittest.TestCase):
    def setUp(self):
        self.engine = chess.engine.SimpleEngine.popen_uci([os.environ["AGON"], "uci"])
        self.addCleanup(self.engine.close)

    def test_it_offers_what_libraries_look_for(self):
        for name in ["Hash", "Threads", "Ponder", "UCI_Chess960", "MultiPV", "UCI_Elo"]:
            self.assertIn(name, self.engine.options)
        self.assertIn("agon", self.engine.id["name"])

    def test_it_plays_a_game(self):
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 60:
            played = self.engine.play(board, chess.engine.Limit(nodes=500))
            self.assertIn(played.move, board.legal_moves)
            board.push(played.move)
        self.assertGreater(board.ply(), 20)

    def test_only_the_moves_asked_for_are_considered(self):
        board = chess.Board(MATE)
        limit = chess.engine.Limit(depth=5)
        self.assertEqual(self.engine.play(board, limit).move.uci(), "d1d8")
        king = [chess.Move.from_uci("a1a2"), chess.Move.from_uci("a1b1")]
        self.assertIn(self.engine.play(board, limit, root_moves=king).move, king)
        for info in self.engine.analyse(board, limit, root_moves=king, multipv=5):
            self.assertIn(info["pv"][0], king)

    def test_an_analysis_tells_how_far_it_looked(self):
        info = self.engine.analyse(chess.Board(), chess.engine.Limit(depth=6))
        self.assertEqual(info["depth"], 6)
        self.assertGreaterEqual(info["seldepth"], 6)
        for name in ["nodes", "nps", "time", "pv", "score"]:
            self.assertIn(name, info)
        lines = self.engine.analyse(chess.Board(), chess.engine.Limit(depth=4), multipv=3)
        scores = [line["score"].white().score() for line in lines]
        self.assertEqual(scores, sorted(scores, reverse=True))
        mate = self.engine.analyse(chess.Board(MATE), chess.engine.Limit(depth=4))
        self.assertEqual(mate["score"].white(), chess.engine.Mate(1))

    def test_memory_and_threads_can_be_set(self):
        self.engine.configure({"Hash": 32, "Threads": 2})
        played = self.engine.play(chess.Board(), chess.engine.Limit(depth=7))
        self.assertIn(played.move, chess.Board().legal_moves)
        with self.assertRaises(chess.engine.EngineError):
            self.engine.configure({"Hash": 0})

    def test_it_ponders(self):
        board = chess.Board()
        limit = chess.engine.Limit(white_clock=5, black_clock=5)
        for _ in range(6):
            played = self.engine.play(board, limit, ponder=True)
            board.push(played.move)
            if played.ponder in board.legal_moves and board.fullmove_number % 2:
                board.push(played.ponder)
            else:
                board.push(next(iter(board.legal_moves)))
        self.assertTrue(board.is_valid())

    def test_an_endless_analysis_is_stopped(self):
        with self.engine.analysis(chess.Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 6:
                    break
        self.assertIn(analysis.wait().move, chess.Board().legal_moves)

    def test_it_plays_chess960(self):
        castled = 0
        for number in [0, 95, 356, 518, 777, 959]:
            board = chess.Board.from_chess960_pos(number)
            while not board.is_game_over(claim_draw=True) and board.ply() < 40:
                castles = list(board.generate_castling_moves())
                # Wherever it may, it is made to.
                moves = castles or None
                played = self.engine.play(board, chess.engine.Limit(nodes=300), root_moves=moves)
                self.assertIn(played.move, moves or board.legal_moves, board.fen())
                castled += board.is_castling(played.move)
                board.push(played.move)
        self.assertGreater(castled, 3)


if __name__ == "__main__":
    unittest.main()
