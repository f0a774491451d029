//! Leagues at random: any order, anything tried, against what must hold.

use proptest::{
    prelude::*,
    sample::{Index, select},
};
use rules::{
    Dice, Eye, MatchVerdict, Record, Seat, Turn,
    even_odd::EvenOdd,
    league::{Event, Format, LeagueKind, MANAGER, MatchId, Setup, View},
    parity::Parity,
};

use crate::{
    league::{begin, end, open, picture, play, register, running, view, won},
    league_play::{assert_sound, both, drive, finish, matches, verdicts},
};

/// Who meets whom with which end, and the order in which matches are played.
fn results() -> impl Strategy<Value = (usize, Format, Vec<Index>, [u64; 2])> {
    let format = select(vec![Format::RoundRobin, Format::DoubleRoundRobin]);
    (2..9_usize, format, prop::collection::vec(any::<Index>(), 56), any::<[u64; 2]>())
}

/// Plays all matches in an order of its own, with ends that are given by match.
fn shuffled(players: usize, format: Format, ends: &[Index], seed: u64) -> Record {
    let mut record = running(&Setup { format, ..Setup::default() }, players);
    let (verdicts, mut dice) = (verdicts(), Dice::new(seed, 0));
    let mut left: Vec<_> = matches(&view(&record)).into_iter().zip(ends).collect();
    while !left.is_empty() {
        let (found, index) = left.swap_remove(dice.below(left.len() as u32) as usize);
        for player in both(&found).into_iter() {
            if view(&record).player(player).unwrap().suspended {
                play(&mut record, &Event::Return { player });
            }
        }
        finish(&mut record, &found, *index.get(&verdicts));
    }
    record
}

