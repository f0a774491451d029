//! Numbers that are known from elsewhere: how many games and positions there are, and who wins.

use std::collections::{BTreeMap, BTreeSet};

use rules::{
    Dice, Due, Eye, Record, Rules, Seat, connect_four::ConnectFour, kind, kuhn, kuhn::Kuhn,
    mnk::TicTacToe, nim::Nim,
};

fn begin<R: Rules>(setup: &str) -> R {
    let setup = serde_json::from_str(setup).unwrap();
    R::start(R::VERSION, &setup, &mut Dice::new(1, 0)).unwrap_or_else(|e| panic!("{e}"))
}

/// Every position that one move leads to.
fn next<R: Rules>(position: &R) -> Vec<R> {
    let Due::One(seat) = position.due() else { return Vec::new() };
    let after = |mv| {
        let mut next = position.clone();
        next.play(&[(seat, mv)], &mut Dice::new(1, 0));
        next
    };
    position.legal(seat).into_iter().map(after).collect()
}

#[test]
fn tic_tac_toe_has_255168_games() {
    fn count(position: &TicTacToe, ends: &mut BTreeMap<Option<Seat>, u32>) {
        match position.due() {
            Due::Over(outcome) => *ends.entry(outcome.winner()).or_default() += 1,
            _ => next(position).iter().for_each(|next| count(next, ends)),
        }
    }
    let mut ends = BTreeMap::new();
    count(&begin("{}"), &mut ends);
    let expected = [(None, 46_080), (Some(Seat(0)), 131_184), (Some(Seat(1)), 77_904)];
    assert_eq!(ends, expected.into());
}

/// How many different boards there are after each ply.
fn boards<R: Rules>(plies: usize) -> Vec<usize> {
    let mut level = vec![begin::<R>("{}")];
    let mut counts = vec![1];
    for _ in 0..plies {
        let after = level.iter().flat_map(next).map(|position| {
            let view = serde_json::to_value(position.view(Eye::Public)).unwrap();
            (view["board"].to_string(), position)
        });
        level = after.collect::<BTreeMap<_, _>>().into_values().collect();
        counts.push(level.len());
    }
    counts
}

#[test]
fn tic_tac_toe_has_5478_positions() {
    assert_eq!(boards::<TicTacToe>(9).iter().sum::<usize>(), 5_478);
}

#[test]
fn connect_four_has_as_many_positions_as_are_known() {
    assert_eq!(boards::<ConnectFour>(7), [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859]);
}

#[test]
fn nim_is_won_by_exclusive_or() {
    /// Whether whoever is to move wins.
    fn wins(position: &Nim, seen: &mut BTreeMap<Vec<u32>, bool>) -> bool {
        let heaps = position.view(Eye::Public).heaps;
        if let Some(known) = seen.get(&heaps) {
            return *known;
        }
        // At the end it is the turn of whoever did not take the last stone.
        let wins = match position.due() {
            Due::Over(_) => position.view(Eye::Public).misere,
            _ => next(position).iter().any(|next| !wins(next, seen)),
        };
        seen.insert(heaps, wins);
        wins
    }
    let mut checked = BTreeSet::new();
    for heaps in (0..4_u32.pow(3)).map(|n| [n % 4, n / 4 % 4, n / 16].map(|heap| heap + 1)) {
        let xor = heaps.iter().fold(0, |xor, heap| xor ^ heap) != 0;
        let mut misere_xor = xor;
        if heaps == [1, 1, 1] {
            misere_xor = false;
        }
        for (misere, expected) in [(false, xor), (true, misere_xor)] {
            let setup = format!(r#"{{"heaps": {heaps:?}, "misere": {misere}}}"#);
            let found = wins(&begin(&setup), &mut BTreeMap::new());
            assert_eq!(found, expected, "{setup}");
            checked.insert(found);
        }
    }
    assert_eq!(checked.len(), 2);
}

/// A seed whose first hand deals these cards.
fn dealt(cards: [kuhn::Card; 2]) -> Record {
    let deals = (0..)
        .map(|seed| Record::start(kind("kuhn-poker").unwrap(), r#"{"hands": 2}"#, seed).unwrap());
    let mut deals = deals.filter(|record| {
        (0..2).all(|seat: u8| {
            let view = record.view::<Kuhn>(Eye::Seat(Seat(seat))).unwrap();
            view.hand.cards[usize::from(seat)] == Some(cards[usize::from(seat)])
        })
    });
    deals.next().expect("all cards are dealt some time")
}

#[test]
fn kuhn_poker_pays_what_it_should() {
    use kuhn::Card::{J, K, Q};
    for cards in [[J, Q], [J, K], [Q, J], [Q, K], [K, J], [K, Q]] {
        let higher = if cards[0] > cards[1] { 1 } else { -1 };
        for (moves, won, shown) in [
            (["pass", "pass", ""], higher, true),
            (["pass", "bet", "pass"], -1, false),
            (["pass", "bet", "bet"], 2 * higher, true),
            (["bet", "pass", ""], 1, false),
            (["bet", "bet", ""], 2 * higher, true),
        ] {
            let mut record = dealt(cards);
            for (text, seat) in moves.into_iter().zip([Seat(0), Seat(1), Seat(0)]) {
                if !text.is_empty() {
                    assert_eq!(record.due(), Due::One(seat));
                    let step = record.step(seat, text).unwrap();
                    record.take(step);
                }
            }
            let view = record.view::<Kuhn>(Eye::Public).unwrap();
            assert_eq!(view.chips, [won, -won], "{cards:?} {moves:?}");
            let previous = view.previous.unwrap();
            assert_eq!(previous.cards, if shown { cards.map(Some) } else { [None, None] });
            assert_eq!(record.due(), Due::One(Seat(1)), "the other begins the second hand");
        }
    }
}
