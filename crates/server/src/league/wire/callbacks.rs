//! Answers that come later, as calls of their own: who waits for which.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::oneshot;

use super::{Fields, errors::Unasked, message::Message, moves::belongs, reading::Parsed};

/// What may still come: whose answer, of which type, in which match and round.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Awaited {
    pub player_id: String,
    pub match_id: String,
    pub round: Option<u32>,
    pub message: Message,
}

type Waiting = HashMap<Awaited, oneshot::Sender<Fields>>;

#[derive(Clone, Default)]
pub struct Callbacks(Arc<Mutex<Waiting>>);

/// A place kept for an answer; given up when dropped.
pub struct Expected {
    callbacks: Callbacks,
    awaited: Awaited,
    answer: oneshot::Receiver<Fields>,
}

impl Callbacks {
    /// To be called before the request is sent: some answer before they acknowledge.
    pub fn expect(&self, awaited: Awaited) -> Expected {
        let (hand_in, answer) = oneshot::channel();
        self.lock().insert(awaited.clone(), hand_in);
        Expected { callbacks: self.clone(), awaited, answer }
    }

    /// Hands in what `player_id` says, to whoever waits for it.
    pub fn deliver(&self, player_id: &str, parsed: &Parsed) -> Result<(), Unasked> {
        let mut waiting = self.lock();
        let mut refused = Unasked::Nothing;
        let mut found = None;
        for awaited in waiting.keys() {
            if awaited.player_id == player_id && awaited.message == parsed.message {
                match belongs(&parsed.fields, &awaited.match_id, awaited.round) {
                    Ok(()) => found = Some(awaited.clone()),
                    Err(other) => refused = Unasked::Other(other),
                }
            }
        }
        let waiter = found.and_then(|awaited| waiting.remove(&awaited)).ok_or(refused)?;
        waiter.send(parsed.fields.clone()).map_err(|_| Unasked::Nothing)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Expected {
    /// The answer, once it is there.
    pub async fn arrives(&mut self) -> Fields {
        match (&mut self.answer).await {
            Ok(fields) => fields,
            // Someone else expects the same; they will have it.
            Err(_) => std::future::pending().await,
        }
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.answer.close();
        let mut waiting = self.callbacks.lock();
        if waiting.get(&self.awaited).is_some_and(oneshot::Sender::is_closed) {
            waiting.remove(&self.awaited);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{
        super::{errors::BadMove, reading::hear},
        *,
    };

    #[tokio::test]
    async fn an_answer_finds_the_one_who_waits_for_it() {
        let callbacks = Callbacks::default();
        let awaited = |round| Awaited {
            player_id: "P01".into(),
            match_id: "R1M1".into(),
            round: Some(round),
            message: Message::MoveResponse,
        };
        let mut expected = callbacks.expect(awaited(2));
        let said = |round: u32, game: &str| {
            let said = json!({ "match_id": game, "game_round": round, "move": { "number": 3 } });
            hear("MOVE_RESPONSE", said).unwrap()
        };
        let deliver = |player: &str, said: Parsed| callbacks.deliver(player, &said);
        let round = BadMove::OtherRound("1".into(), 2);
        let other = BadMove::OtherMatch("R1M2".into(), "R1M1".into());
        assert_eq!(deliver("P02", said(2, "R1M1")), Err(Unasked::Nothing), "another player");
        assert_eq!(deliver("P01", said(1, "R1M1")), Err(Unasked::Other(round)));
        assert_eq!(deliver("P01", said(2, "R1M2")), Err(Unasked::Other(other)));
        assert_eq!(deliver("P01", said(2, "R1M1")), Ok(()));
        assert_eq!(deliver("P01", said(2, "R1M1")), Err(Unasked::Nothing), "it is there already");
        assert_eq!(expected.arrives().await["game_round"], 2);
        drop(callbacks.expect(awaited(3)));
        assert_eq!(deliver("P01", said(3, "R1M1")), Err(Unasked::Nothing), "nobody waits any more");
        assert!(callbacks.lock().is_empty());
    }
}
