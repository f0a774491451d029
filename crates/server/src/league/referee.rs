//! One match under a referee: both invited, both asked at once, both answers sealed until the other
//! is in or its time is over.
//!
//! What a move is worth is decided by the rules, and what it was is in the match's own log. A player
//! who gives no usable answer in time is written down as having made the move "default".

mod even_odd;
mod parity;

use std::{sync::Arc, time::Duration};

use rules::{
    Due, Eye, Rules, Seat, Verdict,
    league::{Event, MatchResult, MatchView, PlayerId, Setup, View},
};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, sleep_until};

use super::{
    Fields,
    callbacks::Awaited,
    dialect::Dialect,
    endpoint::Endpoint,
    leagues::Leagues,
    line::{Failed, Line},
    message::{Message, Version, new_conversation},
    moves::{BadMove, Word, belongs},
    post::NoReply,
};
use crate::hall::{Game, Refusal, Retry};

/// A question is put this often at most, all within one deadline.
const ATTEMPTS: u32 = 3;
/// Before a question is put again.
const PAUSE: Duration = Duration::from_millis(150);
/// News that are not heard within this time are not worth waiting for.
const NEWS: Duration = Duration::from_secs(2);

/// A game that two players of a league can meet in, and how it is told to them.
pub trait Contest: Rules {
    const INVITE: Message;
    const ASK: Message;
    const ANSWER: Message;
    const END: Message;

    fn invitation(case: &Case, seat: Seat) -> Fields;
    fn question(case: &Case, view: &Self::View, seat: Seat) -> Fields;
    /// The round that is being played, where there are several.
    fn round(view: &Self::View) -> Option<u32>;
    /// The move, as the rules write it.
    fn read(answer: &Fields) -> Result<String, BadMove>;
    /// What both are told when a round is over, if it is not the only one.
    fn news(case: &Case, view: &Self::View) -> Option<(Message, Fields)>;
    fn ending(case: &Case, view: &Self::View, verdict: Verdict) -> Fields;
    fn verdict(view: &Self::View) -> Option<Verdict>;
}

/// What is the same for all that is said in one match.
pub struct Case {
    pub league_id: String,
    pub setup: Setup,
    pub fixture: MatchView,
    pub players: [PlayerId; 2],
    conversation: String,
    pub referee_endpoint: Option<String>,
    /// What the referee promised before anybody chose.
    pub seed_hash: String,
    pub seed: Option<u64>,
}

impl Case {
    pub fn player(&self, seat: Seat) -> PlayerId {
        self.players[usize::from(seat.0)]
    }

    pub fn opponent(&self, seat: Seat) -> PlayerId {
        self.players[1 - usize::from(seat.0)]
    }

    /// What a player of league.v2 is told of an answer that could not be used.
    fn complaint(&self, player: PlayerId, attempt: u32, why: &(String, (&str, &str))) -> Fields {
        let (description, (code, name)) = why;
        self.write(
            Message::GameError,
            json!({
                "error_code": code,
                "error_name": name,
                "error_description": description,
                "affected_player": player,
                "action_required": "answer the question that comes next",
                "retry_info": { "retry_count": attempt, "max_retries": ATTEMPTS - 1 },
                "consequence": "without a usable answer in time the match is lost",
            }),
        )
    }

    /// A message of this match, whole.
    pub fn write(&self, message: Message, own: Value) -> Fields {
        let Value::Object(mut own) = own else { unreachable!("messages are objects") };
        let version = message.version(match self.setup.game {
            rules::league::Game::EvenOdd => Version::V1,
            rules::league::Game::Parity => Version::V2,
        });
        own.insert("league_id".into(), self.league_id.clone().into());
        own.insert("round_id".into(), self.fixture.round_id.into());
        own.insert("match_id".into(), self.fixture.match_id.to_string().into());
        let sender = if version == Version::V1 { "referee" } else { "referee:REF01" };
        message.write(version, sender, &self.conversation, own)
    }
}

