//! What a game of chess is set up with.

use rmcp::model::JsonObject;
use rules::{
    Kind,
    chess::{Chess, Setup},
    quoted,
};
use serde_json::Value;

use crate::{
    mcp::reading::{switch, text},
    setting_up::take_seed,
};

#[derive(Default)]
pub struct Wishes {
    fen: Option<String>,
    variant: Option<String>,
    pgn: Option<String>,
    hints: Option<bool>,
    typed_moves: Option<bool>,
    loose: Option<bool>,
    resigns: Option<bool>,
    live_comments: Option<bool>,
    /// What the game is dealt by, if somebody chose it.
    pub seed: Option<u64>,
}

impl Wishes {
    /// Reads what somebody wants, or says which part is wrong and why.
    pub fn read(mut setup: JsonObject) -> Result<Wishes, String> {
        let seed = take_seed(&mut setup)?;
        let mut wishes = Wishes { seed, ..Wishes::default() };
        for (key, value) in setup {
            wishes.add(&key, value)?;
        }
        Ok(wishes)
    }

    /// The set-up that comes of it, with `usual` for what is left out.
    pub fn over(self, usual: Setup) -> Setup {
        Setup {
            fen: self.fen.or(usual.fen),
            variant: self.variant,
            pgn: self.pgn,
            free_takebacks: usual.free_takebacks,
            hints: self.hints.unwrap_or(usual.hints),
            typed_moves: usual.typed_moves.filter(|_| self.typed_moves.unwrap_or(true)),
            loose: self.loose.unwrap_or(usual.loose),
            resigns: self.resigns.unwrap_or(usual.resigns),
            live_comments: self.live_comments.unwrap_or(usual.live_comments),
        }
    }

    fn add(&mut self, key: &str, value: Value) -> Result<(), String> {
        let name = format!("setup.{key}");
        match key {
            "fen" => self.fen = Some(text(&name, value)?),
            "variant" => self.variant = Some(text(&name, value)?),
            "pgn" => self.pgn = Some(text(&name, value)?),
            "hints" => self.hints = Some(switch(&name, value)?),
            "typed_moves" => self.typed_moves = Some(switch(&name, value)?),
            "loose" => self.loose = Some(switch(&name, value)?),
            "resigns" => self.resigns = Some(switch(&name, value)?),
            "live_comments" => self.live_comments = Some(switch(&name, value)?),
            _ => {
                let known: Vec<_> = Kind::of::<Chess>().choices().map(|key| key.name).collect();
                return Err(format!("setup has no {}; it takes {}", quoted(key), known.join(", ")));
            }
        }
        Ok(())
    }
}
