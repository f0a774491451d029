//! Nim: heaps of stones, and whoever takes the last one has won, or lost.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::{
    Card, Dice, Due, Eye, Illegal, Key, Outcome, Rules, Seat,
    drawing::{Part, Shown, Track},
    wording::{number, plain, quoted},
};

const HEAPS: RangeInclusive<usize> = 1..=9;
const STONES: RangeInclusive<u32> = 1..=20;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    pub heaps: Vec<u32>,
    pub misere: bool,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { heaps: vec![3, 5, 7], misere: false }
    }
}

/// So many stones from this heap, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub heap: usize,
    pub stones: u32,
}

/// What can be wrong with a move.
#[derive(Debug)]
enum Rule {
    NotAMove,
    NoSuchHeap,
    EmptyHeap,
    WrongNumber,
}

#[derive(Clone)]
pub struct Nim {
    setup: Setup,
    heaps: Vec<u32>,
    last: Option<Move>,
    next: Seat,
}

/// What anyone may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// How many stones are left in each.
    pub heaps: Vec<u32>,
    pub misere: bool,
    pub last: Option<String>,
}

impl Nim {
    /// The heap and the stones that a text names, whether they are there or not.
    fn read(text: &str) -> Option<(u32, u32)> {
        let text = plain(text);
        let (heap, stones) = text.split_once(':')?;
        Some((number(heap.trim_end())?, number(stones.trim_start())?))
    }

    fn takes(&self, heap: usize) -> impl Iterator<Item = String> {
        (1..=self.heaps[heap]).map(move |stones| self.write(&Move { heap, stones }))
    }
}

impl Rules for Nim {
    const KIND: &'static str = "nim";
    const SEATS: &'static [&'static str] = &["Player 1", "Player 2"];
    const CARD: Option<Card> = Some(Card {
        title: "Nim",
        sentence: "Two take stones from heaps in turn; whoever takes the last stone wins.",
        rules: "There are heaps of stones: 3, 5 and 7 unless the set-up says otherwise. Player 1 \
            begins. The players take turns, and each takes one or more stones from one heap; nobody \
            may pass. Whoever takes the very last stone has won. Where the set-up says misere, \
            whoever takes it has lost.",
        moves: "the number of the heap, a colon, and how many stones are taken from it: 3:2",
        keys: &[
            Key { name: "heaps", about: "1 to 9 numbers of stones from 1 to 20; [3, 5, 7]" },
            Key { name: "misere", about: "true: whoever takes the last stone loses; false" },
        ],
        ..Card::PLAIN
    });

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, _: &mut Dice) -> Result<Nim, Illegal> {
        let heaps = setup.heaps.clone();
        if !HEAPS.contains(&heaps.len()) {
            return Err(Illegal::set_up(format!("there are 1 to 9 heaps, not {}", heaps.len())));
        }
        if let Some(heap) = heaps.iter().find(|heap| !STONES.contains(heap)) {
            return Err(Illegal::set_up(format!("a heap has 1 to 20 stones, not {heap}")));
        }
        Ok(Nim { setup: setup.clone(), heaps, last: None, next: Seat(0) })
    }

    fn due(&self) -> Due {
        if self.heaps.iter().any(|stones| *stones > 0) {
            return Due::One(self.next);
        }
        // It would be the turn of whoever did not take the last stone.
        let winner = if self.setup.misere { self.next } else { Seat(1 - self.next.0) };
        let how =
            if self.setup.misere { "leaving the last stone" } else { "taking the last stone" };
        let text = format!("{} wins by {how}", Self::SEATS[usize::from(winner.0)]);
        Due::Over(Outcome::of_two(Some(winner), text))
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        let heaps = (0..self.heaps.len()).filter(|_| self.due().includes(seat));
        heaps
            .flat_map(|heap| (1..=self.heaps[heap]).map(move |stones| Move { heap, stones }))
            .collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        self.due().admit(seat)?;
        let Some((number, stones)) = Self::read(text) else {
            let reason = format!(
                "{} is not a heap and a number of stones, like 3:2 for two from heap 3",
                quoted(text)
            );
            return Err(Illegal::because(Rule::NotAMove, reason, self.offers(seat)));
        };
        let heap = (number as usize).wrapping_sub(1);
        let Some(left) = self.heaps.get(heap).copied() else {
            let reason = format!("there is no heap {number}; heaps are 1 to {}", self.heaps.len());
            return Err(Illegal::because(Rule::NoSuchHeap, reason, self.offers(seat)));
        };
        if left == 0 {
            let reason = format!("heap {number} is empty");
            return Err(Illegal::because(Rule::EmptyHeap, reason, self.offers(seat)));
        }
        if !(1..=left).contains(&stones) {
            let reason =
                format!("from heap {number} 1 to {left} stones can be taken, not {stones}");
            return Err(Illegal::because(Rule::WrongNumber, reason, self.takes(heap)));
        }
        Ok(Move { heap, stones })
    }

    fn write(&self, mv: &Move) -> String {
        format!("{}:{}", mv.heap + 1, mv.stones)
    }

    fn play(&mut self, moves: &[(Seat, Move)], _: &mut Dice) {
        for (seat, mv) in moves {
            self.heaps[mv.heap] -= mv.stones;
            self.last = Some(*mv);
            self.next = Seat(1 - seat.0);
        }
    }

    fn view(&self, _: Eye) -> View {
        View {
            heaps: self.heaps.clone(),
            misere: self.setup.misere,
            last: self.last.map(|mv| self.write(&mv)),
        }
    }

    fn show(&self, eye: Eye) -> Shown {
        let due = self.due();
        let may_click = matches!(eye, Eye::Seat(seat) if due.includes(seat));
        let heaps = (1..).zip(&self.heaps);
        let heaps: Vec<_> = heaps.map(|(number, left)| format!("heap {number}: {left}")).collect();
        let track = |heap: usize| {
            let (left, places) = (self.heaps[heap], self.setup.heaps[heap]);
            // A click takes the stone and all that lie behind it.
            let take = |stone| self.write(&Move { heap, stones: left - stone });
            let moves = (0..left).map(|stone| may_click.then(|| take(stone))).collect();
            Part::Track(Track { title: format!("heap {}", heap + 1), filled: left, places, moves })
        };
        let last = if self.setup.misere { "loses" } else { "wins" };
        Shown {
            text: format!("{}. The last stone {last}.", heaps.join(", ")),
            drawing: (0..self.heaps.len()).map(track).collect(),
        }
    }
}
