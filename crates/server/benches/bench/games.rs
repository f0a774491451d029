//! The small games: what a move costs in their rules, beside OpenSpiel where it is installed, how much
//! the computer looks at for one, and many tables at once.

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use players::Level;
use rules::{
    Dice, Due, Kind, Record, Rules,
    connect_four::ConnectFour,
    hex::Hex,
    kuhn::Kuhn,
    leduc::Leduc,
    matrix::Matrix,
    mnk::{Gomoku, TicTacToe},
    nim::Nim,
    othello::Othello,
};
use serde_json::{Value, json};

use crate::{
    clients::{Client, Server, Way},
    samples::Table,
};

const LONG: Duration = Duration::from_secs(1);
const TABLES: usize = 32;
const EVENING: Duration = Duration::from_secs(10);

/// Moves/s of one kind.
type Rate = fn() -> f64;

const KINDS: [(&str, Rate); 9] = [
    (ConnectFour::KIND, random_moves::<ConnectFour>),
    (Gomoku::KIND, random_moves::<Gomoku>),
    (Hex::KIND, random_moves::<Hex>),
    (Kuhn::KIND, random_moves::<Kuhn>),
    (Leduc::KIND, random_moves::<Leduc>),
    (Matrix::KIND, random_moves::<Matrix>),
    (Nim::KIND, random_moves::<Nim>),
    (Othello::KIND, random_moves::<Othello>),
    (TicTacToe::KIND, random_moves::<TicTacToe>),
];

/// Moves/s of random games: in the rules alone, beside OpenSpiel's, and as texts through a record.
pub fn core(table: &mut Table) {
    let theirs = open_spiel();
    for (name, random_moves) in KINDS {
        let ours = random_moves();
        let beside = match theirs[name].as_f64() {
            Some(theirs) => format!("{ours:.0}, OpenSpiel {theirs:.0}: ratio {:.2}", ours / theirs),
            None => format!("{ours:.0}; no OpenSpiel to compare with"),
        };
        table.row(name, "random moves/s by the rules alone", beside);
        let kind = rules::kind(name).expect("a kind");
        let recorded = format!("{:.0}", recorded_moves(kind));
        table.row(name, "moves/s as text through a record", recorded);
    }
}

/// What OpenSpiel does, by our names; nothing where it is not installed.
fn open_spiel() -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = Command::new(root.join("target/oracle/venv/bin/python"))
        .arg(root.join("tests/oracle/speed.py"))
        .output();
    let told = python.ok().filter(|told| told.status.success());
    told.and_then(|told| serde_json::from_slice(&told.stdout).ok()).unwrap_or_default()
}

fn random_moves<R: Rules>() -> f64 {
    let setup: R::Setup = serde_json::from_str("{}").expect("the usual set-up");
    let mut dice = Dice::new(1, 0);
    let (started, mut moves) = (Instant::now(), 0);
    while started.elapsed() < LONG {
        let mut game = R::start(&setup, &mut dice).expect("a game");
        loop {
            let due = match game.due() {
                Due::One(seat) => vec![seat],
                Due::Each(seats) => seats,
                Due::Over(_) => break,
            };
            let made: Vec<_> = due
                .into_iter()
                .map(|seat| {
                    let legal = game.legal(seat);
                    (seat, legal[dice.below(legal.len() as u32) as usize].clone())
                })
                .collect();
            moves += made.len();
            game.play(&made, &mut dice);
        }
    }
    moves as f64 / started.elapsed().as_secs_f64()
}

fn recorded_moves(kind: Kind) -> f64 {
    let mut dice = Dice::new(1, 0);
    let (started, mut moves) = (Instant::now(), 0);
    while started.elapsed() < LONG {
        let mut record = Record::start(kind, "{}", moves).expect("a game");
        loop {
            let seat = match record.due() {
                Due::One(seat) => seat,
                Due::Each(seats) => seats[0],
                Due::Over(_) => break,
            };
            let offers = record.offers(seat);
            let text = &offers[dice.below(offers.len() as u32) as usize];
            let step = record.step(seat, text).expect("what is offered is legal");
            record.take(step);
            moves += 1;
        }
    }
    moves as f64 / started.elapsed().as_secs_f64()
}

/// The highest level against itself, a game long.
pub fn search(table: &mut Table) {
    let top = Level::new(Level::MOST).expect("there are levels");
    for name in [ConnectFour::KIND, Gomoku::KIND, Hex::KIND, Othello::KIND] {
        let kind = rules::kind(name).expect("a kind");
        let mut record = Record::start(kind, r#"{"opening": 4}"#, 1).expect("a game");
        let mut times = Vec::new();
        while let Due::One(seat) = record.due() {
            let at = Instant::now();
            let text = players::choose(&record, seat, top, 1).expect("it has a move");
            times.push(at.elapsed().as_secs_f64());
            let step = record.step(seat, &text).expect("a legal move");
            record.take(step);
        }
        let (what, share) = match name {
            Hex::KIND => ("cells filled/s", 1.0),
            // On a large board a position counts as ten.
            Gomoku::KIND => ("positions/s", 0.1),
            _ => ("positions/s", 1.0),
        };
        // Nothing ends the first thought early.
        let rate = share * f64::from(players::work(name, top)) / times[0];
        table.row(name, &format!("{what} of the highest level's search"), format!("{rate:.0}"));
        let mean = 1e3 * times.iter().sum::<f64>() / times.len() as f64;
        let most = 1e3 * times.iter().copied().fold(0.0, f64::max);
        let value = format!("{mean:.1} ms, {most:.0} ms at most");
        table.row(name, "a move of the highest level", value);
    }
}

/// The highest level of connect four at many tables, whose players answer at once.
pub async fn many_tables(table: &mut Table) {
    let server = Server::start();
    let until = Instant::now() + EVENING;
    let mut playing = Vec::new();
    for _ in 0..TABLES {
        let player = Client::new(&server, Way::Plain).await;
        playing.push(tokio::spawn(async move {
            let ask = json!({ "type": "computer", "game": "connect-four", "difficulty": 10 });
            let mut answers = 0;
            let mut facts = Value::Null;
            // Told once, when the game is created.
            let mut pass = Value::Null;
            while Instant::now() < until {
                let legal = facts["legal_moves"].as_array().filter(|legal| !legal.is_empty());
                let answer = match legal {
                    Some(legal) => {
                        let mv = &legal[answers % legal.len()];
                        let turn = json!({ "game_id": pass, "move": mv, "wait": true });
                        answers += 1;
                        player.call("finishTurn", turn).await
                    }
                    None => player.call("createGame", ask.clone()).await,
                };
                assert_eq!(answer["isError"], false, "{answer}");
                facts = answer["structuredContent"].clone();
                if let Some(told) = facts.get("pass") {
                    pass = told.clone();
                }
            }
            answers
        }));
    }
    let mut answers = Vec::new();
    for player in playing {
        answers.push(player.await.expect("it plays"));
    }
    answers.sort_unstable();
    let rate = answers.iter().sum::<usize>() as f64 / EVENING.as_secs_f64();
    let value = format!("{rate:.1}/s; from {} to {} at a table", answers[0], answers[TABLES - 1]);
    table.row("connect-four", &format!("answers of the highest level, {TABLES} tables"), value);
}
