//! Chance, keyed by a game's seed and by what is drawn, so that a seed and a list of moves are the
//! whole game.

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Random numbers that are always the same for the same seed and turn.
pub struct Dice {
    seed: u64,
    turn: u32,
    /// Whether they belong to a game that is played, and not to a search that looks ahead.
    are_of_game: bool,
    rng: ChaCha12Rng,
}

impl Dice {
    /// Dice for a search, a guess or a test.
    pub fn new(seed: u64, turn: u32) -> Dice {
        Dice { seed, turn, are_of_game: false, rng: stream(seed, turn) }
    }

    /// The dice by which a turn of a game is played.
    pub(crate) fn of_game(seed: u64, turn: u32) -> Dice {
        Dice { are_of_game: true, ..Dice::new(seed, turn) }
    }

    /// Dice for one thing that the game deals or throws: a hand, a card, the die of a round. In a
    /// game they depend on the seed and on `what` only, so two games of one seed get the same cards
    /// even if their turns differ. `what` is above 0, which belongs to the start of the game. A
    /// search draws on from its own dice, otherwise it would meet the same future each time it
    /// looks ahead.
    pub fn of(&mut self, what: u32) -> &mut Dice {
        if self.are_of_game {
            self.rng = stream(self.seed, what);
        }
        self
    }

    /// The number of the turn these dice belong to.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// Dice for another turn of this game, where loading a checkpoint brings back its luck.
    pub fn of_turn(&self, turn: u32) -> Dice {
        Dice::new(self.seed, turn)
    }

    /// Whether nothing has been drawn yet.
    pub(crate) fn are_untouched(&self) -> bool {
        self.rng.get_word_pos() == 0
    }

    pub fn number(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// A number below `bound`, all equally likely.
    pub fn below(&mut self, bound: u32) -> u32 {
        // By multiplication: the bias is one in four thousand million at most.
        ((u64::from(self.rng.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// One to six.
    pub fn die(&mut self) -> u8 {
        self.below(6) as u8 + 1
    }
}

fn stream(seed: u64, number: u32) -> ChaCha12Rng {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    rng.set_stream(number.into());
    rng
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_turn_fall_the_same_way() {
        assert_eq!(Dice::new(7, 3).number(), Dice::new(7, 3).number());
        assert_ne!(Dice::new(7, 3).number(), Dice::new(7, 4).number());
        assert_ne!(Dice::new(7, 3).number(), Dice::new(8, 3).number());
    }

    #[test]
    fn what_a_game_deals_depends_on_what_it_is_and_a_search_draws_on() {
        let [mut one, mut other] = [1, 2].map(|turn| Dice::of_game(7, turn));
        other.number();
        assert_eq!(one.of(3).number(), other.of(3).number());
        let mut search = Dice::new(7, 1);
        assert_ne!(search.of(3).number(), search.of(3).number());
    }

    #[test]
    fn every_face_falls_about_as_often() {
        let mut faces = [0; 6];
        for turn in 0..1000 {
            let mut dice = Dice::new(5, turn);
            (0..6).for_each(|_| faces[usize::from(dice.die()) - 1] += 1);
        }
        assert!(faces.iter().all(|n| (900..1100).contains(n)), "{faces:?}");
    }

    #[test]
    fn dice_stay_the_same_for_ever() {
        // Written down once: a change here would replay old games differently.
        check(0, 0, [13486662071293341567, 14267822071968393595, 476749353381333526]);
        check(1, 0, [17971643333364160609, 12751046405260142922, 7894741264938617306]);
        check(1, 1, [3442671546468480535, 1066249305008261376, 8768204561458293901]);
        check(1, 2, [1180426396037753288, 3640031854985185948, 180306507476907963]);
        check(u64::MAX, u32::MAX, [1588358856964907970, 1016800110398879708, 5453381425885117955]);
    }

    fn check(seed: u64, turn: u32, numbers: [u64; 3]) {
        let mut dice = Dice::new(seed, turn);
        assert_eq!([(); 3].map(|()| dice.number()), numbers, "seed {seed}, turn {turn}");
    }
}
