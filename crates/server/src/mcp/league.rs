//! The rooms of the League Manager and the Referee.
//!
//! Players with an address of their own send messages (see `league::counter`); these tools are for
//! those who come over MCP: to join without an address, to look, and to steer.

use rmcp::{
    ErrorData,
    handler::server::{
        router::tool::ToolRouter,
        tool::{IntoCallToolResult, schema_for_output},
        wrapper::Parameters,
    },
    model::{CallToolResponse, CallToolResult, ContentBlock},
    tool, tool_router,
};
use rules::{
    Due, Eye, Rules, Seat,
    even_odd::{self, EvenOdd},
    league::{Event, MatchId, MatchView, Phase, PlayerId, View},
    parity::{self, Parity},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout_at};

use super::{Desk, caller::Caller};
use crate::{
    hall::{Game, Refusal, Retry},
    league::{
        conductor::match_name,
        leagues::{Leagues, No, player_of},
        reading::hear,
    },
};

/// An answer: one JSON object, the same as text and as structure.
struct Told {
    body: Value,
    is_error: bool,
}

impl IntoCallToolResult for Told {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let text = vec![ContentBlock::text(self.body.to_string())];
        let mut result = match self.is_error {
            true => CallToolResult::error(text),
            false => CallToolResult::success(text),
        };
        result.structured_content = Some(self.body);
        result.into_call_tool_result()
    }
}

fn told(body: Value) -> Told {
    Told { body, is_error: false }
}

impl<E: std::fmt::Display> From<E> for Told {
    fn from(error: E) -> Told {
        Told { body: json!({ "error": error.to_string() }), is_error: true }
    }
}

/// What each answer has, beside what is its own.
#[derive(Serialize, JsonSchema)]
struct Facts {
    /// Why not, if it was not done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    error: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct RegisterPlayer {
    /// The name on the table.
    #[serde(default)]
    player_name: String,
    /// Where the player answers MCP; leave out to ask for your moves with wait_for_decision.
    #[serde(default)]
    endpoint: String,
    #[serde(default)]
    version: String,
    /// Which league; left out, the newest one that can be joined.
    #[serde(default)]
    league_id: String,
    /// The rest of a league message, if that is what was sent.
    #[serde(flatten)]
    #[schemars(skip)]
    more: Map<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
struct WhichLeague {
    /// Left out, the newest.
    #[serde(default)]
    league_id: String,
}

#[derive(Deserialize, JsonSchema)]
struct Operate {
    #[serde(default)]
    league_id: String,
    /// What `agon league key` prints.
    #[serde(default)]
    operator_token: String,
}

#[derive(Deserialize, JsonSchema)]
struct ScheduleMatch {
    player1_id: String,
    player2_id: String,
    round_id: u16,
    #[serde(default)]
    league_id: String,
    #[serde(default)]
    operator_token: String,
}

#[derive(Deserialize, JsonSchema)]
struct WaitForDecision {
    /// From register_player.
    auth_token: String,
    #[serde(default)]
    league_id: String,
}

#[derive(Deserialize, JsonSchema)]
struct SubmitMove {
    /// From register_player.
    auth_token: String,
    match_id: String,
    /// In even-odd: 1 to 5.
    #[serde(default)]
    #[schemars(with = "i64", range(min = 1, max = 5))]
    number: Value,
    /// In parity: even or odd.
    #[serde(default)]
    choice: String,
    /// The round that the move is for, as wait_for_decision said; a call that is repeated then
    /// does not count for the round after it.
    #[serde(default)]
    game_round: u32,
    #[serde(default)]
    league_id: String,
}

#[derive(Deserialize, JsonSchema)]
struct StartGame {
    player1_id: String,
    player2_id: String,
    match_id: String,
    #[serde(default)]
    league_id: String,
    #[serde(default)]
    operator_token: String,
}

#[derive(Deserialize, JsonSchema)]
struct ValidateMove {
    player_id: String,
    #[schemars(with = "i64", range(min = 1, max = 5))]
    r#move: Value,
}

#[derive(Deserialize, JsonSchema)]
struct GetGameState {
    match_id: String,
    #[serde(default)]
    league_id: String,
}

#[tool_router(router = league_router)]
impl Desk {
    #[tool(
        name = "register_player",
        title = "Join a league",
        description = "Registers a player for a league that has not started. Keep auth_token to \
            yourself. Without endpoint, go on with wait_for_decision and submit_move.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn register_player(
        &self,
        Parameters(ask): Parameters<RegisterPlayer>,
    ) -> Result<Told, Told> {
        let mut arguments = ask.more;
        for (name, text) in [
            ("player_name", ask.player_name),
            ("endpoint", ask.endpoint),
            ("version", ask.version),
            ("league_id", ask.league_id),
        ] {
            if !text.is_empty() {
                arguments.insert(name.into(), text.into());
            }
        }
        let params = json!({ "name": "register_player", "arguments": arguments });
        let heard = hear("tools/call", &params)?;
        let answer = self.leagues.hear(&heard).await?;
        let is_error = answer.get("status").is_some_and(|status| status == "REJECTED");
        Ok(Told { body: answer.into(), is_error })
    }

