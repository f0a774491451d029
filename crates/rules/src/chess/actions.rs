//! What players do beside the board: resign, offer and claim draws, ask for a move back.

use shakmaty::{Color, Move as BoardMove, san::SanPlus};

use super::{Chess, Ended, Move, RELAYED, SanText, reading, uci};
use crate::{Illegal, OUT_OF_TIME, Seat};

/// The moves that are not made on the board, and how they are written.
const ACTIONS: [(Move, &str); 7] = [
    (Move::Resign, "resign"),
    (Move::OfferDraw, OFFER),
    (Move::AcceptDraw, "acceptDraw"),
    (Move::DeclineDraw(None), DECLINE),
    (Move::ClaimDraw, CLAIM_DRAW),
    (Move::Takeback, "takeback"),
    (Move::DeclineTakeback, "declineTakeback"),
];

/// How they are written.
pub(super) const WORDS: [&str; ACTIONS.len()] = {
    let mut words = [""; ACTIONS.len()];
    let mut at = 0;
    while at < words.len() {
        words[at] = ACTIONS[at].1;
        at += 1;
    }
    words
};

/// Also behind a move, which then comes with an offer.
pub(super) const OFFER: &str = "offerDraw";
const DECLINE: &str = "declineDraw";
/// Also before a move, which then is the one that brings the draw about.
const CLAIM_DRAW: &str = "claimDraw";

/// Why a draw is declined, if whoever declines says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// Who declines stands better.
    Better,
    /// There is something left to play for.
    Playable,
    /// The last offer was declined not long ago.
    Again,
}

impl WhyNot {
    const ALL: [WhyNot; 3] = [WhyNot::Better, WhyNot::Playable, WhyNot::Again];

    fn word(self) -> &'static str {
        match self {
            WhyNot::Better => "better",
            WhyNot::Playable => "playable",
            WhyNot::Again => "again",
        }
    }

    /// What `who` would say: a fragment.
    pub fn reason(self) -> &'static str {
        match self {
            WhyNot::Better => "it stands better",
            WhyNot::Playable => "there is still something to play for",
            WhyNot::Again => "a draw was offered and declined only a few moves ago",
        }
    }
}

/// A draw offer, or a wish for a takeback, that was declined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declined {
    pub by: Color,
    pub why: Option<WhyNot>,
    /// How many half-moves had been played.
    pub ply: usize,
}

/// A draw offer, whatever came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    pub by: Color,
    /// How many half-moves had been played.
    pub ply: usize,
}

/// Moves that were taken off the board again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Takeback {
    /// Who asked for it.
    pub by: Color,
    /// How many half-moves before it are still there.
    pub ply: usize,
    pub moves: Vec<SanText>,
    /// Which turn of the log did it.
    pub turn: u32,
}

/// How a draw is declined for a reason.
pub fn decline(why: WhyNot) -> String {
    format!("{DECLINE} {}", why.word())
}

/// Whether this is something beside the board, however it is written.
pub fn is_action(text: &str) -> bool {
    let (head, _) = split(text);
    action(head).is_some()
}

/// What goes by this name beside the board.
pub fn action(name: &str) -> Option<Move> {
    let named = ACTIONS.iter().find(|(_, known)| known.eq_ignore_ascii_case(name));
    named.map(|(action, _)| *action)
}

/// The first word, and the rest.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    text.split_once(char::is_whitespace).map_or((text, ""), |(head, rest)| (head, rest.trim()))
}

pub(super) fn write(position: &shakmaty::Chess, mv: Move) -> String {
    match mv {
        Move::Board(mv) => uci(position, mv),
        Move::Relayed(mv) => format!("{} {RELAYED}", uci(position, mv)),
        Move::BoardOffering(mv) => format!("{} {OFFER}", uci(position, mv)),
        Move::ClaimDrawWith(mv) => format!("{CLAIM_DRAW} {}", uci(position, mv)),
        Move::DeclineDraw(Some(why)) => decline(why),
        Move::OutOfTime => OUT_OF_TIME.to_owned(),
        action => {
            let (_, name) = ACTIONS.iter().find(|(a, _)| *a == action).expect("it has a name");
            (*name).to_owned()
        }
    }
}

impl Chess {
    /// The action that the text is, if it is one; whether `by` may do so is another question.
    pub(super) fn read_action(&self, by: Color, text: &str) -> Result<Option<Move>, Illegal> {
        let (head, rest) = split(text);
        match action(head) {
            Some(action) => self.with_rest(by, action, rest),
            None => Ok(None),
        }
    }

    /// What is done beside the board, if it may be. A draw can be claimed by naming the move that
    /// brings it about.
    pub fn beside_board(&self, seat: Seat, action: Move, named: &str) -> Result<Move, Illegal> {
        let color = self.player(seat)?;
        let action = self.with_rest(color, action, named.trim())?;
        let action = action.ok_or_else(|| Illegal::rule("that goes with no action"))?;
        self.check_action(color, action)?;
        Ok(action)
    }

    fn with_rest(&self, by: Color, action: Move, rest: &str) -> Result<Option<Move>, Illegal> {
        Ok(match (action, rest) {
            (action, "") => Some(action),
            (Move::ClaimDraw, mv) if self.is_on_move(by) => {
                let reading = reading::read(&self.position, mv, self.setup.loose)?;
                Some(Move::ClaimDrawWith(reading.mv))
            }
            (Move::ClaimDraw, _) => Some(Move::ClaimDraw),
            (Move::DeclineDraw(_), word) => {
                let why = WhyNot::ALL.into_iter().find(|why| why.word() == word);
                why.map(|why| Move::DeclineDraw(Some(why)))
            }
            _ => None,
        })
    }

