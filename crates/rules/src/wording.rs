//! Moves that are one word each: a table says which.

use crate::{Due, Illegal, Seat};

/// Each move and its word. The last stands for no answer in time, and is offered to nobody.
pub(crate) struct Wording<M: 'static>(pub &'static [(M, &'static str)]);

impl<M: Copy + PartialEq> Wording<M> {
    fn offered(&self) -> &[(M, &'static str)] {
        self.0.split_last().map_or(&[], |(_, offered)| offered)
    }

    pub(crate) fn legal(&self, due: &Due, seat: Seat) -> Vec<M> {
        let offered = self.offered().iter().filter(|_| due.includes(seat));
        offered.map(|(mv, _)| *mv).collect()
    }

    /// `wrong` says what a word that is none of these is not.
    pub(crate) fn parse(
        &self,
        due: Due,
        seat: Seat,
        text: &str,
        wrong: &str,
    ) -> Result<M, Illegal> {
        match due {
            Due::Over(outcome) => return Err(Illegal::Over(outcome)),
            due if !due.includes(seat) => return Err(Illegal::NotYourTurn),
            _ => {}
        }
        let read = self.offered().iter().find(|(_, word)| *word == text);
        read.map(|(mv, _)| *mv).ok_or_else(|| Illegal::Rule {
            rule: "",
            reason: format!("{text:?} is {wrong}"),
            options: self.offered().iter().map(|(_, word)| (*word).to_owned()).collect(),
        })
    }

    pub(crate) fn write(&self, mv: M) -> String {
        let (_, word) = self.0.iter().find(|(known, _)| *known == mv).expect("every move is there");
        (*word).to_owned()
    }
}
