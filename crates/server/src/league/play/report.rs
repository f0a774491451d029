//! Results as referees report them. Each protocol has a shape of its own for it, and agents mix
//! them; what contradicts itself is refused with the field that does.

use crate::league::wire::{errors::Misread, reading::Parsed};
use rules::{
    MatchVerdict,
    league::{LeagueKind, MatchResult, MatchView, PlayerId},
};
use serde_json::Value;

/// Who won, in `winner` or `winner_player_id`; the rounds each won, in `scores` or `final_scores`;
/// what that is worth, in `score` or `match_points`; who forfeited, in `forfeits` or by a `status`
/// of TECHNICAL_LOSS.
pub fn read_result(
    parsed: &Parsed,
    fixture: &MatchView,
    game: LeagueKind,
) -> Result<MatchResult, Misread> {
    let report = ReportedMatch { parsed, players: [fixture.player_a, fixture.player_b] };
    if parsed.get("result").is_none_or(|result| !result.is_object()) {
        return Err(Misread::Missing("result".into()));
    }
    let winner = report.winner()?;
    let forfeits = report.forfeits(winner)?;
    let scores = match report.numbers(["scores", "final_scores"])? {
        Some((_, scores)) => scores,
        // One game decides, so who won it says it all.
        None if game != LeagueKind::EVEN_ODD => [0, 1].map(|seat| i32::from(winner == Some(seat))),
        None if forfeits != [false; 2] => [0, 0],
        None => return Err(Misread::Missing("result.scores".into())),
    };
    let verdict = match (game, forfeits) {
        (LeagueKind::PARITY, [_, true] | [true, _]) => MatchVerdict::walkover(forfeits),
        _ => MatchVerdict { scores, forfeits },
    };
    if verdict.winner() != winner {
        return Err(Misread::wrong("result.winner", "does not follow from the rest of the result"));
    }
    match report.numbers(["score", "match_points"])? {
        Some((field, points)) if points != verdict.points().map(i32::from) => Err(Misread::wrong(
            &field,
            "must be what the match is worth: 3 and 0, or 1 each for a draw",
        )),
        _ => Ok(MatchResult::new(report.players, verdict)),
    }
}

struct ReportedMatch<'a> {
    parsed: &'a Parsed,
    players: [PlayerId; 2],
}

