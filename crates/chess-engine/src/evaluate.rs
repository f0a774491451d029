//! What a position is worth as it stands, in centipawns: no looking ahead here.

use shakmaty::{Bitboard, Board, Chess, Color, File, Position, Rank, Role, Square, attacks};

use crate::squares::{SQUARES, Taper, centrality, taper};

/// Having the move is worth a little.
const TEMPO: i32 = 10;

/// Seen by the side to move.
pub(crate) fn evaluate(position: &Chess) -> i32 {
    let board = position.board();
    let mirrored = board.clone().into_mirrored();
    let balance = merits(board) - merits(&mirrored);
    let phase = phase(board);
    let score = (balance.early * phase + balance.late * (FULL_PHASE - phase)) / FULL_PHASE;
    TEMPO + position.turn().fold_wb(score, -score)
}

const FULL_PHASE: i32 = 24;

fn phase(board: &Board) -> i32 {
    let minors = board.knights().count() + board.bishops().count();
    let phase = minors + 2 * board.rooks().count() + 4 * board.queens().count();
    FULL_PHASE.min(phase as i32)
}

const BISHOP_PAIR: Taper = taper(28, 45);
const ISOLATED_PAWN: Taper = taper(-9, -11);
const DOUBLED_PAWN: Taper = taper(-7, -16);
const OPEN_FILE: Taper = taper(24, 8);
const HALF_OPEN_FILE: Taper = taper(11, 5);
const PAWN_BEFORE_KING: Taper = taper(12, 0);
const PAWN_FURTHER_BEFORE_KING: Taper = taper(6, 0);
const KING_ON_BARE_FILE: Taper = taper(-20, 0);
const PASSED_PAWN: [Taper; 8] = [
    taper(0, 0),
    taper(2, 8),
    taper(4, 12),
    taper(8, 24),
    taper(20, 45),
    taper(40, 80),
    taper(70, 130),
    taper(0, 0),
];

/// How a piece is valued for the squares it reaches.
struct Reach {
    usual: i32,
    each: Taper,
    /// How much it counts beside the enemy king.
    threat: i32,
}

fn reach_of(role: Role) -> Reach {
    match role {
        Role::Knight => Reach { usual: 4, each: taper(4, 4), threat: 2 },
        Role::Bishop => Reach { usual: 6, each: taper(4, 4), threat: 2 },
        Role::Rook => Reach { usual: 7, each: taper(2, 4), threat: 3 },
        _ => Reach { usual: 13, each: taper(1, 3), threat: 4 },
    }
}

/// What speaks for White. Black is judged by mirroring the board, so neither can be favoured.
fn merits(board: &Board) -> Taper {
    let mut total = BISHOP_PAIR * i32::from((board.bishops() & board.white()).more_than_one());
    for role in Role::ALL {
        for square in board.by_piece(role.of(Color::White)) {
            total += SQUARES[role as usize - 1][square.to_usize()];
        }
    }
    total += pawns(board);
    total += pieces(board);
    if let Some(king) = board.king_of(Color::White) {
        total += shelter(board, king);
    }
    total += driving_a_bare_king(board);
    total
}

fn pieces(board: &Board) -> Taper {
    let mut total = taper(0, 0);
    let (mut attackers, mut threat) = (0, 0);
    let free = !board.white() & !black_pawn_attacks(board.pawns() & board.black());
    let king = board.king_of(Color::Black).map_or(Bitboard::EMPTY, attacks::king_attacks);
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        let reach = reach_of(role);
        for square in board.by_piece(role.of(Color::White)) {
            let attacked = attacks::attacks(square, role.of(Color::White), board.occupied());
            total += reach.each * ((attacked & free).count() as i32 - reach.usual);
            let beside_king = (attacked & king).count() as i32;
            attackers += i32::from(beside_king > 0);
            threat += reach.threat * beside_king;
            if role == Role::Rook {
                total += file_value(board, square.file());
            }
        }
    }
    // One attacker alone seldom mates, and several do more than add up.
    if attackers > 1 {
        total.early += (threat * threat / 4).min(300);
    }
    total
}

fn file_value(board: &Board, file: File) -> Taper {
    let pawns = board.pawns() & Bitboard::from_file(file);
    if pawns.is_empty() {
        OPEN_FILE
    } else if (pawns & board.white()).is_empty() {
        HALF_OPEN_FILE
    } else {
        taper(0, 0)
    }
}

