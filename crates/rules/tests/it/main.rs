//! What the rules promise, told as tables and transcripts.

mod conformance;
mod counts;
mod dungeon;
mod even_odd;
mod kinds;
mod league;
mod league_events;
mod league_play;
mod league_random;
mod league_standings;
mod notation;
mod parity;
mod perft;
mod pgn;
mod playouts;
mod record;
mod setups;
mod texts;
mod toys;
mod transcripts;

use rules::{
    Dice, Eye, Record, Rules, Seat, Turn,
    chess::{Chess, Setup, View},
    kind,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A game of chess from `fen`.
fn chess(fen: &str) -> Chess {
    let setup = Setup { fen: Some(fen.into()), ..Setup::default() };
    Chess::start(&setup, &mut Dice::new(1, 0)).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

/// The same, kept as the server keeps it.
fn record(fen: &str, free_takebacks: bool) -> Record {
    let setup = Setup { fen: Some(fen.into()), free_takebacks, ..Setup::default() };
    let setup = serde_json::to_string(&setup).unwrap();
    Record::start(kind("chess").unwrap(), &setup, 1).unwrap_or_else(|e| panic!("{fen}: {e}"))
}

fn view(record: &Record) -> View {
    record.view::<Chess>(Eye::Public).unwrap()
}

/// A game as it looks from outside, to be compared with another.
fn picture(record: &Record) -> String {
    let view = view(record);
    let moves = (view.fen, view.last, view.history, view.legal.len(), view.repetitions);
    let questions = (record.asked(), view.claim, view.draw_offer, view.takeback_request);
    format!("{:?} {moves:?} {questions:?} {:?}", record.due(), record.turns())
}

fn turn(record: &Record, seat: Seat, text: String) -> Turn {
    Turn::new(record.next_number(), seat, text)
}
