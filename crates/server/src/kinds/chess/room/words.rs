//! What the chess tools say. The wording of the fixed messages is the protocol's. Why something is
//! not done is in `refusals`, what to do next in `advice`.
//!
//! Where a seat asked for no more than the FEN, answers are lean: what was done, the position, what
//! to do next.

use std::fmt::Write;

use rules::{
    Seat,
    chess::{BLACK, Chess, Eval, MoveText, WHITE, name},
};

use super::{
    drawing,
    facts::{ChessFacts, CommentFacts, SeenFacts, Status},
    manner::ChessManner,
    other,
};
use crate::{
    hall::{Hall, Look},
    ids::Pass,
    kinds::chess::{
        analyst::Verdict,
        facts::{Evaluation, OpeningFacts, last_comment, tries},
        introduce,
        pgn::pgn,
    },
    mcp::{
        ask::BoardStyle,
        caller::{Caller, Invited},
        reply::Reply,
    },
    player::Player,
    setting_up::PRACTICE,
};

/// A game as one caller is told about it.
pub struct Scene<'a> {
    pub hall: &'a Hall,
    pub look: &'a Look<Chess>,
    pub seat: Option<Seat>,
    /// The caller's own, if it may be repeated to them: a person's is their board's alone.
    pub pass: Option<Pass>,
    pub manner: ChessManner,
    pub caller: &'a Caller,
    /// Where the pages are, if there are any.
    pub site: Option<&'a str>,
    /// The person has no board open, and is to be asked in the chat.
    pub asks: bool,
}

