//! For players without an endpoint: they wait for what there is to decide, and hand their move in.

use std::sync::Arc;

use rmcp::{
    handler::server::{tool::schema_for_output, wrapper::Parameters},
    tool, tool_router,
};
use rules::{
    Eye, Rules, Seat,
    even_odd::EvenOdd,
    league::{MatchId, MatchView, Phase, PlayerId, View},
    parity::Parity,
};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::{
    Comes, Desk, Facts, Told,
    asks::{SubmitMove, WaitForDecision},
    no_match,
    telling::{standings, state_of},
    told,
};
use crate::{
    hall::{Game, Refusal, Retry},
    league::{
        conductor::match_name,
        leagues::{Leagues, No},
        pace::Part,
        registration::player_of,
    },
    mcp::caller::Caller,
};

#[tool_router(router = deciding_router, vis = "pub(super)")]
impl Desk {
    #[tool(
        name = "wait_for_decision",
        title = "Wait for your move in the league",
        description = "For players without an endpoint: waits until you must decide, and says what \
            about. A timeout is normal: call this tool again immediately.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn wait_for_decision(
        &self,
        Parameters(ask): Parameters<WaitForDecision>,
        caller: Caller,
        from: Comes,
    ) -> Result<Told, Told> {
        let told = self.decide(&ask, &caller).await;
        self.charge_refusal(told, &from, &ask.auth_token, &ask.league_id, Part::Manager).await
    }

    #[tool(
        name = "submit_move",
        title = "Play your move in the league",
        description = "Hands in your move of the present round; nobody sees it before both are in.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn submit_move(
        &self,
        Parameters(ask): Parameters<SubmitMove>,
        from: Comes,
    ) -> Result<Told, Told> {
        let told = self.hand_in(&ask).await;
        let part = Part::Referee(ask.match_id.parse().ok());
        self.charge_refusal(told, &from, &ask.auth_token, &ask.league_id, part).await
    }
}

impl Desk {
    async fn decide(&self, ask: &WaitForDecision, caller: &Caller) -> Result<Told, Told> {
        let (league, view) = self.league(&ask.league_id).await?;
        let player = player_of(&view, &ask.auth_token).ok_or(No::UnknownToken)?;
        self.leagues.welcome_back(&league, &view, player).await?;
        let wait = decision(&self.leagues, &league, player, Instant::now() + self.wait);
        match caller.patiently("Waiting for the opponent's move", wait).await {
            Some(decision) => Ok(told(decision?)),
            None => Err("Cancelled; nothing has changed.".into()),
        }
    }

    async fn hand_in(&self, ask: &SubmitMove) -> Result<Told, Told> {
        let (league, view) = self.league(&ask.league_id).await?;
        let player = player_of(&view, &ask.auth_token).ok_or(No::UnknownToken)?;
        let (fixture, game) = self.contest(&league, &view, &ask.match_id).await?;
        let Some(seat) = seat_of(&fixture, player) else {
            let why = format!("{player} does not play in {}", fixture.match_id);
            return Err(format!("{why}; call wait_for_decision to learn what to decide").into());
        };
        if let Ok(look) = game.look::<EvenOdd>(Eye::Public).await {
            let round = look.view.rounds.len() as u32 + 1;
            if ![0, round].contains(&ask.game_round) {
                let why = format!(
                    "game_round: round {} is not being played, but {round}",
                    ask.game_round
                );
                return Err(format!("{why}; call wait_for_decision").into());
            }
        }
        let text = match (&ask.number, ask.choice.trim().to_lowercase()) {
            (Value::Null, choice) if !choice.is_empty() => choice,
            (number, _) if number.is_u64() => number.to_string(),
            (number, _) => {
                let why = format!("number must be an integer from 1 to 5, not {number}");
                return Err(format!("{why}; in parity send choice, even or odd, instead").into());
            }
        };
        if text == "default" {
            return Err("that is no move; send number in even-odd, choice in parity".into());
        }
        match game.play(seat, &text, Retry::Key(None)).await {
            Ok(_) => Ok(told(json!({ "status": "received", "match_id": fixture.match_id }))),
            Err(Refusal::Illegal(rules::Illegal::NotYourTurn)) => {
                Err("your move of this round is in already; call wait_for_decision".into())
            }
            Err(refusal) => Err(No::from(refusal).into()),
        }
    }
}

impl Desk {
    async fn contest(
        &self,
        league: &Game,
        view: &View,
        id: &str,
    ) -> Result<(MatchView, Arc<Game>), Told> {
        let id: MatchId = id.parse()?;
        let fixture = view.find(id).ok_or_else(|| no_match(id))?;
        let game = self.leagues.hall.named(match_name(league.id(), id)).await.map_err(No::from)?;
        let not_yet = || format!("match {id} has not begun; call wait_for_decision");
        let game = game.ok_or_else(not_yet)?;
        game.refresh().await;
        Ok((fixture, game))
    }
}

fn seat_of(fixture: &MatchView, player: PlayerId) -> Option<Seat> {
    let both = [fixture.player_a, fixture.player_b];
    both.iter().position(|id| *id == player).map(|seat| Seat(seat as u8))
}

/// Waits until `player` has something to decide, or the league is over.
async fn decision(
    leagues: &Leagues,
    league: &Game,
    player: PlayerId,
    until: Instant,
) -> Result<Value, No> {
    let mut changed = league.changes();
    loop {
        changed.mark_unchanged();
        let view = leagues.view(league).await;
        if matches!(view.phase(), Phase::Finished | Phase::Stopped) {
            let mut body = standings(&view);
            body["status"] = json!("league_over");
            return Ok(body);
        }
        let fixture = view.next_of(player).and_then(|id| view.find(id));
        let running = fixture.filter(|fixture| fixture.game.is_some());
        let found = match &running {
            Some(fixture) => {
                let name = match_name(league.id(), fixture.match_id);
                leagues.hall.named(name).await?.zip(seat_of(fixture, player))
            }
            None => None,
        };
        let left = until.saturating_duration_since(Instant::now());
        let mine = async {
            match &found {
                Some((game, seat)) => game.wait(*seat, left).await.unwrap_or(false),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            due = mine => {
                if let (true, Some((game, seat)), Some(fixture)) = (due, &found, &running)
                    && game.due().await.includes(*seat)
                {
                    let mut body = state_of(leagues, league, fixture).await?;
                    body["status"] = json!("your_move");
                    body["your_role"] = json!(role(&view, *seat));
                    body["player_id"] = json!(player);
                    body["time_limit_seconds"] = json!(view.setup().time_limit_seconds);
                    return Ok(body);
                }
                // The match is over for this player; what comes next is in the league's log.
                if timeout_at(until, changed.changed()).await.is_err() {
                    return Ok(waiting());
                }
            }
            _ = changed.changed() => {}
            () = tokio::time::sleep_until(until) => return Ok(waiting()),
        }
    }
}

fn waiting() -> Value {
    json!({ "status": "waiting", "next": "nothing to decide yet; call wait_for_decision again" })
}

fn role(view: &View, seat: Seat) -> &'static str {
    let names = match view.setup().game {
        rules::league::Game::EvenOdd => EvenOdd::SEATS,
        rules::league::Game::Parity => Parity::SEATS,
    };
    names[usize::from(seat.0)]
}
