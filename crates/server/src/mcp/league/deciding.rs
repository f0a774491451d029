//! For players without an endpoint: they wait for what there is to decide, and hand their move in.

use rmcp::{
    handler::server::{tool::schema_for_output, wrapper::Parameters},
    tool, tool_router,
};
use rules::{
    Record, Seat,
    league::{Game as Contest, MatchId, Phase, PlayerId, View},
};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::{
    Comes, Desk, Facts, ToolAnswer,
    asks::{GetMatchLog, SubmitMove, WaitForDecision},
    no_match,
    telling::{self, seen_by, state_of},
    told,
};
use crate::{
    hall::Game,
    league::{
        play::{
            counter::MessageRefusal,
            handing_in::seat_of,
            leagues::{LeagueRefusal, Leagues},
            letters::Reader,
            pace::Part,
            referee::contest::made_for,
            registration::player_of,
            tables::standings,
        },
        wire::callbacks::Unasked,
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
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn wait_for_decision(
        &self,
        Parameters(ask): Parameters<WaitForDecision>,
        caller: Caller,
        from: Comes,
    ) -> Result<ToolAnswer, ToolAnswer> {
        let told = self.decide(&ask, &caller).await;
        self.charge_refusal(told, &from, &ask.auth_token, &ask.league_id, Part::Manager).await
    }

    #[tool(
        name = "submit_move",
        title = "Play your move in the league",
        description = "Hands in your move of the present round; nobody sees it before both are in.",
        output_schema = schema_for_output::<Facts>(),
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn submit_move(
        &self,
        Parameters(ask): Parameters<SubmitMove>,
        from: Comes,
    ) -> Result<ToolAnswer, ToolAnswer> {
        let told = self.hand_in(&ask).await;
        let part = Part::Referee(ask.match_id.parse().ok());
        self.charge_refusal(told, &from, &ask.auth_token, &ask.league_id, part).await
    }

    #[tool(
        name = "get_match_log",
        title = "Why did I lose?",
        description = "The messages of your match as they were on the wire, and why an answer was \
            of no use. Of a match under way you see your own.",
        output_schema = schema_for_output::<Facts>(),
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn get_match_log(
        &self,
        Parameters(ask): Parameters<GetMatchLog>,
        from: Comes,
    ) -> Result<ToolAnswer, ToolAnswer> {
        let part = Part::Referee(ask.match_id.parse().ok());
        self.charge(&from, &ask.auth_token, &ask.league_id, part).await?;
        let (league, view) = self.league(&ask.league_id).await?;
        let player = player_of(&view, &ask.auth_token).ok_or(LeagueRefusal::UnknownToken)?;
        let id: MatchId = ask.match_id.parse()?;
        let fixture = view.find(id).ok_or_else(|| no_match(id))?;
        let reader = Reader::Player(player);
        Ok(told(json!(self.leagues.letters(&league, &view, &fixture, reader).await?)))
    }
}

impl Desk {
    async fn decide(
        &self,
        ask: &WaitForDecision,
        caller: &Caller,
    ) -> Result<ToolAnswer, ToolAnswer> {
        let (league, view) = self.league(&ask.league_id).await?;
        let player = player_of(&view, &ask.auth_token).ok_or(LeagueRefusal::UnknownToken)?;
        self.leagues.welcome_back(&league, &view, player).await?;
        let wait = decision(&self.leagues, &league, player, Instant::now() + self.wait);
        match caller.patiently("Waiting for the opponent's move", wait).await {
            Some(decision) => {
                let mut body = decision?;
                telling::leave_out_empty(&mut body);
                // Much may have happened while it waited.
                let view = self.leagues.view(&league);
                let words = telling::decision(&view, player, &body);
                Ok(ToolAnswer { words: Some(words), ..told(body) })
            }
            None => Err("Cancelled; nothing has changed.".into()),
        }
    }

    async fn hand_in(&self, ask: &SubmitMove) -> Result<ToolAnswer, ToolAnswer> {
        let (league, view) = self.league(&ask.league_id).await?;
        let player = player_of(&view, &ask.auth_token).ok_or(LeagueRefusal::UnknownToken)?;
        let id: MatchId = ask.match_id.parse()?;
        let fixture = view.find(id).ok_or_else(|| no_match(id))?;
        if seat_of(&fixture, player).is_none() {
            let why = format!("{player} does not play in {id}");
            return Err(format!("{why}; call wait_for_decision to learn what to decide").into());
        }
        if fixture.game.is_none() {
            return Err(format!("match {id} has not begun; call wait_for_decision").into());
        }
        let brought = ask.brought(id, view.setup().game);
        match self.leagues.hand_in(&league, &view, player, &brought).await {
            Ok(()) => {
                let said = ask.said(id, view.setup().game);
                self.leagues.keep_brought(league.id(), id, player, "submit_move", &said);
                Ok(told(json!({ "status": "received", "match_id": id })))
            }
            Err(MessageRefusal::Unasked(Unasked::Already)) => {
                Err("your move of this round is in already; call wait_for_decision".into())
            }
            Err(MessageRefusal::BadMove(bad)) => {
                let send = match view.setup().game {
                    Contest::EVEN_ODD => "number, an integer from 1 to 5",
                    Contest::PARITY => "choice, even or odd",
                    _ => "choice, a move that is legal",
                };
                Err(format!("{bad}; call submit_move again with {send}").into())
            }
            Err(MessageRefusal::Unasked(Unasked::Other(other))) => {
                Err(format!("{other}; call wait_for_decision").into())
            }
            Err(other) => Err(other.into()),
        }
    }
}

/// Waits until `player` has something to decide, or the league is over.
async fn decision(
    leagues: &Leagues,
    league: &Game,
    player: PlayerId,
    until: Instant,
) -> Result<Value, LeagueRefusal> {
    let mut changed = league.changes();
    loop {
        changed.mark_unchanged();
        let view = leagues.view(league);
        if matches!(view.phase(), Phase::Finished | Phase::Stopped) {
            let mut body = standings(&view);
            body["status"] = json!("league_over");
            return Ok(body);
        }
        let fixture = view.next_of(player).and_then(|id| view.find(id));
        let running = fixture.filter(|fixture| fixture.game.is_some());
        let found = match &running {
            Some(fixture) => leagues.game_of(league, fixture).await?.zip(seat_of(fixture, player)),
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
            true = mine => {
                let (Some((game, seat)), Some(fixture)) = (&found, &running) else { continue };
                let record = game.record();
                if let Some(status) = wanted(&record, *seat) {
                    let mut body = json!(state_of(leagues, league, fixture).await?);
                    if made_for(view.setup().game).is_none() {
                        seen_by(leagues, game, *seat, &mut body).await;
                    }
                    body["status"] = json!(status);
                    body["your_role"] = json!(role(&view, *seat));
                    body["player_id"] = json!(player);
                    body["time_limit_seconds"] = json!(view.setup().time_limit_seconds);
                    return Ok(body);
                }
                // What it was woken for may be past by now. If the match is over, what comes next is
                // in the league's log.
                if record.due().outcome().is_some()
                    && timeout_at(until, changed.changed()).await.is_err()
                {
                    return Ok(waiting());
                }
            }
            _ = changed.changed() => {}
            () = tokio::time::sleep_until(until) => return Ok(waiting()),
        }
    }
}

/// What is wanted of a seat: its move, or an answer to what it was asked out of its turn.
fn wanted(record: &Record, seat: Seat) -> Option<&'static str> {
    if record.due().includes(seat) {
        Some("your_move")
    } else {
        (record.asked() == Some(seat)).then_some("your_answer")
    }
}

fn waiting() -> Value {
    json!({ "status": "waiting" })
}

fn role(view: &View, seat: Seat) -> &'static str {
    view.setup().game.kind().seats[usize::from(seat.0)]
}