impl Scene<'_> {
    pub fn created(&self, invited: &Invited) -> Reply {
        let mut head = format!("Game Created Successfully!\n{}", self.particulars(false));
        if self.opponent() == Some(Player::Human) && self.is_waiting() {
            head += "\n- Waiting for Human...";
        }
        Reply { link: self.link_after(invited), ..self.reply(&(head + invited.told())) }
    }

    /// `hints` says whether whoever joins agreed to them, `before` that it has had this seat.
    pub fn joined(&self, hints: bool, before: bool) -> Reply {
        let particulars = self.particulars(hints);
        let before = if before { "\n- You had this seat already" } else { "" };
        self.reply(&format!("Joined Game {} Successfully!\n{particulars}{before}", self.look.id))
    }

    pub fn linked(&self, invited: &Invited) -> Reply {
        let head = format!("The old link is ended; there is a new one.{}", invited.told());
        let reply = self.reply(&format!("{head}\n{}", self.situation()));
        Reply { link: self.link_after(invited), ..reply }
    }

    pub fn waited(&self) -> Reply {
        self.reply(&self.situation())
    }

    pub fn timed_out(&self) -> Reply {
        let mut reply = self.reply("");
        reply.text =
            "Timeout: No move received yet. Please call this tool again immediately.".into();
        let mut facts = self.as_wanted(self.facts(self.next_action()));
        facts.status = Status::Timeout;
        reply.facts = facts.written();
        // What there is to see has been shown.
        Reply { resource: None, link: None, ..reply }
    }

    /// `sent` is the move as the caller wrote it.
    pub fn moved(&self, sent: &str) -> Reply {
        let read = self.how_read(sent);
        let last = self.last_move();
        let relayed = self.look.view.relayed.last() == Some(&true);
        let accepted = match self.look.due.outcome() {
            Some(_) if read.is_empty() => "Move accepted. ".to_owned(),
            Some(_) => format!("Move accepted: {last}.{read} "),
            None if self.is_lean() && relayed => format!("Relayed: {last}.{read} "),
            None if self.is_lean() => format!("Move accepted: {last}.{read} "),
            None if relayed => format!("Move accepted: {last}, relayed for the person.{read}\n"),
            None => format!("Move accepted: {last}.{read}\n"),
        };
        let situation =
            if self.is_lean() && relayed { "It is your turn.".into() } else { self.situation() };
        self.reply(&format!("{accepted}{situation}"))
    }

    /// After `before`, in which the caller's own move was accepted.
    pub fn replied(&self, before: &Look<Chess>, sent: &str) -> Reply {
        let then = Scene { look: before, ..*self };
        let (accepted, read) = (then.last_move(), then.how_read(sent));
        let situation = self.situation();
        if !self.is_lean() {
            self.reply(&format!("Move accepted: {accepted}.{read}\n{situation}"))
        } else if read.is_empty() {
            self.reply(&situation)
        } else {
            self.reply(&format!("Move accepted: {accepted}.{read} {situation}"))
        }
    }

    /// What was made of a text that was no move by itself.
    fn how_read(&self, sent: &str) -> String {
        match self.look.view.how_read(sent) {
            Some(taken) => format!(" That is how {taken:?} was read."),
            None => String::new(),
        }
    }

    fn last_move(&self) -> String {
        let last = self.look.view.last.as_ref();
        last.map_or(String::new(), |mv| {
            if self.is_lean() { mv.uci.clone() } else { format!("{} ({})", mv.uci, mv.san) }
        })
    }

    /// `is_relayed`: for the person. `named` is what a text was read as that named the move of a
    /// claim.
    pub fn acted(&self, (action, is_relayed): (&str, bool), named: Option<MoveText>) -> Reply {
        let granted = self.look.view.takeback_request.is_none();
        let (who, s) = if is_relayed { ("The person", "s") } else { ("You", "") };
        let done = match action {
            "resign" => format!("{who} resign{s}."),
            "offerDraw" => format!("{who} offer{s} a draw."),
            "acceptDraw" => format!("{who} accept{s} the draw."),
            "claimDraw" => format!("{who} claim{s} a draw, rightly."),
            "declineDraw" => format!("{who} decline{s} the draw."),
            "takeback" if granted => "The takeback is granted; the moves are off the board.".into(),
            "takeback" => format!("{who} ask{s} for a takeback; your opponent must agree."),
            "declineTakeback" => format!("{who} decline{s} the takeback."),
            _ => "Done.".into(),
        };
        let named = named.map(|mv| format!(" The move was read as {} ({}).", mv.uci, mv.san));
        self.reply(&format!("{done}{}\n{}", named.unwrap_or_default(), self.situation()))
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
        for line in self.about_chance() {
            let _ = writeln!(head, "- {line}");
        }
        head.push_str(&self.situation());
        if let Some(verdict) = evaluation {
            let _ = write!(head, "\n{}", self.judgement(verdict));
        }
        let next = self.next_action();
        let mut text = format!("{head}\n\n");
        self.write_position(&mut text, true);
        let pgn = pgn(self.look, evals);
        let _ = write!(text, "\n**Next Action**: {next}\n\n```pgn\n{pgn}```");
        let facts = self.facts(next);
        let evaluation = evaluation.map(Evaluation::from);
        let board = self.board(&facts);
        let facts = serde_json::to_value(SeenFacts {
            facts,
            evaluation,
            pgn: Some(pgn),
            opening: self.look.view.opening.map(OpeningFacts::from),
            comments: CommentFacts::of(self.look),
            tries: tries(self.look),
        })
        .expect("facts can be written");
        Reply { board, ..Reply::new(text, facts) }
    }

    fn reply(&self, head: &str) -> Reply {
        let next = self.next_action();
        // A board, the moves so far, what to do next.
        let mut text = String::with_capacity(1500 + 8 * self.look.view.moves.len());
        text.push_str(head);
        text.push_str(if self.is_lean() { "\n" } else { "\n\n" });
        self.write_position(&mut text, !self.is_lean());
        if self.is_lean() {
            let _ = write!(text, "**Next Action**: {}", next.replace('`', ""));
        } else {
            let _ = write!(text, "\n**Next Action**: {next}");
        }
        let facts = self.facts(next);
        let (resource, board) = (self.resource(), self.board(&facts));
        let facts = self.as_wanted(facts).written();
        let is_persons_turn = self.person().is_some_and(|person| self.look.due.includes(person));
        let is_told = self.asks || is_persons_turn && !self.caller.opens_links();
        let is_needed = self.look.view.setup.typed_moves.is_none();
        let link = self.shown_link(is_needed).filter(|_| is_told);
        Reply { resource, board, link, ..Reply::new(text, facts) }
    }

    /// All there is to tell, with `next` as what to do.
    pub(super) fn facts(&self, next: String) -> ChessFacts {
        let pass = self.pass.map(|pass| pass.to_string());
        ChessFacts { pass, ..ChessFacts::new(self.look, self.seat, next) }
    }

    /// Facts as the seat wants them.
    fn as_wanted(&self, facts: ChessFacts) -> ChessFacts {
        if self.is_lean() { facts.lean() } else { facts }
    }

    fn is_waiting(&self) -> bool {
        Status::of(self.look, self.seat) == Status::Waiting
    }

    /// Whether the seat wants no more than what is new.
    pub(super) fn is_lean(&self) -> bool {
        self.manner.board == BoardStyle::Fen
    }

    fn particulars(&self, wants_hints: bool) -> String {
        let seat = self.seat.unwrap_or(WHITE);
        let opponent = self.look.seats.at(other(seat)).map(|sitting| sitting.player);
        let kind = match opponent {
            Some(Player::Computer(level)) => format!("computer\n- Difficulty: {}", level.get()),
            Some(Player::Human) => "human".into(),
            Some(Player::Agent) | None => "agent".into(),
        };
        let pass = self.pass.map(|pass| format!("\n- Your pass: {pass}"));
        // Without a call to copy: who reads ids out of the text looks for their own there.
        let free = opponent.is_none().then(|| {
            format!("\n- Free: {}; who joins with the game id has it", title(other(seat)))
        });
        let hints = self.about_hints(wants_hints).map(|line| format!("\n{line}"));
        let chance: String = self.about_chance().map(|line| format!("\n- {line}")).collect();
        format!(
            "- Game ID: {}{}\n- Type: {kind}{chance}\n- You are: {}{}{}",
            self.look.id,
            pass.unwrap_or_default(),
            title(seat),
            free.unwrap_or_default(),
            hints.unwrap_or_default(),
        )
    }

    fn about_chance(&self) -> impl Iterator<Item = String> {
        let practice = self.look.practice.then(|| PRACTICE.to_owned());
        practice.into_iter().chain(self.look.chance.lines())
    }

    /// One sentence on how things stand.
    fn situation(&self) -> String {
        let turn = self.look.view.turn;
        match Status::of(self.look, self.seat) {
            Status::Over => match self.look.due.outcome() {
                Some(outcome) => format!("Game Over: {outcome}."),
                None => String::new(),
            },
            Status::YourTurn => self.your_turn(),
            Status::Asked if self.is_due() => format!("{} {}", self.your_turn(), self.question()),
            Status::Asked => self.question(),
            Status::Watching => format!("It is {}'s turn.", name(turn)),
            Status::Waiting | Status::Timeout if self.is_lean() => "Waiting...".into(),
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

    fn your_turn(&self) -> String {
        match &self.look.view.last {
            Some(last) if self.is_lean() => format!("It is your turn. Last: {}.", last.uci),
            _ => "It is your turn.".into(),
        }
    }

    fn question(&self) -> String {
        match self.look.view.draw_offer {
            Some(_) => "Your opponent offers a draw.".into(),
            None => "Your opponent asks to take back their last move.".into(),
        }
    }

    pub(super) fn is_due(&self) -> bool {
        self.seat.is_some_and(|seat| self.look.due.includes(seat))
    }

    pub(super) fn opponent(&self) -> Option<Player> {
        Some(self.look.seats.at(other(self.seat?))?.player)
    }

    /// `whole`: with the moves so far, and those that are legal now.
    fn write_position(&self, text: &mut String, whole: bool) {
        let view = &self.look.view;
        match self.manner.board {
            BoardStyle::Table => text.push_str(&drawing::table(&view.board)),
            BoardStyle::Letters => text.push_str(&drawing::letters(&view.board)),
            BoardStyle::Fen => {}
        }
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(text, "**{name}**: {value}");
        };
        line("FEN", &view.fen);
        if whole && view.outcome.is_none() {
            line("Turn", &format!("{} to move", name(view.turn)));
        }
        if let Some(last) = view.last.as_ref().filter(|_| whole) {
            line("Last move", &format!("{} ({})", last.uci, last.san));
            line("Moves", &view.movetext());
        }
        // Somebody's words, and marked as such.
        if let Some((by, text)) = last_comment(self.look).filter(|_| view.last.is_some()) {
            line("Comment", &format!("{} says {text:?}", title(by)));
        }
        if whole && view.check && view.outcome.is_none() {
            line("Check", &format!("{}'s king is in check", name(view.turn)));
        }
        if whole && !view.legal.is_empty() {
            let moves: Vec<_> =
                view.legal.iter().map(|mv| format!("{} ({})", mv.uci, mv.san)).collect();
            line("Legal moves", &moves.join(", "));
        }
        if let Some(opening) = view.opening.filter(|_| whole) {
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
        if let Some(by) = view.draw_offer.filter(|_| whole) {
            line("Draw offer", &format!("by {}", name(by)));
        }
        if let Some(declined) = view.takeback_declined {
            line("Takeback", &format!("declined by {}", name(declined.by)));
        }
        if let Some(by) = view.takeback_request.filter(|_| whole) {
            line("Takeback", &format!("asked for by {}", name(by)));
        }
    }

    pub(super) fn is_human(&self, seat: Option<Seat>) -> bool {
        let sitting = seat.and_then(|seat| self.look.seats.at(seat));
        sitting.is_some_and(|sitting| sitting.player == Player::Human)
    }
}

pub(super) fn title(seat: Seat) -> &'static str {
    if seat == WHITE { "White" } else { "Black" }
}
