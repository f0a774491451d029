//! Answers that players bring by themselves, as calls of their own: to any node, whoever leads the
//! league.
//!
//! A move goes straight into its match, where the referee sees it. That a player comes is told to
//! whoever has invited it.

use std::sync::Arc;

use rules::{
    Due, Eye, Illegal, Record, Seat,
    league::{MatchView, PlayerId, View},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    conductor::match_name,
    counter::{acknowledged, qualified},
    leagues::Leagues,
    referee::{
        contest::{Contest, contest, made_for},
        kind::turn_of,
    },
    refusals::{LeagueRefusal, MessageRefusal},
};
use crate::{
    hall::{Game, Move, Refusal, Retry},
    league::wire::{
        Fields,
        contents::written,
        errors::{BadMove, Unasked},
        manner::Manner,
        message::{Message, Version},
        moves::{MoveSent, MoveTarget, belongs},
        reading::{Parsed, hear},
    },
};

/// An answer, for whichever node waits for it.
#[derive(Serialize, Deserialize)]
struct HandedOn {
    answer_of: String,
    #[serde(rename = "type")]
    message: String,
    fields: Fields,
}

/// A move that a player delivers in a call of its own, with the match and round it names.
pub struct Delivered {
    pub meant: MoveTarget,
    pub sent: Result<MoveSent, BadMove>,
    /// How many tokens it cost the player, as they say.
    pub tokens: Option<u32>,
}

impl Leagues {
    /// An answer from a player who proves who it is; and whether it is new.
    pub(super) async fn hear_answer(
        &self,
        parsed: &Parsed,
    ) -> Result<(Fields, bool), MessageRefusal> {
        let league = self.league_of(parsed).await?;
        let view = self.view(&league);
        let player = self.sender(&view, parsed)?;
        let is_new = match parsed.message {
            Message::JoinAck => self.hear_join(&league, &view, player, parsed).await?,
            _ => {
                let sent = self.contest_of(&view, player).read(&parsed.fields);
                let meant = MoveTarget::read(&parsed.fields);
                let delivered = Delivered { meant, sent, tokens: None };
                self.hand_in(&league, &view, player, &delivered).await?
            }
        };
        if let Some((fixture, _)) = in_play(&view, player).filter(|_| is_new) {
            let (match_id, what) = (fixture.match_id, parsed.message.name());
            self.log_delivered(league.id(), match_id, player, what, &parsed.fields);
        }
        Ok((acknowledged(parsed), is_new))
    }

    /// Plays a move that a player hands in. The same move again gets the same answer; whether it is
    /// new is returned.
    pub async fn hand_in(
        &self,
        league: &Game,
        view: &View,
        player: PlayerId,
        delivered: &Delivered,
    ) -> Result<bool, MessageRefusal> {
        let Delivered { meant, sent, tokens } = delivered;
        if self.ended_a_match(league, view, player, delivered).await? {
            return Ok(false);
        }
        let Some((fixture, seat)) = in_play(view, player) else {
            return Err(match league.due() {
                Due::Over(outcome) => LeagueRefusal::over(&outcome).into(),
                _ => Unasked::Nothing.into(),
            });
        };
        let game = self.game_of(league, &fixture).await?.ok_or(Unasked::Nothing)?;
        game.refresh().await;
        let record = game.record();
        let contest = self.contest_of(view, player);
        // Where no protocol was made for the game, its turn is looked at as any game's is.
        let round = made_for(view.setup().game).and_then(|_| contest.round(&record));
        let own = meant.is_for(&fixture.match_id.to_string(), round);
        // The answer to its first call may not have reached a player.
        let was_last = |(last, mv): (u32, Option<MoveSent>)| {
            meant.round() == Some(last) && mv.is_some_and(|mv| sent.as_ref() == Ok(&mv))
        };
        if own.is_err() && contest.last_round(&record, seat).is_some_and(was_last) {
            return Ok(false);
        }
        own.map_err(Unasked::Other)?;
        let sent = sent.as_ref().map_err(BadMove::clone)?;
        let mv = Move::new(seat, sent, retry(view, meant.round()));
        match game.play_seen::<()>(Move { tokens: *tokens, ..mv }, Eye::Public).await {
            Ok(played) => Ok(played.is_new),
            Err(Refusal::Illegal(Illegal::NotYourTurn)) => Err(no_more(&record, seat).into()),
            Err(Refusal::AnotherTurn { asked, .. }) if asked == turn_of(&record) => {
                Err(no_more(&record, seat).into())
            }
            Err(Refusal::Illegal(Illegal::Over(_))) => Err(Unasked::Nothing.into()),
            Err(Refusal::Illegal(illegal)) => Err(BadMove::from(illegal).into()),
            Err(Refusal::AnotherTurn { asked, .. }) => {
                let other = BadMove::OtherRound(asked.to_string(), turn_of(&record));
                Err(Unasked::Other(other).into())
            }
            Err(refusal) => Err(LeagueRefusal::from(refusal).into()),
        }
    }

