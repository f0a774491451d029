//! A game of any kind as one caller is told about it.

use std::fmt::Write;

use rules::{Due, Illegal, LATE, Seat, Turn};

use super::facts::{NewsFacts, PlainFacts, TurnFacts, comments, history, seats};
use crate::{
    hall::{Commitment, Hall, Refusal, Sight, introduce},
    mcp::{
        ask::Action,
        person::{Owed, ask_them, not_for_a_person},
        refusals::Refused,
        reply::Reply,
    },
    player::Player,
    setting_up::{PRACTICE, chosen, chosen_in_words},
};

/// So many moves are told in words, of those that may be played and of those that were.
const TOLD: usize = 60;
/// The same of what was said of them.
const TOLD_COMMENTS: usize = 20;

pub struct PlainScene<'a> {
    pub hall: &'a Hall,
    pub sight: &'a Sight,
    pub seat: Option<Seat>,
    /// The person has no board open, and is to be asked in the chat.
    pub asks: bool,
}

impl PlainScene<'_> {
    /// `more` says where a board is, and what became of asking the person to play.
    pub fn created(&self, more: &str) -> Reply {
        self.welcomed("Game Created Successfully!", more)
    }

    pub fn linked(&self, invited: &str) -> Reply {
        self.reply(&format!("The old link is ended; there is a new one.{invited}"), None)
    }

    /// `before` says that the caller has had this seat.
    pub fn joined(&self, before: bool) -> Reply {
        let head = format!("Joined Game {} Successfully!", self.sight.id);
        self.welcomed(&head, if before { "\n- You had this seat already" } else { "" })
    }

    /// Whoever sits down is told the rules, and gets the pass.
    fn welcomed(&self, head: &str, more: &str) -> Reply {
        let mut text = format!("{head}\n{}{}{more}", self.particulars(), self.free());
        if let Some(card) = self.sight.kind.card {
            let _ = write!(text, "\n- Rules: {}\n- A move: {}", card.rules, card.moves);
        }
        if let Some(pass) = self.pass() {
            let _ = write!(text, "\n- Your pass: {pass} (secret)");
        }
        self.reply(&text, None)
    }

    /// How others come to play.
    fn free(&self) -> String {
        let free: Vec<_> = self.sight.free_seats().map(|seat| self.sight.name(seat)).collect();
        let call = format!("calls `joinGame(game_id=\"{}\")`", self.sight.id);
        match &free[..] {
            [] => String::new(),
            [free] => format!("\n- Free: {free}; who {call} has it"),
            free => format!("\n- Free: {}; each who {call} has the next of them", free.join(", ")),
        }
    }

    pub fn waited(&self) -> Reply {
        self.reply(&self.situation(), None)
    }

    pub fn timed_out(&self) -> Reply {
        let facts = PlainFacts { status: "timeout", ..self.facts(None) };
        // Of more than two, one may have moved and another not.
        let why = match &facts.since[..] {
            [] => "No move received yet.".to_owned(),
            since => format!("It is not your turn yet. Since: {}.", told_news(since)),
        };
        let text = format!("Timeout: {why} Please call this tool again immediately.");
        Reply::new(text, written(&facts))
    }

    /// The caller's own turn `number` was accepted.
    pub fn moved(&self, number: u32, is_relayed: bool) -> Reply {
        let own = self.sight.turns.iter().find(|(turn, _)| turn.number == number);
        let text = own.map(|(turn, _)| turn.text.as_str()).unwrap_or_default();
        let all = self.sight.names.len();
        let accepted = match &self.sight.due {
            Due::Each(due) if self.sight.next == number + 1 && due.len() < all => format!(
                "Sealed: {text}. {} of {all} are in; nobody sees it before {} are.",
                all - due.len(),
                if all == 2 { "both" } else { "all" }
            ),
            _ if is_relayed => format!("Move accepted: {text}, relayed for the person."),
            _ => format!("Move accepted: {text}."),
        };
        self.reply(&format!("{accepted}\n{}", self.situation()), Some(number))
    }

    /// The caller, or the person through the caller, has given the game up by turn `number`.
    pub fn resigned(&self, number: u32, is_relayed: bool) -> Reply {
        let who = if is_relayed { "The person has" } else { "You have" };
        self.reply(&format!("{who} resigned.\n{}", self.situation()), Some(number))
    }

    pub fn seen(&self) -> Reply {
        let mut head = format!("{}\n{}", self.particulars(), self.situation());
        let played = history(self.sight);
        if !played.is_empty() {
            let last = &played[played.len().saturating_sub(TOLD)..];
            let told: Vec<_> = last.iter().map(|it| format!("{} {}", it.by, it.r#move)).collect();
            let before = if last[0].turn > 1 { "..., " } else { "" };
            let _ = write!(head, "\n**History**: {before}{}", told.join(", "));
        }
        // Somebody's words, and marked as such.
        let said = comments(self.sight);
        for said in &said[said.len().saturating_sub(TOLD_COMMENTS)..] {
            let _ = write!(head, "\n- {} on turn {}: {:?}", said.by, said.turn, said.comment);
        }
        let facts = PlainFacts { history: Some(played), comments: said, ..self.facts(None) };
        Reply::new(self.told(&head, &facts), written(&facts))
    }

    pub fn refused(&self, refusal: &Refusal) -> Refused {
        let why = match refusal {
            Refusal::Illegal(Illegal::Rule { reason, options, .. }) => {
                let moves = self.told_nearest(options);
                format!("Invalid move: {reason}. Moves: {moves}. Nothing was played.")
            }
            Refusal::Illegal(Illegal::NotYourTurn) => self.not_due(),
            Refusal::Illegal(Illegal::Over(outcome)) => format!("The game is over: {outcome}."),
            Refusal::Illegal(Illegal::FalseClaim) => {
                "You claimed to win, but this move does not. Nothing was played.".into()
            }
            Refusal::AnotherTurn { asked, due } => match (self.sight.outcome(), self.is_due()) {
                (Some(outcome), _) => format!("The game is over: {outcome}."),
                (None, false) => self.not_due(),
                (None, true) => format!(
                    "That was for turn {asked}, and turn {due} is due. Nothing was played; look \
                     at the game as it stands and send turn={due}."
                ),
            },
            Refusal::KeyUsed(turn) => format!("That key was used for turn {turn}."),
            Refusal::NotKnown { turn } => format!(
                "Error: it is not known whether this was played. Make the very same call again \
                 with turn={turn}: it counts once."
            ),
            Refusal::Store(error) => {
                format!("Error: the turn could not be saved; {}.", error.remedy())
            }
        };
        self.declined(why)
    }

    /// Why nothing was done, with how things stand and what to do instead.
    pub fn declined(&self, why: String) -> Refused {
        let next = self.next_action();
        let text = format!("{why}\n{}\n**Next Action**: {next}", self.sight.shown.text);
        let facts = PlainFacts { error: Some(why), ..self.facts(None) };
        Refused::Told(text, Some(written(&facts)))
    }

    /// Moves that the person tells are not taken here.
    pub fn not_relayed(&self) -> Refused {
        let instead = match (self.guest(), self.has_person()) {
            (Some(_), _) => "the person plays at their board; newLink gives them a new link to it",
            (None, true) => "the person plays at their own board",
            (None, false) => "no person plays in this game",
        };
        self.declined(format!(
            "Error: {instead}. Nothing was played; leave by out to play a move of your own."
        ))
    }

    pub fn not_for_a_person(&self) -> Refused {
        self.declined(not_for_a_person(self.has_person()).into())
    }

    /// The person for whom the caller may speak.
    fn guest(&self) -> Option<Seat> {
        self.sight.seats.guest_of(self.seat?)
    }

    fn has_person(&self) -> bool {
        self.sight.seats.person().is_some_and(|person| Some(person) != self.seat)
    }

    /// What is done beside the board in other games, and what can be done in this one.
    pub fn no_such_action(&self, action: &str) -> Refused {
        let link = self.guest().map(|_| Action::NEW_LINK);
        let known: Vec<_> = self.sight.actions.iter().copied().chain(link).collect();
        let game = self.sight.kind.name;
        let why = match &known[..] {
            _ if action.eq_ignore_ascii_case(Action::NEW_LINK) => {
                "you have asked no person to play, so nobody needs a link".to_owned()
            }
            [] => format!("there is nothing to do in {game} but to move"),
            known => {
                format!("beside moving, there is {} in this game of {game}", known.join(" and "))
            }
        };
        self.declined(format!(
            "Error: {action} is not possible: {why}. Nothing has changed. {}",
            self.situation()
        ))
    }

    /// A move came with something beside the board.
    pub fn no_move_with(&self, action: &str) -> Refused {
        self.declined(format!(
            "Error: {action} goes with no move; leave it out, or play it with finishTurn. Nothing \
             has changed. {}",
            self.situation()
        ))
    }

    /// What is done beside the board came as a move.
    pub fn beside_the_board(&self, action: &str) -> Refused {
        let id = self.pass().unwrap_or_else(|| self.sight.id.to_string());
        self.declined(format!(
            "Invalid move: {action} is no move; to do so call `gameAction(game_id=\"{id}\", \
             action=\"{action}\")`. Nothing was played."
        ))
    }

    /// A call that needs the caller to be on move came while it is not.
    fn not_due(&self) -> String {
        let own = self.sight.turns.last().filter(|(turn, _)| Some(turn.seat) == self.seat);
        match &self.sight.due {
            Due::Each(_) if own.is_some_and(|(turn, _)| turn.text == LATE) => {
                "Your time for this round is over. Nothing was played; call waitForNextTurn until \
                 the others are in."
                    .into()
            }
            Due::Each(_) => "Your move is in, and counts. Nothing was played; call \
                             waitForNextTurn until the others are in."
                .into(),
            _ => "Not your turn. Call waitForNextTurn; nothing was played.".into(),
        }
    }

    fn is_due(&self) -> bool {
        self.seat.is_some_and(|seat| self.sight.due.includes(seat))
    }

    fn particulars(&self) -> String {
        let mut text = format!("- Game ID: {}\n- Game: {}", self.sight.id, self.sight.kind.name);
        for seat in self.sight.all_seats() {
            let you = if self.seat == Some(seat) { " (you)" } else { "" };
            let who = introduce(self.sight.seats.at(seat));
            let _ = write!(text, "\n- {}: {who}{you}", self.sight.name(seat));
        }
        if let Some(setup) = chosen_in_words(&chosen(&self.sight.setup)) {
            let _ = write!(text, "\n- Set-up: {setup}");
        }
        let practice = self.sight.practice.then(|| PRACTICE.to_owned());
        for line in practice.into_iter().chain(self.sight.chance.lines()) {
            let _ = write!(text, "\n- {line}");
        }
        text
    }

    fn situation(&self) -> String {
        match (self.sight.outcome(), self.seat) {
            (Some(outcome), _) => {
                let name = |seat: usize| self.sight.name(Seat(seat as u8));
                let points = outcome.points.iter().enumerate();
                let points: Vec<_> =
                    points.map(|(seat, points)| format!("{} {points}", name(seat))).collect();
                format!("The game is over: {outcome}. Points: {}.", points.join(", "))
            }
            (None, Some(seat)) if self.sight.due.includes(seat) => "It is your turn.".into(),
            (None, _) => {
                let due: Vec<_> = self
                    .sight
                    .all_seats()
                    .filter(|seat| self.sight.due.includes(*seat))
                    .map(|seat| match self.sight.seats.at(seat) {
                        Some(_) => self.sight.name(seat).to_owned(),
                        None => format!("{} (nobody has joined yet)", self.sight.name(seat)),
                    })
                    .collect();
                format!("Waiting for {}.", due.join(" and "))
            }
        }
    }

    /// `own` is the turn that the caller has just played.
    fn reply(&self, head: &str, own: Option<u32>) -> Reply {
        let facts = self.facts(own);
        Reply::new(self.told(head, &facts), written(&facts))
    }

    fn told(&self, head: &str, facts: &PlainFacts) -> String {
        let mut text = head.to_owned();
        if !facts.since.is_empty() {
            let _ = write!(text, "\n**Since**: {}", told_news(&facts.since));
        }
        let _ = write!(text, "\n{}", self.sight.shown.text);
        if !self.sight.offers.is_empty() {
            let _ = write!(text, "\n**Moves**: {}", self.told_moves());
        }
        let _ = write!(text, "\n**Next Action**: {}", facts.next_action);
        text
    }

    /// What others did since the caller's own last turn, and what that and theirs brought to light.
    /// Where several move at once, that begins with the round which the turn belongs to: some may
    /// have been in before.
    fn since(&self, own: Option<u32>) -> Vec<NewsFacts> {
        let Some(seat) = self.seat else { return Vec::new() };
        let last = own.or_else(|| {
            let own = self.sight.turns.iter().rev().find(|(turn, _)| turn.seat == seat);
            own.map(|(turn, _)| turn.number)
        });
        let round = |number: u32| self.sight.rounds.get(number as usize - 1).copied();
        let from = last.and_then(round).unwrap_or(1);
        let is_others = |turn: &Turn| turn.number >= from && turn.seat != seat;
        let played = self.sight.turns.iter().filter(|(turn, _)| is_others(turn));
        let revealed = self.sight.revealed.iter().filter(|(turn, _)| *turn >= from);
        let mut news: Vec<_> = played
            .map(|(turn, _)| NewsFacts::Turn(TurnFacts::of(self.sight, turn)))
            .chain(revealed.map(|(turn, text)| NewsFacts::revealed(*turn, text)))
            .collect();
        // What a turn has brought stays behind it.
        news.sort_by_key(NewsFacts::turn);
        news
    }

    fn told_moves(&self) -> String {
        let offers = &self.sight.offers;
        let mut told = offers.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join(", ");
        if offers.len() > TOLD {
            let _ = write!(told, " and {} more", offers.len() - TOLD);
        }
        told
    }

    /// All moves, or where these are too many those that come nearest to what was meant.
    fn told_nearest(&self, nearest: &[String]) -> String {
        let all = self.sight.offers.len();
        if nearest.is_empty() || (1..=TOLD).contains(&all) {
            self.told_moves()
        } else if nearest.len() < all {
            format!("{}, and others, {all} in all", nearest.join(", "))
        } else {
            nearest.join(", ")
        }
    }

    fn next_action(&self) -> String {
        let id = self.pass().unwrap_or_else(|| self.sight.id.to_string());
        match self.seat {
            _ if self.sight.outcome().is_some() => {
                format!("none; start another with `createGame(game=\"{}\")`", self.sight.kind.name)
            }
            Some(seat) if self.sight.due.includes(seat) => {
                let ranges = self.sight.offers.iter().filter_map(|offer| offer.split_once(".."));
                let range = ranges.take(1).map(|(first, last)| {
                    format!("; of a range like {first}..{last}, send one move, like `{first}`")
                });
                format!(
                    "call `finishTurn(game_id=\"{id}\", move, turn={})`; with wait=true the answer \
                     brings the reply{}",
                    self.sight.next,
                    range.collect::<String>()
                )
            }
            Some(_) if self.asks && self.sight.takes_relays() => ask_them(&id, &Owed::Move),
            Some(_) if self.asks => ask_them(&id, &Owed::MoveOnBoard),
            Some(_) => format!("call `waitForNextTurn(game_id=\"{id}\")`"),
            None if self.sight.free_seats().next().is_some() => {
                format!("call `joinGame(game_id=\"{id}\")` to play, or `getGame` to look again")
            }
            None => format!("call `getGame(game_id=\"{id}\")` to look again"),
        }
    }

    /// The caller's own pass, if it may be repeated to them: a person's is their board's alone.
    fn pass(&self) -> Option<String> {
        let is_person = |seat: &Seat| {
            self.sight.seats.at(*seat).is_some_and(|sitting| sitting.player == Player::Human)
        };
        let seat = self.seat.filter(|seat| !is_person(seat))?;
        Some(self.hall.pass(self.sight.id, &self.sight.seats, seat).to_string())
    }

    fn facts(&self, own: Option<u32>) -> PlainFacts<'_> {
        let outcome = self.sight.outcome();
        let chance = &self.sight.chance;
        PlainFacts {
            game_id: self.sight.id.to_string(),
            pass: self.pass(),
            game: self.sight.kind.name,
            status: match self.seat {
                _ if outcome.is_some() => "over",
                None => "watching",
                Some(seat) if self.sight.due.includes(seat) => "your_turn",
                Some(_) => "waiting",
            },
            error: None,
            you: self.seat.map(|seat| self.sight.name(seat)),
            seats: seats(self.sight),
            setup: chosen(&self.sight.setup),
            practice: self.sight.practice,
            turn: self.sight.next,
            since: self.since(own),
            view: serde_json::from_str(&self.sight.view).expect("a view is JSON"),
            legal_moves: &self.sight.offers,
            history: None,
            comments: Vec::new(),
            result: outcome.map(|outcome| outcome.text.as_str()),
            points: outcome.map(|outcome| outcome.points.as_slice()),
            seed_hash: chance.seed.as_ref().map(|seed| seed.hash.as_str()),
            seed: chance.seed.as_ref().and_then(Commitment::in_digits),
            luck_hash: chance.luck.as_ref().map(|luck| luck.hash.as_str()),
            luck: chance.luck.as_ref().and_then(Commitment::in_digits),
            next_action: self.next_action(),
        }
    }
}

