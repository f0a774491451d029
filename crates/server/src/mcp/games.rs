//! `listGames`: what is in play, and how to go on with it in another chat than it began in.
//!
//! A new chat has lost its pass. Where one agent plays alone, the list has it for the connection that
//! took the seat, and over stdin, where the owner's own host calls. Where agents meet, several may
//! share a connection, and only the pass opens a seat.

use std::fmt::Write;

use rmcp::{
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    tool, tool_router,
};
use rules::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{McpService, caller::Caller, refusals::Refused, reply::Reply};
use crate::{
    budgets::CallerId,
    hall::Seats,
    ids::GameId,
    player::{Player, is_refereed},
    store::{ListedGame, Millis, Order, Progress, SavedSeat, Wanted, Whose, now},
    wording::ago,
};

/// Of each sort at the most.
const MOST: u32 = 10;

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// A game in the list.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Listed {
    pub game: &'static str,
    pub game_id: String,
    /// Opens the seat that you may take up again; send it as game_id or conversationId.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub pass: Option<String>,
    /// your_turn, waiting, free_seat or live
    pub status: &'static str,
    /// Your seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub you: Option<&'static str>,
    /// Who plays, or the hero.
    pub players: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub to_move: Option<&'static str>,
    pub free_seats: Vec<&'static str>,
    /// How it stands.
    pub about: String,
    pub turns: u32,
    /// How long nothing has happened.
    pub idle_seconds: i64,
    /// What to call to go on.
    pub next_action: String,
}

#[derive(Serialize, JsonSchema)]
struct List {
    games: Vec<Listed>,
}

#[tool_router(router = games_router)]
impl McpService {
    #[tool(
        name = "listGames",
        title = "Games in play",
        description = "Games in play, yours first, with how to go on: start here to continue one \
            from another chat.",
        output_schema = rmcp::handler::server::tool::schema_for_output::<List>(),
        annotations(read_only_hint = true)
    )]
    async fn list_games(
        &self,
        Parameters(Nothing {}): Parameters<Nothing>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let mut games: Vec<Listed> = Vec::new();
        let mut sorts = Vec::from_iter(caller.connection.map(Whose::Connections));
        if caller.id() == CallerId::Owner {
            sorts.push(Whose::LoneAgents);
        }
        sorts.push(Whose::Anyones);
        for whose in sorts {
            for game in self.in_play(whose).await? {
                if games.iter().all(|listed| listed.game_id != game.id.to_string()) {
                    games.extend(self.tellings.of(&game.kind).listed(self, &game, whose));
                }
            }
        }
        // Those one can go on with first; within each sort the latest.
        let rank = |listed: &Listed| match (listed.you, listed.free_seats.is_empty()) {
            (Some(_), _) => 0,
            (None, false) => 1,
            (None, true) => 2,
        };
        games.sort_by_key(|listed| (rank(listed), listed.idle_seconds));
        let list = List { games };
        let facts = serde_json::to_value(&list).expect("a list can be written");
        Ok(Reply::new(self.told_list(&list), facts))
    }
}

impl McpService {
    pub fn games_tools() -> ToolRouter<McpService> {
        McpService::games_router()
    }

    /// One's own are listed though nobody has touched them for long; of those of others, only the
    /// ones that are awake.
    async fn in_play(&self, whose: Whose) -> Result<Vec<ListedGame>, Refused> {
        let mut kinds: Vec<_> = self.rooms.iter().flat_map(|room| room.lists.clone()).collect();
        kinds.sort();
        kinds.dedup();
        let wanted = Wanted {
            before: None,
            limit: MOST,
            progress: match whose {
                Whose::Anyones => Progress::Live,
                Whose::Connections(_) | Whose::LoneAgents => Progress::Unfinished,
            },
            kinds,
            text: String::new(),
            whose,
            order: Order::LastMove,
        };
        Ok(self.hall.list(wanted).await?.games)
    }

    /// Where the caller may sit in a game of the list.
    pub fn place(
        &self,
        game: &ListedGame,
        taken: &Seats,
        seats: impl Iterator<Item = Seat> + Clone,
        whose: Whose,
    ) -> CallersPlace {
        // A match of a league is its player's own, also where the other is the computer.
        let plays_alone =
            |sitting: &SavedSeat| sitting.player == Player::Agent && !is_refereed(&sitting.manner);
        let is_agent = |seat: &Seat| taken.at(*seat).is_some_and(plays_alone);
        let is_full = seats.clone().all(|seat| taken.at(seat).is_some());
        let mut agents = seats.filter(is_agent);
        let lone = agents.next().filter(|_| is_full && agents.next().is_none());
        let seat = if whose == Whose::LoneAgents { lone } else { game.yours };
        let pass = seat.filter(|seat| Some(*seat) == lone);
        let pass = pass.map(|seat| self.hall.pass(game.id, taken, seat).to_string());
        CallersPlace { id: game.id, seat, pass }
    }
}

/// A caller's place in a game of the list.
pub struct CallersPlace {
    id: GameId,
    pub seat: Option<Seat>,
    /// Of the seat, where it may be taken up again.
    pub pass: Option<String>,
}

impl CallersPlace {
    /// How it stands for the caller, and what to call to go on.
    pub fn goes_on(&self, is_due: bool, has_free_seats: bool) -> (&'static str, String) {
        let (status, tool) = match self.seat {
            Some(_) if is_due => ("your_turn", "waitForNextTurn"),
            Some(_) => ("waiting", "waitForNextTurn"),
            None if has_free_seats => ("free_seat", "joinGame"),
            None => ("live", "getGame"),
        };
        let id = self.pass.clone().unwrap_or_else(|| self.id.to_string());
        (status, format!("{tool}(game_id=\"{id}\")"))
    }
}

/// `1 move`, `12 moves`
pub fn moves(number: u32) -> String {
    format!("{number} move{}", if number == 1 { "" } else { "s" })
}

/// Marks that set a game apart from others: `, practice, asleep`.
pub fn marks(game: &ListedGame) -> &'static str {
    match (game.practice, game.is_asleep()) {
        (true, true) => ", practice, asleep",
        (true, false) => ", practice",
        (false, true) => ", asleep",
        (false, false) => "",
    }
}

pub fn idle(since: Millis) -> i64 {
    (now() - since).max(0) / 1000
}

impl McpService {
    fn told_list(&self, list: &List) -> String {
        if list.games.is_empty() {
            let mut begins: Vec<_> = self.rooms.iter().filter_map(|room| room.begins).collect();
            begins.dedup();
            return format!("No game is in play. Start {}.", begins.join(", or "));
        }
        let mut text = String::new();
        for listed in &list.games {
            let you = listed.you.map(|you| format!(", you are {you}")).unwrap_or_default();
            let free = match listed.free_seats.as_slice() {
                [] => String::new(),
                free => format!(", free: {}", free.join(" and ")),
            };
            let turn = listed.to_move.map(|color| format!(", {color} to move")).unwrap_or_default();
            let _ = writeln!(
                text,
                "- {} {}{you}{turn}{free}; {}; {}\n  players: {}\n  next: `{}`",
                listed.game,
                listed.game_id,
                listed.about,
                ago(listed.idle_seconds),
                listed.players.join(" and "),
                listed.next_action
            );
        }
        text
    }
}
