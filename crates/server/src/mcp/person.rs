//! The person whom an agent plays with: how they get to see the game, and how what they say in the
//! chat reaches it.

use rules::Seat;

use crate::hall::Game;

/// Where a person sees a game.
pub struct PersonLink {
    pub address: String,
    /// The seat that the link gives to the person who opens it first; without one it only shows the
    /// game.
    pub seat: Option<&'static str>,
    /// Whether the person needs it now. Otherwise it is there if they want it.
    pub is_needed: bool,
}

impl PersonLink {
    /// A text of its own for the person who is to take a seat.
    pub fn told(&self) -> Option<String> {
        let seat = self.seat.filter(|_| self.is_needed)?;
        Some(format!(
            "Board for the person who plays {seat}: {}\nGive them this link: it seats whoever opens \
             it first.",
            self.address
        ))
    }

    /// The next step for the model, with the link in it.
    pub fn with(&self, next: &str) -> String {
        let address = &self.address;
        match self.seat {
            Some(_) if self.is_needed => {
                format!("First show the person this link to their board: {address} Then: {next}")
            }
            Some(_) => {
                let stop = if next.ends_with('.') { "" } else { "." };
                format!("{next}{stop} If the person wants a board: {address}")
            }
            None => format!(
                "First show the person this link, where they can watch the game: {address} Then: \
                 {next}"
            ),
        }
    }
}

/// The person for whom the agent at `own` may do what they cannot take back, like resigning: the one
/// whom it has invited, as long as they have no board open.
pub async fn speaks_for(game: &Game, own: Seat) -> Option<Seat> {
    // They may have opened their link through another process.
    game.refresh().await;
    game.seats().guest_of(own).filter(|person| !game.is_present(*person))
}

/// Whether the game waits only for the person whom the agent at `own` has invited, and no board is
/// open: then they can only be asked in the chat, and a call that waits would keep them from
/// speaking.
pub async fn must_be_asked(game: &Game, own: Seat, has_board: bool) -> bool {
    let waits_for = |person: &Seat| game.waits_only_for(*person);
    // Refreshing costs a reading of the store, and most waits are for others.
    if has_board || !game.seats().guest_of(own).is_some_and(|person| waits_for(&person)) {
        return false;
    }
    speaks_for(game, own).await.filter(waits_for).is_some()
}

/// The move or answer that a game without an open board waits for from its person.
pub enum Owed {
    Move,
    /// A move that only they can play.
    MoveOnBoard,
    /// One of these two actions.
    Answer(&'static str, &'static str),
}

/// The next step for the model then.
pub fn ask_them(id: &str, owed: &Owed) -> String {
    let act = |action: &str| format!("`gameAction(game_id=\"{id}\", {action}, by=\"human\")`");
    match owed {
        Owed::Move => format!(
            "No board is open. Show the person how the game stands, ask them for their move, and \
             end your turn. When they answer, pass on their move with \
             `finishTurn(game_id=\"{id}\", move, by=\"human\")`, and what else they want (to \
             resign, a draw, a move back) with {}.",
            act("action")
        ),
        Owed::MoveOnBoard => {
            "No board is open. Ask the person to open their board and play there, and end your turn."
                .into()
        }
        Owed::Answer(yes, no) => format!(
            "No board is open. Ask the person for their answer, and end your turn. When they \
             answer, pass it on with {} or `action=\"{no}\"`.",
            act(&format!("action=\"{yes}\""))
        ),
    }
}

/// Why `by="human"` is refused where nobody is to act for a person. It must not tempt a model to
/// resign for itself instead.
pub fn not_for_a_person(has_person: bool) -> &'static str {
    if has_person {
        "Not possible: you cannot act for the person now; they do it on their own board. Nothing \
         has changed."
    } else {
        "Not possible: no person plays with you in this game. Nothing has changed."
    }
}
