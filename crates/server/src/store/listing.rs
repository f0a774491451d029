//! Which games a list shows, as questions in SQL that both stores understand.
//!
//! Each is answered by an index and reads a bounded number of rows, however many games there are.

use super::{Hashed, ListedGame, Millis, Order, Progress, Wanted, Whose, words};
use crate::ids::GameId;

/// Up to so many games that a word leads to are put in order; with more, the list is gone through
/// until enough of them are found.
const MANY: i64 = 1000;
/// Of each sort of games, a search goes through so many at once. It goes on from there if asked to.
const STRETCH: u32 = 20_000;
/// A game that nobody has touched for this long sleeps.
pub const DAY: Millis = 24 * 60 * 60 * 1000;

/// How the stores differ in what is asked here.
#[derive(Clone, Copy)]
pub struct SqlDialect {
    /// Stands before the number of a parameter.
    pub sign: char,
    /// Where one text is in another, counted from 1.
    pub find: &'static str,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

pub struct Query {
    pub sql: String,
    pub values: Vec<Value>,
}

/// The columns read of each game, in this order.
const COLUMNS: &str = "id, kind, created_at, moved, turns, outcome, winner, card, yours, \
     practice, words";
const BY_MOVE: &str = "order by moved desc, id desc";
/// The caller's seat, where it has none.
const NOBODY: &str = "null";

/// How many games of a kind there are, counted in an index.
pub const COUNT_KIND: &str = "select count(*) from games where kind = $1";

/// The question for one game.
pub fn one(dialect: SqlDialect) -> String {
    let columns = columns(NOBODY);
    format!("select {columns} from games where id = {}1", dialect.sign)
}

/// The question of one list.
pub struct Listing<'a> {
    wanted: &'a Wanted,
    dialect: SqlDialect,
    /// The words that are searched for, each with a space before it.
    words: Vec<String>,
    /// Only those that moved later.
    after: Millis,
    before: (Millis, i64),
    ended: &'static [bool],
}

impl<'a> Listing<'a> {
    pub fn new(dialect: SqlDialect, wanted: &'a Wanted, now: Millis) -> Listing<'a> {
        let asleep = now - DAY;
        let before = match wanted.before {
            Some((at, id)) => (at, i64::from(id.number())),
            None => (Millis::MAX, 0),
        };
        let (after, before, ended): (_, _, &[bool]) = match wanted.progress {
            Progress::Any => (Millis::MIN, before, &[false, true]),
            Progress::Over => (Millis::MIN, before, &[true]),
            Progress::Unfinished => (Millis::MIN, before, &[false]),
            Progress::Live => (asleep, before, &[false]),
            Progress::Asleep => (Millis::MIN, before.min((asleep + 1, 0)), &[false]),
        };
        let words = words::words(&wanted.text).iter().map(|word| format!(" {word}")).collect();
        Listing { wanted, dialect, words, after, before, ended }
    }

    /// To how many games each word leads, up to a few more than are put in order. Only if there is
    /// something to search for.
    pub fn counts(&self) -> Option<Query> {
        let mut draft = self.draft();
        let counts = self.words.iter().map(|word| {
            let found = draft.found(word, "union all");
            let most = MANY + 1;
            format!("(select count(*) from (select game from ({found}) as a limit {most}) as b)")
        });
        let counts: Vec<_> = counts.collect();
        (!counts.is_empty()).then(|| draft.query(format!("select {}", counts.join(", "))))
    }

    /// The word that leads to the fewest games, if those are not too many.
    fn rarest(&self, counts: &[i64]) -> Option<&String> {
        let words = self.words.iter().zip(counts);
        let rare = words.filter(|(word, games)| **games <= MANY && !words::is_common(word.trim()));
        rare.min_by_key(|(_, games)| **games).map(|(word, _)| word)
    }

    /// The games, with how many games each word leads to.
    pub fn games(&self, counts: &[i64]) -> Query {
        let mut draft = self.draft();
        let parts = match (self.wanted.order, self.wanted.whose) {
            (Order::Newest, _) => self.newest(&mut draft),
            (Order::LastMove, Whose::Connections(connection)) => {
                vec![self.connections(&mut draft, connection)]
            }
            (Order::LastMove, _) => match self.rarest(counts) {
                Some(word) => vec![self.found(&mut draft, word)],
                None => self.sorts().map(|sort| self.sort(&mut draft, &sort)).collect(),
            },
        };
        let named = |part: &String| format!("select * from ({part}) as {}", draft.name());
        let all = parts.iter().map(named).collect::<Vec<_>>().join("\nunion all ");
        let order = self.wanted.order.columns();
        let limit = self.limit(&mut draft);
        draft.query(format!("select {COLUMNS} from ({all}) as parts order by {order} {limit}"))
    }

    /// How far a search went through the games of each sort, where it did not get to the end.
    pub fn ends(&self, counts: &[i64], found: usize) -> Option<Query> {
        let went_through = !self.words.is_empty() && self.rarest(counts).is_none();
        if !went_through || found >= self.wanted.limit as usize {
            return None;
        }
        let mut draft = self.draft();
        let ends = self.sorts().map(|sort| {
            let place = self.place(&mut draft);
            let last = STRETCH - 1;
            format!(
                "select * from (select last_at, id from games where {sort} and {place}
                 order by last_at desc, id desc limit 1 offset {last}) as {}",
                draft.name()
            )
        });
        let ends: Vec<_> = ends.collect();
        Some(draft.query(ends.join("\nunion all ")))
    }

