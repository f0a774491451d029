//! One match under a referee: both invited, both asked at once, both answers sealed until the other
//! is in or its time is over.
//!
//! What a move is worth is decided by the rules, and what it was is in the match's own log. A player
//! who gives no usable answer in time is written down as having made the move "default".

mod ask;
mod even_odd;
mod parity;

use std::{sync::Arc, time::Duration};

use rules::{
    Due, Eye, Rules, Seat, Verdict,
    league::{Event, MatchResult, MatchView, PlayerId, View},
};
use serde_json::Value;
use tokio::time::{Instant, sleep};

use self::ask::ask;
use super::{
    counter::qualified,
    leagues::Leagues,
    letters::{self, Journal},
};
use crate::{
    hall::Game,
    league::wire::{
        Fields,
        callbacks::Awaited,
        dialect::Dialect,
        endpoint::Endpoint,
        line::Line,
        manner::Manner,
        message::{Message, Version, new_conversation},
        moves::{BadMove, Word},
    },
};

/// Before a question is put again.
const PAUSE: Duration = Duration::from_millis(150);
/// News that are not heard within this time are not worth waiting for.
const NEWS: Duration = Duration::from_secs(2);

/// A game that two players of a league can meet in, and how it is told to them.
pub trait Contest: Rules {
    const INVITE: Message;
    const ASK: Message;
    const ANSWER: Message;
    /// What says that an answer was of no use; without one, the next question does.
    const COMPLAINT: Option<Message>;
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
pub struct Case<'a> {
    pub league: &'a View,
    pub fixture: &'a MatchView,
    pub players: [PlayerId; 2],
    conversation: String,
    pub referee_endpoint: Option<&'a str>,
    /// What the referee promised before anybody chose.
    pub seed_hash: String,
    pub seed: Option<u64>,
}

impl Case<'_> {
    pub fn player(&self, seat: Seat) -> PlayerId {
        self.players[usize::from(seat.0)]
    }

    pub fn opponent(&self, seat: Seat) -> PlayerId {
        self.players[1 - usize::from(seat.0)]
    }

    /// A message of this match, whole.
    pub fn write(&self, message: Message, own: Value) -> Fields {
        let Value::Object(mut own) = own else { unreachable!("messages are objects") };
        let version = message.version(match self.league.setup().game {
            rules::league::Game::EvenOdd => Version::V1,
            rules::league::Game::Parity => Version::V2,
        });
        own.insert("league_id".into(), self.league.setup().name.clone().into());
        own.insert("round_id".into(), self.fixture.round_id.into());
        own.insert("match_id".into(), self.fixture.match_id.to_string().into());
        let sender = if version == Version::V1 { "referee" } else { "referee:REF01" };
        message.write(version, sender, &self.conversation, own)
    }

    /// An answer that may come later, as a call of its own.
    fn awaits(&self, player: PlayerId, message: Message, round: Option<u32>) -> Awaited {
        let player_id = qualified(self.league, player);
        let match_id = self.fixture.match_id.to_string();
        Awaited { player_id, match_id, round, message }
    }
}

/// One of the two, and how to reach it.
struct Place {
    seat: Seat,
    player: PlayerId,
    /// Where it said it is.
    url: Option<String>,
    /// None of one who asks for its moves itself.
    line: Option<Line>,
    /// Did not come, or would not.
    absent: bool,
    journal: Journal,
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
        league: view,
        fixture,
        players,
        conversation: new_conversation(),
        referee_endpoint: leagues.referee_endpoint.get().map(String::as_str),
        seed_hash: game.seed_hash(),
        seed: None,
    };
    let [one, other] = players.map(|player| {
        let token = view.player(player).and_then(|known| leagues.token_of(&known));
        Journal::new(leagues, league.id(), fixture.match_id, player, token)
    });
    let result = letters::keep_meanwhile(
        [&one, &other],
        see_through::<C>(leagues, league, case, game, [one.clone(), other.clone()]),
    );
    let result = result.await;
    letters::close([&one, &other]).await;
    result
}

