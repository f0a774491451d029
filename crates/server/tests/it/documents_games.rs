//! The document of the games, made from their cards.

mod picture;

use std::{fmt::Write, fs, path::Path};

use players::{Found, Level, Strength};
use rules::{Card, Due, Eye, KINDS, Kind, Record, Seat, Tag, drawing::Part};

/// `docs/games.md` is written by this test (`AGON_WRITE_DOCS=1`) and checked by it, so that it cannot
/// drift.
#[test]
fn the_document_of_the_games_is_true() {
    let cards = || KINDS.iter().filter_map(|kind| Some((kind, kind.card?)));
    let for_several = || cards().filter(|(_, card)| !card.has(Tag::Solo));
    let mut text = "# The games\n\n\
        Made by a test from what the games say of themselves; do not edit. How strong the computer is was\n\
        measured: see [levels.md](levels.md). For one who plays alone there is the [dungeon](dungeon.md).\n\n\
        | game | | the computer |\n|---|---|---|\n"
        .to_owned();
    for (kind, card) in for_several() {
        let title = card.title;
        let place = title.to_lowercase().replace(' ', "-").replace('\'', "");
        let _ = writeln!(text, "| [{title}](#{place}) | {} | {} |", card.sentence, computer(kind));
    }
    for (kind, card) in for_several() {
        describe(&mut text, *kind, card);
    }
    check("games.md", &text);
}

fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("AGON_WRITE_DOCS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/{name} is old; run `make docs`");
}

fn describe(text: &mut String, kind: Kind, card: &Card) {
    let Card { title, rules, moves, .. } = card;
    let seats = match kind.seats.len() {
        most if usize::from(card.fewest) < most => format!("{} to {most} players", card.fewest),
        _ => kind.seats.join(" and "),
    };
    let _ = writeln!(text, "\n## {title}\n\n{} {rules}\n", card.sentence);
    if let Some(picture) = picture::svg(&drawing(kind)) {
        let file = format!("pictures/{}.svg", kind.name);
        check(&file, &picture);
        let _ = writeln!(text, "![{title} after a few moves]({file})\n");
    }
    let _ = writeln!(text, "- Seats: {seats}\n- A move: {moves}");
    for key in kind.choices() {
        let _ = writeln!(text, "- Set-up `{}`: {}", key.name, key.about);
    }
    let _ = writeln!(text, "- The computer: {}", computer(&kind));
    let _ = writeln!(text, "- `createGame(type=\"computer\", game=\"{}\")`", kind.name);
    if kind.seats.len() > 2 {
        let guests = r#"["me", "computer 3", "agent", "human"]"#;
        let _ = writeln!(text, "- `createGame(game=\"{}\", seats={guests})`", kind.name);
    }
}

/// How strong it is, from the weakest to the strongest.
fn computer(kind: &Kind) -> String {
    if kind.name == "chess" {
        let [weakest, strongest] = [0, 9].map(|at| chess_engine::EngineLevel::ALL[at].rating());
        return format!("10 levels, rated {weakest} to {strongest} on Stockfish's scale");
    }
    let levels: Vec<_> = players::levels(kind.name).collect();
    let strengths: Vec<_> = levels.iter().map(|level| players::strength(kind, *level)).collect();
    let most = levels.len();
    match (strengths[0], strengths[most - 1]) {
        (
            Strength::Found(Found::Rating { rating: from, .. }),
            Strength::Found(Found::Rating { rating: to, .. }),
        ) => format!("{most} levels, rated {from} to {to} where random play is 0"),
        (
            Strength::Found(Found::Chips { lost: from, .. }),
            Strength::Found(Found::Chips { lost: to, .. }),
        ) => format!(
            "{most} levels; the best answer to it wins {from:.3} chips a hand at level 1, {to:.5} at \
             level {most}"
        ),
        (Strength::Style, _) => format!("{most} styles, such as tit for tat, instead of levels"),
        (Strength::Only, _) => "one level".to_owned(),
        _ => format!("{most} levels, not measured yet"),
    }
}

/// As it looks to whoever moves first, after a few moves of the computer's against itself.
fn drawing(kind: Kind) -> Vec<Part> {
    const MOVES: u32 = 14;
    let middle = Level::new(5).unwrap();
    let mut record = Record::start(kind, "{}", 4).unwrap();
    for _ in 0..MOVES {
        let seat = match record.due() {
            Due::One(seat) => seat,
            Due::Each(seats) => seats[0],
            Due::Over(_) => break,
        };
        let Some(text) = players::choose(&record, seat, middle, 1) else { break };
        let mut next = record.copy();
        let step = next.step(seat, &text).unwrap();
        next.take(step);
        if next.due().outcome().is_some() {
            break;
        }
        record = next;
    }
    record.show(Eye::Seat(Seat(0))).drawing
}
