//! A game of any kind as one caller is told about it.

use std::fmt::Write;

use rules::{Due, Illegal, Seat};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::{
    hall::{Hall, Refusal, Sight, introduce},
    mcp::reply::{Refused, Reply},
};

/// So many moves are told in words; all of them are in the facts.
const TOLD: usize = 60;

pub struct Scene<'a> {
    pub hall: &'a Hall,
    pub sight: &'a Sight,
    pub seat: Option<Seat>,
}

/// What a program reads.
#[derive(Serialize)]
struct PlainFacts<'a> {
    game_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pass: Option<String>,
    game: &'static str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    you: Option<&'static str>,
    /// Who sits at each seat, in words.
    seats: Vec<SeatFacts>,
    turn: u32,
    since: Vec<Deed>,
    view: &'a RawValue,
    legal_moves: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<&'a [i32]>,
    next_action: String,
}

#[derive(Serialize)]
struct SeatFacts {
    seat: &'static str,
    player: String,
}

/// What somebody did.
#[derive(Serialize)]
struct Deed {
    turn: u32,
    by: &'static str,
    r#move: String,
}

impl Scene<'_> {
    /// `invited` says what became of asking the person to play.
    pub fn created(&self, invited: &str) -> Reply {
        self.welcomed("Game Created Successfully!", invited)
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
        let mut text = format!("{head}\n{}{more}", self.particulars());
        if let Some(card) = self.sight.kind.card {
            let _ = write!(text, "\n- Rules: {}\n- A move: {}", card.rules, card.moves);
        }
        let Some(seat) = self.seat else { return self.reply(&text, None) };
        let pass = self.hall.pass(self.sight.id, &self.sight.seats, seat).to_string();
        let mut reply = self.reply(&format!("{text}\n- Your pass: {pass} (secret)"), None);
        reply.facts["pass"] = pass.into();
        reply
    }

    pub fn waited(&self) -> Reply {
        self.reply(&self.situation(), None)
    }

    pub fn timed_out(&self) -> Reply {
        let text = "Timeout: No move received yet. Please call this tool again immediately.";
        Reply::new(text.into(), written(&PlainFacts { status: "timeout", ..self.facts(None) }))
    }

    /// The caller's own turn `number` was accepted.
    pub fn moved(&self, number: u32) -> Reply {
        let own = self.sight.turns.iter().find(|(turn, _)| turn.number == number);
        let text = own.map(|(turn, _)| turn.text.as_str()).unwrap_or_default();
        let all = self.sight.names.len();
        let accepted = match &self.sight.due {
            Due::Each(due) if self.sight.next == number + 1 && due.len() < all => format!(
                "Sealed: {text}. {} of {all} are in; nobody sees it before all are.",
                all - due.len()
            ),
            _ => format!("Move accepted: {text}."),
        };
        self.reply(&format!("{accepted}\n{}", self.situation()), Some(number))
    }

    pub fn seen(&self) -> Reply {
        self.reply(&format!("{}\n{}", self.particulars(), self.situation()), None)
    }

    pub fn refused(&self, refusal: &Refusal) -> Refused {
        let why = match refusal {
            Refusal::Illegal(Illegal::Rule { reason, options, .. }) => {
                let options = match options.as_slice() {
                    [] => self.told_moves(),
                    some => some.join(", "),
                };
                format!("Invalid move: {reason}. Moves: {options}. Nothing was played.")
            }
            Refusal::Illegal(Illegal::NotYourTurn) => {
                "Not your turn. Call waitForNextTurn; nothing was played.".into()
            }
            Refusal::Illegal(Illegal::Over(outcome)) => format!("The game is over: {outcome}."),
            Refusal::Illegal(Illegal::FalseClaim) => "The claim does not hold.".into(),
            Refusal::AnotherTurn { asked, due } => format!(
                "That was for turn {asked}, and turn {due} is due. Nothing was played; look at the \
                 game as it stands and send turn={due}."
            ),
            Refusal::KeyUsed(turn) => format!("That key was used for turn {turn}."),
            Refusal::NotKnown { turn } => format!(
                "Error: it is not known whether this was played. Make the very same call again \
                 with turn={turn}: it counts once."
            ),
            Refusal::Store(_) => "Error: nothing has changed. Try again.".into(),
        };
        let next = self.next_action();
        let text = format!("{why}\n{}\n**Next Action**: {next}", self.sight.shown.text);
        let facts = PlainFacts { error: Some(why), ..self.facts(None) };
        Refused { text, facts: Some(written(&facts)) }
    }

    fn particulars(&self) -> String {
        let mut text = format!("- Game ID: {}\n- Game: {}", self.sight.id, self.sight.kind.name);
        for seat in self.sight.all_seats() {
            let you = if self.seat == Some(seat) { " (you)" } else { "" };
            let who = introduce(self.sight.seats.at(seat));
            let _ = write!(text, "\n- {}: {who}{you}", self.sight.name(seat));
        }
        text
    }

    fn situation(&self) -> String {
        match (self.sight.outcome(), self.seat) {
            (Some(outcome), _) => {
                let points: Vec<_> = outcome.points.iter().map(ToString::to_string).collect();
                format!("The game is over: {outcome}. Points: {}.", points.join(" : "))
            }
            (None, Some(seat)) if self.sight.due.includes(seat) => "It is your turn.".into(),
            (None, _) => {
                let due: Vec<_> = self
                    .sight
                    .all_seats()
                    .filter(|seat| self.sight.due.includes(*seat))
                    .map(|seat| self.sight.name(seat))
                    .collect();
                format!("Waiting for {}.", due.join(" and "))
            }
        }
    }

    /// `own` is the turn that the caller has just played.
    fn reply(&self, head: &str, own: Option<u32>) -> Reply {
        let mut text = head.to_owned();
        let since = self.since(own);
        if !since.is_empty() {
            let told: Vec<_> =
                since.iter().map(|deed| format!("{} {}", deed.by, deed.r#move)).collect();
            let _ = write!(text, "\n**Since**: {}", told.join(", "));
        }
        let _ = write!(text, "\n{}", self.sight.shown.text);
        if !self.sight.offers.is_empty() {
            let _ = write!(text, "\n**Moves**: {}", self.told_moves());
        }
        let _ = write!(text, "\n**Next Action**: {}", self.next_action());
        Reply::new(text, written(&self.facts(own)))
    }

    /// What others did since the caller's own last turn.
    fn since(&self, own: Option<u32>) -> Vec<Deed> {
        let mine = |seat| Some(seat) == self.seat;
        let last = own.or_else(|| {
            let own = self.sight.turns.iter().rev().find(|(turn, _)| mine(turn.seat));
            own.map(|(turn, _)| turn.number)
        });
        let after = last.unwrap_or_default();
        let turns = self.sight.turns.iter().map(|(turn, _)| turn);
        turns
            .filter(|turn| turn.number > after && self.seat.is_some() && !mine(turn.seat))
            .map(|turn| Deed {
                turn: turn.number,
                by: self.sight.name(turn.seat),
                r#move: turn.text.clone(),
            })
            .collect()
    }

    fn told_moves(&self) -> String {
        let offers = &self.sight.offers;
        let mut told = offers.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join(", ");
        if offers.len() > TOLD {
            let _ = write!(told, " and {} more", offers.len() - TOLD);
        }
        told
    }

    fn next_action(&self) -> String {
        let id = match self.seat {
            Some(seat) => self.hall.pass(self.sight.id, &self.sight.seats, seat).to_string(),
            None => self.sight.id.to_string(),
        };
        match self.seat {
            _ if self.sight.outcome().is_some() => {
                format!("none; start another with `createGame(game=\"{}\")`", self.sight.kind.name)
            }
            Some(seat) if self.sight.due.includes(seat) => format!(
                "call `finishTurn(game_id=\"{id}\", move, turn={})`; with wait=true the answer \
                 brings the reply",
                self.sight.next
            ),
            Some(_) => format!("call `waitForNextTurn(game_id=\"{id}\")`"),
            None if self.sight.free_seats().next().is_some() => {
                format!("call `joinGame(game_id=\"{id}\")` to play, or `getGame` to look again")
            }
            None => format!("call `getGame(game_id=\"{id}\")` to look again"),
        }
    }

    fn facts(&self, own: Option<u32>) -> PlainFacts<'_> {
        let outcome = self.sight.outcome();
        PlainFacts {
            game_id: self.sight.id.to_string(),
            pass: None,
            game: self.sight.kind.name,
            status: match self.seat {
                _ if outcome.is_some() => "over",
                None => "watching",
                Some(seat) if self.sight.due.includes(seat) => "your_turn",
                Some(_) => "waiting",
            },
            error: None,
            you: self.seat.map(|seat| self.sight.name(seat)),
            seats: self.seats(),
            turn: self.sight.next,
            since: self.since(own),
            view: serde_json::from_str(&self.sight.view).expect("a view is JSON"),
            legal_moves: &self.sight.offers,
            result: outcome.map(|outcome| outcome.text.as_str()),
            points: outcome.map(|outcome| outcome.points.as_slice()),
            next_action: self.next_action(),
        }
    }

    fn seats(&self) -> Vec<SeatFacts> {
        let told = self.sight.all_seats().map(|seat| SeatFacts {
            seat: self.sight.name(seat),
            player: introduce(self.sight.seats.at(seat)),
        });
        told.collect()
    }
}

pub fn refereed(sight: &Sight) -> Refused {
    Refused::new(format!(
        "Error: game {} is a match of a league, whose players have their seats. Watch it with \
         getGame, or start a game with createGame(game=\"{}\").",
        sight.id, sight.kind.name
    ))
}

pub fn full(sight: &Sight) -> Refused {
    Refused::new(format!(
        "Error: there is no free seat in game {} like that. Watch it with getGame, or start \
         another with createGame(game=\"{}\").",
        sight.id, sight.kind.name
    ))
}

fn written(facts: &PlainFacts) -> serde_json::Value {
    serde_json::to_value(facts).expect("facts can be written")
}
