//! Turns on their way into Postgres: whatever has queued up while the last statement was on its
//! way goes in with the next, so that sixty-four players wait for one flush and not sixty-four.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use deadpool_postgres::GenericClient;
use tokio::sync::{mpsc, oneshot};
use tokio_postgres::{Row, types::ToSql};

use super::{
    connections::{Attempt, Connections},
    news::Notifier,
};
use crate::{
    ids::GameId,
    store::{Change, ChangedGame, Gist, SavedTurn, StoreError},
};

/// At most this many turns share a statement.
const BATCH: usize = 256;

/// The columns of the turns themselves come first; how each game stands after its turn follows. In
/// the order of the key, so that two nodes which race for several turns at once do not wait for
/// each other in a circle.
const APPEND: &str = "
    with asked as (
        select * from unnest($1::bigint[], $2::integer[], $3::smallint[], $4::text[], $5::bigint[],
                             $6::text[], $7::text[], $8::text[], $9::integer[], $10::integer[],
                             $11::integer[], $12::text[], $13::smallint[], $14::text[],
                             $15::boolean[])
            as asked (game, number, seat, move, at, report, request, comment, refused, loose,
                      tokens, outcome, winner, card, computer_due)
    ), added as (
        insert into turns (game, number, seat, move, at, report, request, comment, refused, loose,
                           tokens)
        select asked.game, number, asked.seat, move, asked.at, report, request, comment,
            coalesce(seats.refused, 0), loose, tokens
        from asked left join seats on seats.game = asked.game and seats.seat = asked.seat
        order by asked.game, number
        on conflict do nothing returning game, number
    ), told as (
        update games set outcome = asked.outcome, winner = asked.winner,
            ended = asked.outcome is not null, last_at = asked.at, turns = asked.number,
            card = asked.card, computer_due = asked.computer_due
        from asked join added using (game, number) where games.id = asked.game
    )
    select game, number from added";

/// Turns of a game that stands as it stands.
const INSERT: &str = "
    insert into turns (game, number, seat, move, at, report, request, comment, refused, loose,
                       tokens)
    select * from unnest($1::bigint[], $2::integer[], $3::smallint[], $4::text[], $5::bigint[],
                         $6::text[], $7::text[], $8::text[], $9::integer[], $10::integer[],
                         $11::integer[])";

/// When nobody knows whether an attempt before went through, a turn that is there just as it was
/// asked for is ours: nobody else asks for the same in the same millisecond.
const OURS: &str = "
    select game, number
    from unnest($1::bigint[], $2::integer[], $3::smallint[], $4::text[], $5::bigint[], $6::text[])
        as asked (game, number, seat, move, at, request)
    join turns using (game, number, seat, move, at)
    where asked.request is not distinct from turns.request";

struct Append {
    game: ChangedGame,
    saved: SavedTurn,
    after: Gist,
    /// Nobody knows whether it was saved before.
    again: bool,
    answer: oneshot::Sender<Result<bool, StoreError>>,
}

/// By game and number.
type Asked = BTreeMap<(i64, i32), Append>;

#[derive(Clone)]
pub struct Turns {
    queue: mpsc::UnboundedSender<Append>,
    /// When the last one was asked for that was saved.
    saved: Arc<Mutex<Option<Instant>>>,
}

impl Turns {
    pub fn start(connections: Connections, announcer: Notifier) -> Turns {
        let (sender, queue) = mpsc::unbounded_channel();
        tokio::spawn(append_together(connections, announcer, queue));
        Turns { queue: sender, saved: Arc::default() }
    }

    pub fn have_been_saved_within(&self, long: Duration) -> bool {
        let saved = *self.saved.lock().expect("nobody panics holding this");
        saved.is_some_and(|at| at.elapsed() < long)
    }

    pub async fn append(
        &self,
        game: ChangedGame,
        saved: SavedTurn,
        after: Gist,
        again: bool,
    ) -> Result<bool, StoreError> {
        let (answer, answered) = oneshot::channel();
        let ask = Append { game, saved, after, again, answer };
        let asked = Instant::now();
        self.queue.send(ask).map_err(|_| StoreError::Unavailable)?;
        let answer = answered.await.map_err(|_| StoreError::Unknown)?;
        if let Ok(true) = answer {
            *self.saved.lock().expect("nobody panics holding this") = Some(asked);
        }
        answer
    }
}

async fn append_together(
    connections: Connections,
    announcer: Notifier,
    mut queue: mpsc::UnboundedReceiver<Append>,
) {
    let mut together = Vec::with_capacity(BATCH);
    while queue.recv_many(&mut together, BATCH).await > 0 {
        // A second one for the same turn has lost, whatever becomes of the first.
        let mut asked = Asked::new();
        for ask in together.drain(..) {
            let key = (i64::from(ask.game.id.number()), ask.saved.turn.number as i32);
            match asked.entry(key) {
                Entry::Vacant(free) => drop(free.insert(ask)),
                Entry::Occupied(_) => drop(ask.answer.send(Ok(false))),
            }
        }
        append_all(&connections, &announcer, asked).await;
    }
}

