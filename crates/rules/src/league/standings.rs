//! The table of the league, worked out from all results at once, never added to.
//!
//! Points come first, then wins, then what the tied scored against each other, then
//! Sonneborn-Berger, then the difference of rounds. Who are equal in all of that share a rank, and
//! the lot drawn at the start says who of them is named first.

use serde::Serialize;
use ts_rs::TS;

use super::{League, LeagueKind, PlayerId};

/// One player's line.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Standing {
    pub rank: usize,
    pub player_id: PlayerId,
    pub display_name: String,
    /// Always wins, draws and losses together. Who both forfeit have both lost.
    pub played: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    pub points: u32,
    /// How many of the losses were forfeits.
    pub forfeits: u32,
    /// Or points, where a game counts those. In matches that nobody forfeited, as in all that
    /// follows.
    pub rounds_won: i32,
    pub rounds_lost: i32,
    pub sonneborn_berger: f64,
    /// None where the game is luck.
    pub rating: Option<f64>,
    pub deviation: Option<f64>,
    /// What separates this line from the one above.
    pub decided_by: Option<Criterion>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub enum Criterion {
    #[serde(rename = "points")]
    Points,
    #[serde(rename = "wins")]
    Wins,
    #[serde(rename = "head-to-head")]
    HeadToHead,
    #[serde(rename = "Sonneborn-Berger")]
    SonnebornBerger,
    #[serde(rename = "round difference")]
    RoundDifference,
    #[serde(rename = "lot")]
    Lot,
}

use Criterion::*;

const CRITERIA: [Criterion; 6] = [Points, Wins, HeadToHead, SonnebornBerger, RoundDifference, Lot];

#[derive(Clone, Default)]
struct Tally {
    wins: u32,
    draws: u32,
    losses: u32,
    points: u32,
    forfeits: u32,
    rounds: [i32; 2],
    /// Twice the sum, so that half the points of who was drawn with stay whole.
    sonneborn_berger: u32,
}

struct Table<'a> {
    league: &'a League,
    tallies: Vec<Tally>,
    /// Points that a player took from another: `against[player * players + other]`.
    against: Vec<u32>,
}

/// A player's place in the order, and what separates it from the place above.
type Place = (usize, Option<Criterion>);

pub(super) fn standings(league: &League) -> Vec<Standing> {
    let table = Table::of(league);
    let is_rated = league.setup.game != LeagueKind::PARITY && !league.setup.practice;
    let ratings = is_rated.then(|| league.ratings.with(&league.rounds));
    let hundredths = |number: f64| (number * 100.0).round() / 100.0;
    let rows = ranked(&table.order()).into_iter().map(|(rank, player, decided_by)| {
        let tally = &table.tallies[player];
        let rating = ratings.as_ref().map(|ratings| ratings[player]);
        Standing {
            rank,
            player_id: PlayerId::at(player),
            display_name: league.players[player].name.clone(),
            played: tally.wins + tally.draws + tally.losses,
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            points: tally.points,
            forfeits: tally.forfeits,
            rounds_won: tally.rounds[0],
            rounds_lost: tally.rounds[1],
            sonneborn_berger: f64::from(tally.sonneborn_berger) / 2.0,
            rating: rating.map(|rating| hundredths(rating.rating)),
            deviation: rating.map(|rating| hundredths(rating.deviation)),
            decided_by,
        }
    });
    rows.collect()
}

/// The players who came first, and their points.
pub(super) fn champions(league: &League) -> (Vec<PlayerId>, u32) {
    let table = Table::of(league);
    let order = ranked(&table.order());
    let first = order.iter().take_while(|(rank, ..)| *rank == 1);
    let points = order.first().map_or(0, |(_, player, _)| table.tallies[*player].points);
    (first.map(|(_, player, _)| PlayerId::at(*player)).collect(), points)
}

/// Numbers the places. Whom only the lot separates share a rank.
fn ranked(order: &[Place]) -> Vec<(usize, usize, Option<Criterion>)> {
    let mut rank = 1;
    let numbered = order.iter().zip(1..).map(|((player, decided_by), place)| {
        if !matches!(decided_by, None | Some(Lot)) {
            rank = place;
        }
        (rank, *player, *decided_by)
    });
    numbered.collect()
}

