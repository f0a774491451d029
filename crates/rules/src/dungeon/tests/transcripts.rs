//! Dungeons as text files in `tests/it/dungeons`, replayed line by line: every manner of a monster,
//! every way of every choice with each of its ends, every ending.
//!
//! ```text
//! # manner: poisons                what its last turn shows
//! start crypt standard 17          theme, difficulty and seed
//! play go north; take item-007     moves, as the log writes them
//! = told: You pick up the          what is to be seen now
//! ```
//!
//! A blank line is between two games. What there is to be shown is in `shown`; with
//! AGON_WRITE_TRANSCRIPTS=1 `search` looks for all of it anew, and writes the files.

mod search;
mod shown;

use std::{collections::BTreeSet, fmt, fs, path::PathBuf};

use super::*;
use crate::{Record, kind};
use shown::{Feat, shown};

/// One game of a file.
struct Transcript {
    at: String,
    /// The name of a feat.
    shows: String,
    lines: Vec<String>,
}

impl Transcript {
    fn start(&self) -> Start {
        let start = self.lines.iter().find_map(|line| line.strip_prefix("start "));
        Start::read(start.unwrap_or_else(|| panic!("{} does not start", self.at)))
    }
}

/// How a game begins.
#[derive(Clone, Copy)]
struct Start {
    theme: Theme,
    difficulty: Difficulty,
    seed: u64,
}

impl Start {
    fn read(text: &str) -> Start {
        let words: Vec<&str> = text.split(' ').collect();
        let [theme, difficulty, seed] = words[..] else { panic!("{text}: not three words") };
        Start {
            theme: Theme::ALL.into_iter().find(|t| t.word() == theme).expect(text),
            difficulty: Difficulty::ALL.into_iter().find(|d| d.word() == difficulty).expect(text),
            seed: seed.parse().expect(text),
        }
    }

    fn setup(self) -> Setup {
        let (theme, difficulty) = (Some(self.theme), Some(self.difficulty));
        Setup { theme, difficulty, ..Setup::default() }
    }

    fn dungeon(self) -> Dungeon {
        start(&self.setup(), self.seed)
    }

    /// The same, as the server keeps it.
    fn record(self) -> Record {
        let kind = kind("dungeon").unwrap();
        Record::start(kind, &serde_json::to_string(&self.setup()).unwrap(), self.seed).unwrap()
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {} {}", self.theme.word(), self.difficulty.word(), self.seed)
    }
}

/// Whether the files are being written, and are not to be read meanwhile.
fn are_written() -> bool {
    std::env::var_os("AGON_WRITE_TRANSCRIPTS").is_some()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/dungeons")
}

fn transcripts() -> Vec<Transcript> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    files.flat_map(|file| read(&file.display().to_string())).collect()
}

fn read(file: &str) -> Vec<Transcript> {
    let text = fs::read_to_string(file).unwrap();
    let games = text.split("\n\n").map(|game| {
        let lines: Vec<String> = game.lines().map(str::to_owned).collect();
        let shows = lines[0].strip_prefix("# ").unwrap_or_else(|| panic!("{file}: {}", lines[0]));
        Transcript { at: format!("{file}, {shows}"), shows: shows.to_owned(), lines }
    });
    games.collect()
}

#[test]
fn every_transcript_is_replayed_to_its_end() {
    if are_written() {
        return;
    }
    for transcript in transcripts() {
        let at = &transcript.at;
        let mut record = transcript.start().record();
        for line in &transcript.lines {
            if let Some(moves) = line.strip_prefix("play ") {
                moves.split("; ").for_each(|text| accept(&mut record, text, at));
            } else if let Some(fact) = line.strip_prefix("= ") {
                let (fact, expected) = fact.split_once(": ").unwrap_or_else(|| panic!("{at}"));
                assert_eq!(see(&record, fact), expected, "{at}: {fact}");
            } else {
                assert!(line.starts_with("# ") || line.starts_with("start "), "{at}: {line}");
            }
        }
    }
}

fn accept(record: &mut Record, text: &str, at: &str) {
    let step = record.step(HERO, text).unwrap_or_else(|e| panic!("{at}: {text}: {e}"));
    assert_eq!(step.turn().text, text, "{at}: as the log writes it");
    record.take(step);
}

