//! What a position is worth as it stands, in centipawns: no looking ahead here.
//!
//! Every term is added to one balance, White's minus Black's. Pawns are in `pawns`, the value of
//! each term in `weights`, endings that material alone misjudges in `endings`.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Square, attacks};

use crate::node::Node;
use crate::squares::{ahead, forward, pawn_attacks};
use crate::taper::Taper;
use crate::weights::WEIGHTS;
use crate::{endings, pawns, terms};

/// White's merits minus Black's.
pub(crate) struct Balance(Taper);

impl Balance {
    #[inline]
    pub fn put(&mut self, color: Color, term: usize, times: i32) {
        self.0 += WEIGHTS[term] * color.fold_wb(times, -times);
    }
}

/// Seen by the side to move.
pub(crate) fn evaluate(node: &Node) -> i32 {
    let position = &node.position;
    let board = position.board();
    let score = match endings::mating(board) {
        Some(driven) => node.squares.late() + driven,
        None => {
            let mut balance = Balance(node.squares);
            weigh(position, &mut balance);
            let score = balance.0.at(phase(board));
            score * endings::winnable(board, score) / endings::FULLY
        }
    };
    position.turn().fold_wb(score, -score)
}

/// How much is left on the board, `FULL_PHASE` at the start and 0 with only pawns.
fn phase(board: &Board) -> i32 {
    let minors = (board.knights() | board.bishops()).count();
    (minors + 2 * board.rooks().count() + 4 * board.queens().count()) as i32
}

/// Adds every term but the squares of the pieces, which a node keeps up to date.
fn weigh(position: &Chess, balance: &mut Balance) {
    let board = position.board();
    balance.put(position.turn(), terms::TEMPO, 1);
    let mut white = Camp::new(board, Color::White);
    let mut black = Camp::new(board, Color::Black);
    pieces(board, &mut white, &black, balance);
    pieces(board, &mut black, &white, balance);
    for (us, them) in [(&white, &black), (&black, &white)] {
        pawns::weigh(board, us, them, balance);
        shelter(us, them, balance);
        danger(board, us, them, balance);
        threats(board, us, them, balance);
    }
}

/// One side, and what it reaches.
pub(crate) struct Camp {
    pub color: Color,
    pub men: Bitboard,
    pub pawns: Bitboard,
    pub king: Square,
    /// The king's square, those around it, and those before them.
    zone: Bitboard,
    pub by_pawns: Bitboard,
    by_minors: Bitboard,
    by_rooks: Bitboard,
    pub attacked: Bitboard,
    /// How much is aimed at the enemy king.
    aim: i32,
    aiming: i32,
}

impl Camp {
    fn new(board: &Board, color: Color) -> Camp {
        let men = board.by_color(color);
        let pawns = board.pawns() & men;
        // A legal position has its kings.
        let king = board.king_of(color).unwrap_or(Square::A1);
        let around = attacks::king_attacks(king);
        let by_pawns = pawn_attacks(color, pawns);
        Camp {
            color,
            men,
            pawns,
            king,
            zone: around.with(king) | forward(color, around),
            by_pawns,
            by_minors: Bitboard::EMPTY,
            by_rooks: Bitboard::EMPTY,
            attacked: by_pawns | around,
            aim: 0,
            aiming: 0,
        }
    }
}

/// What our pieces reach, which is most of what they are good for.
fn pieces(board: &Board, us: &mut Camp, them: &Camp, balance: &mut Balance) {
    // Where a piece may go without being in the way or lost to a pawn.
    let free = !(them.by_pawns | us.pawns.with(us.king));
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in board.by_role(role) & us.men {
            let reach = reach(board, us, role, from);
            us.attacked |= reach;
            match role {
                Role::Knight | Role::Bishop => us.by_minors |= reach,
                Role::Rook => us.by_rooks |= reach,
                _ => {}
            }
            balance.put(us.color, terms::mobility(role, (reach & free).count()), 1);
            let near = reach & them.zone;
            if near.any() {
                us.aiming += 1;
                us.aim += AIM[role as usize - 1] + near.count() as i32;
            }
            match role {
                Role::Rook => rook_file(us, them, from, balance),
                Role::Knight | Role::Bishop => minor(us, them, role, from, balance),
                _ => {}
            }
        }
    }
    bishops(board, us, balance);
}

