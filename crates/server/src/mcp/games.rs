//! `listGames`: what is in play, and how to go on with it in another chat than it began in.
//!
//! A new chat has lost its pass. Where one agent plays alone, the machine's own user may take its
//! seat up again; where agents meet, and for callers from elsewhere, only the pass opens a seat.

use std::fmt::Write;

use rmcp::{
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    tool, tool_router,
};
use rules::{
    Glimpse, Rules, Seat,
    chess::{self, BLACK, Chess, WHITE},
    dungeon::{self, Dungeon, HERO},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::IgnoredAny};

use super::{
    Desk, Room,
    caller::Caller,
    plain,
    reply::{Refused, Reply},
};
use crate::{
    hall::Seats,
    kinds::chess::telling::color,
    player::{Player, describe, introduce},
    store::{ListedGame, Millis, Order, Progress, Wanted, Whose, now},
    telling::ago,
};

/// Of each sort at the most.
const MOST: u32 = 10;

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

/// A game in the list.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Listed {
    game: &'static str,
    game_id: String,
    /// Opens the seat that you may take up again; send it as game_id or conversationId.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pass: Option<String>,
    /// your_turn, waiting, free_seat or live
    status: &'static str,
    /// Your seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    you: Option<&'static str>,
    /// Who plays, or the hero.
    players: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    to_move: Option<&'static str>,
    free_seats: Vec<&'static str>,
    /// How it stands.
    about: String,
    turns: u32,
    /// How long nothing has happened.
    idle_seconds: i64,
    /// What to call to go on.
    next_action: String,
}

#[derive(Serialize, JsonSchema)]
struct List {
    games: Vec<Listed>,
}