    #[tool(
        name = "get_standings",
        title = "League table",
        description = "The table of a league: rank, points, wins, and what decided between equals.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn get_standings(&self, Parameters(ask): Parameters<WhichLeague>) -> Result<Told, Told> {
        let (_, view) = self.league(&ask.league_id).await?;
        Ok(told(standings(&view)))
    }

    #[tool(
        name = "get_schedule",
        title = "League schedule",
        description = "Who meets whom in which round, and how it ended.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn get_schedule(&self, Parameters(ask): Parameters<WhichLeague>) -> Result<Told, Told> {
        let (_, view) = self.league(&ask.league_id).await?;
        Ok(told(schedule(&view)))
    }

    #[tool(
        name = "get_league",
        title = "Look at a league",
        description = "What is played in a league, who plays, how far it is.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn get_league(&self, Parameters(ask): Parameters<WhichLeague>) -> Result<Told, Told> {
        let (league, view) = self.league(&ask.league_id).await?;
        let (all, over) = view.matches();
        let names = view.players().map(|p| json!({ "player_id": p.player_id, "name": p.name }));
        Ok(told(json!({
            "league_id": view.setup().name,
            "game_id": league.id().to_string(),
            "phase": view.phase(),
            "setup": view.setup(),
            "players": names.collect::<Vec<_>>(),
            "matches": all,
            "matches_over": over,
            "champions": view.champions(),
        })))
    }

    #[tool(
        name = "start_league",
        title = "Start a league",
        description = "Closes the registration and starts the matches. For the operator.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn start_league(&self, Parameters(ask): Parameters<Operate>) -> Result<Told, Told> {
        self.leagues.is_operator(Some(&ask.operator_token))?;
        let (league, _) = self.league(&ask.league_id).await?;
        Ok(told(self.leagues.tell(&league, &Event::Start).await?))
    }

    #[tool(
        name = "schedule_match",
        title = "Schedule a match",
        description = "Adds a match between two players to a running league. For the operator.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn schedule_match(
        &self,
        Parameters(ask): Parameters<ScheduleMatch>,
    ) -> Result<Told, Told> {
        self.leagues.is_operator(Some(&ask.operator_token))?;
        let (league, _) = self.league(&ask.league_id).await?;
        let (player1, player2) = (ask.player1_id.parse()?, ask.player2_id.parse()?);
        let pair = Event::Pair { player1, player2, round: ask.round_id };
        Ok(told(self.leagues.tell(&league, &pair).await?))
    }

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
    ) -> Result<Told, Told> {
        let (league, view) = self.league(&ask.league_id).await?;
        let player = player_of(&view, &ask.auth_token).ok_or(No::UnknownToken)?;
        self.leagues.welcome_back(&league, &view, player).await?;
        let wait = decision(&self.leagues, &league, player, Instant::now() + self.wait);
        match caller.patiently("Waiting for the opponent's move", wait).await {
            Some(decision) => Ok(told(decision?)),
            None => Err("Cancelled; nothing has changed.".into()),
        }
    }

    #[tool(
        name = "submit_move",
        title = "Play your move in the league",
        description = "Hands in your move of the present round; nobody sees it before both are in.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn submit_move(&self, Parameters(ask): Parameters<SubmitMove>) -> Result<Told, Told> {
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
                let why = format!("round {} is not being played, but {round}", ask.game_round);
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