fn pawns(board: &Board) -> Taper {
    let ours = board.pawns() & board.white();
    let theirs = board.pawns() & board.black();
    let behind_ours = below(ours);
    let watched = below(theirs);
    let passed = ours & !watched & !beside(watched) & !behind_ours;
    let doubled = ours & behind_ours;
    let isolated = ours & !beside(whole_files(ours));

    let mut total = DOUBLED_PAWN * doubled.count() as i32;
    total += ISOLATED_PAWN * isolated.count() as i32;
    let (Some(king), Some(rival)) = (board.king_of(Color::White), board.king_of(Color::Black))
    else {
        return total;
    };
    for pawn in passed {
        let rank = pawn.rank().to_usize();
        total += PASSED_PAWN[rank];
        // Late on, it is the kings that help a pawn through or stop it.
        let goal = Square::from_coords(pawn.file(), Rank::Eighth);
        let lead = rival.distance(goal) as i32 * 2 - king.distance(goal) as i32;
        total.late += lead * rank as i32;
    }
    total
}

fn shelter(board: &Board, king: Square) -> Taper {
    let ours = board.pawns() & board.white();
    let ahead = king.rank().offset(1).map_or(Bitboard::EMPTY, Bitboard::from_rank);
    let before = attacks::king_attacks(king) & ahead;
    let further = Bitboard(before.0 << 8);
    let files = Bitboard::from_file(king.file()) | beside(Bitboard::from_file(king.file()));
    let bare = (files & Bitboard::from_rank(king.rank()) & !whole_files(ours)).count();
    PAWN_BEFORE_KING * (ours & before).count() as i32
        + PAWN_FURTHER_BEFORE_KING * (ours & further).count() as i32
        + KING_ON_BARE_FILE * bare as i32
}

/// Against a lone king nothing else shows the way: to the edge with it, and our own king near.
fn driving_a_bare_king(board: &Board) -> Taper {
    let bare = !board.black().more_than_one() && (board.white() & board.rooks_and_queens()).any();
    match (board.king_of(Color::White), board.king_of(Color::Black)) {
        (Some(ours), Some(theirs)) if bare => {
            let outward = 3 - centrality(theirs.to_usize());
            taper(0, 20 * outward + 8 * (7 - ours.distance(theirs) as i32))
        }
        _ => taper(0, 0),
    }
}

fn black_pawn_attacks(pawns: Bitboard) -> Bitboard {
    beside(Bitboard(pawns.0 >> 8))
}

fn beside(squares: Bitboard) -> Bitboard {
    let left = squares & !Bitboard::from_file(File::A);
    let right = squares & !Bitboard::from_file(File::H);
    Bitboard(left.0 >> 1 | right.0 << 1)
}

/// Every square below one of these on the same file.
fn below(squares: Bitboard) -> Bitboard {
    let one = squares.0 >> 8;
    let two = one | one >> 8;
    let four = two | two >> 16;
    Bitboard(four | four >> 32)
}

fn whole_files(squares: Bitboard) -> Bitboard {
    let down = squares | below(squares);
    let up = down.flip_vertical();
    up | below(up)
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

    fn for_white(position: &Chess) -> i32 {
        position.turn().fold_wb(1, -1) * evaluate(position)
    }

    #[test]
    fn a_mirrored_position_scores_the_opposite() {
        for fen in POSITIONS {
            let position = position(fen);
            let mirrored = position.to_setup(EnPassantMode::Legal).into_mirrored();
            let mirrored: Chess = mirrored.position(CastlingMode::Standard).expect("a position");
            assert_eq!(for_white(&position), -for_white(&mirrored), "{fen}");
        }
    }

    #[test]
    fn better_is_worth_more() {
        let table = [
            (
                "a knight on the rim is dim",
                "4k3/pppp4/8/8/3N4/8/PPPP4/4K3 w - - 0 1",
                "4k3/pppp4/8/8/N7/8/PPPP4/4K3 w - - 0 1",
            ),
            ("passed", "4k3/p7/8/4P3/8/8/8/4K3 w - - 0 1", "4k3/4p3/8/4P3/8/8/8/4K3 w - - 0 1"),
        ];
        for (why, better, worse) in table {
            assert!(evaluate(&position(better)) > evaluate(&position(worse)), "{why}");
        }
    }
}
