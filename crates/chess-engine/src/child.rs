//! How a child looks at the board. It sees what can be taken and which of its big pieces stand
//! attacked, and counts no further than one blow. What lies far along a diagonal, comes from
//! behind, is uncovered by its own move or only follows the next one is easily overlooked; so is
//! that a defender may be pinned or outnumbered.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;
use shakmaty::{Board, Color, Move, Position, Role, Square, attacks};

use crate::exchange::{gain, price};
use crate::node::Node;

/// What is noticed, in a thousand looks.
pub(crate) struct Sight {
    /// From near by, or along a file or rank.
    pub plain: u64,
    /// A knight's jump.
    pub jump: u64,
    /// Far along a diagonal, backwards, or uncovered by the move itself.
    pub hidden: u64,
    /// That a move is mate.
    pub mate: u64,
    /// How much of all this is left, in hundredths, where less than a rook is in danger.
    pub small: u64,
}

/// From here on a diagonal is long.
const FAR: u32 = 4;

/// More than all the pieces together.
const MATE: i32 = 10_000;

/// By how much attacking a piece is less fun than having it.
const MENACE: i32 = 20;

/// One look at the board. A piece once overlooked is overlooked with every move that is thought of,
/// as it would not be if the dice were thrown for each.
pub(crate) struct Glance<'a> {
    sight: &'a Sight,
    /// For each square, what a sight has to exceed for the piece there to be noticed.
    dim: [u64; 64],
}

