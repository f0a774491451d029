//! An engine that plays a match under its own name: nobody plays in its place, and what it does not
//! do in its time it has not done.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use chess_engine::EngineLevel;
use rules::{
    Eye,
    chess::{Chess, uci},
};
use tokio::time::sleep;

use super::{Guest, NoSuchEngine};
use crate::{
    hall::{Game, PlayingProgram},
    kinds::chess::engine::{Engine, Question},
};

/// Before it is asked again.
const BRIEFLY: Duration = Duration::from_millis(100);

/// An engine of one process, which ends with the match.
pub struct Entrant {
    engine: Arc<Engine>,
    guest: Arc<Guest>,
}

impl Entrant {
    pub fn find(engine: Arc<Engine>, command: &str) -> Result<Entrant, NoSuchEngine> {
        Ok(Entrant { engine, guest: Guest::find(command, 1)? })
    }
}

#[async_trait]
impl PlayingProgram for Entrant {
    fn command(&self) -> String {
        self.guest.program.lasting()
    }

    /// Asks until it plays, starting it again where it has ended.
    async fn choose(&self, game: &Game, limit: Duration) -> Result<String, String> {
        let look = game.look::<Chess>(Eye::Public).map_err(|other| other.to_string())?;
        let (start, moves) = (look.view.start.clone(), look.view.moves.clone());
        // The highest level is not held back, and chance has no part in it.
        let level = EngineLevel::ALL[EngineLevel::ALL.len() - 1];
        let question =
            Arc::new(Question { game: game.id(), start: start.clone(), moves, level, seed: 0 });
        let mut left = limit;
        loop {
            let asked = self.engine.ask_guest(&self.guest, game.caller(), &question, left).await;
            let why = match asked.answer {
                Ok(Some(answer)) => return Ok(uci(&start, answer.mv)),
                Ok(None) => return Err("the engine does not know this variant".to_owned()),
                Err(why) => why,
            };
            left = left.saturating_sub(asked.took);
            let rest = self.guest.rest().max(BRIEFLY).min(left);
            sleep(rest).await;
            left -= rest;
            if left.is_zero() {
                return Err(format!("no move within {} s: {why}", limit.as_secs()));
            }
        }
    }
}
