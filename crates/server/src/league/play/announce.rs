//! News of a league for its players: what league.v2 sends to all. Whoever does not hear them misses
//! nothing that matters.

use std::time::Duration;

use rules::league::{PlayerId, View};
use serde_json::{Value, json};

use super::{
    leagues::Leagues,
    referee::contest::{made_for, wire_name},
};
use crate::league::wire::{
    Fields,
    connection::Connection,
    contents::written,
    endpoint::Endpoint,
    manner::Manner,
    message::{Message, Version, new_conversation},
};

const LIMIT: Duration = Duration::from_secs(10);

/// The matches of a round, before they are played.
pub fn round(leagues: &Leagues, view: &View, round_id: u16) {
    let Some(round) = view.round(round_id) else { return };
    let matches = round.matches.iter().map(|fixture| {
        json!({
            "match_id": fixture.match_id,
            "game_type": wire_name(view.setup().game),
            "player_A_id": fixture.player_a,
            "player_B_id": fixture.player_b,
            "referee_endpoint": leagues.referee_endpoint.get(),
        })
    });
    let own = json!({ "round_id": round_id, "matches": matches.collect::<Vec<_>>() });
    spread(leagues, view, vec![news(view, Message::RoundAnnouncement, &own)]);
}

pub fn round_completed(leagues: &Leagues, view: &View, round_id: u16) {
    let Some(round) = view.round(round_id) else { return };
    let results: Vec<_> = round.matches.iter().filter_map(|m| m.result.as_ref()).collect();
    let wins = results.iter().filter(|result| result.winner.is_some()).count();
    let completed = json!({
        "round_id": round_id,
        "matches_completed": results.len(),
        "next_round_id": view.round(round_id + 1).map(|round| round.round_id),
        "summary": {
            "total_matches": results.len(),
            "wins": wins,
            "draws": results.len() - wins,
            "technical_losses": results.iter().filter(|r| !r.forfeits.is_empty()).count(),
        },
    });
    let standings = json!({ "round_id": round_id, "standings": view.standings() });
    let standings = news(view, Message::StandingsUpdate, &standings);
    spread(leagues, view, vec![standings, news(view, Message::RoundCompleted, &completed)]);
}

/// The end. Waited for, since nothing comes after it.
pub async fn completed(leagues: &Leagues, view: &View) {
    let standings = view.standings();
    let champion = standings.first().map(|first| {
        json!({ "player_id": first.player_id, "display_name": first.display_name,
            "points": first.points })
    });
    let own = json!({
        "total_rounds": view.rounds().count(),
        "total_matches": view.matches().0,
        "champion": champion,
        "final_standings": standings,
    });
    for reader in readers(leagues, view, vec![news(view, Message::LeagueCompleted, &own)]) {
        let _ = reader.await;
    }
}

/// A piece of news, whole.
fn news(view: &View, message: Message, own: &Value) -> (Message, Fields) {
    let mut own = written(own);
    own.insert("league_id".into(), view.setup().name.clone().into());
    (message, message.write(Version::V2, "league_manager", &new_conversation(), own))
}

fn spread(leagues: &Leagues, view: &View, news: Vec<(Message, Fields)>) {
    drop(readers(leagues, view, news));
}

/// Tells everybody in a league of league.v2, each in its own time, one piece of news after the other.
fn readers(
    leagues: &Leagues,
    view: &View,
    news: Vec<(Message, Fields)>,
) -> Vec<tokio::task::JoinHandle<()>> {
    let own = made_for(view.setup().game);
    let listening = view.players().filter(|player| !player.suspended);
    let reachable = listening.filter_map(|player| {
        let manner: Manner = player.dialect.parse().ok()?;
        // league.v1 knows no news.
        if own.unwrap_or(manner.version()) == Version::V1 {
            return None;
        }
        Some((player.endpoint?.to_owned(), manner, player.player_id, leagues.token_of(&player)))
    });
    let tell = |(url, manner, player, token): (String, Manner, PlayerId, Option<String>)| {
        let (leagues, news) = (leagues.clone(), news.clone());
        tokio::spawn(async move {
            let Ok(endpoint) = Endpoint::check(&url, &leagues.allowed_addresses).await else {
                return;
            };
            let turn = leagues.post.turn(&endpoint);
            let _turn = turn.lock().await;
            let mut line =
                Connection::new(&leagues.post, endpoint, manner).with_player(player, token);
            for (message, fields) in news {
                if let Err(error) = line.tell(message, &fields, LIMIT).await {
                    tracing::debug!(%error, %message, "news were not heard");
                }
            }
        })
    };
    reachable.map(tell).collect()
}
