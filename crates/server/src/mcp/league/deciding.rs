//! For players without an endpoint: they wait for what there is to decide, and hand their move in.

use std::sync::Arc;

use rmcp::{
    handler::server::{tool::schema_for_output, wrapper::Parameters},
    tool, tool_router,
};
use rules::{
    Record, Seat,
    league::{LeagueKind, Phase, PlayerId, View},
};
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use super::{
    LeagueFacts, McpService, ToolCaller,
    asks::{GetMatchLog, SubmitMove, WaitForDecision},
    decision::{DecisionStatus, LeagueDecision, decision_schema},
    fixture, match_id, told,
};
use crate::{
    hall::Game,
    league::{
        play::{
            handing_in::seat_of,
            leagues::Leagues,
            match_log::{PlayerLog, Reader, keep_refused},
            rate_limit::ServerPart,
            refusals::{LeagueRefusal, MessageRefusal},
        },
        wire::errors::{BadMove, Unasked},
    },
    mcp::{caller::Caller, refusals::Refused, reply::Reply, room::Room},
};

/// As the match's log has it.
const SUBMIT_MOVE: &str = "submit_move";

#[tool_router(router = deciding_router, vis = "pub(super)")]
impl McpService {
    #[tool(
        name = "wait_for_decision",
        title = "Wait for your move in the league",
        description = "For players without an endpoint: waits until you must decide, and says what \
            about. A timeout is normal: call this tool again immediately.",
        output_schema = decision_schema(),
        annotations(read_only_hint = true)
    )]
    async fn wait_for_decision(
        &self,
        Parameters(ask): Parameters<WaitForDecision>,
        caller: Caller,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        let told = self.decide(&ask, &caller).await;
        // Waiting for one's turn costs nothing.
        if told.is_err() {
            self.count_call(&from, &ask.auth_token, &ask.league_id, ServerPart::Manager).await?;
        }
        told
    }

    #[tool(
        name = "submit_move",
        title = "Play your move in the league",
        description = "Plays your move in a match. Where both move at once, nobody sees it before \
            both are in.",
        output_schema = schema_for_output::<LeagueFacts>()
    )]
    async fn submit_move(
        &self,
        Parameters(ask): Parameters<SubmitMove>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        let told = self.hand_in(&ask).await;
        // A player's move in its turn is not counted against the rate limit; a repeated one is.
        if !matches!(told, Ok((_, true))) {
            let part = ServerPart::Referee(ask.match_id.parse().ok());
            self.count_call(&from, &ask.auth_token, &ask.league_id, part).await?;
        }
        told.map(|(reply, _)| reply)
    }

    #[tool(
        name = "get_match_log",
        title = "Why did I lose?",
        description = "The messages of your match as they were on the wire, the calls of submit_move, \
            and why one was of no use. What was played by finishTurn or at a board is in the game \
            itself. Of a match under way you see your own.",
        output_schema = schema_for_output::<LeagueFacts>(),
        annotations(read_only_hint = true)
    )]
    async fn get_match_log(
        &self,
        Parameters(ask): Parameters<GetMatchLog>,
        from: ToolCaller,
    ) -> Result<Reply, Refused> {
        let part = ServerPart::Referee(ask.match_id.parse().ok());
        self.count_call(&from, &ask.auth_token, &ask.league_id, part).await?;
        let (league, view, player) = self.own_league(&ask.league_id, &ask.auth_token).await?;
        let fixture = fixture(&view, match_id(&ask.match_id)?)?;
        let reader = Reader::Player(player);
        Ok(told(json!(self.leagues.match_log(&league, &view, &fixture, reader).await?)))
    }
}

impl McpService {
    /// The league of one who shows its token, and who it is there.
    async fn own_league(
        &self,
        id: &str,
        token: &str,
    ) -> Result<(Arc<Game>, View, PlayerId), LeagueRefusal> {
        self.leagues.find_own(Some(id).filter(|id| !id.is_empty()), token).await
    }

    async fn decide(&self, ask: &WaitForDecision, caller: &Caller) -> Result<Reply, Refused> {
        let (league, view, player) = self.own_league(&ask.league_id, &ask.auth_token).await?;
        self.leagues.welcome_back(&league, &view, player).await?;
        let wait = decision(&self.leagues, &league, player, Instant::now() + self.wait);
        match caller.patiently("Waiting for the opponent's move", wait).await {
            // Much may have happened while it waited.
            Some(decision) => {
                let by_pass = self.rooms.iter().any(Room::has_table);
                Ok(decision?.reply(&self.leagues.view(&league), by_pass))
            }
            None => Err(Refused::as_json("Cancelled; nothing has changed.")),
        }
    }