    /// How its match is told to a player.
    fn contest_of(&self, view: &View, player: PlayerId) -> &'static dyn Contest {
        let manner = view.player(player).and_then(|known| known.dialect.parse::<Manner>().ok());
        contest(view.setup().game, manner.map_or(Version::V1, Manner::version))
    }

    /// Whether this was the player's last move in a match that is over: the answer to its first call
    /// may not have reached it.
    async fn ended_a_match(
        &self,
        league: &Game,
        view: &View,
        player: PlayerId,
        delivered: &Delivered,
    ) -> Result<bool, LeagueRefusal> {
        let named = delivered.meant.match_id.as_ref().and_then(|id| id.parse().ok());
        let over = named.and_then(|id| view.find(id)).filter(|fixture| fixture.result.is_some());
        let Some(fixture) = over else { return Ok(false) };
        let (Ok(sent), Some(seat)) = (&delivered.sent, seat_of(&fixture, player)) else {
            return Ok(false);
        };
        let Some(game) = self.game_of(league, &fixture).await? else { return Ok(false) };
        if game.due().outcome().is_none() {
            return Ok(false);
        }
        let meant = delivered.meant.round();
        let last = self.contest_of(view, player).last_round(&game.record(), seat);
        if last.is_some_and(|(last, _)| meant.is_some_and(|round| round != last)) {
            return Ok(false);
        }
        // In a game that is over a move is its player's last again, or it is refused.
        Ok(game.play(seat, sent, retry(view, meant)).await.is_ok())
    }

    /// The game that a match is played as, once it has begun.
    pub async fn game_of(
        &self,
        league: &Game,
        fixture: &MatchView,
    ) -> Result<Option<Arc<Game>>, LeagueRefusal> {
        Ok(self.hall.named(match_name(league.id(), fixture)).await?)
    }

    async fn hear_join(
        &self,
        league: &Game,
        view: &View,
        player: PlayerId,
        parsed: &Parsed,
    ) -> Result<bool, MessageRefusal> {
        let (fixture, _) = in_play(view, player).ok_or(Unasked::Nothing)?;
        belongs(&parsed.fields, &fixture.match_id.to_string(), None).map_err(Unasked::Other)?;
        let player_id = qualified(view, player);
        let is_first = {
            let mut parsed = self.joins_heard.lock().expect("nobody panics holding this");
            parsed.insert((league.id(), player), fixture.match_id) != Some(fixture.match_id)
        };
        let is_awaited = self.callbacks.deliver(&player_id, parsed).is_ok();
        if !is_awaited {
            // The referee may sit elsewhere. What proves who it is has been seen here.
            let mut fields = parsed.fields.clone();
            fields.remove("auth_token");
            let message = parsed.message.name().to_owned();
            let words = HandedOn { answer_of: player_id, message, fields };
            let words = Value::Object(written(&words)).to_string();
            self.hall.store().say(words).await.map_err(LeagueRefusal::from)?;
        }
        // An answer that is handed on counts as new the first time it arrives here.
        Ok(is_awaited || is_first)
    }

    /// An answer that was handed in elsewhere.
    pub fn hear_from_elsewhere(&self, words: &str) {
        // Nodes have other words for each other too.
        let Ok(words) = serde_json::from_str::<HandedOn>(words) else { return };
        if let Ok(parsed) = hear(&words.message, words.fields.into()) {
            // If nobody waits for it here either, it is for a third.
            let _ = self.callbacks.deliver(&words.answer_of, &parsed);
        }
    }
}

/// Why a seat has nothing to hand in now.
fn no_more(record: &Record, seat: Seat) -> Unasked {
    match record.due() {
        Due::Each(_) if !record.was_late(seat) => Unasked::Already,
        _ => Unasked::Nothing,
    }
}

/// In the protocols' own games the round was looked at already.
fn retry(view: &View, round: Option<u32>) -> Retry {
    match round.filter(|_| made_for(view.setup().game).is_none()) {
        Some(turn) => Retry::Turn(turn),
        None => Retry::Likely,
    }
}

/// The match that a player is in, and where it sits.
pub fn in_play(view: &View, player: PlayerId) -> Option<(MatchView, Seat)> {
    let fixture = view.next_of(player).and_then(|id| view.find(id))?;
    fixture.game?;
    let seat = seat_of(&fixture, player)?;
    fixture.result.is_none().then_some((fixture, seat))
}

pub fn seat_of(fixture: &MatchView, player: PlayerId) -> Option<Seat> {
    let both = [fixture.player_a, fixture.player_b];
    both.iter().position(|id| *id == player).map(|seat| Seat(seat as u8))
}
