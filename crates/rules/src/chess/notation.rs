//! Which move a word stands for, and which rule it breaks when that is not legal.
//!
//! How the word is found in what a player wrote is in `reading`.

use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, File, Move, Piece, Position, Rank,
    Role, Square, attacks, san::San,
};

use super::{name, uci};
use crate::{GeneralRule, Illegal, wording::quoted};

/// The move that a word stands for: UCI as the protocol asks, and what else players write: SAN,
/// long forms like `Ng1-f3`, castling with letters or zeros, in any case.
pub(super) fn read(position: &Chess, word: &str) -> Result<Move, Illegal> {
    match MoveWord::read(word) {
        Some(word) => word.find(position),
        None => Err(Illegal::rule(format!("{} is not a move", quoted(word)))),
    }
}

/// A word that has the form of a move, whether there is such a move or not.
#[derive(Clone, Debug)]
pub(super) enum MoveWord {
    Squares(Squares),
    San(String),
}

/// `e2e4`, `E2-E4`, `e7xd8=Q`, `Ng1f3`: two squares, perhaps a piece, perhaps a promotion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squares {
    role: Option<Role>,
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

impl MoveWord {
    pub fn read(word: &str) -> Option<MoveWord> {
        let word = word.strip_suffix("e.p").or(word.strip_suffix("ep")).unwrap_or(word);
        // B1f3 is a bishop that comes from the first rank; b1f3 and B1F3 come from b1.
        let ranked =
            |san| matches!(san, San::Normal { role: Role::Bishop, file: None, rank: Some(_), .. });
        match squares(word) {
            Some(squares) if !San::from_ascii(word.as_bytes()).is_ok_and(ranked) => {
                Some(MoveWord::Squares(squares))
            }
            _ => {
                let castles = word.to_ascii_lowercase().replace('0', "o").starts_with("o-o");
                let word = if castles { word.to_owned() } else { word.replace('-', "") };
                let is_san = !spellings(&word).is_empty();
                is_san.then_some(MoveWord::San(word))
            }
        }
    }

    pub fn is(word: &str) -> bool {
        MoveWord::read(word).is_some()
    }

    pub fn find(&self, position: &Chess) -> Result<Move, Illegal> {
        match self {
            MoveWord::Squares(squares) => by_squares(position, *squares),
            MoveWord::San(san) => by_san(position, san),
        }
    }

    /// The same for what a player writes: a B that may be the file and may be the bishop is not
    /// taken for either where both can go.
    pub fn find_meant(&self, position: &Chess) -> Result<Move, Illegal> {
        match self {
            MoveWord::San(word) if San::from_ascii(word.as_bytes()).is_err() => {
                let mut meant: Vec<Move> =
                    readings(position, word).filter_map(|san| san.to_move(position).ok()).collect();
                meant.dedup();
                match meant.as_slice() {
                    [_, _, ..] => {
                        let reason = format!(
                            "{} can be a pawn's move and a bishop's: write the bishop as B and \
                             the file as b",
                            quoted(word)
                        );
                        Err(refused(position, reason, |mv| meant.contains(&mv)))
                    }
                    _ => self.find(position),
                }
            }
            _ => self.find(position),
        }
    }

    /// Whether it can mean this move, perhaps among others.
    pub fn could_be(&self, position: &Chess, mv: Move) -> bool {
        match self {
            MoveWord::San(word) => readings(position, word).any(|san| san.matches(mv)),
            MoveWord::Squares(_) => false,
        }
    }

    /// Whether it is the name of a square and no more.
    pub fn is_square(&self) -> bool {
        self.square().is_some()
    }

    /// Whether a piece of the side to move stands on the square it names.
    pub fn stands(&self, position: &Chess) -> bool {
        self.square().is_some_and(|square| position.us().contains(square))
    }

    fn square(&self) -> Option<Square> {
        match self {
            MoveWord::San(word) => Square::from_ascii(word.to_ascii_lowercase().as_bytes()).ok(),
            MoveWord::Squares(_) => None,
        }
    }
}

