//! The six tools of every game. Each finds the game and the seat it is called about and leaves the
//! rest to how that kind is told; `listGames` is in `games`, `gameRules` in `plain`.

use std::sync::Arc;

use rmcp::{
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    tool, tool_router,
};
use rules::{Card, Kind, Seat, Tag};

use super::{
    McpService,
    ask::{CreateGame, FinishTurn, GameAction, GetGame, JoinGame, WaitForNextTurn, actions_of_all},
    caller::Caller,
    refusals::Refused,
    reply::Reply,
    room::Plays,
    telling::{NoSuchGame, Playing},
};
use crate::{
    hall::Game,
    ids::{GameId, Handle},
};

/// The kinds that anybody may sit down to with these tools, in the order in which they are listed.
pub fn kinds() -> impl Iterator<Item = (Kind, &'static Card)> {
    let carded = rules::KINDS.iter().filter_map(|kind| Some((*kind, kind.card?)));
    carded.filter(|(_, card)| !card.has(Tag::Solo))
}

#[tool_router(router = table_router)]
impl McpService {
    #[tool(
        name = "createGame",
        title = "New game",
        description = "Starts a game. Answers with the game id (public) and your pass (secret; \
            send it as game_id from then on)."
    )]
    async fn create_game(
        &self,
        Parameters(ask): Parameters<CreateGame>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let kind = self.kind_asked(ask.game.as_deref())?;
        self.tellings.playing(kind.name).create(self, kind, ask, &caller).await
    }

    #[tool(
        name = "joinGame",
        title = "Join a game",
        description = "Takes a free seat in a game. Answers with your seat, your pass and the \
            board.",
        annotations(idempotent_hint = true)
    )]
    async fn join_game(
        &self,
        Parameters(ask): Parameters<JoinGame>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seated) = self.hall.enter(&ask.game_id.0, caller.connection).await?;
        self.told(&game)?.join(self, (&game, seated), ask, &caller).await
    }

    #[tool(
        name = "waitForNextTurn",
        title = "Wait for your turn",
        description = "Waits until it is your turn, the game is over or you are asked something, \
            for up to WAIT seconds. A timeout is normal: call this tool again immediately.",
        annotations(read_only_hint = true)
    )]
    async fn wait_for_next_turn(
        &self,
        Parameters(ask): Parameters<WaitForNextTurn>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seat) = self.seat(&ask.game_id.0, &caller).await?;
        self.told(&game)?.wait(self, (&game, seat), &caller).await
    }

    #[tool(
        name = "finishTurn",
        title = "Play a move",
        description = "Plays your move; an illegal one is refused with the reason. Then follow the \
            next action in the answer.",
        annotations(idempotent_hint = true)
    )]
    async fn finish_turn(
        &self,
        Parameters(ask): Parameters<FinishTurn>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seat) = self.seat(&ask.game_id.0, &caller).await?;
        let answer = self.told(&game)?.finish(self, (&game, seat), ask, &caller).await;
        game.tell_turn(seat);
        answer
    }

    #[tool(
        name = "getGame",
        title = "Look at a game",
        description = "Any game as it stands: board, history, legal moves. Does not wait.",
        annotations(read_only_hint = true)
    )]
    async fn get_game(
        &self,
        Parameters(ask): Parameters<GetGame>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seat) = self.hall.enter(&ask.game_id.0, caller.connection).await?;
        game.refresh().await;
        let answer = self.told(&game)?.get(self, (&game, seat), ask, &caller).await;
        seat.into_iter().for_each(|seat| game.tell_turn(seat));
        answer
    }

    #[tool(
        name = "gameAction",
        title = "Resign, draw, take back",
        description = "Resigns, offers, accepts, declines or claims a draw, asks for a takeback or \
            agrees to one, for the person with by=human; newLink creates a new link for the person \
            and revokes the old one."
    )]
    async fn game_action(
        &self,
        Parameters(ask): Parameters<GameAction>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let all = actions_of_all();
        // A word of no game at all is refused with those that are listed at this door.
        if ask.action.among(&all).is_err() {
            let listed = self.only_kind().map_or(&all[..], |kind| kind.actions());
            ask.action.among(listed).map_err(|no| Refused::argument(no, "gameAction"))?;
        }
        let (game, seat) = self.seat(&ask.game_id.0, &caller).await?;
        let answer = self.told(&game)?.act(self, (&game, seat), ask, &caller).await;
        game.tell_turn(seat);
        answer
    }
}

