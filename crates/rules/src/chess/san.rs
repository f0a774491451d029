//! A move in SAN, as text: the moves so far are told with every answer, and written once.

use std::{fmt, ops::Deref};

use shakmaty::san::SanPlus;

/// `Qa1xb2+` and `exd8=Q#` are as long as any.
const LONGEST: usize = 7;

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SanText {
    text: [u8; LONGEST],
    length: u8,
}

impl From<SanPlus> for SanText {
    fn from(san: SanPlus) -> SanText {
        let mut written = Vec::with_capacity(LONGEST);
        san.append_ascii_to(&mut written);
        let mut text = [0; LONGEST];
        text[..written.len()].copy_from_slice(&written);
        SanText { text, length: written.len() as u8 }
    }
}

impl Deref for SanText {
    type Target = str;

    fn deref(&self) -> &str {
        str::from_utf8(&self.text[..usize::from(self.length)]).expect("SAN is letters and digits")
    }
}

impl fmt::Debug for SanText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self)
    }
}