async fn see_through<C: Contest>(
    leagues: &Leagues,
    league: &Game,
    case: Case<'_>,
    game: &Arc<Game>,
    [one, other]: [Journal; 2],
) -> MatchResult {
    let (view, players) = (case.league, case.players);
    let mut a = place(leagues, view, Seat(0), players[0], one).await;
    let mut b = place(leagues, view, Seat(1), players[1], other).await;
    if game.log().await.is_empty() {
        tokio::join!(
            invite::<C>(leagues, league, &case, &mut a),
            invite::<C>(leagues, league, &case, &mut b)
        );
    }
    while let Due::Each(due) = game.due().await {
        let known = game.log().await.len() as u32;
        let now = leagues.view(league).await;
        tokio::join!(
            follow::<C>(leagues, league, &case, &now, &mut a),
            follow::<C>(leagues, league, &case, &now, &mut b)
        );
        let view = seen::<C>(game).await;
        tokio::join!(
            ask::<C>(leagues, &case, game, &view, &mut a, known, due.contains(&Seat(0))),
            ask::<C>(leagues, &case, game, &view, &mut b, known, due.contains(&Seat(1)))
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

async fn place(
    leagues: &Leagues,
    view: &View,
    seat: Seat,
    player: PlayerId,
    journal: Journal,
) -> Place {
    let known = view.player(player).expect("a match is between players");
    let manner = known.dialect.parse::<Manner>().unwrap_or(Dialect::S1.into());
    let token = leagues.token_of(&known);
    let url = known.endpoint.map(str::to_owned);
    let mut place = Place { seat, player, url, line: None, absent: false, journal };
    if let Some(url) = &place.url {
        match Endpoint::check(url, &leagues.policy).await {
            Ok(endpoint) => {
                let line = Line::new(&leagues.post, endpoint, manner);
                place.line = Some(line.with_token(token).with_journal(place.journal.clone()));
            }
            Err(error) => {
                tracing::info!(%player, %error, "a player cannot be reached");
                place.journal.note(format!("its endpoint is not called: {error}"));
                place.absent = true;
            }
        }
    }
    place
}

/// Who has registered again from elsewhere is invited and asked there.
async fn follow<C: Contest>(
    leagues: &Leagues,
    league: &Game,
    case: &Case<'_>,
    now: &View,
    known: &mut Place,
) {
    if now.player(known.player).is_some_and(|now| now.endpoint != known.url.as_deref()) {
        *known = place(leagues, now, known.seat, known.player, known.journal.clone()).await;
        invite::<C>(leagues, league, case, known).await;
    }
}

/// Invites, until the player comes or its time is over.
async fn invite<C: Contest>(leagues: &Leagues, league: &Game, case: &Case<'_>, place: &mut Place) {
    let Some(line) = &mut place.line else { return };
    let before = line.manner();
    let limit = case.league.setup().join_limit_seconds;
    let until = Instant::now() + Duration::from_secs(limit.into());
    let invitation = C::invitation(case, place.seat);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let later = leagues.callbacks.expect(case.awaits(place.player, Message::JoinAck, None));
        // The older protocol's invitation asks for no answer.
        let later = (C::INVITE != Message::GameStart).then_some(later);
        match line.offer(C::INVITE, &invitation, left, later).await {
            Ok(offered) => {
                place.absent = offered.word == Word::No;
                if place.absent {
                    tracing::info!(player = %place.player, "a player does not want to play");
                    place.journal.note("invited, it said no".into());
                }
                break;
            }
            Err(error) if Instant::now() + PAUSE >= until => {
                tracing::info!(player = %place.player, %error, "a player did not come");
                place.journal.note(format!("invited, it did not come: {error}"));
                place.absent = true;
                break;
            }
            Err(_) => sleep(PAUSE).await,
        }
    }
    if line.manner() != before && !place.absent {
        let dialect = line.manner().to_string();
        let learnt = Event::Learn { player: place.player, dialect };
        if let Err(error) = leagues.tell(league, &learnt).await {
            tracing::debug!(%error, "a dialect was not written down");
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