/// Pieces of ours that move alike and stand behind each other work together.
fn reach(board: &Board, us: &Camp, role: Role, from: Square) -> Bitboard {
    let occupied = board.occupied();
    match role {
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, occupied ^ (board.queens() & us.men)),
        Role::Rook => attacks::rook_attacks(from, occupied ^ (board.rooks_and_queens() & us.men)),
        _ => attacks::queen_attacks(from, occupied),
    }
}

fn rook_file(us: &Camp, them: &Camp, rook: Square, balance: &mut Balance) {
    let file = Bitboard::from_file(rook.file());
    if (file & us.pawns).is_empty() {
        let open = (file & them.pawns).is_empty();
        let term = if open { terms::ROOK_ON_OPEN_FILE } else { terms::ROOK_ON_HALF_OPEN_FILE };
        balance.put(us.color, term, 1);
    }
}

fn minor(us: &Camp, them: &Camp, role: Role, from: Square, balance: &mut Balance) {
    let here = Bitboard::from_square(from);
    if (forward(us.color, here) & us.pawns).any() {
        balance.put(us.color, terms::MINOR_BEHIND_PAWN, 1);
    }
    // Enemy pawns that could ever drive it away stand ahead on the files beside it.
    let chased = ahead(us.color, attacks::pawn_attacks(us.color, from)) & them.pawns;
    let rank = from.rank().to_usize();
    if us.by_pawns.contains(from) && chased.is_empty() && us.color.fold_wb(rank, 7 - rank) >= 3 {
        let knight = role == Role::Knight;
        let term = if knight { terms::KNIGHT_OUTPOST } else { terms::BISHOP_OUTPOST };
        balance.put(us.color, term, 1);
    }
}

/// A bishop only ever sees one colour: two cover the board, and our pawns can bury one.
fn bishops(board: &Board, us: &Camp, balance: &mut Balance) {
    let bishops = board.bishops() & us.men;
    let (light, dark) = (Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES);
    let mut in_the_way = 0;
    for colour in [light, dark] {
        if (bishops & colour).any() {
            in_the_way += (us.pawns & colour).count() as i32;
        }
    }
    balance.put(us.color, terms::BAD_BISHOP, in_the_way);
    if (bishops & light).any() && (bishops & dark).any() {
        balance.put(us.color, terms::BISHOP_PAIR, 1);
    }
}

/// Pawns around our king: ours keep it safe, theirs come to open it up.
fn shelter(us: &Camp, them: &Camp, balance: &mut Balance) {
    let rank = Bitboard::from_rank(us.king.rank());
    let before = rank | ahead(us.color, rank);
    let middle = us.king.file().to_usize().clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let file = Bitboard(0x0101_0101_0101_0101 << file) & before;
        balance.put(us.color, terms::SHELTER + nearest(us.color, file & us.pawns), 1);
        balance.put(us.color, terms::STORM + nearest(us.color, file & them.pawns), 1);
    }
}

/// The rank, seen from our side, of the pawn nearest to it; 0 without one.
fn nearest(color: Color, pawns: Bitboard) -> usize {
    match color {
        Color::White => pawns.first().map_or(0, |pawn| pawn.rank().to_usize()),
        Color::Black => pawns.last().map_or(0, |pawn| 7 - pawn.rank().to_usize()),
    }
}

/// For a piece of each role near the enemy king.
const AIM: [i32; 6] = [0, 2, 2, 2, 4, 0];
/// For a check that can be given at no cost.
const CHECK: [i32; 6] = [0, 3, 2, 4, 4, 0];

