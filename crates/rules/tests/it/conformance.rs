//! What must hold for every kind that is listed, and for the toys. A new kind needs no line here: it is
//! checked as soon as it is listed.

mod choices;
mod secrets;
mod sizes;

use std::collections::BTreeSet;

use rules::{
    Ask, Card, Dice, Due, Eye, Illegal, KINDS, Kind, RESIGNED, Record, Seat, Tag, Turn,
    drawing::{Cell, Part, Shown},
};

use crate::toys;

/// Random play ends before this.
const LONGEST: usize = 1_500;

/// What somebody may try anywhere.
const TEXTS: [&str; 5] = ["", "1", "a1", "pass", "bid 1"];

/// A kind with as many seats as it is played by this time.
#[derive(Clone)]
struct Setting {
    kind: Kind,
    seats: usize,
    setup: String,
}

impl Setting {
    fn has(&self, tag: Tag) -> bool {
        self.kind.card.expect("only kinds with a card are checked").has(tag)
    }

    fn start(&self, seed: u64) -> Record {
        Record::start(self.kind, &self.setup, seed)
            .unwrap_or_else(|e| panic!("{} {}: {e}", self.kind.name, self.setup))
    }

    fn eyes(&self) -> Vec<Eye> {
        seats(self.seats).map(Eye::Seat).chain([Eye::Public]).collect()
    }
}

fn seats(number: usize) -> impl Iterator<Item = Seat> {
    (0..number as u8).map(Seat)
}

/// Every kind that somebody sits down to, with its card.
fn kinds() -> impl Iterator<Item = (Kind, &'static Card)> {
    KINDS.iter().chain(toys::KINDS).filter_map(|kind| Some((*kind, kind.card?)))
}

/// Each of them with every number of seats.
fn settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for (kind, card) in kinds() {
        let (fewest, most) = (usize::from(card.fewest), kind.seats.len());
        for seats in fewest..=most {
            let setup =
                if fewest == most { "{}".to_owned() } else { format!(r#"{{"seats": {seats}}}"#) };
            settings.push(Setting { kind, seats, setup });
        }
    }
    settings
}

/// The moves that an offer stands for: itself, or those of its range.
fn expand(offer: &str) -> Vec<String> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let Some((head, tail)) = offer.split_once("..") else { return vec![offer.to_owned()] };
    let backwards: String = head.chars().rev().collect();
    let (before, first) = head.split_at(head.len() - digits(&backwards));
    let (last, after) = tail.split_at(digits(tail));
    let bounds = first.parse::<u32>().ok().zip(last.parse().ok());
    let (first, last) = bounds.unwrap_or_else(|| panic!("{offer:?} is no range"));
    (first..=last).map(|number| format!("{before}{number}{after}")).collect()
}

fn offered(record: &Record, seat: Seat) -> BTreeSet<String> {
    record.offers(seat).iter().flat_map(|offer| expand(offer)).collect()
}

/// One of those whom the game waits for.
fn any_due(record: &Record, dice: &mut Dice) -> Option<Seat> {
    match record.due() {
        Due::One(seat) => Some(seat),
        Due::Each(due) => Some(due[dice.below(due.len() as u32) as usize]),
        Due::Over(_) => None,
    }
}

/// What a player without a plan does.
fn any_move(record: &Record, seat: Seat, dice: &mut Dice) -> String {
    let moves: Vec<_> = offered(record, seat).into_iter().collect();
    assert!(!moves.is_empty(), "{} offers nothing to whom it waits for", record.kind().name);
    moves[dice.below(moves.len() as u32) as usize].clone()
}

fn push(record: &mut Record, seat: Seat, text: &str) {
    let step = record.step(seat, text).unwrap_or_else(|e| panic!("{text:?} is offered: {e}"));
    record.take(step);
}

