//! How a person gets to see the board: by a page in the answer, by the one the host has already, or
//! by a link that opens it in the browser.

use rules::{
    Seat,
    chess::{BLACK, glyph, name},
};
use serde::Serialize;
use serde_json::{Value, json};
use shakmaty::{File, Rank, Square};
use ts_rs::TS;

use super::{
    facts::{ChessFacts, Status},
    manner::Ui,
    words::{Scene, title},
};
use crate::{
    hall::describe,
    kinds::chess::facts::{MoveFacts, color},
    mcp::{caller::Invited, person::PersonLink, reply::Resource},
    player::Player,
};

/// The board for hosts that show what comes with an answer. They may hand it to the model too, so it is
/// small.
const BOARD: &str = include_str!("board.html");
/// Where it finds the game.
const EMPTY: &str = "id=\"agon-state\">null";

/// What an answer tells the board in the chat alone; models do not see it.
#[derive(Serialize, TS)]
pub struct ChessBoard {
    /// Opens the seat that the board plays for.
    pass: String,
    #[ts(type = "Color")]
    you: &'static str,
    /// Everything about the game, where the model is told less.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    facts: Option<ChessFacts>,
    /// The game's address in the browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    page: Option<String>,
}

impl Scene<'_> {
    /// The person who sees the board: the one whom the caller has asked to play, or the caller.
    pub fn person(&self) -> Option<Seat> {
        self.guest().or(self.seat.filter(|_| self.is_human(self.seat)))
    }

    /// The person whom the caller has asked to play.
    pub fn guest(&self) -> Option<Seat> {
        self.look.seats.guest_of(self.seat?)
    }

    /// The address that seats the person, until somebody opens it. Only the agent who asked them to
    /// play gets it.
    pub fn link(&self) -> Option<String> {
        let (site, person) = (self.site?, self.guest()?);
        let (id, seats) = (self.look.id, &self.look.seats);
        let opened = seats.at(person).is_some_and(|sitting| sitting.link.opened);
        let open = !opened && self.look.due.outcome().is_none();
        open.then(|| format!("{site}/game/{id}#open={}", self.hall.link_code(id, seats, person)))
    }

    /// The link for the model to show. `is_needed`: the person cannot play without it.
    pub(super) fn shown_link(&self, is_needed: bool) -> Option<PersonLink> {
        Some(PersonLink { address: self.link()?, seat: Some(title(self.guest()?)), is_needed })
    }

    /// What the model shows once the person has been asked to open the board. Where a board was
    /// asked for and nobody is to take a seat, it is the one to watch.
    pub(super) fn link_after(&self, invited: &Invited) -> Option<PersonLink> {
        let link = self.shown_link(true).filter(|_| !invited.brings_link());
        let wants_board = self.manner.ui == Ui::Always && !self.caller.has_apps();
        let address = || Some(format!("{}/game/{}", self.site?, self.look.id));
        let watched = || address().filter(|_| wants_board && self.person().is_none());
        link.or_else(|| Some(PersonLink { address: watched()?, seat: None, is_needed: true }))
    }

    /// For the page that the host has; the model does not see it.
    pub(super) fn board(&self, facts: &ChessFacts) -> Option<Value> {
        let own = self.seat.filter(|_| self.wants_page() && self.caller.has_apps())?;
        let seat = self.person().unwrap_or(own);
        let pass = self.hall.pass(self.look.id, &self.look.seats, seat).to_string();
        let address = self.site.map(|site| format!("{site}/game/{}", self.look.id));
        Some(json!(ChessBoard {
            pass,
            you: color(seat),
            facts: self.is_lean().then(|| self.facts_for(seat, facts)),
            page: address.map(|address| self.link().unwrap_or(address)),
        }))
    }

    /// What comes with the answer for hosts that have no page: a card when the person is to move, a
    /// board where that was asked for.
    pub(super) fn resource(&self) -> Option<Resource> {
        let person = self.person();
        let due = |seat| self.look.due.includes(seat);
        let whole = self.manner.ui == Ui::Always;
        let mine = whole && self.seat.is_some_and(due);
        let shown = person.is_some_and(due) || mine;
        let own = self.seat.filter(|_| shown && self.wants_page() && !self.caller.has_apps())?;
        let seat = person.unwrap_or(own);
        let html = if whole { self.filled_board(seat) } else { self.card() };
        Some(Resource { uri: format!("ui://chess/{}", self.look.id), html })
    }

    fn wants_page(&self) -> bool {
        match self.manner.ui {
            Ui::Never => false,
            Ui::HumansTurn => self.person().is_some(),
            Ui::Always => true,
        }
    }

    /// Removes what only the caller may know, where the board is the person's.
    fn facts_for(&self, seat: Seat, facts: &ChessFacts) -> ChessFacts {
        let mut facts = facts.clone();
        facts.you = Some(color(seat));
        facts.pass = None;
        facts.since = None;
        facts.next_action = String::new();
        facts.status = Status::of(self.look, Some(seat));
        let may_take_back = self.look.view.may_take_back;
        facts.can_take_back = may_take_back.map(rules::chess::seat_of) == Some(seat);
        let legal = self.look.view.legal_now();
        facts.legal_moves = Some(legal.iter().map(MoveFacts::from).collect());
        facts
    }

    /// A board that plays for `seat`, by the messages of the first specification.
    fn filled_board(&self, seat: Seat) -> String {
        let view = &self.look.view;
        let legal: Vec<_> = view.legal_now().into_iter().map(|mv| mv.uci).collect();
        let state = json!({
            "game_id": self.hall.pass(self.look.id, &self.look.seats, seat).to_string(),
            "fen": view.fen,
            "you": color(seat),
            "status": self.to_move(),
            "legal": if self.look.due.includes(seat) { legal } else { Vec::new() },
            "last": view.last.as_ref().map(|last| &last.uci),
            "page": self.address(),
        });
        // A text inside the script must not be able to end it.
        let state = state.to_string().replace('<', "\\u003c");
        BOARD.replacen(EMPTY, &EMPTY.replace("null", &state), 1)
    }

    /// Where the game is seen in the browser.
    fn address(&self) -> Option<String> {
        let address = self.site.map(|site| format!("{site}/game/{}", self.look.id));
        if self.caller.opens_links() { address } else { self.link().or(address) }
    }

    fn to_move(&self) -> String {
        let view = &self.look.view;
        let last = view.last.as_ref().map(|last| format!(" Last move: {}.", last.san));
        let who = match self.look.seats.at(rules::chess::seat_of(view.turn)) {
            Some(sitting) if sitting.player == Player::Human => "you".into(),
            sitting => describe(sitting),
        };
        format!("{} to move ({who}).{}", name(view.turn), last.unwrap_or_default())
    }

    /// The position, and where to play: few enough words for a model that is shown them.
    fn card(&self) -> String {
        let link = self.address().map(|address| {
            format!("<p><a href=\"{address}\" target=\"_blank\">Open the board</a> {address}</p>")
        });
        format!(
            "<!doctype html><meta charset=\"utf-8\"><title>Chess</title><style>body{{font:15px/1.4 \
             system-ui,sans-serif}}pre{{font-size:22px;line-height:1.15}}</style><p>{}</p>\
             <pre>{}</pre>{}",
            escaped(&self.to_move()),
            self.diagram(),
            link.unwrap_or_default()
        )
    }

    /// From the person's side.
    fn diagram(&self) -> String {
        let board = &self.look.view.board;
        let turned = self.person() == Some(BLACK);
        let line = |rank: Rank| {
            let square = |file: File| board.piece_at(Square::from_coords(file, rank));
            let mut squares: Vec<char> =
                File::ALL.map(|file| square(file).map_or('\u{b7}', glyph)).into();
            if turned {
                squares.reverse();
            }
            format!("{} {}\n", rank.char(), squares.into_iter().collect::<String>())
        };
        let mut lines: Vec<_> = Rank::ALL.map(line).into();
        if !turned {
            lines.reverse();
        }
        lines.concat() + if turned { "  hgfedcba" } else { "  abcdefgh" }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
