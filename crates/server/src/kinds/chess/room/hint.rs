//! The chess tools' answers about hints.

use rules::chess::{Eval, name};

use super::words::Scene;
use crate::{
    kinds::chess::{
        analyst::Verdict,
        hints::{Hints, NoHint},
        pgn::evals,
    },
    mcp::{refusals::Refused, reply::Reply},
    wording::sentence,
};

impl Scene<'_> {
    pub fn hinted(&self, verdict: &Verdict) -> Reply {
        self.shown(Some(verdict), &[])
    }

    pub fn reviewed(&self, review: &[Verdict]) -> Reply {
        self.shown(None, &evals(review))
    }

    /// Two lines.
    pub(super) fn judgement(&self, verdict: &Verdict) -> String {
        let worth = match verdict.eval {
            Eval::Centipawns(lead) => {
                format!("{:+.2} (pawns, seen by White)", f64::from(lead) / 100.0)
            }
            Eval::Mate { by, moves } => format!("{} has mate in {moves}", name(by)),
        };
        let line = self.look.view.continuation(&verdict.line);
        format!("**Evaluation**: {worth}\n**Best line**: {line}")
    }

    pub fn unhinted(&self, why: NoHint) -> Refused {
        let id = self.look.id;
        let instead = match why {
            NoHint::Off => "Look without hint, or create another game with \
                 `createGame(setup={\"hints\": true})`."
                .into(),
            NoHint::NotYet => format!(
                "Another agent agrees with `joinGame(game_id=\"{id}\", hints=true)`; look without \
                 hint until then."
            ),
            NoHint::Declined | NoHint::Failed => "Look without hint.".into(),
            NoHint::NoSeat => "If you play in this game, send your pass as game_id.".into(),
            NoHint::TooMany(_) => "Then call again; what was thought about is remembered.".into(),
            NoHint::NotOver | NoHint::Stopping => "Try again later.".into(),
        };
        self.refusal(format!("Error: {} {instead}", sentence(&why.to_string())))
    }

    /// A line on whether there are hints, for those who may care: where they were offered, or are
    /// `wanted`.
    pub(super) fn about_hints(&self, wanted: bool) -> Option<String> {
        let how = match Hints::of(self.look) {
            Hints::Off if !wanted => return None,
            Hints::Off => "off, the game was created without them".into(),
            Hints::Offered => {
                "offered; on for both sides if the other agent joins with hints=true".into()
            }
            Hints::Declined => {
                "off for both sides; they were offered, but joinGame came without hints=true".into()
            }
            Hints::On => {
                format!(
                    "on for both sides; ask with `getGame(game_id=\"{}\", hint=true)`",
                    self.own_id()
                )
            }
        };
        Some(format!("- Hints: {how}"))
    }
}