/// Plays at random, as `plan` has it, for so many turns at most; shows every position.
fn play(setting: &Setting, seed: u64, plan: u64, turns: usize, mut visit: impl FnMut(&Record)) {
    let mut record = setting.start(seed);
    visit(&record);
    for number in 1..=turns {
        let mut dice = Dice::new(plan, number as u32);
        let Some(seat) = any_due(&record, &mut dice) else { break };
        let text = any_move(&record, seat, &mut dice);
        push(&mut record, seat, &text);
        visit(&record);
    }
}

/// A game as it looks from outside, to all.
fn picture(setting: &Setting, record: &Record) -> String {
    let seen: Vec<_> = setting.eyes().iter().map(|eye| seen(record, *eye)).collect();
    format!("{:?} {seen:?}", record.turns())
}

/// All that is told to one pair of eyes, with what some texts would be answered.
fn seen(record: &Record, eye: Eye) -> String {
    let (view, shown) = (record.view_json(eye), json(&record.show(eye)));
    let turns: Vec<_> = record.turns_seen(eye).collect();
    let all = (record.due(), record.asked(), turns, record.revealed(), record.glimpse());
    let own = match eye {
        Eye::Seat(seat) => Some((record.offers(seat), TEXTS.map(|text| record.check(seat, text)))),
        Eye::Public => None,
    };
    format!("{view} {shown} {all:?} {own:?}")
}

fn json(shown: &Shown) -> String {
    serde_json::to_string(shown).unwrap()
}

#[test]
fn random_play_ends_with_points_for_every_seat() {
    for setting in settings() {
        for seed in 0..4 {
            let mut last = None;
            play(&setting, seed, seed, LONGEST, |record| {
                assert_eq!(record.seats().len(), setting.seats);
                last = Some(record.due());
            });
            let name = setting.kind.name;
            match last.expect("a game begins") {
                Due::Over(outcome) => {
                    assert_eq!(outcome.points.len(), setting.seats, "{name}");
                    assert!(!outcome.text.is_empty() && outcome.text.len() <= 120, "{name}");
                }
                // One who plays alone may wander about for ever.
                _ => assert!(setting.has(Tag::Solo), "{name} does not end"),
            }
        }
    }
}

#[test]
fn a_game_played_over_again_is_the_same() {
    for setting in settings() {
        let (mut pictures, mut turns) = (Vec::new(), Vec::new());
        play(&setting, 5, 6, 200, |record| {
            pictures.push(picture(&setting, record));
            turns = record.turns().to_vec();
        });
        let mut again = setting.start(5);
        assert_eq!(picture(&setting, &again), pictures[0]);
        for (turn, then) in turns.into_iter().zip(&pictures[1..]) {
            again.push(turn).unwrap();
            assert_eq!(&picture(&setting, &again), then, "{}", setting.kind.name);
        }
    }
}

/// Moves of all kinds, and texts that mean nothing.
fn texts() -> BTreeSet<String> {
    let nonsense = ["", " ", "0", "-1", "+1", "1..5", "bid", "no such move", "♞", "99999999999"];
    let mut texts: BTreeSet<_> = nonsense.map(str::to_owned).into();
    texts.insert("x".repeat(10_000));
    for setting in settings() {
        play(&setting, 1, 2, 40, |record| {
            let number = record.turns().len();
            if number.is_multiple_of(10) {
                let moves = seats(setting.seats).flat_map(|seat| offered(record, seat));
                texts.extend(moves.take(30));
            }
        });
    }
    texts
}

#[test]
fn exactly_what_is_offered_is_accepted_and_a_refusal_changes_nothing() {
    let texts = texts();
    for setting in settings() {
        play(&setting, 3, 4, 60, |record| {
            if !record.turns().len().is_multiple_of(6) && record.due().outcome().is_none() {
                return;
            }
            let before = picture(&setting, record);
            let mut record = record.as_of(u32::MAX);
            for seat in seats(setting.seats + 1) {
                check_moves(&mut record, seat, &texts);
            }
            assert_eq!(picture(&setting, &record), before, "{}", setting.kind.name);
        });
    }
}

