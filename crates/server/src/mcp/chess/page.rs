//! The board as a plain page of its own, for hosts that show HTML to a person.

use rules::chess::{Chess, seat_of};
use serde_json::json;

use super::{facts::color, words::Seen};
use crate::{
    hall::{Look, describe},
    mcp::reply::Page,
};

const HTML: &str = include_str!("board.html");

pub fn page(look: &Look<Chess>, board: &Seen) -> Page {
    let view = &look.view;
    let state = json!({
        "game_id": board.pass.to_string(),
        "you": color(board.seat),
        "yourTurn": look.due.includes(board.seat),
        "toMove": color(seat_of(view.turn)),
        "opponent": describe(look.seats.at(super::other(board.seat))),
        "fen": view.fen,
        "last": view.last.as_ref().map(|mv| mv.uci.clone()),
        "check": view.check,
        "moves": view.movetext().join(" "),
    });
    // A page inside a script must not be able to end it.
    let state = state.to_string().replace('<', "\\u003c");
    Page { uri: format!("ui://chess/{}", look.id), html: HTML.replace("/*STATE*/null", &state) }
}
