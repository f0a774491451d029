//! A chess game as facts for programs: what `structuredContent` carries.

use std::mem;

use rules::{
    Rules, Seat, Turn,
    chess::{BLACK, Chess, WHITE, seat_of},
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use ts_rs::TS;

use crate::{
    hall::{Commitment, Look},
    kinds::chess::{
        facts::{Evaluation, MoveFacts, OpeningFacts, Tried, color, declined, last_comment},
        hints::Hints,
        introduce,
    },
    mcp::plain::TurnFacts,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Status {
    YourTurn,
    Waiting,
    // The opponent asks for a draw or a takeback. (Not a doc comment: the schema stays one list.)
    Asked,
    Timeout,
    Over,
    Watching,
}

impl Status {
    pub fn of(look: &Look<Chess>, seat: Option<Seat>) -> Status {
        match seat {
            _ if look.due.outcome().is_some() => Status::Over,
            None => Status::Watching,
            Some(seat) if look.asked == Some(seat) => Status::Asked,
            Some(seat) if look.due.includes(seat) => Status::YourTurn,
            Some(_) => Status::Waiting,
        }
    }
}

/// The game as it stands.
#[derive(Clone, Debug, Serialize, JsonSchema, TS)]
pub struct ChessFacts {
    pub game_id: String,
    /// Your secret: send it as game_id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "String")]
    pub pass: Option<String>,
    /// Which one it is.
    pub game: &'static str,
    pub status: Status,
    /// Why the call was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "String")]
    pub error: Option<String>,
    /// white or black
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "Color")]
    #[schemars(with = "String")]
    pub you: Option<&'static str>,
    /// Who plays, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "String")]
    pub white: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "String")]
    pub black: Option<String>,
    /// A player chose the seed, so the game is rated nowhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    #[schemars(skip)]
    pub practice: bool,
    /// The number of the turn to be played next.
    pub turn: u32,
    /// What the other did since your own last turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "Vec<TurnFacts>")]
    pub since: Option<Vec<TurnFacts>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "Color")]
    #[schemars(with = "String")]
    pub to_move: Option<&'static str>,
    pub fen: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "MoveFacts")]
    pub last_move: Option<MoveFacts>,
    /// The agent played the last move for the person, who told it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub relayed: bool,
    /// It can be taken back without asking.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub can_take_back: bool,
    /// In SAN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "Vec<String>")]
    pub history: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "bool")]
    pub check: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "Vec<MoveFacts>")]
    pub legal_moves: Option<Vec<MoveFacts>>,
    /// Half-moves since the last capture or pawn move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "u32")]
    pub halfmove_clock: Option<u32>,
    /// How often this position has stood on the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "u32")]
    pub repetitions: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "Color")]
    #[schemars(with = "String")]
    pub draw_offered_by: Option<&'static str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "Color")]
    #[schemars(with = "String")]
    pub takeback_asked_by: Option<&'static str>,
    /// Why the last offer came to nothing, until whoever made it has heard it and plays on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(skip)]
    pub draw_declined: Option<String>,
    /// The same of a takeback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(skip)]
    pub takeback_declined: Option<String>,
    /// What was said of the last move, where that is heard at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(skip)]
    pub comment: Option<String>,
    /// By which rule a draw can be claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "String")]
    pub claimable_draw: Option<&'static str>,
    /// How the game ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "String")]
    pub result: Option<String>,
    /// white, black or none
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "Color | 'none'")]
    #[schemars(with = "String")]
    pub winner: Option<&'static str>,
    /// White's and Black's, once it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "Vec<i32>")]
    pub points: Option<Vec<i32>>,
    /// The SHA-256 of the seed, where the start was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(skip)]
    pub seed_hash: Option<String>,
    /// What the start was drawn by, once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(skip)]
    pub seed: Option<String>,
    /// The SHA-256 of the number the computer's choices come from, where it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(skip)]
    pub luck_hash: Option<String>,
    /// That number, once the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(skip)]
    pub luck: Option<String>,
    /// on, offered or declined
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "Hints")]
    #[schemars(with = "String")]
    pub hints: Option<&'static str>,
    pub next_action: String,
}