/// One of the two, and how to reach it.
struct Place {
    seat: Seat,
    player: PlayerId,
    /// None of one who asks for its moves itself.
    line: Option<Line>,
    /// Did not come, or would not.
    absent: bool,
}

/// Plays a match to its end, or to its end from where it was.
pub async fn preside<C: Contest>(
    leagues: &Leagues,
    league: &Game,
    view: &View,
    fixture: &MatchView,
    game: &Arc<Game>,
) -> MatchResult {
    let players = [fixture.player_a, fixture.player_b];
    let case = Case {
        league_id: view.setup().name.clone(),
        setup: view.setup().clone(),
        fixture: fixture.clone(),
        players,
        conversation: new_conversation(),
        referee_endpoint: leagues.referee_endpoint.get().cloned(),
        seed_hash: game.seed_hash(),
        seed: None,
    };
    let mut a = place(leagues, view, Seat(0), players[0]).await;
    let mut b = place(leagues, view, Seat(1), players[1]).await;
    if game.log().await.is_empty() {
        tokio::join!(
            invite::<C>(leagues, league, &case, &mut a),
            invite::<C>(leagues, league, &case, &mut b)
        );
    }
    while let Due::Each(due) = game.due().await {
        let view = seen::<C>(game).await;
        tokio::join!(
            ask::<C>(leagues, &case, game, &view, &mut a, due.contains(&Seat(0))),
            ask::<C>(leagues, &case, game, &view, &mut b, due.contains(&Seat(1)))
        );
        if let Some((message, news)) = C::news(&case, &seen::<C>(game).await) {
            tokio::join!(tell(&mut a, message, &news), tell(&mut b, message, &news));
        }
    }
    let view = seen::<C>(game).await;
    let verdict = C::verdict(&view).expect("a match that is over has a verdict");
    let case = Case { seed: game.revealed_seed().await, ..case };
    let ending = C::ending(&case, &view, verdict);
    tokio::join!(tell(&mut a, C::END, &ending), tell(&mut b, C::END, &ending));
    MatchResult::new(players, verdict)
}

async fn seen<C: Contest>(game: &Game) -> C::View {
    game.view::<C>(Eye::Public).await.expect("a match is of its league's kind")
}

async fn place(leagues: &Leagues, view: &View, seat: Seat, player: PlayerId) -> Place {
    let known = view.player(player).expect("a match is between players");
    let dialect = known.dialect.parse::<Dialect>().unwrap_or(Dialect::S1);
    let mut place = Place { seat, player, line: None, absent: false };
    if let Some(url) = known.endpoint {
        match Endpoint::check(url, &leagues.policy).await {
            Ok(endpoint) => place.line = Some(Line::new(&leagues.post, endpoint, dialect)),
            Err(error) => {
                tracing::info!(%player, %error, "a player cannot be reached");
                place.absent = true;
            }
        }
    }
    place
}

/// Invites, until the player comes or its time is over.
async fn invite<C: Contest>(leagues: &Leagues, league: &Game, case: &Case, place: &mut Place) {
    let Some(line) = &mut place.line else { return };
    let before = line.dialect();
    let until = Instant::now() + Duration::from_secs(case.setup.join_limit_seconds.into());
    let invitation = C::invitation(case, place.seat);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let later = leagues.callbacks.expect(Awaited {
            player_id: format!("{} {}", case.league_id, place.player),
            match_id: case.fixture.match_id.to_string(),
            round: None,
            message: Message::JoinAck,
        });
        // The older protocol's invitation asks for no answer.
        let later = (C::INVITE != Message::GameStart).then_some(later);
        match line.offer(C::INVITE, &invitation, left, later).await {
            Ok(offered) => {
                place.absent = offered.word == Word::No;
                break;
            }
            Err(error) if Instant::now() + PAUSE >= until => {
                tracing::info!(player = %place.player, %error, "a player did not come");
                place.absent = true;
                break;
            }
            Err(_) => sleep(PAUSE).await,
        }
    }
    if line.dialect() != before && !place.absent {
        let dialect = line.dialect().code().to_owned();
        let learnt = Event::Learn { player: place.player, dialect };
        if let Err(error) = leagues.tell(league, &learnt).await {
            tracing::debug!(%error, "a dialect was not written down");
        }
    }
}

