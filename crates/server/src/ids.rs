//! The names games and seats go by.

use std::{fmt, str::FromStr};

use hexadecimal::FromHex;
use hmac::{Hmac, Mac};
use rules::{Seat, quoted};
use sha2::Sha256;

/// Names a game; public. Eight hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(u32);

impl GameId {
    pub fn from_number(number: u32) -> GameId {
        GameId(number)
    }

    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// Opens a seat; the secret of whoever sits there. The game's id and sixteen more digits.
///
/// It is worked out from the store's secret, so that it need not be kept anywhere, and so that a
/// person's board can be given its pass again at any time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Pass {
    game: GameId,
    code: [u8; 8],
}

impl Pass {
    /// `links` is how many links to that seat have been ended, and their passes with them.
    pub fn new(secret: &[u8], game: GameId, seat: Seat, links: u32) -> Pass {
        Pass { game, code: code(pass_seal(secret, game, seat, links)) }
    }

    /// Compares in constant time.
    pub fn fits(&self, secret: &[u8], game: GameId, seat: Seat, links: u32) -> bool {
        pass_seal(secret, game, seat, links).verify_truncated_left(&self.code).is_ok()
    }
}

/// What a link carries: it can be exchanged for the seat's pass, once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LinkCode([u8; 8]);

impl LinkCode {
    pub fn new(secret: &[u8], game: GameId, seat: Seat, links: u32) -> LinkCode {
        LinkCode(code(link_seal(secret, game, seat, links)))
    }

    /// Compares in constant time.
    pub fn fits(&self, secret: &[u8], game: GameId, seat: Seat, links: u32) -> bool {
        link_seal(secret, game, seat, links).verify_truncated_left(&self.0).is_ok()
    }
}

impl fmt::Display for LinkCode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hexadecimal::encode(self.0))
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is no code of a link; it has sixteen hexadecimal digits")]
pub struct NotALinkCode;

impl FromStr for LinkCode {
    type Err = NotALinkCode;

    fn from_str(text: &str) -> Result<LinkCode, NotALinkCode> {
        FromHex::from_hex(text).map(LinkCode).map_err(|_| NotALinkCode)
    }
}

fn code(seal: Hmac<Sha256>) -> [u8; 8] {
    let mac = seal.finalize().into_bytes();
    mac[..8].try_into().expect("eight bytes are eight bytes")
}

fn pass_seal(secret: &[u8], game: GameId, seat: Seat, links: u32) -> Hmac<Sha256> {
    let mut mac = seal(secret, game, seat);
    mac.update(&links.to_be_bytes());
    mac
}

fn link_seal(secret: &[u8], game: GameId, seat: Seat, links: u32) -> Hmac<Sha256> {
    let mut mac = seal(secret, game, seat);
    mac.update(b"link");
    mac.update(&links.to_be_bytes());
    mac
}

fn seal(secret: &[u8], game: GameId, seat: Seat) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key may have any length");
    mac.update(&game.0.to_be_bytes());
    mac.update(&[seat.0]);
    mac
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}-{}", self.game, hexadecimal::encode(self.code))
    }
}

impl fmt::Debug for Pass {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}-(secret)", self.game)
    }
}

/// What a caller sends as `game_id`: a game's id, or a pass.
#[derive(Clone, Debug)]
pub struct Handle {
    pub game: GameId,
    pub pass: Option<Pass>,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} is not a game id; ids are eight hexadecimal digits, like 3f9a61c2, and a pass is an id \
     with sixteen more, like 3f9a61c2-8e04b7d15ac96f20"
)]
pub struct NotAGameId(String);

impl FromStr for Handle {
    type Err = NotAGameId;

    fn from_str(text: &str) -> Result<Handle, NotAGameId> {
        let trimmed = text.trim();
        let (id, code) = match trimmed.split_once('-') {
            None => (trimmed, None),
            Some((id, code)) => (id, Some(code)),
        };
        let garbled = |_| NotAGameId(quoted(text));
        let game = GameId(u32::from_be_bytes(FromHex::from_hex(id).map_err(garbled)?));
        let code = code.map(FromHex::from_hex).transpose().map_err(garbled)?;
        Ok(Handle { game, pass: code.map(|code| Pass { game, code }) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_opens_its_own_seat_only() {
        let game = GameId(0x3f9a61c2);
        let pass = Pass::new(b"key", game, Seat(0), 0).to_string();
        let handle: Handle = pass.parse().unwrap();
        let pass = handle.pass.unwrap();
        assert!(pass.fits(b"key", game, Seat(0), 0));
        assert!(!pass.fits(b"key", game, Seat(0), 1));
        assert!(!pass.fits(b"key", game, Seat(1), 0));
        assert!(!pass.fits(b"key", GameId(1), Seat(0), 0));
        assert!(!pass.fits(b"another key", game, Seat(0), 0));
        assert!(!format!("{pass:?}").contains(&pass.to_string()[9..]));
    }

    #[test]
    fn garbled_ids_are_refused_and_cut_short() {
        for text in ["", "1234", "3f9a61c2-", "3f9a61c2-8e04", "3f9a61cg", "+f9a61c2", "ж9a61c2"] {
            assert!(text.parse::<Handle>().is_err(), "{text}");
        }
        assert!("x".repeat(1_000_000).parse::<Handle>().unwrap_err().to_string().len() < 300);
        assert_eq!(" 3F9A61C2 ".parse::<Handle>().unwrap().game, GameId(0x3f9a61c2));
    }
}
