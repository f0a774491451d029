//! Whole leagues, driven by whoever likes: what must hold at every moment, and at the end.

use std::collections::{BTreeMap, BTreeSet};

use rules::{
    Dice, MatchVerdict, Record,
    league::{
        Event, Format, Glimpse, MatchId, MatchView, Phase, PlayerId, Setup, Stage, View, Walkover,
    },
};

use crate::league::{begin, end, picture, play, result, running, view, won};

/// How a match of the usual set-up may end; the last three are forfeits.
pub fn verdicts() -> Vec<MatchVerdict> {
    let forfeit = |odd, even| MatchVerdict { scores: [1, 0], forfeits: [odd, even] };
    let played = [(3, 0), (3, 1), (3, 2), (2, 3), (1, 3), (0, 3), (2, 2)];
    let played = played.into_iter().map(|(odd, even)| won(odd, even));
    played.chain([forfeit(true, false), forfeit(false, true), forfeit(true, true)]).collect()
}

pub fn matches(view: &View) -> Vec<MatchView> {
    view.rounds().flat_map(|round| round.matches).collect()
}

pub fn both(found: &MatchView) -> [PlayerId; 2] {
    [found.player_a, found.player_b]
}

/// What must be forfeited, worked out from what is seen of all matches.
fn walkovers(view: &View) -> Vec<Walkover> {
    let mut walkovers = Vec::new();
    let mut before = BTreeSet::new();
    for found in matches(view).iter().filter(|m| m.state != Stage::Done) {
        let first = both(found).map(|player| before.insert(player)) == [true; 2];
        let forfeits = both(found).map(|player| view.player(player).unwrap().suspended);
        let waits = view.phase() == Phase::Running && found.state == Stage::Waiting;
        if first && waits && forfeits != [false; 2] {
            let match_id = found.match_id;
            let result = result(view, match_id, MatchVerdict::walkover(forfeits));
            walkovers.push(Walkover { match_id, result });
        }
    }
    walkovers
}

/// Nobody who could play a match now is without one, but for those who would meet somebody who was
/// not there last time.
fn assert_ready(view: &View, mut busy: BTreeSet<PlayerId>) {
    let ready = view.ready();
    assert!(ready.is_sorted());
    for id in &ready {
        let found = view.find(*id).unwrap();
        assert_eq!(found.state, Stage::Waiting);
        assert!(both(&found).map(|player| busy.insert(player)) == [true; 2], "one at a time");
    }
    let idle =
        |player: PlayerId| !busy.contains(&player) && !view.player(player).unwrap().suspended;
    let waiting = matches(view).into_iter().filter(|found| found.state == Stage::Waiting);
    let mut possible = waiting.filter(|found| both(found).into_iter().all(idle));
    if view.phase() == Phase::Running {
        let nobody_plays = ready.is_empty() && view.running().is_empty();
        let missed = |player: PlayerId| view.player(player).unwrap().missed;
        let may_wait = |found: MatchView| !nobody_plays && both(&found).into_iter().any(missed);
        assert!(possible.all(may_wait), "{ready:?}");
    }
}

/// What must hold whatever has happened.
pub fn assert_sound(view: &View) {
    let all = matches(view);
    let playing = all.iter().filter(|m| m.state == Stage::Running).flat_map(both);
    assert_ready(view, playing.collect());
    assert_eq!(view.walkovers(), walkovers(view));
    let done = all.iter().filter(|m| m.state == Stage::Done);
    assert_eq!(view.matches(), (all.len(), done.clone().count()));
    let running: Vec<_> = all.iter().filter(|m| m.state == Stage::Running).cloned().collect();
    assert_eq!(view.running(), running);
    for round in view.rounds() {
        assert_eq!(round.completed, round.matches.iter().all(|m| m.state == Stage::Done));
    }
    if view.phase() == Phase::Running {
        let stuck = view.ready().is_empty() && view.walkovers().is_empty() && running.is_empty();
        assert!(!stuck, "there is always something to do");
    }
    let mut points: BTreeMap<_, u32> = BTreeMap::new();
    for found in done {
        for (player, won) in both(found).into_iter().zip(found.match_points.unwrap()) {
            *points.entry(player).or_default() += u32::from(won);
        }
    }
    let standings = view.standings();
    assert_eq!(standings.len(), view.players().count());
    for standing in &standings {
        assert_eq!(standing.points, points.get(&standing.player_id).copied().unwrap_or(0));
        assert_eq!(standing.points, 3 * standing.wins + standing.draws);
        assert_eq!(standing.played, standing.wins + standing.draws + standing.losses);
    }
    for line in &standings {
        assert_eq!(view.tally(line.player_id), [line.wins, line.draws, line.losses]);
    }
    assert!(standings.is_sorted_by_key(|s| (std::cmp::Reverse(s.points), s.rank)));
}