fn check_moves(record: &mut Record, seat: Seat, texts: &BTreeSet<String>) {
    let offered = offered(record, seat);
    assert_eq!(offered.is_empty(), !record.due().includes(seat));
    for text in &offered {
        assert_eq!(record.check(seat, text).as_ref(), Ok(text), "{}", record.kind().name);
    }
    for text in texts.difference(&offered) {
        match record.check(seat, text) {
            Ok(read) => assert!(
                offered.contains(&read),
                "{}: {text:?} is read as {read:?}, which is not offered",
                record.kind().name
            ),
            Err(refusal) => {
                let said = refusal.to_string();
                assert!(!said.is_empty() && said.len() <= 500, "{}: {said}", record.kind().name);
                let turn = Turn::new(record.next_number(), seat, text.clone());
                assert!(record.push(turn).is_err(), "what is refused cannot be pushed: {text:?}");
            }
        }
    }
}

#[test]
fn either_of_two_may_resign_at_any_time_and_that_tells_no_secret() {
    let resign = || Ask::Beside("resign".to_owned());
    for setting in settings().iter().filter(|setting| !setting.has(Tag::Solo)) {
        let name = setting.kind.name;
        play(setting, 3, 4, 40, |record| {
            let is_over = record.due().outcome().is_some();
            let may = setting.seats == 2 && !is_over;
            assert!(record.step(Seat(setting.seats as u8), resign()).is_err(), "{name}: nobody");
            for seat in seats(setting.seats) {
                assert!(record.step(seat, RESIGNED).is_err(), "{name}: no text is read so");
                if !may {
                    assert!(record.step(seat, resign()).is_err(), "{name}");
                    continue;
                }
                assert!(record.actions().contains(&"resign"), "{name}");
                let mut then = record.as_of(u32::MAX);
                then.take(record.step(seat, resign()).expect("either may"));
                let outcome = then.due().outcome().cloned().expect("it is over");
                assert_eq!(outcome.winner(), Some(Seat(1 - seat.0)), "{name}");
                assert!(then.actions().contains(&"resign") && then.asked().is_none(), "{name}");
                assert!(then.lost_on_time().is_empty(), "{name}");
                assert_eq!(picture(setting, &then), picture(setting, &then.as_of(u32::MAX)));
                for both in seats(2) {
                    assert!(then.offers(both).is_empty(), "{name}");
                    assert!(matches!(then.step(both, resign()), Err(Illegal::Over(_))), "{name}");
                }
                if then.resigned() == Some(seat) {
                    for eye in setting.eyes() {
                        assert_eq!(then.view_json(eye), record.view_json(eye), "{name}");
                        let text = then.show(eye).text;
                        // Nothing is added where nothing is shown.
                        let says = text.is_empty() || text.ends_with("by resignation.");
                        assert!(says, "{name}: {text}");
                    }
                }
            }
        });
    }
}

#[test]
fn a_card_is_complete_and_short() {
    let mut names = BTreeSet::new();
    for setting in settings() {
        let (name, seats) = (setting.kind.name, setting.kind.seats);
        let card = setting.kind.card.unwrap();
        names.insert(name);
        assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{name}");
        assert!((1..=40).contains(&card.title.len()), "{name}");
        assert!(
            (10..=120).contains(&card.sentence.len()) && card.sentence.ends_with('.'),
            "{name}"
        );
        assert!((40..=1200).contains(&card.rules.len()) && card.rules.ends_with('.'), "{name}");
        assert!((1..=120).contains(&card.moves.len()), "{name}");
        assert!((1..=seats.len()).contains(&usize::from(card.fewest)), "{name}");
        assert_eq!(card.has(Tag::Solo), seats.len() == 1, "{name}");
        assert!(seats.iter().all(|seat| (1..=20).contains(&seat.len())), "{name}");
        assert!(
            card.keys.iter().all(|key| !key.name.is_empty() && !key.about.is_empty()),
            "{name}"
        );
        let record = setting.start(1);
        let simultaneous = matches!(record.due(), Due::Each(_));
        assert_eq!(card.has(Tag::Simultaneous), simultaneous, "{name}");
        let example = offered(&record, Seat(0)).iter().any(|text| card.moves.contains(text));
        assert!(example || card.has(Tag::Solo), "{name}: the example is no move at the start");
    }
    assert_eq!(names.len(), kinds().count(), "names are told apart");
}