    fn draft(&self) -> Draft {
        Draft { dialect: self.dialect, values: Vec::new(), names: 0 }
    }

    /// The sorts of games an index has in order.
    fn sorts(&self) -> impl Iterator<Item = String> {
        let lone = self.wanted.whose == Whose::LoneAgents;
        let lone = if lone { " and lone = true" } else { "" };
        self.wanted.kinds.iter().flat_map(move |kind| {
            self.ended.iter().map(move |ended| format!("kind = '{kind}' and ended = {ended}{lone}"))
        })
    }

    /// One sort of games, as far as a search goes at once.
    fn sort(&self, draft: &mut Draft, sort: &str) -> String {
        let (columns, place) = (columns(NOBODY), self.place(draft));
        let games = format!("select {columns} from games where {sort} and {place}");
        let limit = self.limit(draft);
        if self.words.is_empty() {
            format!("{games} {BY_MOVE} {limit}")
        } else {
            // In order already, so that it is left as soon as enough are found.
            format!(
                "select * from ({games} {BY_MOVE} limit {STRETCH}) as {} where {} {limit}",
                draft.name(),
                self.has_words(draft)
            )
        }
    }

    /// Those that a rare word leads to.
    fn found(&self, draft: &mut Draft, word: &str) -> String {
        let (found, has_words) = (draft.found(word, "union"), self.has_words(draft));
        let (kinds, ended, place) = (self.kinds(), self.has_ended(), self.place(draft));
        let (columns, limit) = (columns(NOBODY), self.limit(draft));
        format!(
            "select {columns} from ({found}) as found cross join games where games.id = found.game
             and {kinds} and {ended} and {place} and {has_words} {BY_MOVE} {limit}"
        )
    }

    /// Those in which a connection took a seat.
    fn connections(&self, draft: &mut Draft, connection: Hashed) -> String {
        let connection = draft.value(Value::Bytes(connection.0.to_vec()));
        let (kinds, ended, place) = (self.kinds(), self.has_ended(), self.place(draft));
        let (columns, limit) = (columns("connections.seat"), self.limit(draft));
        format!(
            "select {columns} from connections cross join games
             where connections.connection = {connection} and games.id = connections.game
             and {kinds} and {ended} and {place} {BY_MOVE} {limit}"
        )
    }

    /// By when they were created.
    fn newest(&self, draft: &mut Draft) -> Vec<String> {
        let (at, id) = (draft.number(self.before.0), draft.number(self.before.1));
        let (ended, limit) = (self.has_ended(), self.limit(draft));
        let columns = columns(NOBODY);
        let kinds = self.wanted.kinds.iter().map(|kind| {
            format!(
                "select {columns} from games
                 where kind = '{kind}' and (created_at, id) < ({at}, {id}) and {ended}
                 order by created_at desc, id desc {limit}"
            )
        });
        kinds.collect()
    }

