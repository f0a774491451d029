//! Random games, moves and offers and claims mixed, against what must hold in every game.

use proptest::{
    prelude::*,
    sample::{Index, select},
};
use rules::{
    Due, Eye, Illegal, Record, Rules, Seat,
    chess::{BLACK, Chess, View, WHITE},
};

use crate::{START, chess, picture, record, turn, view};

/// The usual start, a position with everything in it, and some that soon end or repeat.
const STARTS: [&str; 6] = [
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/8/8/1k6/1r6/K6R b - - 0 60",
    "7k/7p/7P/8/8/7p/7P/7K w - - 90 70",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 140 90",
];

/// Resignation is not among them, or few games would go far.
const TEXTS: [&str; 8] = [
    "offerDraw",
    "acceptDraw",
    "declineDraw",
    "claimDraw",
    "takeback",
    "e2e4 mate",
    "Nf3",
    "nonsense",
];

/// What somebody tries: a legal move of the side that is due, its last move undone if that is
/// legal (so that positions come again), or anything else by anyone.
#[derive(Clone, Debug)]
enum Try {
    Legal(Index),
    Back,
    Text(Seat, &'static str),
}

/// A start, whether takebacks are free, and what is tried.
fn game() -> impl Strategy<Value = (&'static str, bool, Vec<Try>)> {
    let text = (select(vec![WHITE, BLACK]), select(TEXTS.to_vec()));
    let tries = prop_oneof![
        10 => any::<Index>().prop_map(Try::Legal),
        10 => Just(Try::Back),
        3 => text.prop_map(|(seat, text)| Try::Text(seat, text)),
    ];
    (select(STARTS.to_vec()), any::<bool>(), prop::collection::vec(tries, 0..120))
}

fn choose(record: &Record, attempt: &Try) -> (Seat, String) {
    let seat = match (attempt, record.due()) {
        (Try::Text(seat, text), _) => return (*seat, (*text).to_owned()),
        (_, Due::One(seat)) => seat,
        _ => return (WHITE, "e2e4".to_owned()),
    };
    let legal = view(record).legal;
    let mv = match attempt {
        Try::Legal(index) => index.get(&legal),
        _ => {
            let last = record.turns().iter().rev().find(|t| t.seat == seat && t.text.len() == 4);
            let back = last.map(|turn| format!("{}{}", &turn.text[2..], &turn.text[..2]));
            legal.iter().find(|mv| Some(&mv.uci) == back.as_ref()).unwrap_or(&legal[0])
        }
    };
    (seat, mv.san.clone())
}

/// Tries one thing. Whether it was accepted or not, all that must hold is seen to hold.
fn attempt(record: &mut Record, attempt: &Try) {
    let (seat, text) = choose(record, attempt);
    let before = picture(record);
    match record.check(seat, &text) {
        Ok(canonical) => {
            assert_eq!(record.check(seat, &canonical).as_ref(), Ok(&canonical), "{text}");
            let step = record.step(seat, &text).unwrap();
            let foreseen = step.outcome();
            assert_eq!(picture(record), before, "to look ahead changes nothing");
            assert_eq!(step.turn(), &turn(record, seat, canonical));
            let mut log = record.as_of(u32::MAX);
            log.push(step.turn().clone()).unwrap();
            record.take(step);
            assert_eq!(picture(record), picture(&log), "a step and the log lead to the same");
            assert_eq!(record.due().outcome(), foreseen.as_ref());
        }
        Err(refusal) => {
            assert_eq!(picture(record), before, "a refusal changes nothing");
            let push = record.push(turn(record, seat, text));
            assert!(push.is_err(), "what is refused cannot be pushed: {refusal}");
            assert_eq!(picture(record), before, "nor does it leave a trace");
        }
    }
}

/// How often the position has stood, counted by its FEN without the clocks.
fn repetitions(stood: &[String]) -> usize {
    stood.iter().filter(|fen| Some(*fen) == stood.last()).count()
}

fn position_of(view: &View) -> String {
    view.fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn a_game_is_its_turns_over_again((fen, free, tries) in game()) {
        let mut live = record(fen, free);
        let mut pictures = vec![picture(&live)];
        for one in &tries {
            attempt(&mut live, one);
            pictures.truncate(live.turns().len());
            pictures.push(picture(&live));
        }
        for (number, then) in (0..).zip(&pictures) {
            prop_assert_eq!(&picture(&live.as_of(number)), then, "as of turn {}", number);
        }
    }

    #[test]
    fn every_position_is_counted_and_each_of_its_moves_can_be_written_and_read(
        (fen, free, tries) in game(),
    ) {
        let mut live = record(fen, free);
        let mut stood = vec![position_of(&view(&live))];
        for one in &tries {
            attempt(&mut live, one);
            let now = view(&live);
            // A takeback leaves fewer positions, an offer as many.
            stood.truncate(now.history.len());
            stood.push(position_of(&now));
            prop_assert_eq!(now.repetitions, repetitions(&stood), "{:?}", now.history);
            let may_go_on = now.repetitions < 5 && now.halfmoves < 150;
            prop_assert!(may_go_on || now.outcome.is_some());
            for seat in [WHITE, BLACK] {
                let seen = live.view::<Chess>(Eye::Seat(seat)).unwrap().legal;
                let is_due = live.due().includes(seat);
                prop_assert_eq!(seen, if is_due { now.legal.clone() } else { Vec::new() });
            }
            let Due::One(seat) = live.due() else { continue };
            for mv in &now.legal {
                prop_assert_eq!(live.check(seat, &mv.uci), Ok(mv.uci.clone()));
                prop_assert_eq!(live.check(seat, &mv.san), Ok(mv.uci.clone()), "{}", mv.san);
            }
            let chess = chess(&now.fen);
            let legal = chess.legal(seat);
            prop_assert_eq!(legal.len(), now.legal.len());
            for mv in legal {
                prop_assert_eq!(chess.parse(seat, &chess.write(&mv)), Ok(mv));
            }
        }
    }

    #[test]
    fn after_the_end_everything_is_refused((fen, free, tries) in game(), loser in 0..2_u8) {
        let mut live = record(fen, free);
        for one in &tries {
            attempt(&mut live, one);
        }
        if live.check(Seat(loser), "resign").is_ok() {
            live.push(turn(&live, Seat(loser), "resign".into())).unwrap();
        }
        let outcome = live.due().outcome().cloned().expect("the game is over");
        prop_assert!(view(&live).legal.is_empty());
        for seat in [WHITE, BLACK] {
            for text in TEXTS {
                prop_assert_eq!(live.check(seat, text), Err(Illegal::Over(outcome.clone())));
            }
        }
    }
}