/// Has a player's move played, or "default" when there is none in time.
async fn ask<C: Contest>(
    leagues: &Leagues,
    case: &Case,
    game: &Game,
    view: &C::View,
    place: &mut Place,
    due: bool,
) {
    if !due {
        return;
    }
    let until = Instant::now() + Duration::from_secs(case.setup.time_limit_seconds.into());
    let seat = place.seat;
    let text = tokio::select! {
        text = answer::<C>(leagues, case, view, place, until) => text,
        // The player may hand its move in by itself.
        () = handed_in(game, seat) => return,
    };
    play(game, seat, text.as_deref().unwrap_or("default")).await;
}

async fn answer<C: Contest>(
    leagues: &Leagues,
    case: &Case,
    view: &C::View,
    place: &mut Place,
    until: Instant,
) -> Option<String> {
    if place.absent {
        return None;
    }
    let Some(line) = &mut place.line else {
        sleep_until(until).await;
        return None;
    };
    let question = C::question(case, view, place.seat);
    let (match_id, round) = (case.fixture.match_id.to_string(), C::round(view));
    for attempt in 1..=ATTEMPTS {
        let left = until.saturating_duration_since(Instant::now());
        let later = leagues.callbacks.expect(Awaited {
            player_id: format!("{} {}", case.league_id, place.player),
            match_id: match_id.clone(),
            round,
            message: C::ANSWER,
        });
        let why = match line.ask(C::ASK, &question, left, Some(later)).await {
            Ok(answer) => {
                match belongs(&answer, &match_id, round).and_then(|()| C::read(&answer)) {
                    Ok(text) => return Some(text),
                    Err(bad) => (bad.to_string(), ("E004", "INVALID_PARITY_CHOICE")),
                }
            }
            Err(Failed::NoReply(NoReply::Late(_))) => {
                tracing::info!(player = %place.player, match_id, "a player's time is over");
                return None;
            }
            Err(error) => (error.to_string(), error.league_code()),
        };
        tracing::info!(player = %place.player, match_id, attempt, why = why.0, "no usable answer");
        if attempt == ATTEMPTS {
            break;
        }
        let again = (Instant::now() + PAUSE * attempt).min(until);
        if case.setup.game == rules::league::Game::Parity {
            let complaint = case.complaint(place.player, attempt, &why);
            // It may help, and costs no more than the pause.
            let _ = line.tell(Message::GameError, &complaint, PAUSE * attempt).await;
        }
        sleep_until(again).await;
    }
    None
}

/// Waits until the move of `seat` is in.
async fn handed_in(game: &Game, seat: Seat) {
    let mut changed = game.changes();
    while game.due().await.includes(seat) {
        if changed.changed().await.is_err() {
            return;
        }
    }
}

async fn play(game: &Game, seat: Seat, text: &str) {
    loop {
        match game.play(seat, text, Retry::Key(None)).await {
            Err(Refusal::Store(error)) => {
                tracing::error!(game = %game.id(), %error, "a move was not saved");
                sleep(PAUSE).await;
            }
            Err(refusal) => {
                tracing::debug!(game = %game.id(), %refusal, "it was in already");
                return;
            }
            Ok(_) => return,
        }
    }
}

async fn tell(place: &mut Place, message: Message, fields: &Fields) {
    if let Some(line) = place.line.as_mut().filter(|_| !place.absent)
        && let Err(error) = line.tell(message, fields, NEWS).await
    {
        tracing::debug!(player = %place.player, %error, "news were not heard");
    }
}
