//! Who leads leagues looks up when something happens in one, and not for anybody else's game.

use serde_json::json;

use super::{Cup, decision, join, operate};
use crate::{
    house::{House, until},
    players::{Player, Way},
};

const GAMES: usize = 10;
/// Out and back, as often as no rule of repetition minds.
const KNIGHTS: [&str; 12] = [
    "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8",
];

/// A league of two who play by tools, started by the server itself; the token of one of them.
struct Pair {
    name: &'static str,
    token: String,
}

impl Pair {
    async fn seated(house: &House, player: &Player, name: &'static str) -> Pair {
        Cup::open(house, name, &["--time-limit", "600"]).await;
        let (token, _) = join(player, "one", name).await;
        join(player, "two", name).await;
        Pair { name, token }
    }

    /// Until the first match waits for a move.
    async fn is_led(&self, player: &Player, key: &str) {
        let start = json!({ "league_id": self.name, "operator_token": key });
        player.call("start_league", start).await.ok();
        assert_eq!(decision(player, &self.token, self.name).await["status"], "your_move");
    }
}

#[tokio::test]
async fn no_move_of_another_game_wakes_those_who_lead_leagues() {
    let house = House::in_a_file().await;
    let player = Player::new(&house, Way::Plain).await;
    let key = operate(&house, &["key"]).await.trim().to_owned();
    let first = Pair::seated(&house, &player, "first").await;
    let second = Pair::seated(&house, &player, "second").await;
    // A game that is just being created may be anything, as far as is known, so these are there before.
    let mut games = Vec::new();
    for _ in 0..GAMES {
        let white = player.create(json!({ "type": "agent" })).await;
        games.push([white.pass(), player.join(&white.id()).await.ok().pass()]);
    }
    first.is_led(&player, &key).await;
    let woken = async |label| house.figure("agon_leads_woken_total", label).await as usize;
    let by_chess = async || woken("of=\"chess\"").await + woken("of=\"unknown\"").await;
    let (before, by_others) = (woken("by=\"news\"").await, by_chess().await);
    assert!(before > by_others, "they hear of their own leagues");
    for passes in &games {
        for (turn, mv) in KNIGHTS.iter().enumerate() {
            player.play(&passes[turn % 2], mv).await.ok();
        }
    }
    // News comes in order: who has heard of this league has heard of all that was before.
    second.is_led(&player, &key).await;
    assert_eq!(by_chess().await, by_others, "a move of chess has woken them");
    let (after, moves) = (woken("by=\"news\"").await, GAMES * KNIGHTS.len());
    assert!(after > before, "the second league was news");
    assert!(after - before < moves, "woken {} times while {moves} moves were made", after - before);
}

#[tokio::test]
async fn nor_does_a_move_in_another_process() {
    let house = House::in_a_file().await;
    let beside = house.beside().await;
    let player = Player::new(&beside, Way::Plain).await;
    for _ in 0..GAMES {
        let white = player.create(json!({ "type": "agent" })).await;
        let passes = [white.pass(), player.join(&white.id()).await.ok().pass()];
        for (turn, mv) in KNIGHTS.iter().enumerate() {
            player.play(&passes[turn % 2], mv).await.ok();
        }
    }
    // Of a game that is not in memory here they know no more than that it may be a league.
    let woken = async || house.figure("agon_leads_woken_total", "of=\"unknown\"").await as usize;
    Pair::seated(&beside, &player, "cup").await;
    // What came before the league was told before it.
    until(async || woken().await > 0).await;
    let woken = woken().await;
    assert!(woken < GAMES, "woken {woken} times by {GAMES} games of chess and one league");
}