#[tool_router(router = referee_router)]
impl Desk {
    #[tool(
        name = "start_game",
        title = "Start a match",
        description = "Has two players of a running league meet, beside the schedule. For the \
            operator.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn start_game(&self, Parameters(ask): Parameters<StartGame>) -> Result<Told, Told> {
        self.leagues.is_operator(Some(&ask.operator_token))?;
        let (league, view) = self.league(&ask.league_id).await?;
        let match_id: MatchId = ask.match_id.parse()?;
        let (player1, player2) = (ask.player1_id.parse()?, ask.player2_id.parse()?);
        if let Some(fixture) = view.find(match_id) {
            let meet = [fixture.player_a, fixture.player_b];
            return match meet == [player1, player2] || meet == [player2, player1] {
                true => Ok(told(json!({ "status": "scheduled", "match": fixture }))),
                false => {
                    Err(format!("{match_id} is a match of {} and {}", meet[0], meet[1]).into())
                }
            };
        }
        let pair = Event::Pair { player1, player2, round: match_id.round() };
        Ok(told(self.leagues.tell(&league, &pair).await?))
    }

    #[tool(
        name = "validate_move",
        title = "Is it a move?",
        description = "Whether a number could be played in even-odd.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn validate_move(&self, Parameters(ask): Parameters<ValidateMove>) -> Result<Told, Told> {
        let valid = ask.r#move.as_u64().is_some_and(|number| (1..=5).contains(&number));
        let reason =
            (!valid).then(|| format!("move must be an integer from 1 to 5, not {}", ask.r#move));
        Ok(told(json!({ "valid": valid, "player_id": ask.player_id, "reason": reason })))
    }

    #[tool(
        name = "get_game_state",
        title = "Look at a match",
        description = "A match of a league, round by round; moves of a round that is not over stay \
            hidden.",
        output_schema = schema_for_output::<Facts>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn get_game_state(
        &self,
        Parameters(ask): Parameters<GetGameState>,
    ) -> Result<Told, Told> {
        let (league, view) = self.league(&ask.league_id).await?;
        let id: MatchId = ask.match_id.parse()?;
        let fixture = view.find(id).ok_or_else(|| no_match(id))?;
        Ok(told(state_of(&self.leagues, &league, &fixture).await?))
    }
}

impl Desk {
    pub(super) fn league_tools() -> ToolRouter<Desk> {
        Desk::league_router()
    }

    pub(super) fn referee_tools() -> ToolRouter<Desk> {
        Desk::referee_router()
    }

    async fn league(&self, id: &str) -> Result<(std::sync::Arc<Game>, View), No> {
        let league = self.leagues.find(Some(id).filter(|id| !id.is_empty())).await?;
        league.refresh().await;
        let view = self.leagues.view(&league).await;
        Ok((league, view))
    }

    async fn contest(
        &self,
        league: &Game,
        view: &View,
        id: &str,
    ) -> Result<(MatchView, std::sync::Arc<Game>), Told> {
        let id: MatchId = id.parse()?;
        let fixture = view.find(id).ok_or_else(|| no_match(id))?;
        let game = self.leagues.hall.named(match_name(league.id(), id)).await?;
        let not_yet = || format!("match {id} has not begun; call wait_for_decision");
        Ok((fixture, game.ok_or_else(not_yet)?))
    }
}

fn no_match(id: MatchId) -> String {
    format!("there is no match {id} in this league; get_schedule lists the matches")
}

pub fn standings(view: &View) -> Value {
    json!({ "league_id": view.setup().name, "standings": view.standings() })
}

pub fn schedule(view: &View) -> Value {
    let rounds: Vec<_> = view.rounds().collect();
    json!({ "league_id": view.setup().name, "phase": view.phase(), "rounds": rounds })
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

/// A match as anybody may see it.
pub async fn state_of(leagues: &Leagues, league: &Game, fixture: &MatchView) -> Result<Value, No> {
    let mut body = serde_json::to_value(fixture).expect("a match can be written");
    let both = [fixture.player_a, fixture.player_b];
    let Some(game) = leagues.hall.named(match_name(league.id(), fixture.match_id)).await? else {
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
        let rounds = rounds.map(|(n, round): (usize, &even_odd::Round)| {
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
        let view: parity::View = look.view;
        body["choices"] = json!(view.choices.map(|both| by_player(both.map(|one| json!(one)))));
        body["drawn_number"] = json!(view.drawn_number);
        body["number_parity"] = json!(view.number_parity);
    }
    Ok(body)
}
