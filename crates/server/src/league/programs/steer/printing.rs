//! Output of `agon league`: tables for people, lines for other programs.

use std::{
    io::{IsTerminal, Write},
    time::Duration,
};

use rules::league::{Glimpse, MatchId, MatchView, Phase, View};
use serde_json::json;
use tokio::time::interval;

use super::Export;
use crate::{
    hall::Game,
    league::{
        play::{
            leagues::Leagues,
            match_log::{MatchLog, Reader},
            refusals::LeagueRefusal,
        },
        wire::{
            message_log::{LogEntry, Said},
            timestamp,
        },
    },
    store::ListedGame,
    terminal::{
        self,
        table::{Column, Table},
    },
};

/// Leagues, a line each.
pub fn list(leagues: &[(ListedGame, Glimpse)]) -> String {
    if leagues.is_empty() {
        return LeagueRefusal::NothingOpened.to_string();
    }
    let mut table = Table::new([
        Column::GivesWay("league"),
        Column::Left("id"),
        Column::Left("game"),
        Column::Left("phase"),
        Column::Right("players"),
        Column::Right("matches over"),
        Column::GivesWay("leader"),
    ]);
    for (listed, glimpse) in leagues {
        table.row([
            glimpse.league_id.clone(),
            listed.id.to_string(),
            format!("{:?}", glimpse.game),
            format!("{:?}", glimpse.phase).to_lowercase(),
            glimpse.players.to_string(),
            format!("{} of {}", glimpse.matches.over, glimpse.matches.all),
            glimpse.leader.as_ref().map_or(String::new(), |leader| leader.name.clone()),
        ]);
    }
    table.fit(terminal::width())
}

/// So many of them, in words.
pub fn counted(number: usize, one: &str) -> String {
    match (number, one) {
        (1, one) => format!("1 {one}"),
        (_, "match") => format!("{number} matches"),
        (_, one) => format!("{number} {one}s"),
    }
}

/// Matches that somebody forfeited.
pub fn failed(view: &View) -> Vec<MatchId> {
    let all = view.rounds().flat_map(|round| round.matches);
    let forfeited =
        |found: &MatchView| found.result.as_ref().is_some_and(|r| !r.forfeits.is_empty());
    all.filter(forfeited).map(|found| found.match_id).collect()
}

/// Follows a league to its end: one line that changes, or on a pipe a line for each step.
pub async fn watch(leagues: &Leagues, league: &Game) -> View {
    let live = std::io::stderr().is_terminal();
    let mut clock = interval(Duration::from_millis(200));
    let mut told = String::new();
    loop {
        clock.tick().await;
        league.refresh().await;
        let view = leagues.view(league);
        let line = progress(&view);
        if line != told {
            // The reader may have gone.
            let mut err = std::io::stderr();
            let _ = if live { write!(err, "\r{line}\x1b[K") } else { writeln!(err, "{line}") };
            told = line;
        }
        if matches!(view.phase(), Phase::Finished | Phase::Stopped) {
            let _ = if live { writeln!(std::io::stderr()) } else { Ok(()) };
            return view;
        }
    }
}

fn progress(view: &View) -> String {
    let (all, over) = view.matches();
    if view.phase() == Phase::Open {
        let players = counted(view.players().count(), "player");
        return format!("{} is open, {players}", view.setup().name);
    }
    let leader = view.standings().into_iter().next().filter(|_| over > 0);
    let leader =
        leader.map_or(String::new(), |l| format!(", {} leads with {}", l.display_name, l.points));
    let all = counted(all, "match");
    format!("{over} of {all}, {} forfeited{leader}", failed(view).len())
}

/// The messages of a match.
pub fn log(letters: &MatchLog) -> String {
    let mut text = String::new();
    for (player, told) in &letters.players {
        let why = told.reason.as_ref().map_or(String::new(), |why| format!(": {why}"));
        text += &format!("{player} {}{why}\n", told.name);
        for LogEntry { at, said } in &told.messages {
            let words = match said {
                Said::Sent(words) => format!("-> {words}"),
                Said::Received(words) => format!("<- {words}"),
                Said::Refused { said, why } => format!("<- {said}, refused: {why}"),
                Said::Note(words) => format!("   {words}"),
            };
            text += &format!("  {} {words}\n", timestamp::write(*at));
        }
    }
    text
}

/// Every match, for other programs.
pub async fn export(
    leagues: &Leagues,
    league: &Game,
    view: &View,
    format: Export,
) -> Result<String, LeagueRefusal> {
    let mut text = match format {
        Export::Csv => "league,round,match,player_a,name_a,player_b,name_b,state,score_a,score_b,\
                        winner,points_a,points_b,forfeits,reasons\n"
            .to_owned(),
        Export::Jsonl => String::new(),
    };
    for found in view.rounds().flat_map(|round| round.matches) {
        let reasons = leagues.match_log(league, view, &found, Reader::Owner).await?.reasons();
        match format {
            Export::Csv => text += &row(view, &found, &reasons),
            Export::Jsonl => {
                let mut line = json!(found);
                line["league_id"] = json!(view.setup().name);
                line["reasons"] = json!(reasons);
                text += &format!("{line}\n");
            }
        }
    }
    Ok(text)
}

