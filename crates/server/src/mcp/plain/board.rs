//! How a person gets to see a game of any kind: on the board in the chat, or by a link that opens it
//! in the browser.

use rules::{Eye, Seat};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    hall::{Game, Sight},
    mcp::{
        McpService,
        caller::{Caller, Invited},
        person::PersonLink,
        reply::Reply,
    },
    player::Player,
    seen::PlainBoard,
    store::SavedSeat,
};

/// Whose board is shown in the chat of an agent. Kept with its seat, so that it holds for every
/// answer; whoever has never heard of it sees their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Screen {
    #[default]
    Own,
    /// Of the person whom the agent has asked to play.
    Person,
    Nobodys,
}

/// An agent's choices apart from playing.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardManner {
    screen: Screen,
    /// Whether `showUi` was true.
    #[serde(alias = "embedded", skip_serializing_if = "std::ops::Not::not")]
    is_wanted: bool,
}

impl BoardManner {
    /// Whether a board counts as open because it was asked for, or because the host shows one as
    /// soon as it has the answer.
    pub fn has_board(self, caller: &Caller) -> bool {
        self.is_wanted || self.screen == Screen::Person && caller.has_apps()
    }

    pub fn of(seat: &SavedSeat) -> BoardManner {
        serde_json::from_str(&seat.manner).unwrap_or_default()
    }

    pub fn write(self) -> String {
        serde_json::to_string(&self).expect("a manner can be written")
    }
}

/// The manner of the seat of a person whom the creator has asked to play. At a table of several,
/// others may sit down by the page, and are nobody's guests.
const ASKED: &str = r#"{"asked":true}"#;

/// A seat that somebody has from the start.
pub fn asked(seat: Seat, player: Player) -> SavedSeat {
    let manner = if player == Player::Human { ASKED } else { "" };
    SavedSeat { manner: manner.to_owned(), ..SavedSeat::new(seat, player) }
}

impl Screen {
    pub fn wanted(show_ui: Option<bool>, is_person: bool) -> BoardManner {
        let screen = match show_ui {
            Some(false) => Screen::Nobodys,
            _ if is_person => Screen::Person,
            _ => Screen::Own,
        };
        BoardManner { screen, is_wanted: show_ui == Some(true) }
    }
}

/// The address that seats the person, until somebody opens it. Only `own`, the agent who asked them
/// to play, gets it: other players at the table could take the person's seat with it.
pub fn person_link(service: &McpService, sight: &Sight, own: Seat) -> Option<String> {
    let site = service.pages.as_deref()?;
    let person = sight.seats.guest_of(own)?;
    let is_opened = sight.seats.at(person).is_some_and(|sitting| sitting.link.opened);
    let is_open = !is_opened && sight.outcome().is_none();
    let code = service.hall.link_code(sight.id, &sight.seats, person);
    is_open.then(|| format!("{site}/game/{}#open={code}", sight.id))
}

/// Adds the game, as `sight` has it, for the page that the caller's host has.
pub fn with_board(
    service: &McpService,
    reply: Reply,
    at: (&Game, Option<Seat>),
    sight: Sight,
    caller: &Caller,
) -> Reply {
    with_board_and_past(service, reply, at, sight, caller, None)
}

/// Adds the link with which the person opens their board. `is_needed`: they cannot play without it.
pub fn with_link(
    service: &McpService,
    reply: Reply,
    sight: &Sight,
    own: Seat,
    is_needed: bool,
) -> Reply {
    Reply { link: shown_link(service, sight, own, is_needed), ..reply }
}

/// The answer after the person has been asked to open the board. Where a board was asked for and no
/// person is to take a seat, the link shows it.
pub fn with_invitation(
    service: &McpService,
    reply: Reply,
    (game, own): (&Game, Seat),
    sight: Sight,
    caller: &Caller,
    invited: &Invited,
) -> Reply {
    let is_wanted = sight.seats.at(own).map(BoardManner::of).unwrap_or_default().is_wanted;
    let wants_board = is_wanted && !caller.has_apps() && sight.seats.guest_of(own).is_none();
    let watched = service
        .pages
        .as_deref()
        .filter(|_| wants_board)
        .map(|site| format!("{site}/game/{}", sight.id))
        .map(|address| PersonLink { address, seat: None, is_needed: true });
    let link =
        shown_link(service, &sight, own, true).filter(|_| !invited.brings_link()).or(watched);
    with_board(service, Reply { link, ..reply }, (game, Some(own)), sight, caller)
}

fn shown_link(
    service: &McpService,
    sight: &Sight,
    own: Seat,
    is_needed: bool,
) -> Option<PersonLink> {
    let (address, person) = person_link(service, sight, own).zip(sight.seats.guest_of(own))?;
    Some(PersonLink { address, seat: Some(sight.name(person)), is_needed })
}

/// Like [`with_board`], where the page looks at the game after turn `past`.
pub fn with_board_and_past(
    service: &McpService,
    reply: Reply,
    (game, seat): (&Game, Option<Seat>),
    sight: Sight,
    caller: &Caller,
    past: Option<u32>,
) -> Reply {
    if !caller.has_apps() {
        return reply;
    }
    let address = service.pages.as_deref().map(|site| format!("{site}/game/{}", sight.id));
    let Some(own) = seat else {
        let board = PlainBoard { page: address, ..PlainBoard::of(game, sight, None, past) };
        return Reply { board: Some(json!(board)), ..reply };
    };
    let (link, person) = (person_link(service, &sight, own), sight.seats.guest_of(own));
    let manner = sight.seats.at(own).map(BoardManner::of).unwrap_or_default();
    let shown = match manner.screen {
        Screen::Own => own,
        Screen::Person => person.unwrap_or(own),
        Screen::Nobodys => return reply,
    };
    let pass = service.hall.pass(sight.id, &sight.seats, shown).to_string();
    // Of the same moment, whoever looks.
    let sight = if shown == own { sight } else { game.see_back(Eye::Seat(shown), sight.next - 1) };
    let board = PlainBoard::of(game, sight, Some(shown), past);
    let board = PlainBoard { pass: Some(pass), page: link.or(address), ..board };
    Reply { board: Some(json!(board)), ..reply }
}
