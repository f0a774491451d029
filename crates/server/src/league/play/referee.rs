//! One match under a referee: both invited, and whoever is due asked; where both are, at once, and
//! each answer sealed until the other is in or its time is over.
//!
//! The rules decide what a move is worth. The match's log has every move, and every player who gave
//! no usable answer in time. `contest` has the words in which a match is told.

mod ask;
pub mod contest;
mod even_odd;
pub mod kind;
mod parity;

use std::{sync::Arc, time::Duration};

use rules::{
    Due, MatchVerdict, Record, Seat,
    league::{Event, MatchResult, MatchView, PlayerId, View},
};
use serde::Serialize;
use tokio::time::{Instant, sleep};

use self::{
    ask::{ask, push},
    contest::{Contest, contest},
};
use super::{
    counter::qualified,
    leagues::Leagues,
    match_log::{self, PlayerLog},
};
use crate::{
    hall::{Game, PlayingProgram},
    league::wire::{
        Fields,
        callbacks::Awaited,
        connection::Connection,
        contents::{Context, Tally, written},
        dialect::Dialect,
        endpoint::Endpoint,
        errors::NoAnswer,
        manner::Manner,
        message::{Message, Version, new_conversation},
        message_log::MessageLog,
        moves::Acceptance,
        timestamp,
    },
    store::now,
};

/// Before a question is put again.
const PAUSE: Duration = Duration::from_millis(150);
/// News that are not heard within this time are not worth waiting for.
const NEWS: Duration = Duration::from_secs(2);
/// A match of more turns than this has no end: players who agree can go back and forth for ever.
const MOST_TURNS: usize = 4000;

/// The facts that all messages of one match share.
pub struct Case<'a> {
    pub league: &'a View,
    pub fixture: &'a MatchView,
    pub players: [PlayerId; 2],
    conversation: String,
    pub referee_endpoint: Option<&'a str>,
    /// The commitment that the referee made before anybody chose.
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

    /// Facts of league.v2 about the match that do not depend on the game.
    fn context(&self, seat: Seat) -> Context {
        let [wins, draws, losses] = self.league.tally(self.player(seat));
        Context {
            opponent_id: self.opponent(seat),
            round_id: self.fixture.round_id,
            your_standings: Tally { wins, losses, draws },
        }
    }

    /// When the time is over for a question that is put now.
    fn deadline(&self) -> String {
        timestamp::write(now() + i64::from(self.league.setup().time_limit_seconds) * 1000)
    }

    /// A message of this match, whole.
    fn write(&self, message: Message, own: &impl Serialize) -> Fields {
        let mut own = written(own);
        let version = message.version(Version::V1);
        own.insert("league_id".into(), self.league.setup().name.clone().into());
        own.insert("round_id".into(), self.fixture.round_id.into());
        own.insert("match_id".into(), self.fixture.match_id.to_string().into());
        let sender = if version == Version::V1 { "referee" } else { "referee:REF01" };
        message.write(version, sender, &self.conversation, own)
    }

    /// The acceptance of an invitation that may come later, as a call of its own.
    fn joins(&self, player: PlayerId) -> Awaited {
        let player_id = qualified(self.league, player);
        let match_id = self.fixture.match_id.to_string();
        Awaited { player_id, match_id, round: None, message: Message::JoinAck }
    }
}

/// One of the two players of a match, and how to reach it.
struct Participant {
    seat: Seat,
    player: PlayerId,
    /// The endpoint that it registered.
    url: Option<String>,
    /// None for a player that polls for its turn with tools.
    line: Option<Connection>,
    /// Writes the messages of this match for the player's protocol version.
    contest: &'static dyn Contest,
    /// The computer sits in the game itself, so the referee does not ask it.
    is_computer: bool,
    /// The local program that plays for this player, if there is one.
    engine: Option<Arc<dyn PlayingProgram>>,
    /// Did not accept the invitation.
    absent: bool,
    log: MessageLog,
}

impl Participant {
    fn cannot_play(&mut self, why: &str) {
        tracing::info!(player = %self.player, why, "a player cannot be reached");
        self.log.note(why.to_owned());
        self.absent = true;
    }
}

/// Plays a match to its end, or to its end from where it was.
pub async fn preside(
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
        PlayerLog::new(leagues, league.id(), fixture.match_id, player, token)
    });
    let result = match_log::keep_meanwhile(
        [&one, &other],
        see_through(leagues, league, case, game, [&one, &other].map(|log| log.log.clone())),
    );
    let result = result.await;
    match_log::close([&one, &other]).await;
    result
}