fn squares(word: &str) -> Option<Squares> {
    let letters: Vec<u8> = word
        .bytes()
        .filter(|b| !matches!(b, b'-' | b'='))
        .filter(|b| !b.eq_ignore_ascii_case(&b'x'))
        .map(|b| b.to_ascii_lowercase())
        .collect();
    // The b of b7b8q is a file, that of Bf1b5 a bishop.
    two_squares(&letters, None).or_else(|| {
        let (first, rest) = letters.split_first()?;
        two_squares(rest, Some(Role::from_char(char::from(*first))?))
    })
}

fn two_squares(letters: &[u8], role: Option<Role>) -> Option<Squares> {
    let (squares, promotion) = match letters.len() {
        4 => (letters, None),
        5 => (&letters[..4], Some(Role::from_char(letters[4].into())?)),
        _ => return None,
    };
    let from = Square::from_ascii(&squares[..2]).ok()?;
    let to = Square::from_ascii(&squares[2..]).ok()?;
    Some(Squares { role, from, to, promotion })
}

fn by_squares(position: &Chess, squares: Squares) -> Result<Move, Illegal> {
    let Squares { role, from, to, promotion } = squares;
    let stands = position.board().piece_at(from).filter(|piece| piece.color == position.turn());
    if let (Some(named), Some(Piece { role, .. })) = (role, stands)
        && named != role
    {
        let reason = format!("on {from} there is a {}, not a {}", piece(role), piece(named));
        return Err(refused(position, reason, |mv| mv.from() == Some(from)));
    }
    let legal = position.legal_moves();
    let goes = |mv: &Move| {
        // A king that goes two squares or more castles; at Chess960 one step may be castling
        // too, and then it is told from a step by naming the rook.
        let castled = mv
            .castling_side()
            .map(|side| Square::from_coords(side.king_to_file(), from.rank()))
            .filter(|to| from.distance(*to) > 1);
        mv.from() == Some(from) && (mv.to() == to || castled == Some(to))
    };
    let mut matches = legal.iter().copied().filter(goes).peekable();
    if let Some(first) = matches.peek() {
        let promotes = first.is_promotion();
        if let Some(mv) = matches.find(|mv| mv.promotion() == promotion) {
            return Ok(mv);
        }
        let reason = match promotion {
            None => format!("the pawn promotes on {to}: add q, r, b or n, like {from}{to}q"),
            Some(role) if promotes => format!("a pawn cannot become a {}", piece(role)),
            Some(_) => format!("nothing promotes there: send {from}{to}"),
        };
        return Err(refused(position, reason, |mv| goes(&mv)));
    }
    let reason = why_not(position, from, to);
    Err(refused(position, reason, |mv| mv.from() == Some(from)))
}

fn by_san(position: &Chess, word: &str) -> Result<Move, Illegal> {
    let readings: Vec<San> = readings(position, word).collect();
    let Some(first) = readings.first() else {
        return Err(Illegal::rule(format!("{} is not a move", quoted(word))));
    };
    readings
        .iter()
        .find_map(|san| san.to_move(position).ok())
        .ok_or_else(|| why_not_san(position, word, *first))
}

/// What a word can mean here, the likeliest first.
fn readings(position: &Chess, word: &str) -> impl Iterator<Item = San> {
    spellings(word).into_iter().filter_map(|san| marked(position, san))
}

/// What a word can mean, the likeliest first: as written; castling with zeros; a pawn's move in
/// capitals or promoting without `=` (`e8q`); a piece in the wrong case (`nf3`, `bxc3`).
fn spellings(word: &str) -> Vec<San> {
    let lower = word.to_ascii_lowercase();
    let castling = lower.replace(['0', 'o'], "O");
    let mut pawn = lower;
    if let Some((stem, last)) = pawn.split_at_checked(pawn.len().saturating_sub(1)) {
        let stem = stem.trim_end_matches('=');
        if last.contains(['q', 'r', 'b', 'n']) && stem.ends_with(['1', '8']) {
            pawn = format!("{stem}={}", last.to_ascii_uppercase());
        }
    }
    let mut piece = pawn.clone();
    if let Some(first) = piece.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let read = |word: &str| San::from_ascii(word.as_bytes()).ok();
    match read(word) {
        // Written properly, a capital B is never the b-pawn.
        Some(san) => [Some(san), read(&piece)].into_iter().flatten().collect(),
        None => [castling, pawn, piece].iter().filter_map(|word| read(word)).collect(),
    }
}

