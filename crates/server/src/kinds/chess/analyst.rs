//! The computer as an analyst: what a position is worth, and how it should go on.
//!
//! Who may ask is decided in `hints`.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use chess_engine::{SearchLimits, Searcher, moves_to_mate};
use rules::chess::{Eval, MoveText, fen, uci};
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};
use tokio::sync::OnceCell;

use super::engine::Engine;
use crate::{
    budgets::{Budgets, CallerId},
    hall::computer::{Caller, NoThought},
};

/// Answers that are remembered: the positions of a few hundred games, in a few megabytes.
const REMEMBERED: usize = 20_000;

/// How hard it is thought. A count of positions and not a time, so that every machine says the
/// same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effort {
    /// For a player who waits.
    Hint,
    /// For one of the many positions of a game that is over.
    Review,
}

impl Effort {
    fn nodes(self) -> u64 {
        match self {
            Effort::Hint => 200_000,
            Effort::Review => 40_000,
        }
    }

    /// How many moves of the best line are worth telling; what comes late was hardly looked at.
    fn moves(self) -> usize {
        match self {
            Effort::Hint => 6,
            Effort::Review => 1,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub eval: Eval,
    /// The best moves for both sides, as far as they are worth telling; none when it is over.
    pub line: Vec<MoveText>,
}

/// A position with all that its worth depends on: positions it could repeat are among those since
/// the last pawn move or capture.
#[derive(Clone)]
pub struct AnalystQuestion {
    since: Chess,
    moves: Vec<Move>,
}

impl AnalystQuestion {
    /// About every position of a game, from the start on.
    pub fn along<'a>(
        start: &'a Chess,
        moves: &'a [Move],
    ) -> impl Iterator<Item = AnalystQuestion> + use<'a> {
        let first = AnalystQuestion { since: start.clone(), moves: Vec::new() };
        let mut now = (first.clone(), start.clone());
        let later = moves.iter().map(move |mv| {
            let (question, position) = &mut now;
            position.play_unchecked(*mv);
            match position.halfmoves() {
                0 => *question = AnalystQuestion { since: position.clone(), moves: Vec::new() },
                _ => question.moves.push(*mv),
            }
            question.clone()
        });
        std::iter::once(first).chain(later)
    }

    fn asked(&self, effort: Effort) -> AskedPosition {
        (fen(&self.since), self.moves.clone(), effort)
    }

    fn answer(
        &self,
        effort: Effort,
        searcher: &mut Searcher,
        stop: &AtomicBool,
    ) -> Option<Verdict> {
        let mut position = self.since.clone();
        self.moves.iter().for_each(|mv| position.play_unchecked(*mv));
        let limits = SearchLimits { nodes: effort.nodes(), lines: 1, ..SearchLimits::default() };
        let analysis = searcher.analyse(&[], &self.since, &self.moves, limits, stop, |_| {});
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let Some(best) = analysis.lines.into_iter().next() else {
            return Some(Verdict { eval: final_eval(&position), line: Vec::new() });
        };
        let eval = seen_by_white(best.score, position.turn());
        let line = best.moves.into_iter().take(effort.moves());
        let line = line.map(|mv| {
            let san = SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string();
            MoveText { uci: uci(&self.since, mv), san }
        });
        Some(Verdict { eval, line: line.collect() })
    }
}

fn final_eval(position: &Chess) -> Eval {
    if position.is_checkmate() {
        Eval::Mate { by: !position.turn(), moves: 0 }
    } else {
        Eval::Centipawns(0)
    }
}

fn seen_by_white(score: i32, mover: Color) -> Eval {
    match moves_to_mate(score) {
        Some(moves) => {
            Eval::Mate { by: if moves > 0 { mover } else { !mover }, moves: moves.unsigned_abs() }
        }
        None => Eval::Centipawns(mover.fold_wb(score, -score)),
    }
}

/// A question and how hard it was thought about.
type AskedPosition = (String, Vec<Move>, Effort);
type Known = Arc<OnceCell<Verdict>>;

pub struct Analyst {
    engine: Arc<Engine>,
    pub(super) budgets: Budgets,
    known: Mutex<HashMap<AskedPosition, Known>>,
}

impl Analyst {
    pub fn new(engine: Arc<Engine>, budgets: Budgets) -> Analyst {
        Analyst { engine, budgets, known: Mutex::default() }
    }

    /// Thinks once about each question, however many ask it.
    pub(super) async fn judge(
        &self,
        question: AnalystQuestion,
        effort: Effort,
        by: CallerId,
    ) -> Result<Verdict, NoThought> {
        let known = self.known(&question, effort);
        let thinking = || async {
            let answer = move |searcher: &mut Searcher, stop: &AtomicBool| {
                question.answer(effort, searcher, stop)
            };
            self.engine.ask(Caller::new(by), effort.nodes(), answer).await
        };
        known.get_or_try_init(thinking).await.cloned()
    }

