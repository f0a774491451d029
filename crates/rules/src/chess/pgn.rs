//! A game as PGN, the form every chess program reads.

use std::{fmt::Write, time::Duration};

use shakmaty::Position;

use super::{BLACK, Eval, MoveText, SanText, Takeback, Variant, View, WHITE, name};

/// Who played whom, where and when; what the rules do not know.
#[derive(Clone, Copy)]
pub struct Tags<'a> {
    pub event: &'a str,
    pub site: &'a str,
    /// `2026.11.15`
    pub date: &'a str,
    pub white: &'a str,
    pub black: &'a str,
    /// Others, by their names in the standard: WhiteElo, UTCTime.
    pub others: &'a [(&'a str, String)],
}

/// What is known of one move beside the move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Note {
    /// What the position after it is worth.
    pub eval: Option<Eval>,
    /// How long it took.
    pub elapsed: Option<Duration>,
    /// In words.
    pub remark: Option<String>,
}

impl From<Eval> for Note {
    fn from(eval: Eval) -> Note {
        Note { eval: Some(eval), ..Note::default() }
    }
}

impl Note {
    /// What a comment says of it; nothing if there is nothing to say.
    fn comment(&self) -> Vec<String> {
        // That it is mate, the move says itself.
        let eval = self.eval.filter(|eval| !matches!(eval, Eval::Mate { moves: 0, .. }));
        let eval = eval.map(|eval| format!("[%eval {eval}]"));
        let elapsed = self.elapsed.map(|time| format!("[%emt {}]", clock(time)));
        let remark = self.remark.as_deref().map(aside);
        eval.into_iter().chain(elapsed).chain(remark).collect()
    }
}

impl View {
    /// With what is known of each move, if anything is.
    pub fn pgn(&self, tags: &Tags, notes: &[Note]) -> String {
        let result = self.result();
        let mut pgn = String::new();
        let mut tag = |name: &str, value: &str| {
            // A tag is one line, whatever the players call themselves.
            let value = value.replace(char::is_control, " ");
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(pgn, "[{name} \"{value}\"]").expect("writing to a string");
        };
        tag("Event", tags.event);
        tag("Site", tags.site);
        tag("Date", tags.date);
        tag("Round", "-");
        tag("White", tags.white);
        tag("Black", tags.black);
        tag("Result", result);
        for (name, value) in tags.others {
            tag(name, value);
        }
        if self.variant == Variant::Chess960 {
            tag("Variant", "Chess960");
        }
        if let Some(fen) = &self.start_fen {
            tag("SetUp", "1");
            tag("FEN", fen);
        }
        if let Some(opening) = &self.opening {
            tag("ECO", opening.eco);
            tag("Opening", opening.name);
        }
        let termination = match (self.on_time, &self.outcome) {
            (true, _) => "time forfeit",
            (false, Some(_)) => "normal",
            (false, None) => "unterminated",
        };
        tag("Termination", termination);
        pgn.push('\n');
        let mut words = self.annotated(notes);
        // How it ended has no other place: the tag knows only that it ended by the rules.
        words.extend(
            self.outcome
                .iter()
                .map(|outcome| format!("{{ {}{} }}", aside(&outcome.text), self.claimed_with())),
        );
        wrap(&mut pgn, words.iter().map(String::as_str).chain([result]));
        pgn
    }

    /// `1. e4 e5 2. Nf3`
    pub fn movetext(&self) -> String {
        self.numbered(0, &self.history)
    }

    /// Moves that could follow now, as `movetext` would write them: `2... Nc6 3. Bb5`.
    pub fn continuation(&self, line: &[MoveText]) -> String {
        self.line(self.history.len(), line, |mv, line| line.push_str(&mv.san))
    }

    /// Moves that were made from ply `from` on, and their numbers.
    fn numbered(&self, from: usize, sans: &[SanText]) -> String {
        self.line(from, sans, |san, line| line.push_str(san))
    }

    /// Moves from ply `from` on, as `write` has them, and their numbers.
    fn line<M>(&self, from: usize, moves: &[M], write: impl Fn(&M, &mut String)) -> String {
        let mut line = String::with_capacity(8 * moves.len());
        for (n, mv) in moves.iter().enumerate() {
            if n > 0 {
                line.push(' ');
            }
            if let Some(number) = self.number(from + n, n == 0) {
                number.append_to(&mut line);
                line.push(' ');
            }
            write(mv, &mut line);
        }
        line
    }