async fn see_through(
    leagues: &Leagues,
    league: &Game,
    case: Case<'_>,
    game: &Arc<Game>,
    [one, other]: [MessageLog; 2],
) -> MatchResult {
    let (view, players) = (case.league, case.players);
    let mut a = place(leagues, view, Seat(0), players[0], one).await;
    let mut b = place(leagues, view, Seat(1), players[1], other).await;
    if game.log().is_empty() {
        tokio::join!(
            invite(leagues, league, &case, &mut a),
            invite(leagues, league, &case, &mut b)
        );
    }
    let record = loop {
        let record = game.record();
        let due = match record.due() {
            Due::Over(_) => break record,
            Due::One(seat) => vec![seat],
            Due::Each(seats) => seats,
        };
        if is_endless(&record) {
            break record;
        }
        let now = leagues.view(league);
        tokio::join!(
            follow(leagues, league, &case, &now, &mut a),
            follow(leagues, league, &case, &now, &mut b)
        );
        tokio::join!(
            ask(leagues, &case, game, &record, &mut a, due.contains(&Seat(0))),
            ask(leagues, &case, game, &record, &mut b, due.contains(&Seat(1)))
        );
        if let Some((message, news)) = a.contest.news(&case, &game.record()) {
            tokio::join!(tell(&mut a, message, &news), tell(&mut b, message, &news));
        }
    };
    let verdict = verdict(&record, &a, &b);
    let case = Case { seed: game.revealed_seed(), ..case };
    let endings = [&a, &b].map(|place| place.contest.ending(&case, &record, verdict));
    let ends = [&a, &b].map(|place| place.contest.messages().end);
    tokio::join!(tell(&mut a, ends[0], &endings[0]), tell(&mut b, ends[1], &endings[1]));
    MatchResult::new(players, verdict)
}

/// How it ended. Of two who did not come neither has won, whoever was to move first.
fn verdict(record: &Record, a: &Participant, b: &Participant) -> MatchVerdict {
    let resigned = || {
        record.resigned()?;
        Some(MatchVerdict::of(record.due().outcome()?, &[]))
    };
    match resigned().or_else(|| a.contest.verdict(record)) {
        Some(verdict) if verdict.is_forfeit() && a.absent && b.absent => {
            MatchVerdict { forfeits: [true; 2], ..verdict }
        }
        Some(verdict) => verdict,
        None => MatchVerdict::walkover(to_blame(record)),
    }
}

fn is_endless(record: &Record) -> bool {
    record.turns().len() > MOST_TURNS
}

/// Blames a match without end on the player who asked the other more often instead of playing, or
/// on both.
fn to_blame(record: &Record) -> [bool; 2] {
    let mut game = record.as_of(0);
    let mut asked = [0, 0];
    for turn in record.turns() {
        let is_aside = push(&mut game, turn);
        if is_aside && game.asked().is_some() {
            asked[usize::from(turn.seat.0)] += 1;
        }
    }
    let [a, b] = asked;
    [a >= b, b >= a]
}

async fn place(
    leagues: &Leagues,
    view: &View,
    seat: Seat,
    player: PlayerId,
    log: MessageLog,
) -> Participant {
    let known = view.player(player).expect("a match is between players");
    let manner = known.dialect.parse::<Manner>().unwrap_or(Dialect::S1.into());
    let token = leagues.token_of(&known);
    let url = known.endpoint.map(str::to_owned);
    let mut place = Participant {
        seat,
        player,
        url,
        line: None,
        contest: contest(view.setup().game, manner.version()),
        is_computer: known.computer.is_some(),
        engine: None,
        absent: false,
        log,
    };
    if let Some(command) = known.engine {
        match leagues.hall.program(view.setup().game.kind(), command) {
            Ok(engine) => place.engine = Some(engine),
            Err(error) => place.cannot_play(&format!("its engine is not started: {error}")),
        }
    }
    if let Some(url) = &place.url {
        match Endpoint::check(url, &leagues.allowed_addresses).await {
            Ok(endpoint) => {
                let line = Connection::new(&leagues.post, endpoint, manner);
                place.line = Some(line.with_player(player, token).with_log(place.log.clone()));
            }
            Err(error) => place.cannot_play(&format!("its endpoint is not called: {error}")),
        }
    }
    place
}