    pub(super) fn check_action(&self, by: Color, action: Move) -> Result<(), Illegal> {
        let refusal = match action {
            Move::OfferDraw if self.draw_offer == Some(by) => "you have offered a draw already",
            Move::OfferDraw if self.draw_offer == Some(!by) => {
                "your opponent has offered a draw; accept it with acceptDraw"
            }
            Move::OfferDraw if self.takeback_request == Some(!by) => {
                "answer your opponent's wish for a takeback first, with takeback or declineTakeback"
            }
            Move::Takeback
                if self.draw_offer == Some(!by)
                    && self.takeback_request != Some(!by)
                    && !self.setup.free_takebacks
                    && !self.was_relayed_for(by) =>
            {
                "answer your opponent's draw offer first, with acceptDraw or declineDraw"
            }
            Move::AcceptDraw | Move::DeclineDraw(_) if self.draw_offer != Some(!by) => {
                "your opponent has not offered a draw"
            }
            Move::ClaimDraw if !self.is_on_move(by) => {
                "a draw can be claimed on your own turn only"
            }
            Move::ClaimDraw if self.claim().is_none() => {
                "there is nothing to claim: the position has not stood three times, and fifty \
                 moves without a capture or a pawn move have not been played"
            }
            Move::ClaimDrawWith(mv) if self.claim().or(self.claim_with(mv)).is_none() => {
                "there is nothing to claim: with that move the position does not stand for the \
                 third time, nor are fifty moves without a capture or a pawn move complete"
            }
            Move::DeclineTakeback if self.takeback_request != Some(!by) => {
                "your opponent has not asked for a takeback"
            }
            Move::Takeback if self.takeback_request == Some(by) => {
                "you have asked for a takeback already; your opponent agrees by calling takeback"
            }
            Move::Takeback if self.takeback_request.is_none() && self.plies_back(by).is_none() => {
                "you have not moved yet, so there is nothing to take back"
            }
            _ => return Ok(()),
        };
        Err(Illegal::rule(refusal))
    }

    /// What `by` may say to what the other side has asked.
    pub(super) fn answers_of(&self, by: Color) -> Vec<&'static str> {
        let is_answer = |action: &Move| match action {
            Move::AcceptDraw | Move::DeclineDraw(_) => self.draw_offer == Some(!by),
            Move::Takeback | Move::DeclineTakeback => self.takeback_request == Some(!by),
            _ => false,
        };
        ACTIONS.iter().filter(|(action, _)| is_answer(action)).map(|(_, name)| *name).collect()
    }

    pub(super) fn act(&mut self, by: Color, action: Move, turn: u32) {
        match action {
            Move::Board(mv) => self.play_on_board(mv, turn, false),
            Move::Relayed(mv) => self.play_on_board(mv, turn, true),
            Move::BoardOffering(mv) => {
                self.play_on_board(mv, turn, false);
                self.offer(by);
            }
            Move::Resign => self.ended = Some(Ended::Resigned(by)),
            Move::OutOfTime => self.ended = Some(Ended::OutOfTime(by)),
            Move::OfferDraw => self.offer(by),
            Move::AcceptDraw => self.ended = Some(Ended::Agreed),
            Move::DeclineDraw(why) => {
                self.draw_offer = None;
                self.declined = Some(Declined { by, why, ply: self.line.len() });
            }
            Move::ClaimDraw => {
                self.ended = self.claim().map(|claim| Ended::Claimed(claim, None));
            }
            Move::ClaimDrawWith(mv) => {
                let with = SanPlus::from_move(self.position.clone(), mv).into();
                let stands = self.claim().map(|claim| Ended::Claimed(claim, None));
                let then = || Some(Ended::Claimed(self.claim_with(mv)?, Some(with)));
                self.ended = stands.or_else(then);
            }
            Move::DeclineTakeback => {
                self.takeback_request = None;
                self.takeback_declined = Some(Declined { by, why: None, ply: self.line.len() });
            }
            Move::Takeback => {
                let agreed = self.takeback_request.filter(|asker| *asker != by);
                let free = self.setup.free_takebacks || self.was_relayed_for(by);
                let granted = agreed.or(free.then_some(by));
                match granted.and_then(|asker| Some((asker, self.plies_back(asker)?))) {
                    Some((asker, plies)) => self.take_back(asker, plies, turn),
                    None => {
                        self.takeback_request = Some(by);
                        self.takeback_declined = None;
                    }
                }
            }
        }
    }

    fn offer(&mut self, by: Color) {
        self.draw_offer = Some(by);
        self.declined = None;
        self.offers.push(Offer { by, ply: self.line.len() });
    }

    fn play_on_board(&mut self, mv: BoardMove, turn: u32, relayed: bool) {
        let mover = self.mover();
        self.push(mv, turn, relayed);
        // To play on is to let the other side's question pass.
        self.draw_offer.take_if(|by| *by != mover);
        // Whoever was on move when the answer came may not have heard it yet.
        let played = self.line.len();
        for declined in [&mut self.declined, &mut self.takeback_declined] {
            declined.take_if(|declined| declined.by != mover && played > declined.ply + 1);
        }
        self.takeback_request = None;
    }

    /// Whether the last move was relayed for this side: it may be taken back without asking until
    /// it is answered.
    pub(super) fn was_relayed_for(&self, color: Color) -> bool {
        !self.is_on_move(color) && self.line.last().is_some_and(|ply| ply.relayed)
    }

    /// How many plies must go for `color` to be on move again, if it has moved at all in this
    /// game.
    fn plies_back(&self, color: Color) -> Option<usize> {
        let plies = if self.is_on_move(color) { 2 } else { 1 };
        (self.line.len() - self.given >= plies).then_some(plies)
    }
}
