//! The chess tools' refusals: the reason, and what to do instead.

use rules::{
    Illegal, Outcome,
    chess::{BLACK, Chess, WHITE, name},
};

use super::{
    facts::ChessFacts,
    words::{Scene, title},
};
use crate::{
    hall::{Look, Refusal},
    ids::GameId,
    kinds::chess::introduce,
    mcp::{person::not_for_a_person, refusals::Refused},
};

impl Scene<'_> {
    /// `is_move` says whether a move on the board was asked for, or something beside it.
    pub fn refused(&self, refusal: &Refusal, is_move: bool) -> Refused {
        let text = match refusal {
            Refusal::Illegal(Illegal::Rule { reason, .. }) if !is_move => {
                format!("Not possible: {reason}. Nothing has changed.")
            }
            Refusal::Illegal(Illegal::Rule { reason, options, .. }) => {
                let options = match options.as_slice() {
                    [] => String::new(),
                    some => format!(" Legal here: {}.", some.join(", ")),
                };
                format!("Invalid move: {reason}.{options} Nothing was played.")
            }
            Refusal::Illegal(Illegal::FalseClaim) => {
                "Move rejected: You claimed Checkmate, but this move does not result in Checkmate."
                    .into()
            }
            Refusal::Illegal(Illegal::NotYourTurn) => {
                format!("Not your turn: it is {}'s move.", name(self.look.view.turn))
            }
            Refusal::Illegal(Illegal::Over(outcome)) => over(outcome),
            Refusal::AnotherTurn { asked, due } => match self.look.due.outcome() {
                Some(outcome) => over(outcome),
                None => format!(
                    "Turn {asked} is not the one to be played; turn {due} is. Nothing was played."
                ),
            },
            Refusal::KeyUsed(number) => {
                format!("That key was given to turn {number}, another move. Nothing was played.")
            }
            Refusal::NotKnown { turn } => format!(
                "It is not known whether that was played; the store gave no answer in time. Make \
                 the same call again with turn: {turn}. It counts once, whatever has happened, and \
                 its answer says what is true."
            ),
            Refusal::Store(error) => {
                format!("The turn could not be saved; {}.", error.remedy())
            }
        };
        self.refusal(text)
    }

    /// A move came with something beside the board.
    pub fn no_move_with_that(&self) -> Refused {
        self.refusal(
            "Not possible: move goes with claimDraw only; leave it out, or play it with \
             finishTurn. Nothing has changed."
                .into(),
        )
    }

    pub(super) fn refusal(&self, text: String) -> Refused {
        let next = self.next_action();
        let facts = ChessFacts { error: Some(text.clone()), ..self.facts(next.clone()) };
        Refused::Told(format!("{text}\n\n**Next Action**: {next}"), Some(facts.written()))
    }

    /// Moves typed in the chat are not taken here.
    pub fn not_relayed(&self) -> Refused {
        let instead = if self.has_person() {
            "The person plays at the board."
        } else {
            "Nobody plays at a board here; leave by out to play your own move."
        };
        self.refusal(format!("Not possible: moves are not relayed in this game. {instead}"))
    }

    pub fn not_for_a_person(&self) -> Refused {
        self.refusal(not_for_a_person(self.has_person()).into())
    }

    fn has_person(&self) -> bool {
        self.look.seats.person().is_some_and(|person| Some(person) != self.seat)
    }
}

fn over(outcome: &Outcome) -> String {
    format!("The game is over, nothing can be played. Game Over: {outcome}.")
}

pub fn full(look: &Look<Chess>) -> Refused {
    let id = look.id;
    let who = |seat| format!("\n- {}: {}", title(seat), introduce(look.seats.at(seat)));
    let what = match look.seats.at(WHITE).and(look.seats.at(BLACK)) {
        Some(_) => format!("game {id} is full"),
        None => format!("that seat in game {id} is taken"),
    };
    Refused::new(format!(
        "Error: {what}. Watch it with `getGame(game_id=\"{id}\")`, or \
         start another with `createGame`.{}{}",
        who(WHITE),
        who(BLACK)
    ))
}

pub fn nobody_to_link(id: GameId) -> Refused {
    Refused::new(format!(
        "Not possible: no person plays against you in game {id}, so nobody needs a link. Nothing \
         has changed."
    ))
}