    /// The answer, and whether the move is new.
    async fn hand_in(&self, ask: &SubmitMove) -> Result<(Reply, bool), Refused> {
        let (league, view, player) = self.own_league(&ask.league_id, &ask.auth_token).await?;
        let id = match_id(&ask.match_id)?;
        let fixture = fixture(&view, id)?;
        if seat_of(&fixture, player).is_none() {
            return Err(Refused::as_json(format!(
                "{player} does not play in {id}; call wait_for_decision to learn what to decide"
            )));
        }
        if fixture.game.is_none() {
            let why = format!("match {id} has not begun; call wait_for_decision");
            return Err(Refused::as_json(why));
        }
        let game = view.setup().game;
        let handed_in =
            self.leagues.hand_in(&league, &view, player, &ask.delivered(id, game)).await;
        let said = ask.said(id, game);
        match handed_in {
            Ok(is_new) => {
                if is_new {
                    self.leagues.log_delivered(league.id(), id, player, SUBMIT_MOVE, &said);
                }
                Ok((told(json!({ "status": "received", "match_id": id })), is_new))
            }
            Err(refusal) => {
                let token = Some(ask.auth_token.clone());
                let log = PlayerLog::new(&self.leagues, league.id(), id, player, token);
                log.log.refused(SUBMIT_MOVE, &said, &refusal.to_string());
                keep_refused(log);
                Err(not_taken(refusal, game))
            }
        }
    }
}

/// Why a move was not taken, and what to call next.
fn not_taken(refusal: MessageRefusal, game: LeagueKind) -> Refused {
    match refusal {
        MessageRefusal::Unasked(Unasked::Nothing) => Refused::as_json(
            "nothing like this is asked of you now, or not any more; call wait_for_decision",
        ),
        MessageRefusal::Unasked(Unasked::Already) => {
            Refused::as_json("your move of this round is in already; call wait_for_decision")
        }
        MessageRefusal::Unasked(Unasked::Other(other)) => {
            Refused::as_json(format!("{other}; call wait_for_decision"))
        }
        MessageRefusal::BadMove(bad) => {
            let send = match game {
                LeagueKind::EVEN_ODD => "number, an integer from 1 to 5",
                LeagueKind::PARITY => "choice, even or odd",
                _ => "choice, a move that is legal",
            };
            match bad {
                // Where messages have it, these tools have no such field.
                BadMove::Missing(_) => Refused::as_json(format!(
                    "there is no move; call submit_move again with {send}"
                )),
                bad => Refused::as_json(format!("{bad}; call submit_move again with {send}")),
            }
        }
        other => other.into(),
    }
}

/// Waits until `player` has something to decide, or the league is over.
async fn decision(
    leagues: &Leagues,
    league: &Game,
    player: PlayerId,
    until: Instant,
) -> Result<LeagueDecision, LeagueRefusal> {
    let mut changed = league.changes();
    loop {
        changed.mark_unchanged();
        let view = leagues.view(league);
        if matches!(view.phase(), Phase::Finished | Phase::Stopped) {
            return Ok(LeagueDecision::league_over(&view));
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
                    let wanted = LeagueDecision::wanted(leagues, &view, fixture, game, *seat, status);
                    return Ok(wanted.await);
                }
                // What it was woken for may be past by now. If the match is over, what comes next is
                // in the league's log.
                if record.due().outcome().is_some()
                    && timeout_at(until, changed.changed()).await.is_err()
                {
                    return Ok(LeagueDecision::WAITING);
                }
            }
            _ = changed.changed() => {}
            () = tokio::time::sleep_until(until) => return Ok(LeagueDecision::WAITING),
        }
    }
}

/// The decision that is due of a seat: its move, or an answer to a question out of its turn.
fn wanted(record: &Record, seat: Seat) -> Option<DecisionStatus> {
    if record.due().includes(seat) {
        Some(DecisionStatus::YourMove)
    } else {
        (record.asked() == Some(seat)).then_some(DecisionStatus::YourAnswer)
    }
}