/// Several attackers do more than add up, so what is aimed at a king is looked up, not added.
fn danger(board: &Board, us: &Camp, them: &Camp, balance: &mut Balance) {
    let queens = board.queens() & us.men;
    // One attacker alone seldom mates.
    if us.aiming < 2 && (us.aiming == 0 || queens.is_empty()) {
        return;
    }
    let occupied = board.occupied();
    let safe = us.attacked & !us.men & !them.attacked;
    let straight = attacks::rook_attacks(them.king, occupied) & safe;
    let slanted = attacks::bishop_attacks(them.king, occupied) & safe;
    let jump = attacks::knight_attacks(them.king) & safe;
    let mut aim = us.aim + us.aiming;
    if (straight & us.by_rooks).any() {
        aim += CHECK[Role::Rook as usize - 1];
    }
    if ((slanted | jump) & us.by_minors).any() {
        aim += CHECK[Role::Knight as usize - 1];
    }
    if queens.any() {
        let weak =
            us.attacked & attacks::king_attacks(them.king) & !them.by_pawns & !them.by_minors;
        aim += 2 + weak.count() as i32;
        if (straight | slanted).any() {
            aim += CHECK[Role::Queen as usize - 1] / 2;
        }
    } else {
        aim -= 4;
    }
    let step = (aim.max(0) as usize).min(terms::DANGERS - 1);
    balance.put(us.color, terms::DANGER + step, 1);
}

/// What could be taken next, or hit by a pawn's step. Looking ahead finds out whether it comes to
/// that; this tells it where to look.
fn threats(board: &Board, us: &Camp, them: &Camp, balance: &mut Balance) {
    let weak = them.men & !them.by_pawns;
    for (reached, term) in [
        (us.by_pawns & them.men, terms::PAWN_HITS),
        (us.by_minors & weak, terms::MINOR_HITS),
        (us.by_rooks & weak, terms::ROOK_HITS),
    ] {
        if reached.is_empty() {
            continue;
        }
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let hit = (reached & board.by_role(role)).count() as i32;
            balance.put(us.color, term + role as usize - 1, hit);
        }
    }
    let hanging = them.men & us.attacked & !them.attacked;
    balance.put(us.color, terms::HANGING, hanging.count() as i32);

    let steps = forward(us.color, us.pawns) & !board.occupied() & !them.by_pawns;
    let safe = steps & (us.attacked | !them.attacked);
    let pushed = pawn_attacks(us.color, safe) & them.men & !them.pawns & !us.by_pawns;
    balance.put(us.color, terms::PUSH_THREAT, pushed.count() as i32);
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, EnPassantMode};

    const POSITIONS: [&str; 6] = [
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 10",
        "8/5pk1/1p4p1/p1p1P2p/P1P1KP1P/1P4P1/8/8 b - - 0 40",
        "8/8/8/4k3/8/8/4K3/4R3 w - - 0 1",
        "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
        "8/2P5/8/8/4k3/8/5K2/8 b - - 0 1",
    ];

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().expect("a fen");
        fen.into_position(CastlingMode::Standard).expect("a position")
    }

    fn worth(position: Chess) -> i32 {
        evaluate(&Node::new(position))
    }

    #[test]
    fn neither_colour_is_favoured() {
        for fen in POSITIONS {
            let mirrored = position(fen).to_setup(EnPassantMode::Legal).into_mirrored();
            let mirrored: Chess = mirrored.position(CastlingMode::Standard).expect("a position");
            assert_eq!(worth(position(fen)), worth(mirrored), "{fen}");
        }
    }

    #[test]
    fn better_is_worth_more() {
        for (why, better, worse) in [
            (
                "a knight on the rim is dim",
                "4k3/pppp4/8/8/3N4/8/PPPP4/4K3 w - - 0 1",
                "4k3/pppp4/8/8/N7/8/PPPP4/4K3 w - - 0 1",
            ),
            (
                "a passed pawn further on",
                "8/6k1/8/P7/8/8/6K1/8 w - - 0 1",
                "8/6k1/8/8/P7/8/6K1/8 w - - 0 1",
            ),
            (
                "a bare king at the edge",
                "8/8/8/R7/3K4/8/8/3k4 w - - 0 1",
                "8/8/8/R7/8/3k4/8/3K4 w - - 0 1",
            ),
        ] {
            assert!(worth(position(better)) > worth(position(worse)), "{why}");
        }
    }
}
