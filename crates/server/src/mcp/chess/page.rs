//! The board as a plain page of its own, for hosts that show HTML to a person.

use rules::{
    Seat,
    chess::{Chess, seat_of},
};
use serde_json::json;

use super::facts::color;
use crate::{
    hall::{Look, Pass, describe},
    mcp::reply::Page,
};

const HTML: &str = include_str!("board.html");

pub fn page(look: &Look<Chess>, seat: Seat, pass: &Pass) -> Page {
    let view = &look.view;
    let state = json!({
        "game_id": pass.to_string(),
        "you": color(seat),
        "yourTurn": look.due.includes(seat),
        "toMove": color(seat_of(view.turn)),
        "opponent": describe(look.seats.at(super::other(seat))),
        "fen": view.fen,
        "last": view.last.as_ref().map(|mv| mv.uci.clone()),
        "check": view.check,
        "moves": view.movetext(),
    });
    // A page inside a script must not be able to end it.
    let state = state.to_string().replace('<', "\\u003c");
    Page { uri: format!("ui://chess/{}", look.id), html: HTML.replace("/*STATE*/null", &state) }
}
