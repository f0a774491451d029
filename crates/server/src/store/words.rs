//! The words a game is found by: its id, its kind, who plays. The same on every store, so that a
//! search finds the same.

use super::SavedSeat;
use crate::{ids::GameId, player::Player};

/// Of a name, and of what is searched for, no more are looked at.
const MOST: usize = 12;
const LONGEST: usize = 40;

/// The words of a text, in small letters.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let short = |word: &str| word.chars().flat_map(char::to_lowercase).take(LONGEST).collect();
    words.take(MOST).map(short).collect()
}

/// All words of a game in one text, with a space before each: what begins a word follows one.
pub fn text(id: GameId, kind: &str, seats: &[SavedSeat]) -> String {
    let mut all = vec![id.to_string()];
    all.extend(words(kind));
    for seat in seats {
        all.extend(words(&seat.player.to_string()));
        all.extend(words(&seat.name));
    }
    all.iter().map(|word| format!(" {word}")).collect()
}

/// Whether very many games have a word that begins so: its kind, or what kind of player plays.
pub fn is_common(beginning: &str) -> bool {
    let kinds = rules::KINDS.iter().flat_map(|kind| words(kind.name));
    let levels = (1..=10).map(|level| level.to_string());
    let players = ["agent", "human", "computer"].map(str::to_owned);
    kinds.chain(levels).chain(players).any(|word| word.starts_with(beginning))
}

/// Whether one agent plays, and no other has a seat to take.
pub fn is_lone(kind: &str, setup: &str, seats: &[SavedSeat]) -> bool {
    let all = rules::kind(kind).map_or(0, |kind| {
        // Only where the set-up says how many sit down it has to be read.
        let varies = kind.card.is_some_and(|card| usize::from(card.fewest) < kind.seats.len());
        let names = if varies { kind.names(setup).unwrap_or_default() } else { kind.seats };
        names.len()
    });
    let agents = seats.iter().filter(|seat| seat.player == Player::Agent).count();
    seats.len() == all && agents == 1
}

#[cfg(test)]
mod tests {
    use rules::Seat;

    use super::*;

    #[test]
    fn a_game_is_found_by_the_beginnings_of_its_words() {
        let name = "Claude-Code Ünï (v2)".to_owned();
        let seat = SavedSeat { name, ..SavedSeat::new(Seat(0), Player::Agent) };
        let text = text(GameId::from_number(0x3f9a61c2), "even-odd", &[seat]);
        assert_eq!(text, " 3f9a61c2 even odd agent claude code ünï v2");
        assert!(words(&"word ".repeat(1000)).len() == MOST);
        assert!(words(&"x".repeat(1000))[0].len() == LONGEST);
        assert_eq!(words(" ,-% "), [""; 0]);
        assert!(is_common("ch") && is_common("agent") && is_common("1") && !is_common("claude"));
    }
}
