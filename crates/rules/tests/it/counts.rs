//! Numbers that are known from elsewhere: how many games and positions there are, and who wins.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use rules::{
    Dice, Due, Eye, Record, Rules, Seat, board, breakthrough::Breakthrough,
    connect_four::ConnectFour, hex, hex::Hex, kind, kuhn, kuhn::Kuhn, mnk::TicTacToe, nim::Nim,
    othello::Othello,
};

fn begin<R: Rules>(setup: &str) -> R {
    let setup = serde_json::from_str(setup).unwrap();
    R::start(&setup, &mut Dice::new(1, 0)).unwrap_or_else(|e| panic!("{e}"))
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
fn boards<R: Rules<View = board::View>>(plies: usize) -> Vec<usize> {
    let mut level = vec![begin::<R>("{}")];
    let mut counts = vec![1];
    for _ in 0..plies {
        let mut boards = HashSet::new();
        let mut is_new = |position: &R| boards.insert(position.view(Eye::Public).board.concat());
        level = level.iter().flat_map(next).filter(&mut is_new).collect();
        counts.push(level.len());
    }
    counts
}

#[test]
fn tic_tac_toe_has_5478_positions() {
    assert_eq!(boards::<TicTacToe>(9).iter().sum::<usize>(), 5_478);
}

/// Of these numbers the last take long: `make oracle` counts them too.
fn counted(known: &[usize], usually: usize) -> &[usize] {
    if std::env::var_os("AGON_COUNT_ALL").is_some() { known } else { &known[..usually] }
}

#[test]
fn connect_four_has_as_many_positions_as_are_known() {
    let known = [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275, 558_186, 1_662_623];
    let known = counted(&known, 9);
    assert_eq!(boards::<ConnectFour>(known.len() - 1), known);
}

/// How many games of so many moves there are. One that is over before counts as `ended`.
fn perft<R: Rules>(position: &R, plies: u32, ended: usize) -> usize {
    match (plies, position.due()) {
        (_, Due::Over(_)) => ended,
        (1, Due::One(seat)) => position.legal(seat).len(),
        _ => next(position).iter().map(|next| perft(next, plies - 1, ended)).sum(),
    }
}

#[test]
fn othello_has_as_many_games_as_are_known() {
    let known = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284];
    for (plies, games) in (1..).zip(counted(&known, 9)) {
        // Some are over after nine moves, with discs of one colour alone, and are counted on.
        assert_eq!(perft(&begin::<Othello>("{}"), plies, 1), *games, "{plies} moves");
    }
}

/// As OpenSpiel counts them.
#[test]
fn breakthrough_has_as_many_games_as_are_known() {
    for (setup, known, usually) in [
        ("{}", &[22, 484, 11_132, 256_036][..], 4),
        (r#"{"rows": 5, "columns": 4}"#, &[10, 100, 840, 6_988, 57_278, 455_070, 3_523_818], 6),
        (
            r#"{"rows": 4, "columns": 3}"#,
            &[
                7, 49, 256, 1_230, 5_940, 23_938, 84_444, 228_252, 549_138, 1_049_540, 1_552_018,
                1_109_428,
            ],
            9,
        ),
    ] {
        for (plies, games) in (1..).zip(counted(known, usually)) {
            assert_eq!(perft(&begin::<Breakthrough>(setup), plies, 0), *games, "{setup} {plies}");
        }
    }
}

/// Whether these cells join the first row to the last, or the first column to the last.
fn joins(cells: &BTreeSet<usize>, size: usize, line: impl Fn(usize) -> usize) -> bool {
    let mut found: BTreeSet<_> = cells.iter().copied().filter(|cell| line(*cell) == 0).collect();
    let mut fresh: Vec<_> = found.iter().copied().collect();
    while let Some(cell) = fresh.pop() {
        let (column, row) = ((cell % size) as i32, (cell / size) as i32);
        let touches = |other: &usize| {
            let (right, down) = ((other % size) as i32 - column, (other / size) as i32 - row);
            right.abs() <= 1 && down.abs() <= 1 && right != down
        };
        let more: Vec<_> = cells.difference(&found).copied().filter(touches).collect();
        found.extend(&more);
        fresh.extend(&more);
    }
    found.iter().any(|cell| line(*cell) == size - 1)
}

#[test]
fn a_full_board_of_hex_has_exactly_one_winner() {
    let mut wins = [0, 0];
    for (seed, size) in (0..200).zip((5..=13).cycle()) {
        let mut dice = Dice::new(seed, 1);
        let mut cells: Vec<usize> = (0..size * size).collect();
        (1..cells.len()).for_each(|at| cells.swap(at, dice.below(at as u32 + 1) as usize));
        let of = |seat: usize| cells.iter().copied().skip(seat).step_by(2).collect();
        let joined = [joins(&of(0), size, |cell| cell / size), joins(&of(1), size, |c| c % size)];
        assert!(joined[0] != joined[1], "{size} x {size}: {joined:?}");
        let mut game: Hex = begin(&format!(r#"{{"size": {size}}}"#));
        for cell in cells {
            if let Due::One(seat) = game.due() {
                game.play(&[(seat, hex::Move::Place(cell as u8))], &mut Dice::new(1, 0));
            }
        }
        let Due::Over(outcome) = game.due() else { panic!("a full board is the end") };
        let winner = usize::from(joined[1]);
        assert_eq!(outcome.points[winner], 1, "{size} x {size}, seed {seed}");
        wins[winner] += 1;
    }
    assert!(wins[0] > 20 && wins[1] > 20, "{wins:?}");
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
fn dealt(cards: [kuhn::Rank; 2]) -> Record {
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
    use kuhn::Rank::{J, K, Q};
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
