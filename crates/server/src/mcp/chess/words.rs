//! What the chess tools say. The wording of the fixed messages is the protocol's.

use std::fmt::Write;

use rules::{
    Illegal, Seat,
    chess::{BLACK, Chess, Eval, WHITE, name},
};
use serde::Serialize;
use serde_json::json;

use super::{
    drawing,
    facts::{ChessFacts, SeenFacts, Status},
    manner::{Board, Manner, Ui},
    other,
};
use crate::{
    hall::{GameId, Hall, Look, Pass, Player, Refusal, Verdict, describe, introduce},
    mcp::{
        apps,
        reply::{Page, Refused, Reply},
    },
    telling::{Evaluation, color, pgn},
};

/// A game as one caller is told about it.
pub struct Scene<'a> {
    pub hall: &'a Hall,
    pub look: &'a Look<Chess>,
    pub seat: Option<Seat>,
    pub manner: Manner,
    /// The caller's host has the board already.
    pub has_apps: bool,
}

impl Scene<'_> {
    pub fn created(&self) -> Reply {
        let head = format!("Game Created Successfully!\n{}", self.particulars(false));
        self.reply(&head, |facts| facts.pass = self.pass().as_ref().map(Pass::to_string))
    }

    /// `hints` says whether whoever joins agreed to them.
    pub fn joined(&self, hints: bool) -> Reply {
        let particulars = self.particulars(hints);
        let head = format!("Joined Game {} Successfully!\n{particulars}", self.look.id);
        self.reply(&head, |facts| facts.pass = self.pass().as_ref().map(Pass::to_string))
    }

    pub fn waited(&self) -> Reply {
        self.reply(&self.situation(), |_| {})
    }

    pub fn timed_out(&self) -> Reply {
        let text = "Timeout: No move received yet. Please call this tool again immediately.";
        let mut facts = ChessFacts::new(self.look, self.seat, self.next_action());
        facts.status = Status::Timeout;
        let page = self.page(&facts).filter(|_| self.has_apps);
        Reply { text: text.into(), facts: written(&facts), page }
    }

    /// `sent` is the move as the caller wrote it.
    pub fn moved(&self, sent: &str) -> Reply {
        let read = match self.look.view.how_read(sent) {
            Some(taken) => format!(" That is how {taken:?} was read."),
            None => String::new(),
        };
        let last = self.look.view.last.as_ref();
        let last = last.map_or(String::new(), |mv| format!("{} ({})", mv.uci, mv.san));
        let accepted = match self.look.due.outcome() {
            Some(_) if read.is_empty() => "Move accepted. ".to_owned(),
            Some(_) => format!("Move accepted: {last}.{read} "),
            None => format!("Move accepted: {last}.{read}\n"),
        };
        self.reply(&format!("{accepted}{}", self.situation()), |_| {})
    }

    pub fn acted(&self, action: &str) -> Reply {
        let granted = self.look.view.takeback_request.is_none();
        let done = match action {
            "resign" => "You resign.",
            "offerDraw" => "You offer a draw.",
            "acceptDraw" => "You accept the draw.",
            "claimDraw" => "You claim a draw, rightly.",
            "declineDraw" => "You decline the draw.",
            "takeback" if granted => "The takeback is granted; the moves are off the board.",
            "takeback" => "You ask for a takeback; your opponent must agree.",
            "declineTakeback" => "You decline the takeback.",
            _ => "Done.",
        };
        self.reply(&format!("{done}\n{}", self.situation()), |_| {})
    }

    pub fn seen(&self) -> Reply {
        self.shown(None, &[])
    }

    /// What is known beyond the board: `evals` go into the PGN.
    pub(super) fn shown(&self, evaluation: Option<&Verdict>, evals: &[Eval]) -> Reply {
        let mut head = format!("Game ID: {}\n", self.look.id);
        for seat in [WHITE, BLACK] {
            let you = if self.seat == Some(seat) { " (you)" } else { "" };
            let who = introduce(self.look.seats.at(seat));
            let _ = writeln!(head, "- {}: {who}{you}", title(seat));
        }
        if let Some(line) = self.about_hints(false) {
            let _ = writeln!(head, "{line}");
        }
        head.push_str(&self.situation());
        if let Some(verdict) = evaluation {
            let _ = write!(head, "\n{}", self.judgement(verdict));
        }
        let (mut text, facts) = self.told(&head);
        let pgn = pgn(self.look, evals);
        let _ = write!(text, "\n\n```pgn\n{pgn}```");
        let page = self.page(&facts);
        let evaluation = evaluation.map(Evaluation::from);
        Reply { text, page, facts: written(&SeenFacts { facts, evaluation, pgn: Some(pgn) }) }
    }

    /// `is_move` says whether a move on the board was asked for, or something beside it.
    pub fn refused(&self, refusal: &Refusal, is_move: bool) -> Refused {
        let text = match refusal {
            Refusal::Illegal(Illegal::Rule { reason, .. }) if !is_move => {
                format!("Not possible: {reason}. Nothing has changed.")
            }
            Refusal::Illegal(Illegal::Rule { reason, options, .. }) => {
                let options = match options.as_slice() {
                    [] => String::new(),
                    some => format!(" Legal here: {}.", some.join(", ")),
                };
                format!("Invalid move: {reason}.{options} Nothing was played.")
            }
            Refusal::Illegal(Illegal::FalseClaim) => {
                "Move rejected: You claimed Checkmate, but this move does not result in Checkmate."
                    .into()
            }
            Refusal::Illegal(Illegal::NotYourTurn) => {
                format!("Not your turn: it is {}'s move.", name(self.look.view.turn))
            }
            Refusal::Illegal(Illegal::Over(outcome)) => {
                format!("The game is over, nothing can be played. Game Over: {outcome}.")
            }
            Refusal::AnotherTurn { asked, due } => {
                format!(
                    "Turn {asked} is not the one to be played; turn {due} is. Nothing was played."
                )
            }
            Refusal::KeyUsed(number) => {
                format!("That key was given to turn {number}, another move. Nothing was played.")
            }
            Refusal::Store(_) => {
                "The turn could not be saved; nothing was played. Try again.".into()
            }
        };
        self.refusal(text)
    }

    pub(super) fn refusal(&self, text: String) -> Refused {
        let next = self.next_action();
        let mut facts = ChessFacts::new(self.look, self.seat, next.clone());
        facts.error = Some(text.clone());
        Refused { text: format!("{text}\n\n**Next Action**: {next}"), facts: Some(written(&facts)) }
    }

    fn reply(&self, head: &str, add: impl FnOnce(&mut ChessFacts)) -> Reply {
        let (text, mut facts) = self.told(head);
        add(&mut facts);
        Reply { text, page: self.page(&facts), facts: written(&facts) }
    }

    fn told(&self, head: &str) -> (String, ChessFacts) {
        let next = self.next_action();
        let mut text = format!("{head}\n\n");
        self.write_position(&mut text);
        let _ = write!(text, "\n**Next Action**: {next}");
        (text, ChessFacts::new(self.look, self.seat, next))
    }

    fn particulars(&self, wants_hints: bool) -> String {
        let seat = self.seat.unwrap_or(WHITE);
        let opponent = self.look.seats.at(other(seat)).map(|sitting| sitting.player);
        let kind = match opponent {
            Some(Player::Computer(level)) => format!("computer\n- Difficulty: {}", level.get()),
            Some(Player::Human) => "human".into(),
            Some(Player::Agent) | None => "agent".into(),
        };
        let pass = self.pass().map(|pass| format!("\n- Your pass: {pass}"));
        let hints = self.about_hints(wants_hints).map(|line| format!("\n{line}"));
        format!(
            "- Game ID: {}{}\n- Type: {kind}\n- You are: {}{}",
            self.look.id,
            pass.unwrap_or_default(),
            title(seat),
            hints.unwrap_or_default()
        )
    }

    /// One sentence on how things stand.
    fn situation(&self) -> String {
        let turn = self.look.view.turn;
        match Status::of(self.look, self.seat) {
            Status::Over => match self.look.due.outcome() {
                Some(outcome) => format!("Game Over: {outcome}."),
                None => String::new(),
            },
            Status::YourTurn => "It is your turn.".into(),
            Status::Asked if self.is_due() => format!("It is your turn. {}", self.question()),
            Status::Asked => self.question(),
            Status::Watching => format!("It is {}'s turn.", name(turn)),
            Status::Waiting | Status::Timeout => match self.opponent() {
                Some(Player::Computer(_)) => {
                    "Waiting for Computer... (Waiting for opponent...)".into()
                }
                Some(Player::Human) => "Waiting for Human... (Waiting for opponent...)".into(),
                // A person's board may hand this answer to the agent.
                Some(Player::Agent) if self.is_human(self.seat) => {
                    "To the agent: It is your turn.".into()
                }
                Some(Player::Agent) => "Waiting for opponent...".into(),
                None => "Waiting for opponent... (nobody has joined yet)".into(),
            },
        }
    }

    fn question(&self) -> String {
        match self.look.view.draw_offer {
            Some(_) => "Your opponent offers a draw.".into(),
            None => "Your opponent asks to take back their last move.".into(),
        }
    }

    fn is_due(&self) -> bool {
        self.seat.is_some_and(|seat| self.look.due.includes(seat))
    }

    /// What the caller is to send as game_id.
    pub(super) fn own_id(&self) -> String {
        self.pass().map_or(self.look.id.to_string(), |pass| pass.to_string())
    }

    fn next_action(&self) -> String {
        let id = self.own_id();
        let wait = format!("call `waitForNextTurn(game_id=\"{id}\")`");
        let mine = self.is_due();
        match Status::of(self.look, self.seat) {
            Status::Over => "No further actions needed.".into(),
            Status::YourTurn if self.look.asked.is_some() => {
                format!("To hear the answer, {wait}; or play on with `finishTurn`.")
            }
            Status::YourTurn => {
                format!("Decide your move and call `finishTurn(game_id=\"{id}\", move)`.")
            }
            Status::Asked => {
                let (yes, no) = match self.look.view.draw_offer {
                    Some(_) => ("acceptDraw", "declineDraw"),
                    None => ("takeback", "declineTakeback"),
                };
                let or = if mine { ", or play on with `finishTurn`" } else { "" };
                format!(
                    "Answer with `gameAction(game_id=\"{id}\", action=\"{yes}\")` or \
                     `action=\"{no}\"`{or}."
                )
            }
            Status::Watching => match self.look.seats.at(WHITE).and(self.look.seats.at(BLACK)) {
                Some(_) => format!("Call `getGame(game_id=\"{id}\")` again to follow the game."),
                None => format!("Call `joinGame(game_id=\"{id}\")` to take the free seat."),
            },
            Status::Waiting | Status::Timeout => match self.opponent() {
                Some(Player::Human) if self.manner.ui != Ui::Never => {
                    format!("UI returned for human. To learn their move, {wait}.")
                }
                Some(Player::Agent) if self.is_human(self.seat) => {
                    format!("The agent decides a move and calls `finishTurn`, or may {wait} first.")
                }
                None => format!(
                    "Give the other player the game id {} to join with `joinGame`, then {wait}.",
                    self.look.id
                ),
                _ => format!("Now {wait}."),
            },
        }
    }

    fn opponent(&self) -> Option<Player> {
        Some(self.look.seats.at(other(self.seat?))?.player)
    }

    fn write_position(&self, text: &mut String) {
        let view = &self.look.view;
        match self.manner.board {
            Board::Table => text.push_str(&drawing::table(&view.board)),
            Board::Letters => text.push_str(&drawing::letters(&view.board)),
            Board::Fen => {}
        }
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(text, "**{name}**: {value}");
        };
        line("FEN", &view.fen);
        if view.outcome.is_none() {
            line("Turn", &format!("{} to move", name(view.turn)));
        }
        if let Some(last) = &view.last {
            line("Last move", &format!("{} ({})", last.uci, last.san));
            line("Moves", &view.movetext());
        }
        if view.check && view.outcome.is_none() {
            line("Check", &format!("{}'s king is in check", name(view.turn)));
        }
        if !view.legal.is_empty() {
            let lean = self.manner.board == Board::Fen;
            let moves: Vec<_> = view
                .legal
                .iter()
                .map(|mv| if lean { mv.uci.clone() } else { format!("{} ({})", mv.uci, mv.san) })
                .collect();
            line("Legal moves", &moves.join(", "));
        }
        if let Some(opening) = view.opening {
            line("Opening", &format!("{} {}", opening.eco, opening.name));
        }
        // Only whoever is on move may claim.
        if let Some(claim) = view.claim.filter(|_| self.is_due()) {
            line("Draw", &format!("{} can be claimed with gameAction claimDraw", claim.name()));
        } else if let Some((mv, claim)) = view.claims_with.first().filter(|_| self.is_due()) {
            let claim = claim.name();
            line("Draw", &format!("{claim} can be claimed with the move {}", mv.uci));
        }
        if let Some(declined) = view.declined {
            let why = declined.why.map(|why| format!(": {}", why.reason()));
            let why = why.unwrap_or_default();
            line("Draw offer", &format!("declined by {}{why}", name(declined.by)));
        }
        if let Some(by) = view.draw_offer {
            line("Draw offer", &format!("by {}", name(by)));
        }
        if let Some(by) = view.takeback_request {
            line("Takeback", &format!("asked for by {}", name(by)));
        }
    }

    /// The caller's own pass, if it may be repeated to them: a person's is their board's alone.
    fn pass(&self) -> Option<Pass> {
        let seat = self.seat.filter(|_| !self.is_human(self.seat))?;
        Some(self.hall.pass(self.look.id, seat))
    }

    fn is_human(&self, seat: Option<Seat>) -> bool {
        let sitting = seat.and_then(|seat| self.look.seats.at(seat));
        sitting.is_some_and(|sitting| sitting.player == Player::Human)
    }

    /// The board of the person, if one plays, or else the caller's own; where it is wanted now.
    fn page(&self, facts: &ChessFacts) -> Option<Page> {
        let human = [WHITE, BLACK].into_iter().find(|seat| self.is_human(Some(*seat)));
        let due = |seat| self.look.due.includes(seat);
        let wanted = match self.manner.ui {
            Ui::Never => false,
            Ui::HumansTurn => human.is_some(),
            Ui::Always => true,
        };
        let seat = human.or(self.seat).filter(|_| wanted)?;
        let pass = self.hall.pass(self.look.id, seat).to_string();
        if self.has_apps {
            return Some(Page::App(json!({ "pass": pass, "you": color(seat) })));
        }
        let mine = self.manner.ui == Ui::Always && self.seat.is_some_and(due);
        let shown = human.is_some_and(due) || mine;
        shown.then(|| {
            let mut facts = facts.clone();
            facts.you = Some(color(seat));
            // What is the caller's is not the person's.
            facts.pass = None;
            facts.next_action = String::new();
            facts.status = Status::of(self.look, Some(seat));
            facts.legal_moves = self.look.view.legal_now().iter().map(Into::into).collect();
            Page::Embedded {
                uri: format!("ui://chess/{}", self.look.id),
                html: apps::filled(&json!({ "game_id": pass, "facts": facts })),
            }
        })
    }
}

pub fn full(look: &Look<Chess>) -> Refused {
    let id = look.id;
    Refused::new(format!(
        "Error: game {id} is full: {} plays White and {} plays Black. Watch it with \
         `getGame(game_id=\"{id}\")`, or start another with `createGame`.",
        describe(look.seats.at(WHITE)),
        describe(look.seats.at(BLACK))
    ))
}

pub fn no_seat(id: GameId) -> Refused {
    Refused::new(format!(
        "Error: this call has no seat in game {id}. If you play in it, send the pass that \
         createGame or joinGame gave you as game_id. To play, call `joinGame(game_id=\"{id}\")`; \
         to watch, `getGame(game_id=\"{id}\")`."
    ))
}

fn written(facts: &impl Serialize) -> serde_json::Value {
    serde_json::to_value(facts).expect("facts can be written")
}

fn title(seat: Seat) -> &'static str {
    if seat == WHITE { "White" } else { "Black" }
}