/// With the x of a capture where it belongs; players leave it out or write one too many.
fn marked(position: &Chess, mut san: San) -> Option<San> {
    match &mut san {
        // No pawn captures on its own file: the first b of bb5 is a bishop.
        San::Normal { role: Role::Pawn, file: Some(file), to, .. } if *file == to.file() => {
            return None;
        }
        San::Normal { role: Role::Pawn, file, capture, .. } => *capture = file.is_some(),
        San::Normal { to, capture, .. } => *capture = position.board().piece_at(*to).is_some(),
        _ => {}
    }
    Some(san)
}

fn why_not_san(position: &Chess, text: &str, san: San) -> Illegal {
    match san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            let goes = |mv: &Move| mv.role() == role && mv.to() == to && !mv.is_castle();
            let can: Vec<_> = position.legal_moves().into_iter().filter(goes).collect();
            let named = |mv: &Move| {
                let promotion = mv.promotion();
                San::Normal { role, file, rank, capture, to, promotion }.matches(*mv)
            };
            if can.iter().any(|mv| san.matches(*mv)) {
                let who = piece(role);
                let reason = format!("more than one {who} can go to {to}; say from which square");
                return refused(position, reason, |mv| san.matches(mv));
            }
            if let Some(mv) = can.iter().find(|mv| named(mv)) {
                let reason = match promotion {
                    None => format!("a pawn that reaches {to} promotes: add =Q, =R, =B or =N"),
                    Some(role) if mv.is_promotion() => {
                        format!("a pawn cannot become a {}", piece(role))
                    }
                    Some(_) => format!("nothing promotes on {to}: leave the last letter out"),
                };
                return refused(position, reason, |mv| named(&mv));
            }
            let on_file = file.map_or(Bitboard::FULL, Bitboard::from);
            let on_rank = rank.map_or(Bitboard::FULL, Bitboard::from);
            let meant = position.our(role) & on_file & on_rank;
            let reason = match meant.single_square() {
                _ if position.our(role).is_empty() => format!("you have no {}", piece(role)),
                _ if role == Role::Pawn && !capture && !can.is_empty() => {
                    format!("a pawn can go to {to} only by capturing: say from which square")
                }
                Some(from) => why_not(position, from, to),
                None if can.is_empty() => {
                    format!("none of your {}s can go to {to}", piece(role))
                }
                None => format!("another {} can go to {to}, not the one you named", piece(role)),
            };
            refused(position, reason, |mv| {
                if can.is_empty() { mv.role() == role } else { can.contains(&mv) }
            })
        }
        San::Castle(side) => {
            let king = position.board().king_of(position.turn());
            let reason = king.map_or("you have no king".into(), |king| {
                let to = Square::from_coords(side.king_to_file(), king.rank());
                why_not_castle(position, king, to, side)
            });
            refused(position, reason, |mv| mv.role() == Role::King)
        }
        San::Put { .. } | San::Null => {
            Illegal::rule(format!("{text:?} is not a move of this game"))
        }
    }
}

fn refused(position: &Chess, reason: String, near: impl Fn(Move) -> bool) -> Illegal {
    let mut options: Vec<_> = position
        .legal_moves()
        .into_iter()
        .filter(|mv| near(*mv))
        .map(|mv| uci(position, mv))
        .collect();
    options.sort();
    Illegal::broken(GeneralRule::NotAMove, reason, options)
}