/// Something that may or may not fit.
#[derive(Clone, Debug)]
enum Try {
    Ready(Index),
    Walkover(Index),
    Finish(Index, Index),
    Any(Index, Index, Index),
    Text(&'static str),
}

const TEXTS: [&str; 8] = [
    r#""start""#,
    r#"{"pair":{"player1":"P01","player2":"P02","round":2}}"#,
    r#"{"learn":{"player":"P02","dialect":"H2"}}"#,
    r#"{"end":{"match":"R1M1","result":{"winner":null,"scores":{},"forfeits":[]}}}"#,
    r#"{"stop":{}}"#,
    r#"{"begin":{"match":"R0M1","game":"00000000"}}"#,
    "nonsense",
    r#"{"start":null}"#,
];

fn tries() -> impl Strategy<Value = Vec<Try>> {
    let index = any::<Index>;
    let one = prop_oneof![
        6 => index().prop_map(Try::Ready),
        2 => index().prop_map(Try::Walkover),
        6 => (index(), index()).prop_map(|(which, how)| Try::Finish(which, how)),
        6 => (index(), index(), index()).prop_map(|(what, which, how)| Try::Any(what, which, how)),
        1 => select(TEXTS.to_vec()).prop_map(Try::Text),
    ];
    prop::collection::vec(one, 0..80)
}

fn event(view: &View, attempt: &Try) -> Option<Event> {
    let pick = |index: &Index, ids: Vec<MatchId>| (!ids.is_empty()).then(|| *index.get(&ids));
    Some(match attempt {
        Try::Ready(index) => begin(pick(index, view.ready())?),
        Try::Walkover(index) => {
            let walkovers = view.walkovers();
            let walkover = (!walkovers.is_empty()).then(|| index.get(&walkovers))?.clone();
            Event::End { match_id: walkover.match_id, result: walkover.result }
        }
        Try::Finish(which, how) => {
            let running = view.running().iter().map(|found| found.match_id).collect();
            end(view, pick(which, running)?, *how.get(&verdicts()))
        }
        Try::Any(what, which, how) => {
            let ids: Vec<_> = matches(view).iter().map(|found| found.match_id).collect();
            let players: Vec<_> = view.players().map(|player| player.player_id).collect();
            let (player, other) = (*which.get(&players), *how.get(&players));
            match what.index(7) {
                0 => begin(pick(which, ids)?),
                1 => end(view, pick(which, ids)?, *how.get(&verdicts())),
                2 => {
                    let found = view.find(pick(which, ids)?)?;
                    let absent = both(&found).map(|player| view.player(player).unwrap().suspended);
                    end(view, found.match_id, MatchVerdict::walkover(absent))
                }
                6 => Event::Suspend { player },
                3 => Event::Return { player },
                4 => Event::Pair { player1: player, player2: other, round: how.index(9) as u16 },
                _ => register(["Player 1", "Late"][how.index(2)]),
            }
        }
        Try::Text(_) => return None,
    })
}

/// Tries one thing. Whether it fits or not, all that must hold is seen to hold.
fn attempt(record: &mut Record, attempt: &Try) {
    let now = view(record);
    let text = match (attempt, event(&now, attempt)) {
        (Try::Text(text), _) => (*text).to_owned(),
        (_, Some(event)) => serde_json::to_string(&event).unwrap(),
        (_, None) => return,
    };
    let before = picture(record);
    match record.step(MANAGER, &text) {
        Ok(step) => {
            assert_eq!(record.check(MANAGER, &step.turn().text).as_ref(), Ok(&step.turn().text));
            assert_eq!(picture(record), before, "to look ahead changes nothing");
            record.take(step);
            assert_sound(&view(record));
        }
        Err(refusal) => {
            assert!(!matches!(attempt, Try::Ready(_) | Try::Walkover(_)), "{text}: {refusal}");
            let turn = Turn::new(record.next_number(), MANAGER, text);
            assert!(record.push(turn).is_err(), "what is refused cannot be pushed: {refusal}");
            assert_eq!(picture(record), before, "a refusal changes nothing");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_matches_does_not_matter((players, format, ends, seeds) in results()) {
        let [one, other] = seeds.map(|seed| shuffled(players, format, &ends, seed));
        prop_assert_eq!(view(&one).standings(), view(&other).standings());
        prop_assert_eq!(one.due(), other.due());
        prop_assert!(one.due().outcome().is_some());
    }

    #[test]
    fn whatever_is_tried_the_league_is_sound(
        players in 2..7_usize,
        parity: bool,
        tries in tries(),
    ) {
        let game = if parity { LeagueKind::PARITY } else { LeagueKind::EVEN_ODD };
        let mut live = open(&Setup { game, ..Setup::default() }, players);
        attempt(&mut live, &Try::Text(r#""start""#));
        for one in &tries {
            attempt(&mut live, one);
        }
        prop_assert_eq!(picture(&live.as_of(u32::MAX)), picture(&live), "a replay is the same");
        let half = live.next_number() / 2;
        let mut again = live.as_of(half);
        for turn in &live.turns()[again.turns().len()..] {
            let report = again.push(turn.clone()).unwrap();
            prop_assert_eq!(&report, &turn.report);
        }
        prop_assert_eq!(picture(&again), picture(&live));
        while let Some(running) = view(&live).running().first() {
            let verdict = if parity { won(0, 1) } else { won(0, 3) };
            let event = end(&view(&live), running.match_id, verdict);
            play(&mut live, &event);
        }
        if !parity {
            drive(&mut live, &mut Dice::new(1, 1), assert_sound);
            prop_assert!(live.due().outcome().is_some());
        }
    }

    #[test]
    fn ratings_kept_are_ratings_worked_out((players, format, ends, [seed, _]) in results()) {
        // Ratings are kept of rounds that are complete. Of these two leagues one has an open match
        // in its first round to the end, the other gets it later and must forget what it kept.
        let setup = Setup { format, ..Setup::default() };
        let [mut worked_out, mut kept] = [running(&setup, players), running(&setup, players)];
        let [player1, player2] = ["P01", "P02"].map(|id| id.parse().unwrap());
        let all: Vec<_> = matches(&view(&kept)).into_iter().zip(&ends).collect();
        let late = seed as usize % all.len();
        play(&mut worked_out, &Event::Pair { player1, player2, round: 1 });
        for (nth, (found, index)) in all.iter().enumerate() {
            if nth == late {
                play(&mut kept, &Event::Pair { player1, player2, round: 1 });
            }
            for record in [&mut worked_out, &mut kept] {
                finish(record, found, verdicts()[index.index(7)]);
            }
            prop_assert_eq!(view(&worked_out).standings(), view(&kept).standings());
        }
        let extra = view(&kept).round(1).unwrap().matches.pop().unwrap();
        for record in [&mut worked_out, &mut kept] {
            finish(record, &extra, won(3, 1));
        }
        prop_assert_eq!(view(&worked_out).standings(), view(&kept).standings());
        prop_assert!(worked_out.due() == kept.due() && kept.due().outcome().is_some());
    }

    #[test]
    fn whatever_a_match_comes_to_is_a_result(
        parity: bool,
        to_win in 1..5_u8,
        more in 0..5_u8,
        moves in prop::collection::vec(any::<[Index; 2]>(), 9),
        seed: u64,
    ) {
        let game = if parity { LeagueKind::PARITY } else { LeagueKind::EVEN_ODD };
        let max_rounds = to_win + more;
        let setup = Setup { game, rounds_to_win: to_win, max_rounds, ..Setup::default() };
        let kind = setup.game.kind();
        let mut one = Record::start(kind, &setup.match_setup(), seed).unwrap();
        let words = if parity { ["even", "odd", "default"] } else { ["1", "2", "default"] };
        for round in moves {
            if one.due().outcome().is_none() {
                for (seat, index) in (0..).zip(round) {
                    let turn = Turn::new(one.next_number(), Seat(seat), *index.get(&words));
                    one.push(turn).unwrap();
                }
            }
        }
        let verdict = if parity {
            one.view::<Parity>(Eye::Public).unwrap().verdict()
        } else {
            one.view::<EvenOdd>(Eye::Public).unwrap().verdict()
        };
        let mut league = running(&setup, 2);
        let found = view(&league).round(1).unwrap().matches.pop().unwrap();
        finish(&mut league, &found, verdict.expect("the match is over"));
        prop_assert!(league.due().outcome().is_some());
    }
}