async fn append_all(connections: &Connections, announcer: &Notifier, asked: Asked) {
    let columns = &Columns::of(asked.values());
    let saved = connections
        .ask("write", |db, attempt| async move { columns.append_once(&db, attempt).await })
        .await;
    if asked.len() > 1 && matches!(saved, Err(StoreError::Failed(_))) {
        // Postgres may have refused all of them for one: each gets a statement of its own.
        for one in asked {
            Box::pin(append_all(connections, announcer, Asked::from([one]))).await;
        }
        return;
    }
    for (key, ask) in asked {
        let is_in = saved.as_ref().map(|added| added.contains(&key)).map_err(StoreError::clone);
        if let Ok(true) = is_in {
            let (ChangedGame { id, kind }, turn) = (ask.game, ask.saved.turn.number);
            announcer.announce(Change::Game { id, turn, kind: Some(kind) });
        }
        // Nobody listens any more when the caller has hung up.
        let _ = ask.answer.send(is_in);
    }
}

/// Turns, column by column.
#[derive(Default)]
pub struct Columns {
    game: Vec<i64>,
    number: Vec<i32>,
    seat: Vec<i16>,
    text: Vec<String>,
    at: Vec<i64>,
    report: Vec<Option<String>>,
    request: Vec<Option<String>>,
    comment: Vec<Option<String>>,
    refused: Vec<Option<i32>>,
    loose: Vec<i32>,
    tokens: Vec<Option<i32>>,
    outcome: Vec<Option<String>>,
    winner: Vec<Option<i16>>,
    card: Vec<String>,
    computer_due: Vec<bool>,
    /// Those that may be there since they were asked for before.
    in_doubt: Vec<(i64, i32)>,
}

impl Columns {
    fn of<'a>(asked: impl Iterator<Item = &'a Append>) -> Columns {
        let mut columns = Columns::default();
        for ask in asked {
            columns.push(ask.game.id, &ask.saved, &ask.after);
            let key = (i64::from(ask.game.id.number()), ask.saved.turn.number as i32);
            columns.in_doubt.extend(ask.again.then_some(key));
        }
        columns
    }

    /// Turns of a game that brings its own row of `games`.
    pub fn of_game(game: GameId, turns: &[SavedTurn]) -> Columns {
        let mut columns = Columns::default();
        turns.iter().for_each(|turn| columns.push(game, turn, &Gist::default()));
        columns
    }

    fn push(&mut self, game: GameId, saved: &SavedTurn, after: &Gist) {
        let outcome = after.outcome.as_ref();
        let SavedTurn { turn, at, request, comment, refused, loose, tokens } = saved;
        self.game.push(game.number().into());
        self.number.push(turn.number as i32);
        self.seat.push(turn.seat.0.into());
        self.text.push(turn.text.clone());
        self.at.push(*at);
        self.report.push(turn.report.clone());
        self.request.push(request.clone());
        self.comment.push(comment.clone());
        self.refused.push(refused.map(|refused| refused as i32));
        self.loose.push(*loose as i32);
        self.tokens.push(tokens.map(|tokens| tokens as i32));
        self.outcome.push(outcome.map(|outcome| outcome.text.clone()));
        self.winner.push(outcome.and_then(|outcome| Some(outcome.winner()?.0.into())));
        self.card.push(after.glimpse.clone());
        self.computer_due.push(after.computer_due);
    }

    /// Which of them are in, now or since an attempt before.
    async fn append_once(
        &self,
        db: &impl GenericClient,
        attempt: Attempt,
    ) -> Result<Vec<(i64, i32)>, tokio_postgres::Error> {
        let statement = db.prepare_cached(APPEND).await?;
        attempt.sends();
        let mut added = keys(&db.query(&statement, &self.parameters()).await?)?;
        let in_doubt = |key: &(i64, i32)| attempt.again || self.in_doubt.contains(key);
        let asked = self.game.iter().copied().zip(self.number.iter().copied());
        if asked.into_iter().any(|key| in_doubt(&key) && !added.contains(&key)) {
            let statement = db.prepare_cached(OURS).await?;
            let parameters: [&(dyn ToSql + Sync); 6] =
                [&self.game, &self.number, &self.seat, &self.text, &self.at, &self.request];
            let found = keys(&db.query(&statement, &parameters).await?)?;
            added.extend(found.into_iter().filter(in_doubt));
        }
        Ok(added)
    }

    pub async fn insert(&self, db: &impl GenericClient) -> Result<(), tokio_postgres::Error> {
        let statement = db.prepare_cached(INSERT).await?;
        db.execute(&statement, &self.parameters()[..11]).await.map(drop)
    }

    fn parameters(&self) -> [&(dyn ToSql + Sync); 15] {
        [
            &self.game,
            &self.number,
            &self.seat,
            &self.text,
            &self.at,
            &self.report,
            &self.request,
            &self.comment,
            &self.refused,
            &self.loose,
            &self.tokens,
            &self.outcome,
            &self.winner,
            &self.card,
            &self.computer_due,
        ]
    }
}

/// The game's number and the turn's.
fn keys(rows: &[Row]) -> Result<Vec<(i64, i32)>, tokio_postgres::Error> {
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}