/// `Player 2 bet. Cards: Player 1 Q, Player 2 K. Player 2 wins the pot of 4. Player 1 pass`
fn told_news(news: &[NewsFacts]) -> String {
    let mut told = String::new();
    for one in news {
        let (mark, text) = match one {
            NewsFacts::Turn(turn) => (", ", &format!("{} {}", turn.by, turn.r#move)),
            NewsFacts::Revealed { revealed, .. } => (". ", revealed),
        };
        match told.chars().last() {
            None => {}
            Some('.') => told.push(' '),
            Some(_) => told.push_str(mark),
        }
        told.push_str(text);
    }
    told
}

pub fn refereed(sight: &Sight) -> Refused {
    Refused::new(format!(
        "Error: game {} is a match of a league, whose players have their seats. Watch it with \
         getGame, or start a game with createGame(game=\"{}\").",
        sight.id, sight.kind.name
    ))
}

/// `wanted` is the seat that was asked for, if one was.
pub fn full(sight: &Sight, wanted: Option<Seat>) -> Refused {
    let (id, kind) = (sight.id, sight.kind.name);
    let free: Vec<_> = sight.free_seats().map(|seat| sight.name(seat)).collect();
    if let (Some(wanted), [_, ..]) = (wanted, &free[..]) {
        return Refused::new(format!(
            "Error: {} is taken in game {id}; free: {}. Call joinGame again with one of these as \
             seat, or without seat.",
            sight.name(wanted),
            free.join(", ")
        ));
    }
    let why = match sight.outcome() {
        Some(outcome) => format!("game {id} is over: {outcome}"),
        None => format!("there is no free seat in game {id}"),
    };
    Refused::new(format!(
        "Error: {why}. Watch it with getGame, or start another with createGame(game=\"{kind}\")."
    ))
}

fn written(facts: &PlainFacts) -> serde_json::Value {
    serde_json::to_value(facts).expect("facts can be written")
}