    fn limit(&self, draft: &mut Draft) -> String {
        format!("limit {}", draft.number(self.wanted.limit.into()))
    }

    /// The part of the list that is wanted.
    fn place(&self, draft: &mut Draft) -> String {
        let (at, id) = (draft.number(self.before.0), draft.number(self.before.1));
        let after = draft.number(self.after);
        format!("(last_at, id) < ({at}, {id}) and last_at > {after}")
    }

    fn kinds(&self) -> String {
        let kinds: Vec<_> = self.wanted.kinds.iter().map(|kind| format!("'{kind}'")).collect();
        format!("kind in ({})", kinds.join(", "))
    }

    fn has_ended(&self) -> &'static str {
        match self.ended {
            [false] => "outcome is null",
            [true] => "outcome is not null",
            _ => "true",
        }
    }

    fn has_words(&self, draft: &mut Draft) -> String {
        let find = self.dialect.find;
        let has: Vec<_> = self
            .words
            .iter()
            .map(|word| format!("{find}(words, {}) > 0", draft.text(word.clone())))
            .collect();
        has.join(" and ")
    }
}

fn columns(yours: &str) -> String {
    format!(
        "games.id as id, kind, created_at, last_at as moved, turns, outcome,
         cast(winner as bigint) as winner, card, cast({yours} as bigint) as yours, practice, words"
    )
}

/// A question while it is written, with its parameters.
struct Draft {
    dialect: SqlDialect,
    values: Vec<Value>,
    names: usize,
}

impl Draft {
    fn value(&mut self, value: Value) -> String {
        let at = self.values.iter().position(|known| *known == value).unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        });
        format!("{}{}", self.dialect.sign, at + 1)
    }

    fn number(&mut self, number: i64) -> String {
        self.value(Value::Number(number))
    }

    fn text(&mut self, text: String) -> String {
        self.value(Value::Text(text))
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("some{}", self.names)
    }

    fn query(self, sql: String) -> Query {
        Query { sql, values: self.values }
    }

    /// The games to which a word leads, by their ids or the names of their players. Put together by
    /// `union` none comes twice; by `union all` not all need be found to have some.
    fn found(&mut self, word: &str, union: &str) -> String {
        let word = word.trim();
        let (from, to) = (self.text(word.to_owned()), self.text(format!("{word}\u{10ffff}")));
        let mut found = format!("select game from terms where term >= {from} and term < {to}");
        if let Some((from, to)) = ids(word) {
            let (from, to) = (self.number(from), self.number(to));
            found += &format!(" {union} select id from games where id between {from} and {to}");
        }
        found
    }
}

/// The ids that begin so.
fn ids(beginning: &str) -> Option<(i64, i64)> {
    let digits = beginning.len();
    let all = digits <= 8 && beginning.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = all.then(|| i64::from_str_radix(beginning, 16).ok()).flatten()?;
    let rest = 4 * (8 - digits);
    Some((number << rest, ((number + 1) << rest) - 1))
}

/// A part of a list.
#[derive(Debug, Default)]
pub struct ListedGames {
    pub games: Vec<ListedGame>,
    /// Where the list goes on, if it does.
    pub next: Option<(Millis, GameId)>,
}

impl ListedGames {
    /// `ends` is how far a search went through games of several sorts.
    pub fn new(
        wanted: &Wanted,
        mut games: Vec<ListedGame>,
        ends: Vec<(Millis, GameId)>,
    ) -> ListedGames {
        let key = |entry: &ListedGame| match wanted.order {
            Order::LastMove => (entry.last_at, entry.id),
            Order::Newest => (entry.created_at, entry.id),
        };
        let full = games.len() >= wanted.limit as usize;
        let next = match ends.into_iter().max() {
            // A game after that may come before games that were not gone through.
            Some(end) => {
                games.retain(|entry| key(entry) >= end);
                Some(end)
            }
            None => games.last().filter(|_| full).map(key),
        };
        ListedGames { games, next }
    }
}
