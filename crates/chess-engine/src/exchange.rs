//! Whether a capture pays once everybody has taken back.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square, attacks};

pub(crate) fn price(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 980,
        Role::King => 20_000,
    }
}

/// What a capture or promotion puts in our pocket at once.
pub(crate) fn gain(mv: Move) -> i32 {
    mv.capture().map_or(0, price) + mv.promotion().map_or(0, |role| price(role) - price(Role::Pawn))
}

/// Whether playing the move and then exchanging on its square, the cheapest piece first, leaves us
/// with at least `least`. Pins are not looked at.
pub(crate) fn pays(position: &Chess, mv: Move, least: i32) -> bool {
    let (Move::Normal { role, from, to, .. }, board) = (mv, position.board()) else {
        return least <= 0;
    };
    let mut balance = gain(mv) - least;
    if balance < 0 {
        return false;
    }
    // At worst the piece just moved is lost for nothing.
    balance -= price(mv.promotion().unwrap_or(role));
    if balance >= 0 {
        return true;
    }
    let occupied = board.occupied().without(from).with(to);
    exchange(board, to, !position.turn(), occupied, balance)
}

/// The side in `turn` may take back. The one for whom it does not pay to go on has lost.
fn exchange(
    board: &Board,
    to: Square,
    mut turn: Color,
    mut occupied: Bitboard,
    mut balance: i32,
) -> bool {
    let us = !turn;
    let straight = board.rooks_and_queens();
    let slanted = board.bishops_and_queens();
    let mut attackers = attacks_to(board, to, occupied);
    loop {
        attackers &= occupied;
        let ours = attackers & board.by_color(turn);
        let Some((role, from)) = cheapest(board, ours) else { break };
        // A king cannot take what is still defended.
        if role == Role::King && (attackers & board.by_color(!turn)).any() {
            break;
        }
        occupied.discard(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(to, occupied) & slanted;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(to, occupied) & straight;
        }
        turn = !turn;
        balance = -balance - 1 - price(role);
        if balance >= 0 {
            break;
        }
    }
    turn != us
}

fn attacks_to(board: &Board, to: Square, occupied: Bitboard) -> Bitboard {
    board.attacks_to(to, Color::White, occupied) | board.attacks_to(to, Color::Black, occupied)
}

fn cheapest(board: &Board, men: Bitboard) -> Option<(Role, Square)> {
    Role::ALL.into_iter().find_map(|role| Some((role, (men & board.by_role(role)).first()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use shakmaty::uci::UciMove;

    #[test]
    fn exchanges_are_counted_to_the_end() {
        for (fen, mv, worth) in [
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
            ("4k3/8/2p5/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -400),
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 880),
            ("4k3/8/8/4p3/3p4/8/8/Q3K3 w - - 0 1", "a1d4", -880),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        ] {
            let fen: Fen = fen.parse().expect("a fen");
            let position: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
            let uci: UciMove = mv.parse().expect("a move");
            let mv = uci.to_move(&position).expect("a legal move");
            assert!(pays(&position, mv, worth), "{mv} is worth {worth}");
            assert!(!pays(&position, mv, worth + 1), "{mv} is not worth more than {worth}");
        }
    }
}
