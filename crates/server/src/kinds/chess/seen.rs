//! Chess as JSON for the pages and for programs. Nothing secret.

use std::collections::HashMap;

use rules::{
    Seat,
    chess::{BLACK, Chess, Glimpse, WHITE, fen, seat_of, uci},
};
use serde::Serialize;
use shakmaty::Position;

use super::{
    hints::Hints,
    rating,
    telling::{MoveFacts, OpeningFacts, Tried, color, comments, declined, pgn, tries},
};
use crate::{
    hall::{Look, Seats, describe},
    player::Player,
    store::{ListedGame, Millis, SavedSeat},
};

/// A game in a list.
#[derive(Serialize)]
pub struct Summary {
    game_id: String,
    kind: &'static str,
    white: String,
    black: String,
    /// agent, human or computer
    white_kind: Option<&'static str>,
    black_kind: Option<&'static str>,
    /// Of the computer; see docs/levels.md.
    white_rating: Option<u16>,
    black_rating: Option<u16>,
    /// on, off, offered or declined
    hints: &'static str,
    /// Whether somebody may still join.
    free_seat: bool,
    status: &'static str,
    /// Nobody has touched it for a day; it wakes with the next move.
    asleep: bool,
    result: Option<String>,
    winner: Option<&'static str>,
    to_move: &'static str,
    moves: usize,
    fen: String,
    last_move: Option<String>,
    created_at: Millis,
    moved_at: Option<Millis>,
    /// When somebody last moved or sat down; lists go by it.
    last_at: Millis,
}

impl Summary {
    pub fn of(look: &Look<Chess>) -> Summary {
        Summary {
            moved_at: look.times.last().copied(),
            ..Summary::listed(&look.listed(), &look.view.glimpse)
        }
    }

    pub fn listed(game: &ListedGame, glimpse: &Glimpse) -> Summary {
        let seats: Seats = game.seats.iter().cloned().collect();
        let is_over = game.outcome.is_some();
        Summary {
            game_id: game.id.to_string(),
            kind: "chess",
            white: describe(seats.at(WHITE)),
            black: describe(seats.at(BLACK)),
            white_kind: kind_of_player(seats.at(WHITE)),
            black_kind: kind_of_player(seats.at(BLACK)),
            white_rating: rating(seats.at(WHITE)),
            black_rating: rating(seats.at(BLACK)),
            hints: Hints::at(glimpse.hints, &seats).name(),
            free_seat: !is_over && game.seats.len() < 2,
            status: if is_over { "over" } else { "live" },
            asleep: game.is_asleep(),
            result: game.outcome.clone(),
            winner: is_over.then(|| game.winner.map_or("none", color)),
            to_move: color(glimpse.to_move),
            moves: glimpse.moves,
            fen: glimpse.fen.clone(),
            last_move: glimpse.last.as_ref().map(|mv| mv.uci.clone()),
            created_at: game.created_at,
            moved_at: (game.turns > 0).then_some(game.last_at),
            last_at: game.last_at,
        }
    }
}

/// A game in full.
#[derive(Serialize)]
pub struct Whole {
    #[serde(flatten)]
    summary: Summary,
    you: Option<&'static str>,
    /// The league that it is a match of.
    #[serde(skip_serializing_if = "Option::is_none")]
    league: Option<String>,
    /// The number of the turn to be played next.
    turn: u32,
    check: bool,
    /// When each took their seat; a person with a link does so by opening it.
    white_since: Option<Millis>,
    black_since: Option<Millis>,
    /// What the game is called so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningFacts>,
    start_fen: String,
    history: Vec<Played>,
    legal_moves: Vec<MoveFacts>,
    draw_offered_by: Option<&'static str>,
    /// Why the last offer came to nothing, until whoever made it has heard it and plays on.
    #[serde(skip_serializing_if = "Option::is_none")]
    draw_declined: Option<String>,
    takeback_asked_by: Option<&'static str>,
    claimable_draw: Option<&'static str>,
    /// The agent may relay what the person types in the chat.
    typed_moves: bool,
    /// The last move was relayed for you and can be taken back without asking.
    can_take_back: bool,
    pgn: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tries: Vec<Tried>,
}

fn kind_of_player(seat: Option<&SavedSeat>) -> Option<&'static str> {
    Some(match seat?.player {
        Player::Agent => "agent",
        Player::Human => "human",
        Player::Computer(_) => "computer",
    })
}

fn since(seat: Option<&SavedSeat>) -> Option<Millis> {
    let is_there = |seat: &&SavedSeat| seat.player != Player::Human || seat.link.opened;
    seat.filter(is_there).map(|seat| seat.at)
}

#[derive(Serialize)]
struct Played {
    uci: String,
    san: String,
    /// After the move.
    fen: String,
    at: Millis,
    /// Typed in the chat by the person, and played by the agent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    relayed: bool,
    /// What the player says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
}

impl Whole {
    pub fn of(look: &Look<Chess>, you: Option<Seat>) -> Whole {
        let view = &look.view;
        Whole {
            summary: Summary::of(look),
            you: you.map(color),
            league: look.seats.league().map(str::to_owned),
            turn: look.next,
            check: view.check,
            white_since: since(look.seats.at(WHITE)),
            black_since: since(look.seats.at(BLACK)),
            opening: view.opening.map(OpeningFacts::from),
            start_fen: fen(&view.start),
            history: history(look),
            legal_moves: view.legal.iter().map(MoveFacts::from).collect(),
            draw_offered_by: view.draw_offer.map(|by| color(seat_of(by))),
            draw_declined: view.declined.map(|no| declined(no, "draw")),
            takeback_asked_by: view.takeback_request.map(|by| color(seat_of(by))),
            claimable_draw: view.claim.map(|claim| claim.name()),
            typed_moves: view.setup.typed_moves.is_some(),
            can_take_back: you.is_some() && view.may_take_back.map(seat_of) == you,
            pgn: pgn(look, &[]),
            tries: tries(look),
        }
    }
}

/// The moves on the board, each with the position it led to and when it was played.
fn history(look: &Look<Chess>) -> Vec<Played> {
    let view = &look.view;
    let mut position = view.start.clone();
    let comments: HashMap<u32, &str> = comments(look).collect();
    let moves = view.moves.iter().zip(&view.history).zip(&view.turns).zip(&view.relayed);
    moves
        .map(|(((mv, san), turn), relayed)| {
            position.play_unchecked(*mv);
            let at = look.times.get((*turn as usize).wrapping_sub(1)).copied();
            Played {
                uci: uci(&view.start, *mv),
                san: san.to_string(),
                fen: fen(&position),
                at: at.unwrap_or(look.created_at),
                relayed: *relayed,
                comment: comments.get(turn).map(|comment| (*comment).to_owned()),
            }
        })
        .collect()
}
