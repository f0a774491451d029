//! Words and letters that players use when they write a move, and what they stand for.

/// Words that say nothing about which move it is.
#[rustfmt::skip]
pub(super) const FILLER: &[&str] = &[
    "action", "am", "and", "answer", "as", "best", "bestmove", "black", "boxed", "check",
    "checkmate", "choice", "choose", "chosen", "claim", "decide", "decided", "en", "ep", "e.p",
    "false", "final", "finishturn", "for", "from", "game", "go", "going", "goes", "here", "i",
    "i'd", "i'll", "i'm", "in", "is", "it", "json", "lan", "let", "let's", "like", "make",
    "mate", "me", "move", "moves", "moving", "my", "next", "notation", "now", "ok", "okay",
    "on", "our", "passant", "piece", "play", "played", "playing", "plays", "please", "promote",
    "promotes", "promoting", "promotion", "response", "s", "san", "selected", "so", "square",
    "sure", "text", "the", "this", "to", "turn", "uci", "us", "want", "we", "well", "white",
    "will", "win", "with", "would", "your",
];

/// Words that turn a sentence round.
#[rustfmt::skip]
pub(super) const NEGATIONS: &[&str] = &[
    "avoid", "aren't", "can't", "cannot", "cant", "didn't", "doesn't", "don't", "dont",
    "except", "illegal", "instead", "isn't", "never", "no", "none", "nor", "not", "rather",
    "refuse", "shouldn't", "unless", "without", "won't", "wont", "wouldn't",
];

/// Words for what is done beside the board, and what it is called there.
pub(super) const BESIDE: &[(&str, &str)] = &[
    ("resign", "resign"),
    ("resigns", "resign"),
    ("resigned", "resign"),
    ("concede", "resign"),
    ("surrender", "resign"),
    ("forfeit", "resign"),
    ("give up", "resign"),
    ("quit", "resign"),
    ("abort", "resign"),
    ("draw", "offerDraw, acceptDraw or claimDraw"),
    ("offerdraw", "offerDraw"),
    ("acceptdraw", "acceptDraw"),
    ("declinedraw", "declineDraw"),
    ("claimdraw", "claimDraw"),
    ("takeback", "takeback"),
    ("undo", "takeback"),
    ("declinetakeback", "declineTakeback"),
];

/// Words that stand for a part of a move.
pub(super) const PARTS: &[(&str, &str)] = &[
    ("king", "K"),
    ("queen", "Q"),
    ("rook", "R"),
    ("bishop", "B"),
    ("knight", "N"),
    ("pawn", "P"),
    ("takes", "x"),
    ("captures", "x"),
    ("castle", CASTLES),
    ("castles", CASTLES),
    ("castling", CASTLES),
    ("kingside", SHORT),
    ("short", SHORT),
    ("queenside", LONG),
    ("long", LONG),
    ("oo", "O-O"),
    ("00", "O-O"),
    ("o-o", "O-O"),
    ("0-0", "O-O"),
    ("ooo", "O-O-O"),
    ("000", "O-O-O"),
    ("o-o-o", "O-O-O"),
    ("0-0-0", "O-O-O"),
];
pub(super) const CASTLES: &str = "castles";
pub(super) const SHORT: &str = "short";
pub(super) const LONG: &str = "long";

/// With pieces as letters, dashes and arrows as `-`, and no invisible characters.
pub(super) fn plainly(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '♔' | '♚' => plain.push('K'),
            '♕' | '♛' => plain.push('Q'),
            '♖' | '♜' => plain.push('R'),
            '♗' | '♝' => plain.push('B'),
            '♘' | '♞' => plain.push('N'),
            '♙' | '♟' => plain.push('P'),
            // Full-width letters, digits and marks.
            '\u{ff01}'..='\u{ff5e}' => {
                plain.extend(char::from_u32(u32::from(letter) - 0xff00 + 0x20));
            }
            letter if is_dash(letter) || is_arrow(letter) => plain.push('-'),
            '×' => plain.push('x'),
            '…' => plain.push_str("..."),
            '。' => plain.push('.'),
            '、' => plain.push(','),
            '†' | '‡' => plain.push('+'),
            '’' | '‘' | '‛' | '′' | '´' => plain.push('\''),
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            '\u{fe0e}' | '\u{fe0f}' => {}
            letter => plain.push(letter),
        }
    }
    // Within a word it belongs to it: let's.
    let quotes = |at: usize| {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
        !(is_letter(plain[..at].chars().next_back()) && is_letter(plain[at + 1..].chars().next()))
    };
    let letters = plain.char_indices();
    letters.map(|(at, c)| if c == '\'' && quotes(at) { ' ' } else { c }).collect()
}

fn is_dash(letter: char) -> bool {
    let hyphens = matches!(letter, '\u{2010}'..='\u{2015}' | '\u{2043}' | '\u{2212}');
    hyphens || "⸺⸻〜〰︱︲﹘﹣".contains(letter)
}

/// Of arrows only those from left to right: the others turn a move round.
fn is_arrow(letter: char) -> bool {
    let dingbats = matches!(letter, '\u{2794}' | '\u{2798}'..='\u{27af}' | '\u{27b1}'..='\u{27be}');
    dingbats || "→↝↠↣↦⇀⇁⇒⇛⇝⇢⇥⇨⇾⟶⟹⟼⟾⮕".contains(letter)
}

pub(super) fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || "\"`*_<>[](){}\\,;|$~“”„‟«»‹›「」『』".contains(letter)
}