/// Does what can be done until the league is over.
pub fn drive(record: &mut Record, dice: &mut Dice, sound: fn(&View)) {
    let verdicts = verdicts();
    while record.due().outcome().is_none() {
        let now = view(record);
        sound(&now);
        for Walkover { match_id, result } in now.walkovers() {
            play(record, &Event::End { match_id, result });
        }
        for id in now.ready() {
            play(record, &begin(id));
        }
        // Some of those in play end, in any order, the first of them certainly.
        let mut running = view(record).running();
        while !running.is_empty()
            && (dice.below(3) > 0 || running.len() == view(record).running().len())
        {
            let found = running.swap_remove(dice.below(running.len() as u32) as usize);
            let verdict = verdicts[dice.below(verdicts.len() as u32) as usize];
            let event = end(&now, found.match_id, verdict);
            play(record, &event);
        }
    }
}

#[test]
fn every_league_can_be_finished() {
    for players in 2..=33 {
        for (format, times) in [(Format::RoundRobin, 1), (Format::DoubleRoundRobin, 2)] {
            let setup = Setup { format, ..Setup::default() };
            let mut record = running(&setup, players);
            let sound: fn(&View) = if players < 8 { assert_sound } else { |_| () };
            drive(&mut record, &mut Dice::new(players as u64, times), sound);
            let end = view(&record);
            assert_sound(&end);
            assert_eq!(end.phase(), Phase::Finished);
            let each = players * (players - 1) / 2 * times as usize;
            assert_eq!(end.matches(), (each, each));
            let played = (players as u32 - 1) * times;
            assert!(end.standings().iter().all(|standing| standing.played == played));
            assert!(!end.champions().is_empty());
            let card: Glimpse = serde_json::from_str(&record.glimpse()).unwrap();
            assert_eq!(card, end.glimpse(), "what lists show of it is kept");
            assert_eq!(record.as_of(1).glimpse(), "", "and not worked out before");
        }
    }
}

#[test]
fn two_missed_matches_in_a_row_suspend() {
    let mut record = running(&Setup::default(), 6);
    let six: PlayerId = "P06".parse().unwrap();
    let miss = |record: &mut Record, missed: bool| {
        let found = view(record).find(view(record).next_of(six).unwrap()).unwrap();
        let forfeits = both(&found).map(|player| missed && player == six);
        let verdict = if missed { MatchVerdict { scores: [0, 0], forfeits } } else { won(3, 0) };
        finish(record, &found, verdict);
        view(record).player(six).unwrap().suspended
    };
    let missed = [true, false, true, true].map(|missed| miss(&mut record, missed));
    assert_eq!(missed, [false, false, false, true], "in a row");
    let next = view(&record).next_of(six).unwrap();
    assert!(view(&record).walkovers().is_empty(), "the other has matches before it");
    drive_until(&mut record, next);
    let walkovers = view(&record).walkovers();
    let [walkover] = walkovers.as_slice() else { panic!("{walkovers:?}") };
    assert_eq!(walkover.match_id, next);
    play(&mut record, &Event::Pause);
    assert!(view(&record).walkovers().is_empty(), "nobody forfeits during a pause");
    play(&mut record, &Event::Start);
    assert_eq!(view(&record).walkovers(), std::slice::from_ref(walkover));
    play(&mut record, &Event::Return { player: six });
    assert!(view(&record).ready().contains(&next) && view(&record).walkovers().is_empty());
    assert!(!miss(&mut record, true), "who returns starts afresh");
}

/// Plays what is ready until `id` would be.
fn drive_until(record: &mut Record, id: MatchId) {
    while view(record).walkovers().iter().all(|walkover| walkover.match_id != id) {
        let ready = view(record).find(view(record).ready()[0]).unwrap();
        finish(record, &ready, won(3, 0));
    }
}