    /// All moves, their numbers, and what a record tells beside them.
    fn annotated(&self, notes: &[Note]) -> Vec<String> {
        let mut words = Vec::with_capacity(2 * self.history.len());
        let mut is_interrupted = true;
        let add = |words: &mut Vec<String>, ply: usize, mut comment: Vec<String>| {
            let here = self.takebacks.iter().filter(|takeback| takeback.ply == ply);
            comment.extend(here.map(|takeback| self.taken_back(takeback)));
            let is_there = !comment.is_empty();
            if is_there {
                let comment = format!("{{ {} }}", comment.join(" "));
                if comment.len() < COLUMNS {
                    words.push(comment);
                } else {
                    words.extend(comment.split(' ').map(str::to_owned));
                }
            }
            is_there
        };
        add(&mut words, 0, Vec::new());
        for (ply, san) in self.history.iter().enumerate() {
            if let Some(number) = self.number(ply, is_interrupted) {
                let mut word = String::new();
                number.append_to(&mut word);
                words.push(word);
            }
            words.push(san.to_string());
            let mut comment = notes.get(ply).map(Note::comment).unwrap_or_default();
            if self.relayed[ply] {
                comment.push("relayed by the agent".to_owned());
            }
            is_interrupted = add(&mut words, ply + 1, comment);
        }
        words
    }

    /// What stands before the move of this ply.
    fn number(&self, ply: usize, is_interrupted: bool) -> Option<MoveNumber> {
        // A game from a set position need not begin with White's first move.
        let ply = ply + usize::from(self.start.turn().is_black());
        let number = self.start.fullmoves().get() as usize + ply / 2;
        match ply % 2 {
            0 => Some(MoveNumber(number, ".")),
            _ => is_interrupted.then_some(MoveNumber(number, "...")),
        }
    }

    /// `White takes back 2. Nf3 Nc6`
    fn taken_back(&self, takeback: &Takeback) -> String {
        let moves = self.numbered(takeback.ply, &takeback.moves);
        format!("{} takes back {moves}", name(takeback.by))
    }

    /// `, claimed with 4... Ng8`
    fn claimed_with(&self) -> String {
        let Some(san) = self.claimed_with else { return String::new() };
        format!(", claimed with {}", self.numbered(self.history.len(), &[san]))
    }

    fn result(&self) -> &'static str {
        match self.outcome.as_ref().map(|outcome| outcome.winner()) {
            None => "*",
            Some(Some(WHITE)) => "1-0",
            Some(Some(BLACK)) => "0-1",
            Some(_) => "1/2-1/2",
        }
    }
}

/// `12.`, or `12...` before a move of Black's that stands alone.
struct MoveNumber(usize, &'static str);

impl MoveNumber {
    fn append_to(&self, line: &mut String) {
        push_digits(line, self.0);
        line.push_str(self.1);
    }
}

/// Without a formatter: a long game has many, and every answer tells them.
fn push_digits(line: &mut String, number: usize) {
    if number > 9 {
        push_digits(line, number / 10);
    }
    line.push(char::from(b'0' + (number % 10) as u8));
}

const COLUMNS: usize = 79;

/// Lines of at most eighty columns, as the standard asks.
fn wrap<'a>(pgn: &mut String, words: impl Iterator<Item = &'a str>) {
    let mut column = 0;
    // A long comment goes over several lines.
    let words = words.flat_map(|word| match word.len() {
        ..COLUMNS => vec![word],
        _ => word.split(' ').collect(),
    });
    for word in words {
        if column > 0 && column + 1 + word.len() > COLUMNS {
            pgn.push('\n');
            column = 0;
        } else if column > 0 {
            pgn.push(' ');
            column += 1;
        }
        pgn.push_str(word);
        column += word.len();
    }
    pgn.push('\n');
}

/// Without what would end a comment, be taken for a command in it, or be a line of its own.
fn aside(text: &str) -> String {
    let text = text.replace(['{', '}'], "'").replace("[%", "%").replace(char::is_control, " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `0:01:07.25`: hours, minutes, seconds and what is left of one.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let clock = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match time.subsec_millis() {
        0 => clock,
        millis => format!("{clock}.{millis:03}").trim_end_matches('0').to_owned(),
    }
}