/// Each of the files shows what it says, and nothing that the rules list is missing.
#[test]
fn there_is_a_transcript_of_everything_that_the_rules_list() {
    let feats = shown::all();
    if are_written() {
        search::write(&feats);
    }
    let mut missing: BTreeSet<String> = feats.into_iter().map(|feat| feat.name).collect();
    for transcript in transcripts() {
        let Transcript { at, shows, .. } = &transcript;
        let last = shown_last(&transcript);
        assert!(last.contains(shows), "{at}: its last turn shows {last:?}");
        assert!(missing.remove(shows), "{at}: twice, or not among the rules");
    }
    assert!(missing.is_empty(), "no transcript shows {missing:?}");
}

/// What is shown by the last turn.
fn shown_last(transcript: &Transcript) -> Vec<String> {
    let start = transcript.start();
    let mut dungeon = start.dungeon();
    let mut last = Vec::new();
    let plays = transcript.lines.iter().filter_map(|line| line.strip_prefix("play "));
    for (text, turn) in plays.flat_map(|moves| moves.split("; ")).zip(1..) {
        let before = dungeon.now.clone();
        let report = play(&mut dungeon, text, &mut Dice::new(start.seed, turn));
        last = shown(&before, &report, &dungeon.now);
    }
    last
}

/// Something that can be seen of a game, in one line.
fn see(record: &Record, fact: &str) -> String {
    let view = record.view::<Dungeon>(Eye::Seat(HERO)).unwrap();
    let report = record.turns().last().and_then(|turn| turn.report.as_deref());
    let report: Value = serde_json::from_str(report.unwrap_or("null")).unwrap();
    match fact {
        "told" => report["message"].as_str().unwrap().to_owned(),
        "dice" => list(report["rolls"].as_array().into_iter().flatten().map(die)),
        "got" => list(GAINS.into_iter().filter_map(|name| gained(&report, name))),
        "hero" => hero(&view.stats),
        "foes" => list(view.room.monsters.iter().filter(|monster| monster.is_alive).map(foe)),
        "manners" => list(view.room.monsters.iter().filter_map(|monster| {
            let manner = monster.manner.as_ref()?;
            Some(format!("{}: {manner}", monster.name))
        })),
        "room" => view.room.description,
        "ways" => list(offers(&view).map(|offer| {
            let dear = if offer.available { "" } else { " (not now)" };
            format!("{}, {}{dear}", offer.id, offer.what)
        })),
        "over" => record.due().outcome().unwrap().text.clone(),
        "score" => {
            let parts = view.score_parts.iter();
            let parts = list(parts.map(|part| format!("{} {}", part.points, part.reason)));
            format!("{} = {parts}", view.score)
        }
        _ => panic!("nothing is called {fact}"),
    }
}

fn offers(view: &View) -> impl Iterator<Item = &Offer> {
    let people = view.people.iter().flat_map(|person| &person.offers);
    people.chain(view.thing.iter().flat_map(|thing| &thing.offers))
}

/// What a report tells of a deal, by name.
const GAINS: [&str; 7] =
    ["goldSpent", "goldGained", "item", "hpLost", "hpRestored", "manaRestored", "experienceGained"];

fn gained(report: &Value, name: &str) -> Option<String> {
    match &report[name] {
        Value::Null => None,
        Value::Object(item) => Some(format!("{name} {}", item["name"].as_str().unwrap())),
        number => Some(format!("{name} {number}")),
    }
}

fn list(of: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = of.collect();
    if all.is_empty() { "none".to_owned() } else { all.join("; ") }
}

/// Who threw it and for what, what it showed and what came of it.
fn die(roll: &Value) -> String {
    let by = roll["name"].as_str().or(roll["by"].as_str()).unwrap();
    let came = match roll["damage"].as_i64() {
        Some(damage) => format!(", damage {damage}"),
        None => String::new(),
    };
    match roll["for"].as_str().unwrap() {
        purpose if purpose == by => format!("{by} {}{came}", roll["die"]),
        purpose => format!("{by} {purpose} {}{came}", roll["die"]),
    }
}

fn hero(stats: &Stats) -> String {
    let Stats { hp, max_hp, mana, level, experience, gold, .. } = stats;
    let (damage, defence) = (stats.equipped_weapon.damage, stats.equipped_armour.defence);
    let mut text = format!("HP {hp}/{max_hp}, mana {mana}, level {level}, XP {experience}");
    text += &format!(", gold {gold}");
    text += &format!(", damage {damage}, armor {defence}");
    for effect in &stats.effects {
        text += &format!(", {} {}", effect.name, effect.rounds_left);
    }
    text
}

fn foe(monster: &MonsterShown) -> String {
    let MonsterShown { id, name, hp, max_hp, attack, defence, .. } = monster;
    format!("{id} {name} HP {hp}/{max_hp}, attack {attack}, defense {defence}")
}
