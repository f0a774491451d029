//! What is told of a league: its table, its schedule, a match.

use rules::{
    Due, Eye,
    even_odd::{EvenOdd, Round},
    league::{MatchView, View},
    parity::Parity,
};
use serde_json::{Map, Value, json};

use crate::{
    hall::Game,
    league::leagues::{Leagues, No},
};

pub fn standings(view: &View) -> Value {
    json!({ "league_id": view.setup().name, "standings": view.standings() })
}

pub fn schedule(view: &View) -> Value {
    let rounds: Vec<_> = view.rounds().collect();
    json!({ "league_id": view.setup().name, "phase": view.phase(), "rounds": rounds })
}

/// A match as anybody may see it.
pub async fn state_of(leagues: &Leagues, league: &Game, fixture: &MatchView) -> Result<Value, No> {
    let mut body = serde_json::to_value(fixture).expect("a match can be written");
    let both = [fixture.player_a, fixture.player_b];
    let Some(game) = leagues.game_of(league, fixture).await? else {
        return Ok(body);
    };
    game.refresh().await;
    let by_player = |values: [Value; 2]| -> Value {
        both.iter().map(ToString::to_string).zip(values).collect::<Map<_, _>>().into()
    };
    let thinking: Vec<_> = match game.due().await {
        Due::Each(seats) => seats.iter().map(|seat| both[usize::from(seat.0)]).collect(),
        _ => Vec::new(),
    };
    body["thinking"] = json!(thinking);
    body["turn"] = json!(game.log().await.len());
    if let Ok(look) = game.look::<EvenOdd>(Eye::Public).await {
        let rounds = look.view.rounds.iter().enumerate();
        let rounds = rounds.map(|(n, round): (usize, &Round)| {
            json!({
                "game_round": n + 1,
                "moves": by_player(round.moves.map(|number| json!(number))),
                "sum": round.sum,
                "sum_type": round.sum_type,
                "round_winner": round.winner.map(|seat| both[usize::from(seat.0)]),
            })
        });
        body["rounds"] = rounds.collect();
        body["game_round"] = json!(look.view.rounds.len() + 1);
        body["scores"] = by_player(look.view.scores.map(|score| json!(score)));
    } else if let Ok(look) = game.look::<Parity>(Eye::Public).await {
        let view = look.view;
        body["choices"] = json!(view.choices.map(|both| by_player(both.map(|one| json!(one)))));
        body["drawn_number"] = json!(view.drawn_number);
        body["number_parity"] = json!(view.number_parity);
    }
    Ok(body)
}