/// Invites a player again that has registered from another endpoint in the meantime.
async fn follow(
    leagues: &Leagues,
    league: &Game,
    case: &Case<'_>,
    now: &View,
    known: &mut Participant,
) {
    if now.player(known.player).is_some_and(|now| now.endpoint != known.url.as_deref()) {
        *known = place(leagues, now, known.seat, known.player, known.log.clone()).await;
        invite(leagues, league, case, known).await;
    }
}

/// Invites, until the player comes or its time is over.
async fn invite(leagues: &Leagues, league: &Game, case: &Case<'_>, place: &mut Participant) {
    let (contest, words) = (place.contest, place.contest.messages());
    let Some(line) = &mut place.line else { return };
    let before = line.manner();
    let limit = case.league.setup().join_limit_seconds;
    let until = Instant::now() + Duration::from_secs(limit.into());
    let invitation = contest.invitation(case, place.seat);
    let mut pause = PAUSE;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let later = leagues.callbacks.expect(case.joins(place.player));
        // The older protocol's invitation asks for no answer.
        let later = (words.invite != Message::GameStart).then_some(later);
        match line.offer(words.invite, &invitation, left, later).await {
            Ok(offered) => {
                place.absent = offered.word == Acceptance::No;
                if place.absent {
                    tracing::info!(player = %place.player, "a player does not want to play");
                    place.log.note("invited, it said no".into());
                }
                break;
            }
            Err(error) => {
                let left = until.saturating_duration_since(Instant::now());
                let Some(wait) = wait_before_inviting_again(&mut pause, left, &error) else {
                    let error = line.refusal().unwrap_or(&error);
                    tracing::info!(player = %place.player, %error, "a player did not come");
                    place.log.note(format!("invited, it did not come: {error}"));
                    place.absent = true;
                    break;
                };
                sleep(wait).await;
            }
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

/// How long to wait before the next invitation; None once too little time is left. An agent that
/// refuses is asked less and less often. One that cannot be reached is not bothered by our tries.
fn wait_before_inviting_again(
    pause: &mut Duration,
    left: Duration,
    why: &NoAnswer,
) -> Option<Duration> {
    if left < PAUSE {
        return None;
    }
    let wait = (*pause).min(left / 2);
    if *why != NoAnswer::Unreachable {
        *pause *= 2;
    }
    Some(wait)
}

async fn tell(place: &mut Participant, message: Message, fields: &Fields) {
    if let Some(line) = place.line.as_mut().filter(|_| !place.absent)
        && let Err(error) = line.tell(message, fields, NEWS).await
    {
        tracing::debug!(player = %place.player, %error, "news were not heard");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_is_repeated_until_the_time_is_over() {
        let check = |why: NoAnswer, most: usize| {
            let (mut pause, mut left) = (PAUSE, Duration::from_secs(5));
            let mut waits = Vec::new();
            while let Some(wait) = wait_before_inviting_again(&mut pause, left, &why) {
                left -= wait;
                waits.push(wait);
            }
            assert!(left < PAUSE && waits.len() <= most, "{why}: {left:?} left after {waits:?}");
            waits
        };
        check(NoAnswer::NoMessage, 10);
        let waits = check(NoAnswer::Unreachable, 40);
        assert!(waits.iter().all(|wait| *wait <= PAUSE), "it may begin to listen at any moment");
    }

    #[test]
    fn a_match_without_end_is_lost_by_whoever_asked_instead_of_playing() {
        const A: Seat = Seat(0);
        const B: Seat = Seat(1);
        let kind = rules::kind("chess").expect("chess is known");
        let check = |turns: &[(Seat, &str)], expected: [bool; 2]| {
            let mut game = Record::start(kind, "{}", 1).expect("a game");
            for (seat, text) in turns {
                game.take(game.step(*seat, *text).expect("a turn"));
            }
            assert_eq!(to_blame(&game), expected, "{turns:?}");
        };
        check(&[(A, "e2e4"), (B, "e7e5")], [true, true]);
        check(&[(A, "offerDraw"), (B, "declineDraw"), (A, "offerDraw")], [true, false]);
        check(&[(B, "offerDraw"), (A, "declineDraw"), (A, "e2e4")], [false, true]);
        check(&[(A, "offerDraw"), (B, "declineDraw"), (B, "offerDraw")], [true, true]);
        // An offer with a move is a move.
        check(&[(A, "e2e4 offerDraw"), (B, "declineDraw"), (B, "offerDraw")], [false, true]);
    }
}
