//! How a person gets to see the board: by a page in the answer, by the one the host has already, or
//! by a link that opens it in the browser.

use rules::{
    Seat,
    chess::{BLACK, WHITE, glyph, name},
};
use serde::Serialize;
use serde_json::{Value, json};
use shakmaty::{File, Rank, Square};
use ts_rs::TS;

use super::{
    facts::{ChessFacts, Status},
    manner::Ui,
    words::Scene,
};
use crate::{
    hall::describe,
    kinds::chess::facts::{MoveFacts, color},
    mcp::{apps, reply::Resource},
    player::Player,
    seen::FilledBoard,
};

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
    /// The seat of the person whom the caller has asked to play, or who has asked the caller. In a
    /// match of a league the person is nobody's guest.
    pub fn person(&self) -> Option<Seat> {
        self.look.seats.person()
    }

    /// The address that seats the person, as long as nobody has opened it.
    pub fn link(&self) -> Option<String> {
        // Whoever only looks is given no seat, and the person has theirs.
        let (site, own) = (self.site?, self.seat?);
        let person = self.person().filter(|seat| *seat != own)?;
        let (id, seats) = (self.look.id, &self.look.seats);
        let opened = seats.at(person).is_some_and(|sitting| sitting.link.opened);
        let open = !opened && self.look.due.outcome().is_none();
        open.then(|| format!("{site}/game/{id}#open={}", self.hall.link_code(id, seats, person)))
    }

    /// The same as a line for the person, unless their host has shown it to them.
    pub(super) fn shown_link(&self) -> Option<String> {
        let link = self.link().filter(|_| !self.caller.opens_links())?;
        let person = self.person()?;
        Some(format!(
            "Board for the person who plays {}: {link}\nGive them this link: it seats whoever opens \
             it first.",
            if person == WHITE { "White" } else { "Black" }
        ))
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

    /// What comes with the answer for hosts that have no page: a small one when the person is to
    /// move; the whole board where that was asked for.
    pub(super) fn resource(&self, facts: &ChessFacts) -> Option<Resource> {
        let person = self.person();
        let due = |seat| self.look.due.includes(seat);
        let whole = self.manner.ui == Ui::Always;
        let mine = whole && self.seat.is_some_and(due);
        let shown = person.is_some_and(due) || mine;
        let own = self.seat.filter(|_| shown && self.wants_page() && !self.caller.has_apps())?;
        let seat = person.unwrap_or(own);
        let html = if whole {
            let game_id = self.hall.pass(self.look.id, &self.look.seats, seat).to_string();
            apps::filled(&json!(FilledBoard { game_id, facts: self.facts_for(seat, facts) }))
        } else {
            self.small_page()
        };
        Some(Resource { uri: format!("ui://chess/{}", self.look.id), html })
    }

    fn wants_page(&self) -> bool {
        match self.manner.ui {
            Ui::Never => false,
            Ui::HumansTurn => self.person().is_some(),
            Ui::Always => true,
        }
    }

    /// What is the caller's is not the person's.
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

    /// The position, and where to play: few enough words for a model that is shown them.
    fn small_page(&self) -> String {
        let view = &self.look.view;
        let last = view.last.as_ref().map(|last| format!(" Last move: {}.", last.san));
        let who = match self.look.seats.at(rules::chess::seat_of(view.turn)) {
            Some(sitting) if sitting.player == Player::Human => "you".into(),
            sitting => describe(sitting),
        };
        let address = self.site.map(|site| format!("{site}/game/{}", self.look.id));
        let address = if self.caller.opens_links() { address } else { self.link().or(address) };
        let link = address.map(|address| {
            format!("<p><a href=\"{address}\" target=\"_blank\">Open the board</a> {address}</p>")
        });
        format!(
            "<!doctype html><meta charset=\"utf-8\"><title>Chess</title><style>body{{font:15px/1.4 \
             system-ui,sans-serif}}pre{{font-size:22px;line-height:1.15}}</style><p>{} to move ({}).{}\
             </p><pre>{}</pre>{}",
            name(view.turn),
            escaped(&who),
            last.unwrap_or_default(),
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