impl McpService {
    pub fn table_tools() -> ToolRouter<McpService> {
        McpService::table_router()
    }

    /// The one kind that is played here, where it is one.
    pub fn only_kind(&self) -> Option<Kind> {
        let mut only = None;
        for room in self.rooms.iter() {
            match room.plays {
                Plays::Anything => return None,
                Plays::Only(kind) => only = only.or(Some(kind)),
                Plays::Nothing => {}
            }
        }
        only
    }

    /// The kind that a caller names, or why it is not played here.
    pub fn kind_named(&self, name: &str) -> Result<Kind, String> {
        let named = self.tellings.named(name);
        match (self.only_kind(), named) {
            (None, Ok(kind)) => Ok(kind),
            (None, Err(no)) => Err(self.no_game(name, &no)),
            (Some(only), Ok(kind)) if only.name == kind.name => Ok(only),
            (Some(only), _) => Err(format!(
                "Error: {} alone is played here; /games/mcp offers every game.",
                only.name
            )),
        }
    }

    /// No game has that name; but there may be a room, with tools of its own.
    fn no_game(&self, name: &str, no: &NoSuchGame) -> String {
        let mut others = self.rooms.iter().filter(|room| matches!(room.plays, Plays::Nothing));
        let room = others.find(|room| room.name.eq_ignore_ascii_case(name.trim()));
        match room.and_then(|room| room.begins) {
            Some(begins) => format!("Error: {name} has tools of its own: start {begins}."),
            None => format!("Error: {no}"),
        }
    }

    /// The kind that a caller asks for, if it is played here.
    fn kind_asked(&self, name: Option<&str>) -> Result<Kind, Refused> {
        let usual = || Ok(self.only_kind().unwrap_or(self.tellings.usual));
        let named = |name| {
            self.kind_named(name).map_err(|why| Refused::new(format!("{why} Nothing was created.")))
        };
        name.map_or_else(usual, named)
    }

    /// How a game is told, if it is one that these tools are for.
    fn told(&self, game: &Game) -> Result<&dyn Playing, Refused> {
        let kind = game.kind();
        if kinds().any(|(one, _)| one.name == kind.name) {
            Ok(self.tellings.playing(kind.name))
        } else {
            Err(Refused::new(format!(
                "Error: game {} is a game of {}, which has tools of its own.",
                game.id(),
                kind.name
            )))
        }
    }

    /// The game and the seat that this call speaks for.
    async fn seat(&self, handle: &Handle, caller: &Caller) -> Result<(Arc<Game>, Seat), Refused> {
        let (game, seat) = self.hall.enter(handle, caller.connection).await?;
        match seat {
            Some(seat) => {
                game.called_by(caller.id());
                Ok((game, seat))
            }
            None => Err(no_seat(game.id())),
        }
    }
}

fn no_seat(id: GameId) -> Refused {
    Refused::new(format!(
        "Error: send your pass. This call has no seat in game {id}: if you play in it, send the \
         pass that createGame or joinGame gave you as game_id; if you have lost it, listGames may \
         have it. To take a free seat, call `joinGame(game_id=\"{id}\")`; to watch, \
         `getGame(game_id=\"{id}\")`."
    ))
}

pub fn another_game(id: GameId) -> Refused {
    Refused::new(format!(
        "Error: that requestId was given to game {id}, which is another than you ask for now. \
         Nothing was created; use a new requestId."
    ))
}
