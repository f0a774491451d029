//! What a game of chess is set up with.

use rmcp::model::JsonObject;
use rules::{Kind, chess::Chess};
use serde_json::Value;

use crate::mcp::{
    reading::{short, switch, text},
    refusals::Refused,
};

#[derive(Default)]
pub struct Wishes {
    pub fen: Option<String>,
    pub variant: Option<String>,
    pub pgn: Option<String>,
    pub hints: Option<bool>,
    pub typed_moves: Option<bool>,
    pub loose: Option<bool>,
    pub resigns: Option<bool>,
    pub live_comments: Option<bool>,
}

impl Wishes {
    pub fn of(setup: JsonObject) -> Result<Wishes, Refused> {
        let mut wishes = Wishes::default();
        for (key, value) in setup {
            wishes.add(&key, value).map_err(|why| {
                Refused::new(format!("Error: {why}. Correct it and call createGame again."))
            })?;
        }
        Ok(wishes)
    }

    /// Or why not, naming the part that is wrong.
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
                return Err(format!(
                    "setup has no {:?}; it takes {}",
                    short(key),
                    known.join(", ")
                ));
            }
        }
        Ok(())
    }
}