/// The first rule that going from `from` to `to` breaks.
fn why_not(position: &Chess, from: Square, to: Square) -> String {
    let board = position.board();
    let us = position.turn();
    let Some(Piece { role, color }) = board.piece_at(from) else {
        return format!("there is no piece on {from}");
    };
    if color != us {
        return format!(
            "the {} on {from} is {}'s, and you play {}",
            piece(role),
            name(color),
            name(us)
        );
    }
    if from == to {
        return format!("the {} stands on {to} already", piece(role));
    }
    if role == Role::King && from.rank() == to.rank() && from.distance(to) == 2 {
        let side = CastlingSide::from_king_side(to.file() > from.file());
        return why_not_castle(position, from, to, side);
    }
    if let Some(own) = board.piece_at(to).filter(|p| p.color == us) {
        return format!("your own {} stands on {to}", piece(own.role));
    }
    let shape = match role {
        Role::Pawn => why_not_pawn(position, from, to),
        _ => why_not_piece(board, role, from, to),
    };
    shape.unwrap_or_else(|| {
        let checked = position.is_check();
        match (role, checked) {
            (Role::King, _) => format!("the king would be in check on {to}"),
            (_, true) => "your king is in check, and this does not end it".into(),
            (_, false) => {
                format!("the {} on {from} is pinned: your king would be in check", piece(role))
            }
        }
    })
}

fn why_not_piece(board: &Board, role: Role, from: Square, to: Square) -> Option<String> {
    let reach = attacks::attacks(from, Piece { role, color: Color::White }, Bitboard::EMPTY);
    if !reach.contains(to) {
        return Some(format!("a {} does not move from {from} to {to}", piece(role)));
    }
    let block = nearest(from, attacks::between(from, to) & board.occupied())?;
    let what = board.role_at(block).map_or("piece", piece);
    Some(format!("the way from {from} to {to} is blocked by the {what} on {block}"))
}

fn why_not_pawn(position: &Chess, from: Square, to: Square) -> Option<String> {
    let (board, us) = (position.board(), position.turn());
    let forward = us.fold_wb(1, -1);
    let files = i32::from(to.file()) - i32::from(from.file());
    let ranks = (i32::from(to.rank()) - i32::from(from.rank())) * forward;
    let home = us.fold_wb(Rank::Second, Rank::Seventh);
    match (files, ranks) {
        (0, 1 | 2) => {
            if ranks == 2 && from.rank() != home {
                return Some("a pawn moves two squares only from where it started".into());
            }
            let way = attacks::between(from, to).with(to);
            let block = nearest(from, way & board.occupied())?;
            Some(format!("the pawn is blocked by the piece on {block}; pawns capture diagonally"))
        }
        (-1 | 1, 1) if board.piece_at(to).is_none() && position.maybe_ep_square() != Some(to) => {
            Some(format!(
                "there is nothing to capture on {to}, and pawns move diagonally only to capture"
            ))
        }
        (-1 | 1, 1) => None,
        _ => Some(format!("a pawn does not move from {from} to {to}")),
    }
}

fn why_not_castle(position: &Chess, king: Square, to: Square, side: CastlingSide) -> String {
    let us = position.turn();
    let home = match position.castles().mode() {
        CastlingMode::Standard => {
            Square::from_coords(File::E, us.fold_wb(Rank::First, Rank::Eighth))
        }
        CastlingMode::Chess960 => king,
    };
    if king != home || to.rank() != home.rank() || !position.castles().has(us, side) {
        return format!(
            "{} may no longer castle on that side: the king or the rook has moved",
            name(us)
        );
    }
    let path = position.castles().path(us, side);
    if let Some(block) = nearest(king, path & position.board().occupied()) {
        return format!("castling is blocked by the piece on {block}");
    }
    if position.is_check() {
        return "a king in check cannot castle".into();
    }
    let way = attacks::between(king, to).with(to);
    let attacked = way.into_iter().find(|square| {
        position.board().attacks_to(*square, !us, position.board().occupied()).any()
    });
    let castles = || position.legal_moves().into_iter().find(|mv| mv.castling_side() == Some(side));
    match (attacked, castles()) {
        (_, Some(mv)) => format!("to castle, send {}", uci(position, mv)),
        (Some(square), None) => {
            format!("the king cannot castle over or onto {square}, which is attacked")
        }
        (None, None) => "the king would be in check after castling".into(),
    }
}

fn nearest(from: Square, squares: Bitboard) -> Option<Square> {
    squares.into_iter().min_by_key(|square| from.distance(*square))
}

fn piece(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