impl<'a> Glance<'a> {
    pub fn new(sight: &'a Sight, dice: &mut ChaCha8Rng) -> Glance<'a> {
        Glance { sight, dim: std::array::from_fn(|_| dice.next_u64() % 1000) }
    }

    /// What a move seems to bring, in centipawns.
    pub fn promise(&self, root: &Node, played: &[Move], mv: Move) -> i32 {
        let (turn, after) = (root.position.turn(), root.play(mv).position);
        let from = mv.from().unwrap_or(mv.to());
        if after.is_checkmate() && self.catches(from, self.sight.mate) {
            return MATE;
        }
        let board = after.board();
        self.taken(turn, played, mv) + menace(board, turn, mv) - self.at_stake(board, turn, from)
    }

    fn taken(&self, turn: Color, played: &[Move], mv: Move) -> i32 {
        let (Some(from), true) = (mv.from(), mv.is_capture()) else { return gain(mv) };
        // Everybody looks at what has just moved.
        let fresh = played.last().is_some_and(|last| last.to() == mv.to());
        let blow = Blow { role: mv.role(), color: turn, from, to: mv.to() };
        let seen = fresh || self.catches(from, self.sight_of(blow, false));
        if seen { gain(mv) } else { 0 }
    }

    /// The most that can be taken from us now that a piece has left its square.
    fn at_stake(&self, board: &Board, turn: Color, left: Square) -> i32 {
        let men = board.by_color(turn) & !board.kings();
        men.into_iter().map(|to| self.loss(board, turn, to, left)).max().unwrap_or(0)
    }

    fn loss(&self, board: &Board, turn: Color, to: Square, left: Square) -> i32 {
        let Some(role) = board.role_at(to) else { return 0 };
        let attackers = board.attacks_to(to, !turn, board.occupied());
        let cheapest = attackers
            .into_iter()
            .filter_map(|from| Some(Blow { role: board.role_at(from)?, color: !turn, from, to }))
            .filter(|&blow| self.fears(blow, role, left))
            .map(|blow| price(blow.role))
            .min();
        let defended = board.attacks_to(to, turn, board.occupied()).any();
        match cheapest {
            None => 0,
            Some(_) if !defended => price(role),
            Some(attacker) => (price(role) - attacker).max(0),
        }
    }

    fn fears(&self, blow: Blow, for_whom: Role, left: Square) -> bool {
        let uncovered = attacks::between(blow.from, blow.to).contains(left);
        let sight = self.sight_of(blow, uncovered);
        let big = price(for_whom) >= price(Role::Rook);
        self.catches(blow.from, if big { sight } else { sight * self.sight.small / 100 })
    }

    fn sight_of(&self, blow: Blow, uncovered: bool) -> u64 {
        match blow.role {
            Role::Knight => self.sight.jump,
            _ if uncovered || blow.is_hidden() => self.sight.hidden,
            _ => self.sight.plain,
        }
    }

    fn catches(&self, at: Square, sight: u64) -> bool {
        self.dim[at as usize] < sight
    }
}

/// To attack something big is fun.
fn menace(board: &Board, turn: Color, mv: Move) -> i32 {
    let role = mv.promotion().unwrap_or(mv.role());
    let reach = attacks::attacks(mv.to(), role.of(turn), board.occupied());
    let prey = reach & board.by_color(!turn) & !board.pawns() & !board.kings();
    prey.into_iter().filter_map(|at| board.role_at(at)).map(price).max().unwrap_or(0) / MENACE
}

/// A piece of one side, and what it could take.
#[derive(Clone, Copy)]
struct Blow {
    role: Role,
    color: Color,
    from: Square,
    to: Square,
}

impl Blow {
    /// Far along a diagonal, or backwards.
    fn is_hidden(self) -> bool {
        let distance = self.from.distance(self.to);
        let diagonal = self.from.file() != self.to.file() && self.from.rank() != self.to.rank();
        let rank = |square: Square| self.color.fold_wb(1, -1) * square.rank().to_usize() as i32;
        diagonal && distance >= FAR || distance > 1 && rank(self.to) < rank(self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use shakmaty::uci::UciMove;

    /// Of somebody who sees what is plain, always, and nothing else.
    const PLAIN: Sight = Sight { plain: 1000, jump: 0, hidden: 0, mate: 0, small: 0 };
    const ALL: Sight = Sight { plain: 1000, jump: 1000, hidden: 1000, mate: 1000, small: 100 };

    fn promise(sight: &Sight, fen: &str, mv: &str) -> i32 {
        let fen: Fen = fen.parse().expect("a fen");
        let position = fen.into_position(CastlingMode::Standard).expect("a position");
        let uci: UciMove = mv.parse().expect("a move");
        let mv = uci.to_move(&position).expect("a legal move");
        let glance = Glance::new(sight, &mut ChaCha8Rng::seed_from_u64(1));
        glance.promise(&Node::new(position), &[], mv)
    }

    #[test]
    fn what_is_plain_is_seen_and_what_is_not_is_overlooked() {
        for (why, fen, mv, plain, all) in [
            ("a queen near by", "4k3/8/8/3q4/3R4/8/8/6K1 w - - 0 1", "d4d5", 980, 980),
            ("a queen behind", "4k3/8/3R4/8/8/3q4/8/6K1 w - - 0 1", "d6d3", 0, 980),
            ("a queen far off", "q7/4k3/8/8/8/8/6B1/4K3 w - - 0 1", "g2a8", 0, 980),
            ("our rook, attacked", "4k3/8/8/8/3r4/8/3R4/7K w - - 0 1", "h1h2", -500, -500),
            ("our rook, from afar", "4k3/b7/8/8/8/8/8/K5R1 w - - 0 1", "a1b2", 0, -500),
            ("our rook, from behind", "4k3/8/8/3R4/8/5b2/8/K7 w - - 0 1", "a1b1", 0, -500),
            ("our rook, by a jump", "4k3/8/8/3R4/5n2/8/8/7K w - - 0 1", "h1h2", 0, -500),
            ("our rook, uncovered", "3rk3/8/8/3N4/8/8/8/3R3K w - - 0 1", "d5f4", 0, -500),
            ("our knight", "3rk3/8/8/3N4/8/8/8/7K w - - 0 1", "h1h2", 0, -320),
            ("for nothing or for less", "8/k7/8/3p4/4Q3/5P2/8/7K w - - 0 1", "h1h2", -880, -880),
            ("mate", "6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "d1d8", 0, MATE),
        ] {
            let seen = (promise(&PLAIN, fen, mv), promise(&ALL, fen, mv));
            assert_eq!(seen, (plain, all), "{why}: {mv} in {fen}");
        }
    }
}