#[tool_router(router = games_router)]
impl Desk {
    #[tool(
        name = "listGames",
        title = "Games in play",
        description = "Games in play, yours first, with how to go on: start here to continue one \
            from another chat.",
        output_schema = rmcp::handler::server::tool::schema_for_output::<List>(),
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn list_games(
        &self,
        Parameters(Nothing {}): Parameters<Nothing>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let mut games: Vec<Listed> = Vec::new();
        let mut sorts = Vec::from_iter(caller.connection.map(Whose::Connections));
        if self.trusts_this_machine && caller.is_local() {
            sorts.push(Whose::LoneAgents);
        }
        sorts.push(Whose::Anyones);
        for whose in sorts {
            for game in self.in_play(whose).await? {
                if games.iter().all(|listed| listed.game_id != game.id.to_string()) {
                    games.extend(self.listed(&game, whose));
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
        Ok(Reply::new(list.told(), facts))
    }
}

impl Desk {
    pub(super) fn games_tools() -> ToolRouter<Desk> {
        Desk::games_router()
    }

    /// One's own are listed though nobody has touched them for long; of those of others, only the
    /// ones that are awake.
    async fn in_play(&self, whose: Whose) -> Result<Vec<ListedGame>, Refused> {
        let own = [(Room::Chess, Chess::KIND), (Room::Dungeon, Dungeon::KIND)];
        let plain = plain::others().map(|(kind, _)| (Room::Games, kind.name));
        let kinds = own.into_iter().chain(plain);
        let here = kinds.filter(|(room, _)| self.rooms.contains(room));
        let wanted = Wanted {
            before: None,
            limit: MOST,
            progress: match whose {
                Whose::Anyones => Progress::Live,
                Whose::Connections(_) | Whose::LoneAgents => Progress::Unfinished,
            },
            kinds: here.map(|(_, kind)| kind).collect(),
            text: String::new(),
            whose,
            order: Order::LastMove,
        };
        Ok(self.hall.list(wanted).await?.games)
    }

    /// None for a game whose glimpse cannot be read: it does not hide the others.
    fn listed(&self, game: &ListedGame, whose: Whose) -> Option<Listed> {
        let glimpse = game.glimpse.as_deref()?;
        match game.kind.as_str() {
            Chess::KIND => {
                Some(self.chess_listed(game, &serde_json::from_str(glimpse).ok()?, whose))
            }
            Dungeon::KIND => {
                Some(self.dungeon_listed(game, &serde_json::from_str(glimpse).ok()?, whose))
            }
            _ => Some(self.plain_listed(game, &serde_json::from_str(glimpse).ok()?, whose)),
        }
    }

    fn plain_listed(&self, game: &ListedGame, glimpse: &Glimpse, whose: Whose) -> Listed {
        let taken: Seats = game.seats.iter().cloned().collect();
        let kind = rules::kind(&game.kind).ok();
        let names = kind.map_or(&[][..], |kind| kind.seats);
        let name = |seat: Seat| names.get(usize::from(seat.0)).copied().unwrap_or_default();
        let seats = (0..glimpse.seats).map(Seat);
        let is_agent =
            |seat: &Seat| taken.at(*seat).is_some_and(|sitting| sitting.player == Player::Agent);
        let seat = match whose {
            Whose::LoneAgents => seats.clone().find(is_agent),
            _ => game.yours,
        };
        let pass = seat
            .filter(|_| whose == Whose::LoneAgents)
            .map(|seat| self.hall.pass(game.id, &taken, seat).to_string());
        let free = seats.clone().filter(|seat| taken.at(*seat).is_none());
        let free_seats: Vec<_> = free.map(name).collect();
        let id = pass.clone().unwrap_or_else(|| game.id.to_string());
        let (status, tool) = match seat {
            Some(seat) if glimpse.due.contains(&seat) => ("your_turn", "waitForNextTurn"),
            Some(_) => ("waiting", "waitForNextTurn"),
            None if !free_seats.is_empty() => ("free_seat", "joinGame"),
            None => ("live", "getGame"),
        };
        Listed {
            game: kind.map_or("", |kind| kind.name),
            game_id: game.id.to_string(),
            pass,
            status,
            you: seat.map(name),
            players: seats.map(|seat| describe(taken.at(seat))).collect(),
            to_move: glimpse.due.first().map(|seat| name(*seat)),
            free_seats,
            about: format!("{} moves{}", game.turns, sleep(game)),
            turns: game.turns,
            idle_seconds: idle(game.last_at),
            next_action: format!("{tool}(game_id=\"{id}\")"),
        }
    }

    fn chess_listed(&self, game: &ListedGame, glimpse: &chess::Glimpse, whose: Whose) -> Listed {
        let taken: Seats = game.seats.iter().cloned().collect();
        let is_agent =
            |seat: &Seat| taken.at(*seat).is_some_and(|sitting| sitting.player == Player::Agent);
        let seats = [WHITE, BLACK];
        let seat = match whose {
            Whose::LoneAgents => seats.into_iter().find(is_agent),
            _ => game.yours,
        };
        let pass = seat
            .filter(|_| whose == Whose::LoneAgents)
            .map(|seat| self.hall.pass(game.id, &taken, seat).to_string());
        let free = seats.iter().filter(|seat| taken.at(**seat).is_none());
        let free_seats: Vec<_> = free.map(|seat| color(*seat)).collect();
        let id = pass.clone().unwrap_or_else(|| game.id.to_string());
        let (status, tool) = match seat {
            Some(seat) if seat == glimpse.to_move => ("your_turn", "waitForNextTurn"),
            Some(_) => ("waiting", "waitForNextTurn"),
            None if !free_seats.is_empty() => ("free_seat", "joinGame"),
            None => ("live", "getGame"),
        };
        let last = glimpse.last.as_ref().map(|last| format!(", last {}", last.san));
        Listed {
            game: Chess::KIND,
            game_id: game.id.to_string(),
            pass,
            status,
            you: seat.map(color),
            players: seats.map(|seat| introduce(taken.at(seat))).to_vec(),
            to_move: Some(color(glimpse.to_move)),
            free_seats,
            about: format!("{} moves{}{}", glimpse.moves, last.unwrap_or_default(), sleep(game)),
            turns: game.turns,
            idle_seconds: idle(game.last_at),
            next_action: format!("{tool}(game_id=\"{id}\")"),
        }
    }

    fn dungeon_listed(
        &self,
        game: &ListedGame,
        glimpse: &dungeon::Glimpse<IgnoredAny>,
        whose: Whose,
    ) -> Listed {
        let taken: Seats = game.seats.iter().cloned().collect();
        let pass =
            (whose == Whose::LoneAgents).then(|| self.hall.pass(game.id, &taken, HERO).to_string());
        let mut about = format!(
            "{}, level {}, {} of {} HP, {} gold, in a {:?} room{}",
            glimpse.name,
            glimpse.level,
            glimpse.hp,
            glimpse.max_hp,
            glimpse.gold,
            glimpse.chamber,
            sleep(game)
        );
        if !glimpse.deeds.is_empty() {
            let _ = write!(about, "; last: {}", glimpse.deeds.join(" "));
        }
        let next_action = match &pass {
            Some(pass) => format!("get_current_room(conversationId=\"{pass}\")"),
            None => "its own conversationId opens it".into(),
        };
        Listed {
            game: Dungeon::KIND,
            game_id: game.id.to_string(),
            you: pass.is_some().then_some("hero"),
            status: if pass.is_some() { "your_turn" } else { "live" },
            pass,
            players: vec![introduce(taken.at(HERO))],
            to_move: None,
            free_seats: Vec::new(),
            about,
            turns: game.turns,
            idle_seconds: idle(game.last_at),
            next_action,
        }
    }
}

fn sleep(game: &ListedGame) -> &'static str {
    if game.is_asleep() { ", asleep" } else { "" }
}

fn idle(since: Millis) -> i64 {
    (now() - since).max(0) / 1000
}

impl List {
    fn told(&self) -> String {
        if self.games.is_empty() {
            return "No game is in play. Start one with createGame, or a dungeon with \
                    get_current_room and a new conversationId."
                .into();
        }
        let mut text = String::new();
        for listed in &self.games {
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
