//! A configuration file as text, without losing how it was written: its encoding, and the ends of
//! its lines.

use std::fmt;

/// Where a file is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub line: usize,
    pub column: usize,
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.what)
    }
}

impl std::error::Error for Fault {}

impl Fault {
    /// At the byte `at` of `text`.
    pub fn at(text: &str, at: usize, what: impl Into<String>) -> Fault {
        let before = text.get(..at).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or_default();
        Fault {
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
            what: what.into(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// With a mark at its beginning, as some editors leave it.
    MarkedUtf8,
    Utf16LittleEnd,
    Utf16BigEnd,
}

const MARK: &[u8] = b"\xef\xbb\xbf";
const LITTLE: &[u8] = b"\xff\xfe";
const BIG: &[u8] = b"\xfe\xff";

pub fn decode(bytes: &[u8]) -> Result<(String, Encoding), Fault> {
    if let Some(rest) = bytes.strip_prefix(MARK) {
        return Ok((decode_utf8(rest)?, Encoding::MarkedUtf8));
    }
    if let Some(rest) = bytes.strip_prefix(LITTLE) {
        return Ok((decode_utf16(rest, u16::from_le_bytes)?, Encoding::Utf16LittleEnd));
    }
    if let Some(rest) = bytes.strip_prefix(BIG) {
        return Ok((decode_utf16(rest, u16::from_be_bytes)?, Encoding::Utf16BigEnd));
    }
    Ok((decode_utf8(bytes)?, Encoding::Utf8))
}

fn decode_utf8(bytes: &[u8]) -> Result<String, Fault> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|bad| {
        let before = String::from_utf8_lossy(&bytes[..bad.valid_up_to()]);
        Fault::at(&before, before.len(), "this is not UTF-8")
    })
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Fault> {
    let (pairs, rest) = bytes.as_chunks();
    let mut text = String::new();
    for c in char::decode_utf16(pairs.iter().copied().map(unit)) {
        match c {
            Ok(c) => text.push(c),
            Err(_) => return Err(Fault::at(&text, text.len(), "this is not UTF-16")),
        }
    }
    if rest.is_empty() {
        Ok(text)
    } else {
        Err(Fault::at(&text, text.len(), "half a character of UTF-16 is at the end"))
    }
}

pub fn encode(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::MarkedUtf8 => [MARK, text.as_bytes()].concat(),
        Encoding::Utf16LittleEnd => {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes);
            LITTLE.iter().copied().chain(units).collect()
        }
        Encoding::Utf16BigEnd => {
            let units = text.encode_utf16().flat_map(u16::to_be_bytes);
            BIG.iter().copied().chain(units).collect()
        }
    }
}

/// How lines end here.
pub fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// How many lines are the same at the beginning, and how many of the rest at the end, in whichever
/// way they end.
pub fn same_lines(old: &[&str], new: &[&str]) -> (usize, usize) {
    let plain =
        |line: &&str| (line.trim_end_matches(['\r', '\n']).to_owned(), line.ends_with('\n'));
    let same = |(old, new): &(&&str, &&str)| plain(old) == plain(new);
    let first = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[first..], &new[first..]);
    let last = old.iter().rev().zip(new.iter().rev()).take_while(same).count();
    (first, last)
}

/// `new`, which was made from `old` and has plain line ends, with those of `old` in every line that
/// has not changed, and alike in the others.
pub fn keep_line_ends(old: &str, new: &str) -> String {
    if !old.contains('\r') {
        return new.to_owned();
    }
    let old_lines: Vec<_> = old.split_inclusive('\n').collect();
    let new_lines: Vec<_> = new.split_inclusive('\n').collect();
    let (first, last) = same_lines(&old_lines, &new_lines);
    let changed = &new_lines[first..new_lines.len() - last];
    let changed = changed.concat().replace('\n', line_end(old));
    let end = old_lines.len() - last;
    [&old_lines[..first].concat(), &changed, &old_lines[end..].concat()]
        .map(String::as_str)
        .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_back_in_the_encoding_it_had() {
        let utf16 = |text: &str, mark: &[u8], bytes: fn(u16) -> [u8; 2]| {
            [mark, &text.encode_utf16().flat_map(bytes).collect::<Vec<_>>()].concat()
        };
        for (bytes, encoding) in [
            ("{}\r\n".into(), Encoding::Utf8),
            ([MARK, b"{\"name\": \"J\xc3\xbcrgen\"}"].concat(), Encoding::MarkedUtf8),
            (utf16("{\"\u{1f600}\": 1}\n", LITTLE, u16::to_le_bytes), Encoding::Utf16LittleEnd),
            (utf16("{}", BIG, u16::to_be_bytes), Encoding::Utf16BigEnd),
        ] {
            let (text, found) = decode(&bytes).expect("a text");
            assert_eq!(found, encoding);
            assert_eq!(encode(&text, found), bytes);
        }
    }

    #[test]
    fn what_is_no_text_is_told_with_its_place() {
        let told = |bytes: &[u8]| decode(bytes).expect_err("no text").to_string();
        assert_eq!(told(b"{\n  \"a\": \"\xff\"}"), "line 2, column 9: this is not UTF-8");
        assert_eq!(told(b"\xff\xfe{\0\0\xdc"), "line 1, column 2: this is not UTF-16");
        assert!(told(b"\xff\xfe{\0}").contains("half a character"));
    }

    #[test]
    fn lines_that_have_not_changed_keep_their_ends() {
        let check = |old: &str, new: &str, kept: &str| assert_eq!(keep_line_ends(old, new), kept);
        check("a\nb\n", "a\nx\nb\n", "a\nx\nb\n");
        check("a\r\nb\r\n", "a\nx\nb\n", "a\r\nx\r\nb\r\n");
        check("a\r\nb\nc\r\n", "a\nb\nx\nc\n", "a\r\nb\nx\r\nc\r\n");
        check("a\r\nb", "a\nb\nx\n", "a\r\nb\r\nx\r\n");
    }
}