/// The same for one who came to look.
#[derive(Serialize, JsonSchema, TS)]
pub struct SeenFacts {
    #[serde(flatten)]
    pub facts: ChessFacts,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "Evaluation")]
    pub evaluation: Option<Evaluation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(with = "String")]
    pub pgn: Option<String>,
    /// What the game is called so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    #[schemars(skip)]
    pub opening: Option<OpeningFacts>,
    /// What players say of their moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<CommentFacts>>")]
    pub comments: Vec<CommentFacts>,
    /// How often a side's moves were refused, or found in a text that was none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Tried>>")]
    pub tries: Vec<Tried>,
}

#[derive(Serialize, JsonSchema, TS)]
#[schemars(inline)]
pub struct CommentFacts {
    pub turn: u32,
    #[ts(type = "Color")]
    pub by: &'static str,
    pub comment: String,
}

impl CommentFacts {
    pub fn of(look: &Look<Chess>) -> Vec<CommentFacts> {
        let said = look.comments(look.view.setup.live_comments);
        let facts = |(turn, by, comment): (u32, Seat, &str)| CommentFacts {
            turn,
            by: color(by),
            comment: comment.to_owned(),
        };
        said.map(facts).collect()
    }
}

impl ChessFacts {
    pub fn new(look: &Look<Chess>, seat: Option<Seat>, next_action: String) -> ChessFacts {
        let view = &look.view;
        let is_due = seat.is_some_and(|seat| look.due.includes(seat));
        ChessFacts {
            game_id: look.id.to_string(),
            pass: None,
            game: Chess::KIND,
            status: Status::of(look, seat),
            error: None,
            you: seat.map(color),
            white: Some(introduce(look.seats.at(WHITE))),
            black: Some(introduce(look.seats.at(BLACK))),
            turn: look.next,
            since: seat.map(|seat| look.since(seat).iter().map(told_turn).collect()),
            to_move: Some(color(seat_of(view.turn))),
            fen: view.fen.clone(),
            last_move: view.last.as_ref().map(MoveFacts::from),
            relayed: view.relayed.last() == Some(&true),
            can_take_back: seat.is_some() && view.may_take_back.map(seat_of) == seat,
            history: Some(view.sans()),
            check: Some(view.check),
            legal_moves: Some(view.legal.iter().map(MoveFacts::from).collect()),
            halfmove_clock: Some(view.halfmoves),
            repetitions: Some(view.repetitions as u32),
            draw_offered_by: view.draw_offer.map(|by| color(seat_of(by))),
            takeback_asked_by: view.takeback_request.map(|by| color(seat_of(by))),
            draw_declined: view.declined.map(|no| declined(no, "draw")),
            takeback_declined: view.takeback_declined.map(|no| declined(no, "takeback")),
            comment: last_comment(look).map(|(_, comment)| comment.to_owned()),
            claimable_draw: view.claim.filter(|_| is_due).map(|claim| claim.name()),
            result: view.outcome.as_ref().map(|outcome| outcome.text.clone()),
            winner: view.outcome.as_ref().map(|outcome| outcome.winner().map_or("none", color)),
            points: view.outcome.as_ref().map(|outcome| outcome.points.clone()),
            practice: look.practice,
            seed_hash: look.chance.seed.as_ref().map(|seed| seed.hash.clone()),
            seed: look.chance.seed.as_ref().and_then(Commitment::in_digits),
            luck_hash: look.chance.luck.as_ref().map(|luck| luck.hash.clone()),
            luck: look.chance.luck.as_ref().and_then(Commitment::in_digits),
            hints: Some(Hints::of(look)).filter(|hints| *hints != Hints::Off).map(Hints::name),
            next_action,
        }
    }

    /// As JSON. The moves so far are most of it, and are handed over as they are.
    pub fn written(mut self) -> Value {
        let history = self.history.as_mut().map(mem::take);
        let mut facts = serde_json::to_value(self).expect("facts can be written");
        if let Some(history) = history {
            facts["history"] = history.into();
        }
        facts
    }

    /// Without what grows, or can be seen in the FEN, or can be asked for.
    pub fn lean(self) -> ChessFacts {
        ChessFacts {
            white: None,
            black: None,
            since: self.since.filter(|since| !since.is_empty()),
            to_move: None,
            history: None,
            check: None,
            legal_moves: None,
            halfmove_clock: None,
            repetitions: None,
            seed_hash: None,
            seed: None,
            luck_hash: None,
            luck: None,
            ..self
        }
    }
}

fn told_turn(turn: &Turn) -> TurnFacts {
    TurnFacts { turn: turn.number, by: color(turn.seat), r#move: turn.text.clone() }
}