impl ReportedMatch<'_> {
    fn at(&self, name: &str) -> Option<(String, &Value)> {
        let path = format!("result.{name}");
        let value = self.parsed.get(&path)?;
        Some((path, value))
    }

    fn seat(&self, id: &str) -> Option<usize> {
        self.players.iter().position(|player| player.to_string() == id)
    }

    fn winner(&self) -> Result<Option<usize>, Misread> {
        let named = ["winner", "winner_player_id"].into_iter().find_map(|name| self.at(name));
        match named {
            None => Ok(None),
            Some((_, Value::String(word))) if word.eq_ignore_ascii_case("draw") => Ok(None),
            Some((field, value)) => match value.as_str().and_then(|id| self.seat(id)) {
                Some(seat) => Ok(Some(seat)),
                None => Err(Misread::wrong(&field, "must be one of the two players, or null")),
            },
        }
    }

    fn forfeits(&self, winner: Option<usize>) -> Result<[bool; 2], Misread> {
        let Some((field, list)) = self.at("forfeits") else {
            let status = self.at("status").and_then(|(_, status)| status.as_str());
            let technical = status.is_some_and(|s| s.eq_ignore_ascii_case("TECHNICAL_LOSS"));
            return Ok([0, 1].map(|seat| technical && winner != Some(seat)));
        };
        let mut forfeits = [false; 2];
        let all = list
            .as_array()
            .ok_or_else(|| Misread::wrong(&field, "must be a list of player ids"))?;
        for id in all {
            match id.as_str().and_then(|id| self.seat(id)) {
                Some(seat) => forfeits[seat] = true,
                None => {
                    return Err(Misread::wrong(&field, "names somebody who is not in this match"));
                }
            }
        }
        Ok(forfeits)
    }

    /// A number for each of the two, by their ids.
    fn numbers(&self, names: [&str; 2]) -> Result<Option<(String, [i32; 2])>, Misread> {
        let Some((field, value)) = names.into_iter().find_map(|name| self.at(name)) else {
            return Ok(None);
        };
        let of = |player: &PlayerId| value.get(player.to_string())?.as_i64()?.try_into().ok();
        let both: Vec<i32> = self.players.iter().filter_map(of).collect();
        match (<[i32; 2]>::try_from(both), value.as_object().map(|all| all.len())) {
            (Ok(both), Some(2)) => Ok(Some((field, both))),
            _ => {
                Err(Misread::wrong(&field, "must hold a whole number for each of the two players"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::league::Stage;
    use serde_json::json;

    use super::*;
    use crate::league::wire::reading::hear;

    fn read(game: LeagueKind, result: Value) -> Result<String, String> {
        let [player_a, player_b] = ["P01", "P02"].map(|id| id.parse().unwrap());
        let fixture = MatchView {
            match_id: "R1M1".parse().unwrap(),
            round_id: 1,
            player_a,
            player_b,
            state: Stage::Running,
            game: None,
            result: None,
            match_points: None,
            attempt: 0,
        };
        let parsed = hear("report_match_result", json!({ "result": result })).unwrap();
        let found = read_result(&parsed, &fixture, game).map_err(|why| why.to_string())?;
        let winner = found.winner.map_or("nobody".into(), |id| id.to_string());
        let scores = [player_a, player_b].map(|player| found.scores[&player]);
        let forfeits: Vec<_> = found.forfeits.iter().map(ToString::to_string).collect();
        Ok(format!("{winner} {}-{} [{}]", scores[0], scores[1], forfeits.join(" ")))
    }

    #[test]
    fn a_result_is_read_in_every_shape() {
        const EVEN_ODD: LeagueKind = LeagueKind::EVEN_ODD;
        const PARITY: LeagueKind = LeagueKind::PARITY;
        let check = |game, result: Value, expected: &str| {
            assert_eq!(read(game, result.clone()), Ok(expected.into()), "{result}");
        };
        let details = json!({ "drawn_number": 8, "choices": { "P01": "even", "P02": "odd" } });
        let homework = json!({ "winner": "P01", "score": { "P01": 3, "P02": 0 },
            "details": details });
        check(PARITY, homework, "P01 1-0 []");
        let draw = json!({ "winner": null, "score": { "P01": 1, "P02": 1 } });
        check(PARITY, draw, "nobody 0-0 []");
        check(PARITY, json!({ "winner": "DRAW" }), "nobody 0-0 []");
        check(PARITY, json!({ "status": "WIN", "winner_player_id": "P02" }), "P02 0-1 []");
        let technical = json!({ "status": "TECHNICAL_LOSS", "winner": "P02",
            "score": { "P01": 0, "P02": 3 } });
        check(PARITY, technical.clone(), "P02 0-0 [P01]");
        check(EVEN_ODD, technical, "P02 0-0 [P01]");
        check(
            PARITY,
            json!({ "status": "TECHNICAL_LOSS", "winner": null }),
            "nobody 0-0 [P01 P02]",
        );
        let ours = json!({ "winner": "P02", "scores": { "P01": 1, "P02": 3 }, "forfeits": [] });
        check(EVEN_ODD, ours, "P02 1-3 []");
        let seed = json!({ "final_scores": { "P01": 3, "P02": 2 }, "winner": "P01",
            "match_points": { "P01": 3, "P02": 0 } });
        check(EVEN_ODD, seed, "P01 3-2 []");
    }

    #[test]
    fn a_result_that_contradicts_itself_is_refused_by_the_field() {
        const EVEN_ODD: LeagueKind = LeagueKind::EVEN_ODD;
        const PARITY: LeagueKind = LeagueKind::PARITY;
        let check = |game, result: Value, field: &str| {
            let why = read(game, result.clone()).expect_err("it contradicts itself");
            assert!(why.starts_with(field), "{result}: {why}");
        };
        check(PARITY, Value::Null, "result is missing");
        check(PARITY, json!("P01"), "result is missing");
        check(PARITY, json!({ "winner": "P09" }), "result.winner ");
        check(PARITY, json!({ "winner": 1 }), "result.winner ");
        check(PARITY, json!({ "winner": "P01", "score": { "P01": 0, "P02": 3 } }), "result.score ");
        check(PARITY, json!({ "winner": "P01", "score": { "P01": 3 } }), "result.score ");
        check(
            PARITY,
            json!({ "winner": "P01", "score": { "P01": 3, "P02": 0, "P03": 9 } }),
            "result.score ",
        );
        check(
            PARITY,
            json!({ "winner": "P01", "score": { "P01": "3", "P02": 0 } }),
            "result.score ",
        );
        check(PARITY, json!({ "winner": "P01", "score": 3 }), "result.score ");
        check(
            EVEN_ODD,
            json!({ "winner": "P01", "score": { "P01": 3, "P02": 0 } }),
            "result.scores is missing",
        );
        check(
            EVEN_ODD,
            json!({ "winner": "P01", "scores": { "P01": 1, "P02": 3 } }),
            "result.winner ",
        );
        check(
            EVEN_ODD,
            json!({ "winner": "P01", "scores": { "P01": 3, "P02": 0 },
            "forfeits": ["P03"] }),
            "result.forfeits ",
        );
        check(
            EVEN_ODD,
            json!({ "winner": "P01", "scores": { "P01": 3, "P02": 0 },
            "match_points": { "P01": 1, "P02": 1 } }),
            "result.match_points ",
        );
    }
}