    /// Whether the answer is there, so that nobody need think for it.
    pub(super) fn knows(&self, question: &AnalystQuestion, effort: Effort) -> bool {
        let known = self.known.lock().expect("nobody panics holding these");
        known.get(&question.asked(effort)).is_some_and(|known| known.initialized())
    }

    fn known(&self, question: &AnalystQuestion, effort: Effort) -> Known {
        let mut known = self.known.lock().expect("nobody panics holding these");
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.entry(question.asked(effort)).or_default().clone()
    }
}

#[cfg(test)]
mod tests {
    use rules::{Eye, Record, chess::WHITE};
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::hall::computer::Thinkers;

    fn analyst_until(stop: CancellationToken) -> Analyst {
        let thinkers = Thinkers::new(None, &Default::default(), stop);
        let engine = Engine::new(thinkers, None).expect("our own engine is always there");
        Analyst::new(engine, Budgets::default())
    }

    fn analyst() -> Analyst {
        analyst_until(CancellationToken::new())
    }

    /// Questions about every position of a game.
    fn questions(fen: &str, moves: &str) -> Vec<AnalystQuestion> {
        let setup = serde_json::json!({ "fen": fen }).to_string();
        let kind = rules::kind("chess").expect("chess is known");
        let mut game = Record::start(kind, &setup, 1).expect("a game");
        for mv in moves.split_whitespace() {
            let due = game.due();
            let seat = if due.includes(WHITE) { WHITE } else { rules::chess::BLACK };
            game.take(game.step(seat, mv).expect("a move"));
        }
        let view = game.view::<rules::chess::Chess>(Eye::Public).expect("chess");
        AnalystQuestion::along(&view.start, &view.moves).collect()
    }

    #[tokio::test]
    async fn worth_is_seen_by_white_whoever_is_to_move() {
        let white_mates = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
        let black_mates = "7K/8/5kq1/8/8/8/8/8 b - - 0 1";
        for (fen, by, moves, eval) in [
            (white_mates, Color::White, "", "#1"),
            (black_mates, Color::Black, "", "#-1"),
            (white_mates, Color::White, "Qg7", "#0"),
            (black_mates, Color::Black, "Qg7", "#-0"),
        ] {
            let question = questions(fen, moves).pop().expect("a question");
            let verdict = analyst()
                .judge(question, Effort::Review, CallerId::Owner)
                .await
                .expect("a verdict");
            assert_eq!(verdict.eval.to_string(), eval, "{by}");
            assert_eq!(verdict.line.is_empty(), !moves.is_empty());
        }
        for (fen, is_whites) in [
            ("4k3/8/8/8/8/8/PPPP4/3QK3 b - - 0 1", true),
            ("3qk3/pppp4/8/8/8/8/8/4K3 b - - 0 1", false),
        ] {
            let question = questions(fen, "").pop().expect("a question");
            let verdict = analyst()
                .judge(question, Effort::Review, CallerId::Owner)
                .await
                .expect("a verdict");
            assert_eq!(verdict.eval.chance() > 0.9, is_whites, "{fen}: {}", verdict.eval);
            assert_eq!(verdict.eval.chance() < -0.9, !is_whites, "{fen}: {}", verdict.eval);
        }
    }

    #[tokio::test]
    async fn a_position_is_thought_about_once() {
        let analyst = analyst();
        let all = questions("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "e1e2 e8e7 a2a4 e7e8 e2e1");
        for _ in 0..2 {
            for question in &all {
                analyst
                    .judge(question.clone(), Effort::Review, CallerId::Owner)
                    .await
                    .expect("a verdict");
            }
            let known = analyst.known.lock().expect("the answers");
            assert_eq!(known.len(), all.len());
            assert!(known.values().all(|known| known.initialized()));
        }
    }

    #[test]
    fn only_what_can_come_again_is_part_of_a_question() {
        let all = questions("4k3/8/8/8/8/8/P7/4K3 w - - 7 1", "e1e2 e8e7 a2a4 e7e8 e2e1");
        let lengths: Vec<_> = all.iter().map(|question| question.moves.len()).collect();
        assert_eq!(lengths, [0, 1, 2, 0, 1, 2]);
    }

    #[tokio::test]
    async fn a_question_is_dropped_when_the_server_stops() {
        let stop = CancellationToken::new();
        let analyst = analyst_until(stop.clone());
        stop.cancel();
        let question = questions("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "").pop().expect("a question");
        let verdict = analyst.judge(question.clone(), Effort::Hint, CallerId::Owner).await;
        assert_eq!(verdict, Err(NoThought::Stopped));
        assert!(!analyst.known(&question, Effort::Hint).initialized());
    }
}
