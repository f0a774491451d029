//! Games of any kind as JSON, for the pages and for the board in the chat: what one pair of eyes may
//! see of them, and nothing else.

use std::collections::HashMap;

use rules::{Card, Eye, Glimpse, Kind, Seat, drawing::Part};
use serde::Serialize;
use serde_json::{Map, Value};
use ts_rs::TS;

use crate::{
    hall::{Game, Seats, Sight, describe},
    player::Player,
    setting_up::{chosen, chosen_in_words},
    store::{ListedGame, Millis, SavedSeat},
};

/// A kind, as it is offered to people who start a game.
#[derive(Serialize, TS)]
pub struct KindOffered {
    game: &'static str,
    title: &'static str,
    about: &'static str,
    /// As many as there can be.
    seats: &'static [&'static str],
    /// The fewest who can play. Where that is not all, the key `seats` of the set-up says how many do.
    fewest: u8,
    /// How many play if nobody says otherwise.
    usual: usize,
    setup: Vec<KeyOffered>,
    /// How strong the computer is at each level, in words.
    levels: Vec<String>,
}

/// What can be chosen when a game is created.
#[derive(Serialize, TS)]
struct KeyOffered {
    name: &'static str,
    about: &'static str,
}

impl KindOffered {
    pub fn of(kind: Kind, card: &'static Card) -> KindOffered {
        let key = |key: &rules::Key| KeyOffered { name: key.name, about: key.about };
        KindOffered {
            game: kind.name,
            title: card.title,
            about: card.sentence,
            seats: kind.seats,
            fewest: card.fewest,
            usual: kind.names("{}").map_or(kind.seats.len(), <[_]>::len),
            setup: card.keys.iter().map(key).collect(),
            levels: players::levels(kind.name)
                .map(|level| players::strength(&kind, level).to_string())
                .collect(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum PlayerKind {
    Agent,
    Human,
    Computer,
}

impl PlayerKind {
    pub fn of(seat: &SavedSeat) -> PlayerKind {
        match seat.player {
            Player::Agent => PlayerKind::Agent,
            Player::Human => PlayerKind::Human,
            Player::Computer(_) => PlayerKind::Computer,
        }
    }
}

#[derive(Serialize, TS)]
struct PlainSeat {
    name: &'static str,
    /// Who sits there, in words.
    player: String,
    /// Nothing while nobody does.
    kind: Option<PlayerKind>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
enum SeenProgress {
    Live,
    Over,
}

/// A game in a list.
#[derive(Serialize, TS)]
pub struct PlainSummary {
    game_id: String,
    kind: &'static str,
    title: &'static str,
    seats: Vec<PlainSeat>,
    status: SeenProgress,
    /// Nobody has touched it for a day; it wakes with the next move.
    asleep: bool,
    /// A player chose the seed, so the game is rated nowhere.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    practice: bool,
    /// Whether somebody may still join.
    free_seat: bool,
    /// Whom it waits for.
    due: Vec<Seat>,
    result: Option<String>,
    winner: Option<Seat>,
    /// The number of the turn to be played next.
    turn: u32,
    created_at: Millis,
    moved_at: Option<Millis>,
    /// When somebody last moved or sat down; lists go by it.
    last_at: Millis,
    drawing: Vec<Part>,
}

impl PlainSummary {
    /// What a list shows of a game of `kind`. `glimpse` is public.
    pub fn listed(game: &ListedGame, kind: Kind, glimpse: Glimpse) -> PlainSummary {
        let taken: Seats = game.seats.iter().cloned().collect();
        let names = kind.seats.iter().take(usize::from(glimpse.seats));
        let seats = (0..).map(Seat).zip(names).map(|(seat, name)| PlainSeat {
            name,
            player: describe(taken.at(seat)),
            kind: taken.at(seat).map(PlayerKind::of),
        });
        let seats: Vec<_> = seats.collect();
        let is_over = game.outcome.is_some();
        PlainSummary {
            game_id: game.id.to_string(),
            kind: kind.name,
            title: kind.card.map_or(kind.name, |card| card.title),
            status: if is_over { SeenProgress::Over } else { SeenProgress::Live },
            asleep: game.is_asleep(),
            practice: game.practice,
            free_seat: !is_over && seats.iter().any(|seat| seat.kind.is_none()),
            seats,
            due: glimpse.due,
            result: game.outcome.clone(),
            winner: game.winner,
            turn: game.turns + 1,
            created_at: game.created_at,
            moved_at: (game.turns > 0).then_some(game.last_at),
            last_at: game.last_at,
            drawing: glimpse.drawing,
        }
    }
}

/// A game in full, as one pair of eyes sees it.
#[derive(Serialize, TS)]
pub struct PlainGame {
    #[serde(flatten)]
    summary: PlainSummary,
    you: Option<Seat>,
    points: Option<Vec<i32>>,
    /// The league that it is a match of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    league: Option<String>,
    /// What was set up otherwise than usual.
    #[serde(skip_serializing_if = "Map::is_empty")]
    #[ts(optional, type = "Record<string, unknown>")]
    setup: Map<String, Value>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    setup_text: Option<String>,
    history: Vec<PlainTurn>,
    /// The same as the drawing, in words.
    text: String,
    /// What the seat whose eyes these are may play, if it is due.
    legal_moves: Vec<String>,
    /// What it may do beside the board, as long as the game is on, in the words for it: `resign`.
    actions: &'static [&'static str],
    /// How it goes, and how a move is written.
    rules: &'static str,
    moves: &'static str,
}

#[derive(Serialize, TS)]
struct PlainTurn {
    turn: u32,
    seat: Seat,
    r#move: String,
    at: Millis,
    /// The first turn of its round, where others have moved in that before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    round: Option<u32>,
    /// What it brought for everybody to see beside its move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    revealed: Option<String>,
    /// What the player says of it, once the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    comment: Option<String>,
}

impl PlainGame {
    /// What whoever has the seat `you` saw of it at one moment; everybody, where there is none.
    pub fn of(sight: Sight, you: Option<Seat>) -> PlainGame {
        let card = sight.kind.card;
        let listed = sight.listed();
        let glimpse = Glimpse {
            seats: sight.names.len() as u8,
            due: sight.all_seats().filter(|seat| sight.due.includes(*seat)).collect(),
            drawing: sight.shown.drawing,
        };
        let outcome = sight.due.outcome();
        let is_over = outcome.is_some();
        let said = sight.comments.into_iter().map(|(turn, _, text)| (turn, text));
        let mut comments: HashMap<_, _> = said.collect();
        let mut revealed: HashMap<_, _> = sight.revealed.into_iter().collect();
        let round = |number: u32| sight.rounds.get(number as usize - 1).copied();
        let turns = sight.turns.into_iter().map(|(turn, at)| PlainTurn {
            comment: comments.remove(&turn.number),
            round: round(turn.number).filter(|first| *first != turn.number),
            revealed: revealed.remove(&turn.number),
            turn: turn.number,
            seat: turn.seat,
            r#move: turn.text,
            at,
        });
        let setup = chosen(&sight.setup);
        PlainGame {
            points: outcome.map(|outcome| outcome.points.clone()),
            summary: PlainSummary::listed(&listed, sight.kind, glimpse),
            you,
            league: sight.seats.league().map(str::to_owned),
            setup_text: chosen_in_words(&setup),
            setup,
            history: turns.collect(),
            text: sight.shown.text,
            legal_moves: sight.offers,
            actions: if you.is_some() && !is_over { sight.actions } else { &[] },
            rules: card.map_or("", |card| card.rules),
            moves: card.map_or("", |card| card.moves),
        }
    }
}

/// How a game looked after one of its turns.
#[derive(Serialize, TS)]
pub struct PlainStep {
    turn: u32,
    text: String,
    drawing: Vec<Part>,
}

impl PlainStep {
    /// What `eye` saw right after turn `number`.
    pub fn of(game: &Game, eye: Eye, number: u32) -> PlainStep {
        let sight = game.see_back(eye, number);
        PlainStep { turn: sight.next - 1, text: sight.shown.text, drawing: sight.shown.drawing }
    }
}

/// What an answer tells the board in the chat alone; models do not see it.
#[derive(Serialize, TS)]
pub struct PlainBoard {
    /// Opens the seat that the board plays for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub pass: Option<String>,
    pub facts: PlainGame,
    /// The game's address in the browser.
    pub page: Option<String>,
    /// How it looked after the turn that the board asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub step: Option<PlainStep>,
}

impl PlainBoard {
    /// What `you` saw of it at one moment and, where that was asked for, saw after turn `past`.
    pub fn of(game: &Game, sight: Sight, you: Option<Seat>, past: Option<u32>) -> PlainBoard {
        let eye = you.map_or(Eye::Public, Eye::Seat);
        let step = past.map(|number| PlainStep::of(game, eye, number));
        PlainBoard { pass: None, facts: PlainGame::of(sight, you), page: None, step }
    }
}

/// The pages' types, made from ours.
#[cfg(test)]
pub mod wire {
    use std::{collections::BTreeMap, fs, path::Path};

    use ts_rs::{Config, TS, TypeVisitor};

    /// Types by their names, with everything they are made of.
    pub struct Types {
        config: Config,
        /// What the file begins with. Types that it names are not declared again.
        before: &'static str,
        declared: BTreeMap<String, String>,
    }

    impl Types {
        pub fn after(before: &'static str) -> Types {
            let config = Config::new().with_large_int("number");
            Types { config, before, declared: BTreeMap::new() }
        }

        pub fn with<T: TS + 'static>(mut self) -> Types {
            self.visit::<T>();
            self
        }

        /// A type that is texts: one of these.
        pub fn with_words<'a>(mut self, name: &str, words: impl Iterator<Item = &'a str>) -> Types {
            let words: Vec<_> = words.map(|word| format!("'{word}'")).collect();
            let declared = format!("type {name} = {};", words.join(" | "));
            self.declared.insert(name.to_owned(), declared);
            self
        }

        /// Looks whether the pages have these types; `make docs` writes them anew.
        pub fn check(&self, name: &str) {
            let types = self.declared.values().map(|declared| format!("\nexport {declared}\n"));
            let text = format!(
                "// Made from the server's own types by `make docs`; not to be edited.\n{}{}",
                self.before,
                types.collect::<String>()
            );
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/wire").join(name);
            if std::env::var_os("AGON_WRITE_DOCS").is_some() {
                fs::write(&file, &text).expect("the file can be written");
            }
            let kept = fs::read_to_string(&file).expect("the file is there");
            assert!(kept == text, "{name} is not what the server says; run make docs");
        }

        fn is_known(&self, name: &str) -> bool {
            let mut words = self.before.split(|c: char| !c.is_alphanumeric());
            self.declared.contains_key(name) || words.any(|word| word == name)
        }
    }

    impl TypeVisitor for Types {
        fn visit<T: TS + 'static + ?Sized>(&mut self) {
            // What is TypeScript's own has no file to be written to.
            let name = T::output_path().map(|_| T::ident(&self.config));
            let Some(name) = name.filter(|name| !self.is_known(name)) else { return };
            self.declared.insert(name, T::decl(&self.config));
            T::visit_dependencies(self);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{wire::Types, *};

    #[test]
    fn documents_the_pages_have_the_types_of_what_they_are_told() {
        Types::after("").with::<Part>().check("drawing.ts");
        Types::after("\nimport type { Part, Seat } from './drawing';\n")
            .with::<KindOffered>()
            .with::<PlainSummary>()
            .with::<PlainGame>()
            .with::<PlainStep>()
            .with::<PlainBoard>()
            .check("plain.ts");
    }
}
