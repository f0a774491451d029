//! Games that need no room of their own: what the tools say of any kind that has a card.
//!
//! The tools are the chess room's; a game of another kind is told here. Nothing in this file knows
//! a kind: what there is to say comes from its card, its view and the moves it offers.

mod scene;

use std::sync::Arc;

use rules::{Card, Eye, Illegal, Kind, Seat, Tag};
use serde_json::{Map, Value};

use self::scene::Scene;
use super::{
    Desk,
    caller::{Caller, random_key},
    reply::{Refused, Reply},
};
use crate::{
    hall::{Game, Plan, Player, Refusal, Retry, plain_name},
    store::SavedSeat,
};

/// A game of any kind that is to be, as its creator asks for it.
pub struct Wish<'a> {
    pub opponent: Option<Player>,
    pub seat: Option<&'a str>,
    pub name: String,
    pub setup: Map<String, Value>,
    pub request: Option<String>,
}

/// A move as its player asks for it.
pub struct Ask<'a> {
    pub text: &'a str,
    pub comment: Option<&'a str>,
    pub turn: Option<u32>,
    pub wait: bool,
}

/// The kinds that anybody may sit down to with these tools, in the order in which they are listed.
pub fn kinds() -> impl Iterator<Item = (Kind, Card)> {
    let carded = rules::KINDS.iter().filter_map(|kind| Some((*kind, kind.card?)));
    carded.filter(|(_, card)| !card.has(Tag::Solo))
}

/// The kind of that name, or which there are.
pub fn kind(name: &str) -> Result<Kind, Refused> {
    let wanted = plain_name(name).to_lowercase().replace([' ', '_'], "-");
    let found = kinds().find(|(kind, card)| {
        kind.name == wanted || card.title.to_lowercase().replace(' ', "-") == wanted
    });
    found.map(|(kind, _)| kind).ok_or_else(|| {
        let names: Vec<_> = kinds().map(|(kind, _)| kind.name).collect();
        Refused::new(format!(
            "Error: no game is called {:?} here; there are {}. Nothing was created. gameRules \
             tells how each goes.",
            plain_name(name),
            names.join(", ")
        ))
    })
}

impl Desk {
    pub(super) async fn create_plain(
        &self,
        kind: Kind,
        wish: Wish<'_>,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        let seat = wish.seat.map_or(Ok(Seat(0)), |name| named_seat(kind.seats, name))?;
        let sits = |seat, player, name: &str| SavedSeat {
            name: plain_name(name),
            ..SavedSeat::new(seat, player)
        };
        let mut seats = vec![sits(seat, Player::Agent, &wish.name)];
        let others = (0..kind.seats.len() as u8).map(Seat).filter(|other| *other != seat);
        seats.extend(wish.opponent.into_iter().flat_map(|player| {
            others.clone().map(move |other| sits(other, player, ""))
        }));
        let setup = Value::Object(wish.setup).to_string();
        // Whoever must ask its person first calls again, and means the same game.
        let asks = || caller.opens_links().then(random_key);
        let key = wish.request.or(caller.key.clone()).or_else(asks);
        let name = key.as_ref().map(|key| caller.request_key("createGame", key));
        let connection = caller.connection.map(|connection| (connection, seat));
        let plan = Plan {
            connection,
            name,
            by: caller.origin(),
            ..Plan::new(kind, setup.clone(), seats)
        };
        let game = self.hall.create(plan).await?;
        let sight = game.see_back(Eye::Seat(seat), 0).await;
        let is_planned = game.kind().name == kind.name && game.setup().await == setup;
        if name.is_some() && !is_planned {
            return Err(scene::another_game(game.id()));
        }
        let scene = self.plain_scene(&sight, Some(seat));
        let invited = caller.invite(scene.link().as_deref()).await;
        let question = invited.question(key.unwrap_or_default());
        Ok(Reply { question, ..scene.created(invited.told()) })
    }

