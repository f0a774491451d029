//! Chess as JSON for the pages and for programs. Nothing secret.

use std::collections::HashMap;

use rules::{
    Seat,
    chess::{BLACK, Chess, Glimpse, WHITE, fen, seat_of, uci},
};
use serde::Serialize;
use shakmaty::Position;
use ts_rs::TS;

use super::{
    facts::{MoveFacts, OpeningFacts, Tried, color, comments, declined, tries},
    hints::Hints,
    pgn::pgn,
    rating,
};
use crate::{
    hall::{Look, Seats, describe},
    player::Player,
    seen::PlayerKind,
    store::{ListedGame, Millis, SavedSeat},
};

/// A game in a list.
#[derive(Serialize, TS)]
pub struct Summary {
    game_id: String,
    #[ts(type = "'chess'")]
    kind: &'static str,
    white: String,
    black: String,
    /// Nothing while the seat is free.
    white_kind: Option<PlayerKind>,
    black_kind: Option<PlayerKind>,
    /// Of the computer; see docs/levels.md.
    white_rating: Option<u16>,
    black_rating: Option<u16>,
    /// on, off, offered or declined
    #[ts(type = "Hints")]
    hints: &'static str,
    /// A player chose the seed, so the game is rated nowhere.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    practice: bool,
    /// Whether somebody may still join.
    free_seat: bool,
    #[ts(type = "'live' | 'over'")]
    status: &'static str,
    /// Nobody has touched it for a day; it wakes with the next move.
    asleep: bool,
    result: Option<String>,
    #[ts(type = "Color | 'none' | null")]
    winner: Option<&'static str>,
    #[ts(type = "Color")]
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
            ..Summary::listed(&look.listed(), &look.view.glimpse())
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
            white_kind: seats.at(WHITE).map(PlayerKind::of),
            black_kind: seats.at(BLACK).map(PlayerKind::of),
            white_rating: rating(seats.at(WHITE)),
            black_rating: rating(seats.at(BLACK)),
            hints: Hints::at(glimpse.hints, &seats).name(),
            free_seat: !is_over && game.seats.len() < 2,
            status: if is_over { "over" } else { "live" },
            asleep: game.is_asleep(),
            practice: game.practice,
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
#[derive(Serialize, TS)]
pub struct Whole {
    #[serde(flatten)]
    summary: Summary,
    #[ts(type = "Color | null")]
    you: Option<&'static str>,
    /// The league that it is a match of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    league: Option<String>,
    /// The number of the turn to be played next.
    turn: u32,
    check: bool,
    /// When each took their seat; a person with a link does so by opening it.
    white_since: Option<Millis>,
    black_since: Option<Millis>,
    /// What the game is called so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    opening: Option<OpeningFacts>,
    start_fen: String,
    history: Vec<PlayedMove>,
    legal_moves: Vec<MoveFacts>,
    #[ts(type = "Color | null")]
    draw_offered_by: Option<&'static str>,
    /// Why the last offer came to nothing, until whoever made it has heard it and plays on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    draw_declined: Option<String>,
    #[ts(type = "Color | null")]
    takeback_asked_by: Option<&'static str>,
    claimable_draw: Option<&'static str>,
    /// The last move was relayed for you and can be taken back without asking.
    can_take_back: bool,
    pgn: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Tried>>")]
    tries: Vec<Tried>,
}

fn since(seat: Option<&SavedSeat>) -> Option<Millis> {
    let is_there = |seat: &&SavedSeat| seat.player != Player::Human || seat.link.opened;
    seat.filter(is_there).map(|seat| seat.at)
}

#[derive(Serialize, TS)]
struct PlayedMove {
    uci: String,
    san: String,
    /// After the move.
    fen: String,
    /// Left out of moves that the game began with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    at: Option<Millis>,
    /// Typed in the chat by the person, and played by the agent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    relayed: bool,
    /// What the player says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
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
            can_take_back: you.is_some() && view.may_take_back.map(seat_of) == you,
            pgn: pgn(look, &[]),
            tries: tries(look),
        }
    }
}

/// The moves on the board, each with the position it led to and when it was played.
fn history(look: &Look<Chess>) -> Vec<PlayedMove> {
    let view = &look.view;
    let mut position = view.start.clone();
    let comments: HashMap<u32, &str> = comments(look).collect();
    let moves = view.moves.iter().zip(&view.history).zip(&view.turns).zip(&view.relayed);
    moves
        .map(|(((mv, san), turn), relayed)| {
            position.play_unchecked(*mv);
            PlayedMove {
                uci: uci(&view.start, *mv),
                san: san.to_string(),
                fen: fen(&position),
                at: look.times.get((*turn as usize).wrapping_sub(1)).copied(),
                relayed: *relayed,
                comment: comments.get(turn).map(|comment| (*comment).to_owned()),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use rules::Rules;

    use super::*;
    use crate::{
        kinds::chess::{
            review::{Evals, Hint},
            room::{facts::SeenFacts, page::ChessBoard},
        },
        seen::wire::Types,
    };

    #[test]
    fn documents_the_pages_have_the_types_of_chess() {
        let hints = [Hints::Off, Hints::Offered, Hints::Declined, Hints::On];
        Types::after("\nimport type { PlayerKind } from './plain';\n")
            .with_words("Color", [WHITE, BLACK].into_iter().map(color))
            .with_words("Hints", hints.into_iter().map(Hints::name))
            .with_words("Action", Chess::ACTIONS.iter().copied())
            .with::<Summary>()
            .with::<Whole>()
            .with::<Evals>()
            .with::<Hint>()
            .with::<SeenFacts>()
            .with::<ChessBoard>()
            .check("chess.ts");
    }
}