#[test]
fn a_name_that_people_have_for_a_game_means_one_game() {
    let one_word = |name: &str| name.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let mut known = BTreeSet::new();
    for (kind, card) in kinds() {
        let own = BTreeSet::from([kind.name, card.title].map(one_word));
        assert!(own.into_iter().all(|name| known.insert(name)), "{}", kind.name);
        for name in card.also_called {
            assert_eq!(*name, name.to_lowercase(), "{}", kind.name);
            assert!(known.insert(one_word(name)), "{}: {name} is a name already", kind.name);
        }
    }
}

#[test]
fn what_is_shown_is_short_and_its_targets_are_moves() {
    for setting in settings().into_iter().chain(choices::largest()) {
        play(&setting, 7, 8, 250, |record| {
            for eye in setting.eyes() {
                // The tools promise an object.
                assert!(record.view_json(eye).starts_with('{'), "{}", setting.kind.name);
                let shown = record.show(eye);
                let most = if is_large(&shown) { 1_000 } else { 300 };
                let long = shown.text.chars().count();
                assert!(long <= most, "{}: {long} in\n{}", setting.kind.name, shown.text);
                assert!(!shown.text.is_empty() || shown.drawing.is_empty());
                let moves = match eye {
                    Eye::Seat(seat) => offered(record, seat),
                    Eye::Public => BTreeSet::new(),
                };
                let targets = targets(&shown);
                assert!(targets.iter().all(|mv| moves.contains(mv)), "{targets:?} in {moves:?}");
            }
        });
    }
}

/// Whether there is a board of more than eight by eight in it.
fn is_large(shown: &Shown) -> bool {
    shown.drawing.iter().any(|part| match part {
        Part::Grid(grid) => grid.columns > 8 || grid.cells.len() > 8 * usize::from(grid.columns),
        _ => false,
    })
}

fn targets(shown: &Shown) -> Vec<String> {
    let targets = shown.drawing.iter().flat_map(|part| match part {
        Part::Grid(grid) => grid.cells.iter().flat_map(moves_of).collect(),
        Part::Track(track) => track.moves.iter().flatten().cloned().collect(),
        Part::Hand(_) | Part::Numbers(_) => Vec::new(),
    });
    targets.collect()
}

/// What a click on a cell and the drags from it make.
fn moves_of(cell: &Cell) -> Vec<String> {
    let ends: BTreeSet<_> = cell.drags.iter().map(|drag| drag.to).collect();
    assert_eq!(ends.len(), cell.drags.len(), "a drag is one move: {cell:?}");
    assert!(cell.mv.is_none() || ends.is_empty(), "a click picks up or plays: {cell:?}");
    let drags = cell.drags.iter().map(|drag| drag.mv.clone());
    cell.mv.iter().cloned().chain(drags).collect()
}

#[test]
fn where_nothing_is_hidden_a_guess_is_the_game() {
    for setting in settings().iter().filter(|setting| !setting.has(Tag::Hidden)) {
        play(setting, 1, 9, 60, |record| {
            for seat in seats(setting.seats) {
                let guess = record.guess(seat, &mut Dice::new(2, 0)).expect("all is seen");
                for eye in setting.eyes() {
                    assert_eq!(guess.view_json(eye), record.view_json(eye));
                    // Who is in already stands beside the position.
                    if guess.due() == record.due() {
                        assert_eq!(json(&guess.show(eye)), json(&record.show(eye)));
                    }
                }
            }
        });
    }
}
