//! A game of chess as PGN, with whatever is known of it.

use std::{collections::HashMap, time::Duration};

use rules::chess::{BLACK, Chess, Eval, Note, Tags, WHITE, seat_of};
use shakmaty::Position;

use super::{analyst::Verdict, facts::comments, rating};
use crate::{
    hall::{Look, describe},
    store::Millis,
};

/// With what is known of the position after each move, if anything is.
pub fn pgn(look: &Look<Chess>, evals: &[Eval]) -> String {
    let date = date(look.created_at);
    let mut others = vec![("UTCDate", date.clone()), ("UTCTime", time_of_day(look.created_at))];
    // Programs that rate players by PGN read these tags.
    for (seat, name) in [(WHITE, "WhiteElo"), (BLACK, "BlackElo")] {
        if let Some(rating) = rating(look.seats.at(seat)).filter(|_| !look.practice) {
            others.push((name, rating.to_string()));
        }
    }
    for (seat, names) in
        [(WHITE, ["WhiteRefused", "WhiteLoose"]), (BLACK, ["BlackRefused", "BlackLoose"])]
    {
        let refused = look.seats.at(seat).map_or(0, |sitting| sitting.refused);
        let counted = names.into_iter().zip([refused, look.loose(seat)]);
        others.extend(counted.filter(|(_, n)| *n > 0).map(|(name, n)| (name, n.to_string())));
    }
    // The standard's word for a player who is not known.
    let who = |seat| look.seats.at(seat).map_or("?".into(), |sitting| describe(Some(sitting)));
    let practice = if look.practice { ", practice" } else { "" };
    let tags = Tags {
        event: &format!("agon {}{practice}", look.id),
        site: "agon",
        date: &date,
        white: &who(WHITE),
        black: &who(BLACK),
        others: &others,
    };
    look.view.pgn(&tags, &notes(look, evals))
}

/// What is known of each move: what it led to, and, once the game is over, how long it took. While
/// it goes on, it is read by those who play, at every move, and has to be short.
fn notes(look: &Look<Chess>, evals: &[Eval]) -> Vec<Note> {
    let is_over = look.due.outcome().is_some();
    let comments: HashMap<u32, &str> = comments(look).collect();
    let turns = look.view.turns.iter().enumerate();
    turns
        .map(|(ply, turn)| Note {
            eval: evals.get(ply).copied(),
            elapsed: elapsed(look, ply).filter(|_| is_over),
            remark: comments.get(turn).map(|comment| (*comment).to_owned()),
        })
        .collect()
}

/// How long a move took whoever made it: since it was their turn and they sat there. None for
/// moves that were there before.
fn elapsed(look: &Look<Chess>, ply: usize) -> Option<Duration> {
    let view = &look.view;
    let at = |turn: u32| look.times.get((turn as usize).checked_sub(1)?).copied();
    let turn = view.turns[ply];
    let before = ply.checked_sub(1).and_then(|before| at(view.turns[before]));
    let mut takebacks = view.takebacks.iter().map(|takeback| takeback.turn);
    let back = takebacks.rfind(|back| *back < turn).and_then(at);
    let first = view.start.turn();
    let mover = if ply.is_multiple_of(2) { first } else { !first };
    let sat = look.seats.at(seat_of(mover)).map(|seat| seat.at);
    let since = [before, back, sat].into_iter().flatten().fold(look.created_at, i64::max);
    Some(Duration::from_millis(u64::try_from(at(turn)? - since).unwrap_or(0)))
}

/// The part of a review that goes into a PGN: what each move led to.
pub fn evals(review: &[Verdict]) -> Vec<Eval> {
    review.iter().skip(1).map(|verdict| verdict.eval).collect()
}

/// `2026.11.15`, as PGN wants it.
fn date(millis: Millis) -> String {
    let day =
        time::OffsetDateTime::from_unix_timestamp(millis / 1000).map(time::OffsetDateTime::date);
    day.map_or("????.??.??".into(), |day| {
        format!("{:04}.{:02}.{:02}", day.year(), u8::from(day.month()), day.day())
    })
}

/// `14:30:05`
fn time_of_day(millis: Millis) -> String {
    let time =
        time::OffsetDateTime::from_unix_timestamp(millis / 1000).map(time::OffsetDateTime::time);
    time.map_or("??:??:??".into(), |time| {
        format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_civil() {
        assert_eq!(date(1_794_700_800_000), "2026.11.15");
        assert_eq!(time_of_day(1_794_700_800_000 + 7_505_000), "02:05:05");
    }
}