fn row(view: &View, found: &MatchView, reasons: &[String]) -> String {
    let (a, b) = (found.player_a, found.player_b);
    let name = |id| view.player(id).map_or(String::new(), |player| player.name.to_owned());
    let score = |id| found.result.as_ref().and_then(|result| result.scores.get(&id).copied());
    let number = |number: Option<i32>| number.map_or(String::new(), |number| number.to_string());
    let points = |seat: usize| number(found.match_points.map(|points| points[seat].into()));
    let winner = found.result.as_ref().and_then(|result| result.winner);
    let forfeits = found.result.iter().flat_map(|result| &result.forfeits);
    let cells = [
        view.setup().name.clone(),
        found.round_id.to_string(),
        found.match_id.to_string(),
        a.to_string(),
        name(a),
        b.to_string(),
        name(b),
        format!("{:?}", found.state).to_lowercase(),
        number(score(a)),
        number(score(b)),
        winner.map_or(String::new(), |id| id.to_string()),
        points(0),
        points(1),
        forfeits.map(ToString::to_string).collect::<Vec<_>>().join(" "),
        reasons.join("; "),
    ];
    cells.iter().map(|cell| csv(cell)).collect::<Vec<_>>().join(",") + "\n"
}

/// A cell. What a spreadsheet would take for a formula, it takes for text.
pub fn csv(cell: &str) -> String {
    let formula = cell.starts_with(['=', '+', '-', '@']) && cell.parse::<i64>().is_err();
    let cell = if formula { format!("'{cell}") } else { cell.to_owned() };
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

/// The table, within the terminal.
pub fn table(view: &View) -> String {
    let mut table = Table::new([
        Column::Right("rank"),
        Column::Left("id"),
        Column::GivesWay("name"),
        Column::Right("played"),
        Column::Right("won"),
        Column::Right("drew"),
        Column::Right("lost"),
        Column::Right("forfeits"),
        Column::Right("points"),
        Column::Right("rating"),
        Column::GivesWay("decided by"),
    ]);
    for line in view.standings() {
        let decided = line.decided_by.map_or(String::new(), |criterion| {
            serde_json::to_value(criterion)
                .ok()
                .and_then(|name| name.as_str().map(str::to_owned))
                .unwrap_or_default()
        });
        table.row([
            line.rank.to_string(),
            line.player_id.to_string(),
            line.display_name,
            line.played.to_string(),
            line.wins.to_string(),
            line.draws.to_string(),
            line.losses.to_string(),
            line.forfeits.to_string(),
            line.points.to_string(),
            line.rating.map_or("-".into(), |rating| format!("{rating:.0}")),
            decided,
        ]);
    }
    table.fit(terminal::width())
}

/// The matches of each round, and how they ended.
pub fn schedule(view: &View) -> String {
    let mut text = String::new();
    for round in view.rounds() {
        text += &format!("round {}\n", round.round_id);
        for fixture in round.matches {
            let score =
                |id| fixture.result.as_ref().and_then(|result| result.scores.get(&id).copied());
            let (a, b) = (fixture.player_a, fixture.player_b);
            let forfeits = fixture.result.as_ref().map(|result| &result.forfeits);
            let outcome = match (score(a), score(b)) {
                _ if forfeits.is_some_and(|forfeits| forfeits.len() == 2) => {
                    "both forfeited".into()
                }
                _ if forfeits.is_some_and(|forfeits| forfeits.contains(&a)) => {
                    format!("{a} forfeited")
                }
                _ if forfeits.is_some_and(|forfeits| forfeits.contains(&b)) => {
                    format!("{b} forfeited")
                }
                (Some(one), Some(other)) => scores(one, other),
                _ => format!("{:?}", fixture.state).to_lowercase(),
            };
            text += &format!("  {} {a} - {b}  {outcome}\n", fixture.match_id);
        }
        if let Some(bye) = round.bye {
            text += &format!("  {bye} rests\n");
        }
    }
    text
}

/// Chips may be lost, and 24--24 is hard to read.
fn scores(one: i32, other: i32) -> String {
    let between = if one < 0 || other < 0 { ":" } else { "-" };
    format!("{one}{between}{other}")
}

#[cfg(test)]
mod tests {
    use super::{csv, scores};

    #[test]
    fn what_was_lost_is_no_dash() {
        assert_eq!(scores(3, 1), "3-1");
        assert_eq!(scores(24, -24), "24:-24");
    }

    #[test]
    fn a_cell_is_quoted_where_it_must_be() {
        assert_eq!(csv("Alpha"), "Alpha");
        assert_eq!(csv("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(csv("=1+1"), "'=1+1");
        assert_eq!(csv("-7"), "-7");
    }
}
