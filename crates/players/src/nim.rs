//! Nim is solved: whoever leaves heaps whose exclusive or is nought wins, but for the end of misere.

use rules::{
    Dice, Eye, Rules, Seat,
    nim::{Move, Nim},
};

use crate::{Computer, Effort, effort};

impl Computer for Nim {
    const LEVELS: &'static [Effort] =
        &[effort(80, 1), effort(60, 1), effort(40, 1), effort(20, 1), effort(0, 1)];

    fn think(&self, seat: Seat, _: u32, dice: &mut Dice) -> Option<Move> {
        let moves = self.legal(seat);
        let view = self.view(Eye::Public);
        let wins = |mv: &&Move| {
            let mut heaps = view.heaps.clone();
            heaps[mv.heap] -= mv.stones;
            is_lost(&heaps, view.misere)
        };
        let winning: Vec<_> = moves.iter().filter(wins).collect();
        let best = if winning.is_empty() { moves.iter().collect() } else { winning };
        crate::any(&best, dice).map(|mv| **mv)
    }
}

/// Whether whoever is next loses.
fn is_lost(heaps: &[u32], misere: bool) -> bool {
    let xor = heaps.iter().fold(0, |xor, heap| xor ^ heap);
    if misere && heaps.iter().all(|heap| *heap < 2) { xor == 1 } else { xor == 0 }
}