#[test]
fn one_who_thinks_long_keeps_one_other_waiting_and_not_the_league() {
    let mut record = running(&Setup::default(), 8);
    let slow: PlayerId = "P03".parse().unwrap();
    let first = view(&record).find(view(&record).next_of(slow).unwrap()).unwrap();
    play(&mut record, &begin(first.match_id));
    // The match of the slow one goes on and on; all that can be played meanwhile is.
    while let Some(id) = view(&record).ready().first() {
        let found = view(&record).find(*id).unwrap();
        finish(&mut record, &found, won(3, 0));
    }
    let left = matches(&view(&record)).into_iter().filter(|found| found.state != Stage::Done);
    let held_up = both(&first);
    for found in left.collect::<Vec<_>>() {
        assert!(both(&found).iter().any(|player| held_up.contains(player)), "{found:?}");
    }
    assert_eq!(view(&record).next_of(slow), Some(first.match_id));
    let about_to_play = BTreeSet::from(["P01".parse().unwrap()]);
    assert_eq!(view(&record).ready_without(&about_to_play), []);
}

#[test]
fn whoever_rests_does_not_begin_the_next_round_before_the_others_play_this_one() {
    for players in [3, 5, 7, 9] {
        let record = running(&Setup::default(), players);
        let rounds: Vec<_> = view(&record).ready().iter().map(|id| id.round()).collect();
        assert_eq!(rounds, vec![1; players / 2], "{players} players");
    }
}

#[test]
fn a_walkover_shows_nothing_of_the_other() {
    let mut record = running(&Setup::default(), 4);
    let [one, four] = ["P01", "P04"].map(|id| id.parse::<PlayerId>().unwrap());
    // P01 misses its match with P04, has no opponent in an extra one, and misses the next.
    let first = view(&record).find("R1M1".parse().unwrap()).unwrap();
    finish(&mut record, &first, MatchVerdict { scores: [0, 0], forfeits: [true, false] });
    play(&mut record, &Event::Pair { player1: one, player2: four, round: 1 });
    play(&mut record, &Event::Suspend { player: four });
    let Walkover { match_id, result } = view(&record).walkovers().remove(0);
    play(&mut record, &Event::End { match_id, result });
    drive_round(&mut record, 1);
    let next = view(&record).find("R2M2".parse().unwrap()).unwrap();
    assert_eq!(next.player_a, one);
    finish(&mut record, &next, MatchVerdict { scores: [0, 0], forfeits: [true, false] });
    assert!(view(&record).player(one).unwrap().suspended);
}

#[test]
fn an_extra_match_waits_for_its_turn_like_any_other() {
    let mut record = running(&Setup::default(), 4);
    drive_round(&mut record, 1);
    let [one, four] = ["P01", "P04"].map(|id| id.parse::<PlayerId>().unwrap());
    play(&mut record, &Event::Pair { player1: four, player2: one, round: 1 });
    let extra: MatchId = "R1M3".parse().unwrap();
    assert_eq!(view(&record).find(extra).unwrap().player_a, four, "the first is Odd");
    assert_eq!(view(&record).ready(), [extra], "it comes before the second round");
    drive_round(&mut record, 1);
    assert_eq!(view(&record).ready().len(), 2);
    play(&mut record, &Event::Pair { player1: one, player2: four, round: 4 });
    (2..=3).for_each(|round| drive_round(&mut record, round));
    assert_eq!(record.due().outcome(), None, "the extra match is to come");
    drive_round(&mut record, 4);
    assert!(record.due().outcome().is_some());
    assert_eq!(view(&record).standings().iter().map(|s| s.played).sum::<u32>(), 16);
    assert_sound(&view(&record));
}

pub fn finish(record: &mut Record, found: &MatchView, verdict: MatchVerdict) {
    play(record, &begin(found.match_id));
    let event = end(&view(record), found.match_id, verdict);
    play(record, &event);
}

fn drive_round(record: &mut Record, round: u16) {
    for found in view(record).round(round).unwrap().matches {
        if found.state == Stage::Waiting {
            finish(record, &found, won(3, 2));
        }
    }
}

#[test]
fn a_big_league_is_no_burden() {
    let mut record = running(&Setup::default(), 120);
    let verdicts = verdicts();
    for round in 1..=119 {
        for found in view(&record).round(round).unwrap().matches {
            finish(&mut record, &found, verdicts[usize::from(round) % 7]);
        }
    }
    assert_eq!(view(&record).phase(), Phase::Finished);
    assert_eq!(picture(&record.as_of(u32::MAX)), picture(&record));
}
