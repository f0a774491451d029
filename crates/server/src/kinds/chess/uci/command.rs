//! One line of UCI as a type. Words that mean nothing are passed over, as the protocol wants it.

use std::time::Duration;

use chess_engine::SearchLimits;
use shakmaty::{Color, uci::UciMove};

use super::clock;

#[derive(Debug, PartialEq)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    /// What follows the word; `position` reads it.
    Position(Vec<String>),
    Go(Go),
    /// The move it thinks about while the other side does has been played.
    PonderHit,
    Stop,
    Quit,
}

/// How far to think. Times are in milliseconds.
#[derive(Debug, Default, PartialEq)]
pub struct Go {
    pub nodes: Option<u64>,
    pub depth: Option<u64>,
    pub movetime: Option<u64>,
    /// White's, then Black's.
    pub left: [Option<u64>; 2],
    pub increment: [u64; 2],
    pub moves_to_go: Option<u64>,
    pub infinite: bool,
    /// The clock does not run until the other side has moved.
    pub ponder: bool,
    /// Only these are to be looked at; all if there are none.
    pub among: Vec<UciMove>,
}

/// What a line asks for; none if there is no command in it.
pub fn read(line: &str) -> Option<Command> {
    let mut words = line.split_whitespace();
    loop {
        return Some(match words.next()? {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "setoption" => read_option(words),
            "position" => Command::Position(words.map(str::to_owned).collect()),
            "go" => Command::Go(read_go(words)),
            "ponderhit" => Command::PonderHit,
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            _ => continue,
        });
    }
}

fn read_option<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let words: Vec<&str> = words.skip_while(|word| *word == "name").collect();
    let mut parts = words.splitn(2, |word| *word == "value").map(|part| part.join(" "));
    let mut part = || parts.next().unwrap_or_default();
    Command::SetOption { name: part(), value: part() }
}

fn read_go<'a>(words: impl Iterator<Item = &'a str>) -> Go {
    let mut words = words.peekable();
    let mut go = Go::default();
    while let Some(word) = words.next() {
        // A clock may have run below nothing.
        let mut number =
            || words.next()?.parse::<i64>().ok().map(|number| number.try_into().unwrap_or(0));
        match word {
            "nodes" => go.nodes = number(),
            "depth" => go.depth = number(),
            "movetime" => go.movetime = number(),
            "wtime" => go.left[0] = number(),
            "btime" => go.left[1] = number(),
            "winc" => go.increment[0] = number().unwrap_or(0),
            "binc" => go.increment[1] = number().unwrap_or(0),
            "movestogo" => go.moves_to_go = number(),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                let read = |word: Option<&&str>| word.and_then(|word| word.parse().ok());
                while let Some(mv) = read(words.peek()) {
                    go.among.push(mv);
                    words.next();
                }
            }
            _ => {}
        }
    }
    go
}

impl Go {
    /// How long to think, if that is limited.
    pub fn time(&self, mover: Color, overhead: Duration) -> Option<Duration> {
        let millis = Duration::from_millis;
        let seat = mover.fold_wb(0, 1);
        let share = self.left[seat].map(|left| {
            clock::share(millis(left), millis(self.increment[seat]), self.moves_to_go, overhead)
        });
        let asked = self.movetime.map(|time| millis(time).saturating_sub(overhead));
        share.into_iter().chain(asked).min().filter(|_| !self.infinite)
    }

    pub fn limits(&self, lines: usize) -> SearchLimits {
        let all = SearchLimits { lines, ..SearchLimits::default() };
        if self.infinite {
            return all;
        }
        SearchLimits {
            nodes: self.nodes.unwrap_or(all.nodes),
            depth: self.depth.and_then(|depth| depth.try_into().ok()).unwrap_or(all.depth),
            ..all
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> Go {
        match read(line) {
            Some(Command::Go(go)) => go,
            other => panic!("{line} is {other:?}"),
        }
    }

    #[test]
    fn a_command_is_found_behind_words_that_mean_nothing() {
        assert_eq!(read("joho isready now"), Some(Command::IsReady));
        assert_eq!(read("  \t stop\r\n"), Some(Command::Stop));
        for line in ["", "\n", "e2e4", "debug on", "\u{fffd}\u{fffd}", "GO"] {
            assert_eq!(read(line), None, "{line:?}");
        }
    }

    #[test]
    fn names_and_values_of_options_may_have_spaces() {
        for (line, name, value) in [
            ("setoption name Level value 3", "Level", "3"),
            ("setoption name Move Overhead value 20", "Move Overhead", "20"),
            ("setoption name Clear Hash", "Clear Hash", ""),
            ("setoption name A value b value c", "A", "b value c"),
            ("setoption", "", ""),
        ] {
            let option = Command::SetOption { name: name.into(), value: value.into() };
            assert_eq!(read(line), Some(option), "{line}");
        }
    }

    #[test]
    fn what_cannot_be_read_in_go_is_no_limit() {
        let read = go("go nodes ten depth movetime 50 wtime -20 btime 3000 binc 99 foo");
        let expected =
            Go { movetime: None, left: [Some(0), Some(3000)], increment: [0, 99], ..Go::default() };
        // `movetime` was read as the depth that is missing; its 50 means nothing then.
        assert_eq!(read, expected);
        assert_eq!(
            go("go infinite").limits(1),
            SearchLimits { lines: 1, ..SearchLimits::default() }
        );
        assert_eq!(go("go depth 99999999999999").limits(1).depth, SearchLimits::default().depth);
    }

    #[test]
    fn the_moves_to_look_at_end_where_another_word_begins() {
        let read = go("go searchmoves e2e4 a7a8q depth 5 ponder");
        let moves: Vec<String> = read.among.iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["e2e4", "a7a8q"]);
        assert!(read.depth == Some(5) && read.ponder);
        assert_eq!(go("go depth 5 searchmoves").among, []);
        assert_eq!(super::read("ponderhit"), Some(Command::PonderHit));
    }

    #[test]
    fn the_shortest_time_counts_and_infinite_has_none() {
        let none = Duration::ZERO;
        let time = |line, mover| go(line).time(mover, none);
        assert_eq!(time("go movetime 50", Color::White), Some(Duration::from_millis(50)));
        assert_eq!(
            time("go wtime 100000 movetime 50", Color::White),
            time("go movetime 50", Color::White)
        );
        assert!(
            time("go wtime 100 btime 90000", Color::White)
                < time("go wtime 100 btime 90000", Color::Black)
        );
        assert_eq!(time("go nodes 5", Color::Black), None);
        assert_eq!(time("go infinite movetime 5", Color::White), None);
    }
}
