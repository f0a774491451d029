//! A change of a file, shown before the owner agrees: the lines that go and those that come, and
//! none of the others, which may hold secrets.

use super::text::same_lines;
use crate::terminal::{BAD, GOOD, styled};

/// Of a line that is longer than this, only what changes is shown.
const LONG: usize = 120;
/// With so much around it.
const AROUND: usize = 20;

pub fn shown(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.lines().collect(), new.lines().collect());
    let (first, last) = same_lines(&old, &new);
    let (mut gone, mut come) = (&old[first..old.len() - last], &new[first..new.len() - last]);
    let mut text = format!("line {}", first + 1);
    if let ([before, ..], [after, ..]) = (gone, come)
        && before.trim_end_matches(',') == after.trim_end_matches(',')
    {
        let comma = if after.ends_with(',') { "gets" } else { "loses" };
        text += &format!(" {comma} the comma at its end, and then");
        (gone, come) = (&gone[1..], &come[1..]);
    }
    text += ":\n";
    let (gone, come): (Vec<String>, Vec<String>) = match (gone, come) {
        ([gone], [come]) if gone.len().max(come.len()) > LONG => {
            let (gone, come) = cut(gone, come);
            (vec![gone], vec![come])
        }
        (gone, come) => {
            let whole = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
            (whole(gone), whole(come))
        }
    };
    for (mark, style, lines) in [('-', BAD, gone), ('+', GOOD, come)] {
        for line in lines {
            text += &styled(style, &format!("{mark} {line}"));
            text.push('\n');
        }
    }
    text
}

/// Both without most of what is the same at their beginnings and ends.
fn cut(old: &str, new: &str) -> (String, String) {
    let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let first = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old[first..].iter().rev().zip(new[first..].iter().rev());
    let last = rest.take_while(|(a, b)| a == b).count();
    let part = |line: &[char]| {
        let from = first.saturating_sub(AROUND);
        let to = (line.len() - last + AROUND).min(line.len());
        let dots = |cut: bool| if cut { "..." } else { "" };
        let middle: String = line[from..to].iter().collect();
        format!("{}{middle}{}", dots(from > 0), dots(to < line.len()))
    };
    (part(&old), part(&new))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: &str, new: &str, expected: &str) {
        assert_eq!(anstream::adapter::strip_str(&shown(old, new)).to_string(), expected);
    }

    #[test]
    fn only_what_changes_is_shown() {
        let (without, with) = ("{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"b\": 2\n}\n");
        check(without, with, "line 2 gets the comma at its end, and then:\n+   \"b\": 2\n");
        check(with, without, "line 2 loses the comma at its end, and then:\n-   \"b\": 2\n");
        check("", "{}\n", "line 1:\n+ {}\n");
        check("a\r\nb\r\n", "a\r\nb\r\nc\r\n", "line 3:\n+ c\n");
        check("a\nb", "a\nb\n\nc\n", "line 3:\n+ \n+ c\n");
    }

    #[test]
    fn of_a_long_line_only_what_is_around_the_change() {
        let (secret, end) = ("s".repeat(200), "e".repeat(200));
        let text = shown(&format!("{secret}old{end}"), &format!("{secret}new{end}"));
        assert!(
            text.contains(&format!("+ ...{}new{}...", "s".repeat(20), "e".repeat(20))),
            "{text}"
        );
        assert!(!text.contains(&"s".repeat(21)));
    }
}