    pub(super) async fn join_plain(
        &self,
        game: &Game,
        seated: Option<Seat>,
        wanted: Option<&str>,
        name: String,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        game.refresh().await;
        let sight = game.see(Eye::Public).await;
        let wanted = wanted.map(|name| named_seat(sight.names, name)).transpose()?;
        let is_wanted = |seat: &Seat| wanted.is_none_or(|wanted| wanted == *seat);
        if let Some(seat) = seated.filter(is_wanted) {
            let sight = game.see(Eye::Seat(seat)).await;
            return Ok(self.plain_scene(&sight, Some(seat)).joined(true));
        }
        let open = game.open_seat().await;
        let mut free = sight.all_seats().filter(|seat| {
            is_wanted(seat) && (sight.seats.at(*seat).is_none() || open == Some(*seat))
        });
        let Some(seat) = free.next() else { return Err(scene::full(&sight)) };
        let sitting = SavedSeat {
            name: plain_name(&name),
            ..SavedSeat::new(seat, Player::Agent)
        };
        // A connection speaks for its first seat; the second has its pass.
        let connection = caller.connection.filter(|_| seated.is_none());
        if !game.sit(sitting, connection.into_iter().collect()).await? {
            return Err(scene::full(&sight));
        }
        let sight = game.see(Eye::Seat(seat)).await;
        Ok(self.plain_scene(&sight, Some(seat)).joined(false))
    }

    pub(super) async fn wait_plain(
        &self,
        game: &Game,
        seat: Seat,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        let wait = game.wait(seat, self.wait);
        let waited = caller.patiently("Waiting for the others", wait).await;
        let in_time = waited.ok_or_else(Refused::cancelled)??;
        let sight = game.see(Eye::Seat(seat)).await;
        let scene = self.plain_scene(&sight, Some(seat));
        Ok(if in_time { scene.waited() } else { scene.timed_out() })
    }

    pub(super) async fn finish_plain(
        &self,
        game: &Arc<Game>,
        seat: Seat,
        ask: Ask<'_>,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        let retry = ask.turn.map_or(Retry::Likely, Retry::Turn);
        let played = match game.play_saying(seat, ask.text, ask.comment, retry).await {
            Ok(played) => played,
            Err(Refusal::Store(error)) => return Err(error.into()),
            Err(refusal) => {
                if refusal.is_wrong_move() {
                    game.count_refused(seat).await;
                }
                let sight = game.see(Eye::Seat(seat)).await;
                return Err(self.plain_scene(&sight, Some(seat)).refused(&refusal));
            }
        };
        let then = game.see_back(Eye::Seat(seat), played.number).await;
        let accepted = self.plain_scene(&then, Some(seat)).moved(played.number);
        if !ask.wait || then.outcome().is_some() || then.due.includes(seat) {
            return Ok(accepted);
        }
        // The move is played, whether or not anybody waits for what comes of it.
        match caller.patiently("Waiting for the others", game.wait(seat, self.wait)).await {
            Some(Ok(true)) => {
                let now = game.see(Eye::Seat(seat)).await;
                Ok(self.plain_scene(&now, Some(seat)).moved(played.number))
            }
            Some(Ok(false) | Err(_)) | None => Ok(accepted),
        }
    }

    pub(super) async fn get_plain(
        &self,
        game: &Game,
        seat: Option<Seat>,
    ) -> Result<Reply, Refused> {
        game.refresh().await;
        let sight = game.see(seat.map_or(Eye::Public, Eye::Seat)).await;
        Ok(self.plain_scene(&sight, seat).seen())
    }

    fn plain_scene<'a>(&'a self, sight: &'a crate::hall::Sight, seat: Option<Seat>) -> Scene<'a> {
        Scene { hall: &self.hall, sight, seat, site: self.pages.as_deref() }
    }
}

/// The seat of that name, or which there are.
fn named_seat(names: &[&str], wanted: &str) -> Result<Seat, Refused> {
    let wanted = wanted.trim().to_lowercase();
    let found = names.iter().position(|name| name.to_lowercase() == wanted);
    found.map(|at| Seat(at as u8)).ok_or_else(|| {
        Refused::new(format!(
            "Error: seat must be one of {}, not {:?}. Nothing was done.",
            names.join(", "),
            plain_name(&wanted)
        ))
    })
}

/// Why a set-up did not do.
pub fn not_set_up(kind: Kind, why: &Illegal) -> Refused {
    let keys = kind.card.map_or(&[][..], |card| card.keys);
    let keys: Vec<_> = keys.iter().map(|key| format!("{}: {}", key.name, key.about)).collect();
    let known = match keys.as_slice() {
        [] => "It takes no set-up.".to_owned(),
        keys => format!("Its set-up: {}.", keys.join("; ")),
    };
    Refused::new(format!("Error: no game was created: {why}. {known}"))
}