impl Table<'_> {
    fn of(league: &League) -> Table<'_> {
        let players = league.players.len();
        let mut tallies = vec![Tally::default(); players];
        let mut against = vec![0; players * players];
        let fixtures = || league.rounds.iter().flat_map(|round| &round.fixtures);
        let done = || fixtures().filter_map(|fixture| Some((fixture.both(), fixture.verdict()?)));
        for (both, verdict) in done() {
            let points = verdict.points();
            for (me, other) in [(0, 1), (1, 0)] {
                let tally = &mut tallies[both[me]];
                tally.points += u32::from(points[me]);
                against[both[me] * players + both[other]] += u32::from(points[me]);
                match verdict.winner() {
                    Some(winner) if winner == me => tally.wins += 1,
                    None if verdict.is_draw() => tally.draws += 1,
                    _ => tally.losses += 1,
                }
                tally.forfeits += u32::from(verdict.forfeits[me]);
                if !verdict.is_forfeit() {
                    tally.rounds[0] = tally.rounds[0].saturating_add(verdict.scores[me]);
                    tally.rounds[1] = tally.rounds[1].saturating_add(verdict.scores[other]);
                }
            }
        }
        for (both, verdict) in done().filter(|(_, verdict)| !verdict.is_forfeit()) {
            for (me, other) in [(0, 1), (1, 0)] {
                let share = match verdict.winner() {
                    Some(winner) if winner == me => 2,
                    None => 1,
                    _ => 0,
                };
                tallies[both[me]].sonneborn_berger += share * tallies[both[other]].points;
            }
        }
        Table { league, tallies, against }
    }

    fn order(&self) -> Vec<Place> {
        let mut places = Vec::new();
        // Who was taken out before it could play is in no table.
        let forms = &self.league.forms;
        let was_in = |player: &usize| {
            let tally = &self.tallies[*player];
            !forms[*player].removed || tally.wins + tally.draws + tally.losses > 0
        };
        let players = (0..self.tallies.len()).filter(was_in).collect();
        self.sort(players, &CRITERIA, None, &mut places);
        places
    }

    /// Puts the tied in order by the first of `criteria`, and those who are tied still by the rest.
    fn sort(
        &self,
        tied: Vec<usize>,
        criteria: &[Criterion],
        above: Option<Criterion>,
        places: &mut Vec<Place>,
    ) {
        let (criterion, rest) = match criteria.split_first() {
            Some((criterion, rest)) if tied.len() > 1 => (*criterion, rest),
            _ => {
                let first = std::iter::once(above).chain(std::iter::repeat(None));
                return places.extend(tied.into_iter().zip(first));
            }
        };
        let mut valued: Vec<_> =
            tied.iter().map(|player| (self.value(*player, criterion, &tied), *player)).collect();
        valued.sort_by_key(|(value, player)| (std::cmp::Reverse(*value), *player));
        let classes: Vec<_> = valued.chunk_by(|one, other| one.0 == other.0).collect();
        // Where fewer are tied, what they scored against each other is another question.
        let rest = if classes.len() > 1 { &CRITERIA } else { rest };
        for (nth, class) in classes.into_iter().enumerate() {
            let above = if nth == 0 { above } else { Some(criterion) };
            self.sort(class.iter().map(|(_, player)| *player).collect(), rest, above, places);
        }
    }

    fn value(&self, player: usize, criterion: Criterion, tied: &[usize]) -> i64 {
        let tally = &self.tallies[player];
        match criterion {
            Points => tally.points.into(),
            Wins => tally.wins.into(),
            HeadToHead => {
                let row = &self.against[player * self.tallies.len()..];
                tied.iter().map(|other| i64::from(row[*other])).sum()
            }
            SonnebornBerger => tally.sonneborn_berger.into(),
            RoundDifference => i64::from(tally.rounds[0]) - i64::from(tally.rounds[1]),
            Lot => self.league.lots.get(player).map_or(0, |lot| -i64::from(*lot)),
        }
    }
}
