//! How a person gets to see a game of any kind: on the board in the chat, or by a link that opens it
//! in the browser.

use rules::{Eye, Seat};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    hall::{Game, Sight},
    mcp::{
        Desk, apps,
        caller::Caller,
        reply::{Reply, Resource},
    },
    player::Player,
    seen::{FilledBoard, PlainBoard},
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

/// What an agent has asked for, beside playing.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardManner {
    screen: Screen,
    /// Whether the page itself comes with the answers, where the host has none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    embedded: bool,
}

impl BoardManner {
    fn of(seat: &SavedSeat) -> BoardManner {
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

/// The seat of the person who was asked to play. Where two play, it is whoever is no agent.
pub fn guest(sight: &Sight) -> Option<Seat> {
    let asked = sight.seats.iter().find(|sitting| sitting.manner == ASKED);
    let person = || sight.seats.person().filter(|_| sight.names.len() == 2);
    asked.map(|sitting| sitting.seat).or_else(person)
}

impl Screen {
    pub fn wanted(show_ui: Option<bool>, is_person: bool) -> BoardManner {
        let screen = match show_ui {
            Some(false) => Screen::Nobodys,
            _ if is_person => Screen::Person,
            _ => Screen::Own,
        };
        BoardManner { screen, embedded: show_ui == Some(true) }
    }
}

/// The address that seats the person, as long as nobody has opened it; for `own`, who has asked them
/// to play.
pub fn person_link(desk: &Desk, sight: &Sight, own: Seat) -> Option<String> {
    let site = desk.pages.as_deref()?;
    let person = guest(sight).filter(|seat| *seat != own)?;
    let is_opened = sight.seats.at(person).is_some_and(|sitting| sitting.link.opened);
    let is_open = !is_opened && sight.outcome().is_none();
    let code = desk.hall.link_code(sight.id, &sight.seats, person);
    is_open.then(|| format!("{site}/game/{}#open={code}", sight.id))
}

/// The answer, with what the person needs: the link, unless their host has shown it, and the game for
/// the page that the host has, as it was when the answer's `sight` was caught.
pub fn with_board(
    desk: &Desk,
    reply: Reply,
    at: (&Game, Option<Seat>),
    sight: Sight,
    caller: &Caller,
) -> Reply {
    with_board_and_past(desk, reply, at, sight, caller, None)
}

/// The same, with how it looked after turn `past`, with the eyes of whoever looks at the board.
pub fn with_board_and_past(
    desk: &Desk,
    reply: Reply,
    (game, seat): (&Game, Option<Seat>),
    sight: Sight,
    caller: &Caller,
    past: Option<u32>,
) -> Reply {
    // What came with an answer is the page of a host that has none.
    let embeds = |sitting: &SavedSeat| BoardManner::of(sitting).embedded;
    let has_page = caller.has_apps() || sight.seats.iter().any(embeds);
    // Most callers have no page, and nobody to show one to.
    if !has_page && sight.seats.person().is_none() {
        return reply;
    }
    let address = desk.pages.as_deref().map(|site| format!("{site}/game/{}", sight.id));
    let Some(own) = seat else {
        let board = has_page.then(|| PlainBoard::of(game, sight, None, past));
        let board = board.map(|board| json!(PlainBoard { page: address, ..board }));
        return Reply { board, ..reply };
    };
    let (link, person) = (person_link(desk, &sight, own), guest(&sight));
    let told = link.as_ref().zip(person).filter(|_| !caller.opens_links());
    let told = told.map(|(link, person)| {
        format!(
            "Board for the person who plays {}: {link}\nGive them this link: it seats whoever \
             opens it first.",
            sight.name(person)
        )
    });
    let reply = Reply { link: told, ..reply };
    let manner = sight.seats.at(own).map(BoardManner::of).unwrap_or_default();
    let shown = match manner.screen {
        Screen::Own => Some(own),
        Screen::Person => person.or(Some(own)),
        Screen::Nobodys => None,
    };
    let Some(shown) = shown.filter(|_| has_page) else { return reply };
    let pass = desk.hall.pass(sight.id, &sight.seats, shown).to_string();
    let is_due = sight.due.includes(shown) || sight.due.includes(own);
    let uri = format!("ui://{}/{}", sight.kind.name, sight.id);
    // Of the same moment, whoever looks.
    let is_own = shown == own;
    let sight = if is_own { sight } else { game.see_back(Eye::Seat(shown), sight.next - 1) };
    let is_embedded = manner.embedded && is_due && !caller.has_apps();
    // A model may read what is embedded: what the other alone may see stays behind their link.
    let is_secret = || sight.view != game.see_back(Eye::Public, sight.next - 1).view;
    let is_embedded = is_embedded && (is_own || !is_secret());
    let board = PlainBoard::of(game, sight, Some(shown), past);
    let resource = is_embedded.then(|| {
        let filled = FilledBoard { game_id: pass.clone(), facts: &board.facts };
        Resource { uri, html: apps::filled(&json!(filled)) }
    });
    // Where the host knows MCP Apps, models do not see it. Elsewhere it brings no pass but the
    // caller's own.
    let board = (caller.has_apps() || is_own)
        .then(|| json!(PlainBoard { pass: Some(pass), page: link.or(address), ..board }));
    Reply { resource, board, ..reply }
}
