//! The computer at the chessboard: its engine finds the move, `decisions` says what it does beside
//! the board.

use std::sync::{Arc, atomic::AtomicBool};

use async_trait::async_trait;
use chess_engine::{EngineLevel, Prospect, Searcher};
use rules::{
    Eye, Seat,
    chess::{Chess, color_of, uci},
};

use super::{
    decisions::Side,
    engine::{Engine, Question},
    guest::entrant::Entrant,
};
use crate::{
    hall::{
        Game, Look, NoProgram,
        computer::{FindProgram, Mind, NoThought, Sitting},
    },
    player::Player,
};

/// A closer look costs so many positions, or a few times that.
const PROSPECT: u64 = 20_000;

#[async_trait]
impl Mind for Arc<Engine> {
    async fn sit(&self, game: &Game) -> Option<Box<dyn Sitting>> {
        // Chess hides nothing: what everybody sees is all there is.
        let look = game.look::<Chess>(Eye::Public).ok()?;
        let computers = look.seats.iter().filter_map(|seat| match seat.player {
            Player::Computer(level) => Some((seat.seat, super::level(level))),
            Player::Agent | Player::Human => None,
        });
        // Where it plays itself, the one that has something to do.
        let is_due = |seat| look.due.includes(seat) || look.asked == Some(seat);
        let (seat, level) = computers.max_by_key(|(seat, _)| is_due(*seat))?;
        let is_over = look.due.outcome().is_some();
        (!is_over).then(|| Box::new(ChessSeat { engine: self.clone(), seat, level, look }) as _)
    }
}

/// Engines of other people's that play under their own names.
pub fn find_program(engine: Arc<Engine>) -> FindProgram {
    Box::new(move |command| match Entrant::find(engine.clone(), command) {
        Ok(entrant) => Ok(Arc::new(entrant)),
        Err(missing) => Err(NoProgram::Missing(missing.to_string())),
    })
}

struct ChessSeat {
    engine: Arc<Engine>,
    seat: Seat,
    level: EngineLevel,
    look: Look<Chess>,
}

#[async_trait]
impl Sitting for ChessSeat {
    fn seat(&self) -> Seat {
        self.seat
    }

    fn turn(&self) -> u32 {
        self.look.next
    }

    fn has_something_to_do(&self) -> bool {
        self.look.due.includes(self.seat) || self.look.asked == Some(self.seat)
    }

    async fn decide(&self, game: &Game) -> Result<String, NoThought> {
        let side = Side { view: &self.look.view, color: color_of(self.seat), level: self.level };
        if side.is_offered_draw() {
            return match side.rebuff() {
                Some(answer) => Ok(answer),
                None => Ok(side.answer_offer(self.prospect(game).await?)),
            };
        }
        if side.is_asked_for_takeback() {
            return Ok("declineTakeback".to_owned());
        }
        let answer = self.engine.think(game.caller(), self.question(game)).await?;
        let mv = uci(&self.look.view.start, answer.mv);
        if side.wonders(answer.score) {
            Ok(side.decide(&mv, self.prospect(game).await?))
        } else {
            Ok(mv)
        }
    }
}

impl ChessSeat {
    fn question(&self, game: &Game) -> Question {
        let view = &self.look.view;
        Question {
            game: game.id(),
            start: view.start.clone(),
            moves: view.moves.clone(),
            level: self.level,
            seed: game.luck(),
        }
    }

    /// A closer look than a level takes for a move, by our own engine, whoever plays.
    async fn prospect(&self, game: &Game) -> Result<Prospect, NoThought> {
        let view = &self.look.view;
        let (start, moves) = (view.start.clone(), view.moves.clone());
        let of_mover = view.turn == color_of(self.seat);
        let look = move |searcher: &mut Searcher, stop: &AtomicBool| {
            searcher.prospect(&start, &moves, of_mover, stop)
        };
        self.engine.ask(game.caller(), PROSPECT, look).await
    }
}
