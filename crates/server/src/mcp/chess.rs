//! The chess room: six tools.

mod facts;
mod manner;
mod words;

use std::sync::Arc;

use chess_engine::Level;
use rmcp::{
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    tool, tool_router,
};
use rules::{
    Eye, Seat,
    chess::{BLACK, CLAIM, Chess, Setup, WHITE},
};
use schemars::JsonSchema;
use serde::Deserialize;

use self::{
    facts::ChessFacts,
    manner::{Board, Manner, Ui},
    words::Scene,
};
use super::{
    Desk,
    arguments::{GameArg, OneOf, Range, Whole, Word},
    caller::Caller,
    reply::{Refused, Reply},
};
use crate::{
    hall::{Game, Handle, Look, Plan, Player, Refusal, Retry},
    store::{SavedSeat, now},
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opponent {
    Computer,
    Agent,
    Human,
}

impl Word for Opponent {
    const NAME: &'static str = "type";
    const WORDS: &'static [(&'static str, Opponent)] =
        &[("computer", Opponent::Computer), ("agent", Opponent::Agent), ("human", Opponent::Human)];
}

#[derive(Clone, Copy)]
struct Color(Seat);

impl Word for Color {
    const NAME: &'static str = "color";
    const WORDS: &'static [(&'static str, Color)] =
        &[("white", Color(WHITE)), ("black", Color(BLACK))];
}

/// Something a player does beside the board. The rules know it by the same word.
#[derive(Clone, Copy)]
struct Action(&'static str);

impl Word for Action {
    const NAME: &'static str = "action";
    const WORDS: &'static [(&'static str, Action)] = &[
        ("resign", Action("resign")),
        ("offerDraw", Action("offerDraw")),
        ("acceptDraw", Action("acceptDraw")),
        ("declineDraw", Action("declineDraw")),
        ("claimDraw", Action("claimDraw")),
        ("takeback", Action("takeback")),
        ("declineTakeback", Action("declineTakeback")),
    ];
}

struct Difficulty;

impl Range for Difficulty {
    const NAME: &'static str = "difficulty";
    const FROM: i64 = 1;
    const TO: i64 = 10;
}

struct TurnNumber;

impl Range for TurnNumber {
    const NAME: &'static str = "turn";
    const FROM: i64 = 1;
    const TO: i64 = 1_000_000;
}

fn white() -> OneOf<Color> {
    OneOf(Color(WHITE))
}

fn middling() -> Whole<Difficulty> {
    Whole::new(5)
}

fn table() -> OneOf<Board> {
    OneOf(Board::Table)
}

#[derive(Deserialize, JsonSchema)]
struct CreateGame {
    /// Who plays against you: the computer, another agent who joins, or a person at a board.
    r#type: OneOf<Opponent>,
    /// Your colour; white moves first.
    #[serde(default = "white")]
    #[schemars(extend("default" = "white"))]
    color: OneOf<Color>,
    /// Also answer with an interactive HTML board. Left out: for games with a person.
    #[serde(default, rename = "showUi")]
    #[schemars(with = "bool")]
    show_ui: Option<bool>,
    /// How strong the computer is: 1 beginner (rated 341) to 10 (2766), on the CCRL blitz scale.
    #[serde(default = "middling")]
    #[schemars(extend("default" = 5))]
    difficulty: Whole<Difficulty>,
    /// How boards are drawn for you; fen is the shortest.
    #[serde(default = "table")]
    #[schemars(extend("default" = "table"))]
    board: OneOf<Board>,
    /// Start from this position instead of the usual one.
    #[serde(default)]
    #[schemars(with = "String")]
    fen: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct JoinGame {
    game_id: GameArg,
    /// How boards are drawn for you; fen is the shortest.
    #[serde(default = "table")]
    #[schemars(extend("default" = "table"))]
    board: OneOf<Board>,
}

#[derive(Deserialize, JsonSchema)]
struct WaitForNextTurn {
    game_id: GameArg,
}

#[derive(Deserialize, JsonSchema)]
struct FinishTurn {
    game_id: GameArg,
    /// In UCI, like e2e4 or a7a8q; SAN, like Nf3 or O-O, is understood too.
    r#move: String,
    /// Claim that this move gives checkmate; if it does not, it is not played.
    #[serde(default)]
    claim_win: bool,
    /// The number of the turn you mean, from the last answer's `turn`; makes a retry safe.
    #[serde(default)]
    #[schemars(with = "i64")]
    turn: Option<Whole<TurnNumber>>,
}

#[derive(Deserialize, JsonSchema)]
struct GetGame {
    game_id: GameArg,
}

#[derive(Deserialize, JsonSchema)]
struct GameAction {
    game_id: GameArg,
    /// takeback asks for your last move back, or agrees when your opponent has asked.
    action: OneOf<Action>,
    /// The number of the turn you mean, from the last answer's `turn`; makes a retry safe.
    #[serde(default)]
    #[schemars(with = "i64")]
    turn: Option<Whole<TurnNumber>>,
}

#[tool_router(router = chess_router)]
impl Desk {
    #[tool(
        name = "createGame",
        title = "New chess game",
        description = "Starts a game of chess and seats you. Answers with the game id (public, for \
            others to join or watch) and your pass (secret; send it as game_id from then on).",
        output_schema = rmcp::handler::server::tool::schema_for_output::<ChessFacts>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn create_game(
        &self,
        Parameters(ask): Parameters<CreateGame>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let OneOf(Color(seat)) = ask.color;
        let OneOf(opponent) = ask.r#type;
        let ui = match ask.show_ui {
            Some(true) => Ui::Always,
            Some(false) => Ui::Never,
            None => Ui::HumansTurn,
        };
        let manner = Manner { board: ask.board.0, ui };
        let mut seats = vec![sitting(seat, Player::Agent, caller.name(), manner)];
        let player = match opponent {
            Opponent::Computer => Some(Player::Computer(ask.difficulty.into())),
            Opponent::Human => Some(Player::Human),
            Opponent::Agent => None,
        };
        seats.extend(player.map(|player| sitting(other(seat), player, String::new(), manner)));
        let setup = Setup { fen: ask.fen, free_takebacks: opponent == Opponent::Computer };
        let connection = caller.connection.map(|connection| (connection, seat));
        let game =
            self.hall.create(Plan { connection, ..Plan::<Chess>::new(setup, seats) }).await?;
        // As it was at the start: the computer may have moved since, and whoever plays black is
        // told to wait in any case.
        let look = game.look_back(Eye::Seat(seat), 0).await?;
        Ok(self.scene(&look, Some(seat), &caller).created())
    }

    #[tool(
        name = "joinGame",
        title = "Join a chess game",
        description = "Takes the free seat in a game another agent created. Answers with your \
            colour, your pass (secret; send it as game_id from then on) and the board.",
        output_schema = rmcp::handler::server::tool::schema_for_output::<ChessFacts>(),
        annotations(read_only_hint = false, destructive_hint = false, open_world_hint = false)
    )]
    async fn join_game(
        &self,
        Parameters(ask): Parameters<JoinGame>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let id = Handle { game: ask.game_id.0.game, pass: None };
        let (game, seated) = self.hall.enter(&id, caller.connection).await?;
        let seat = match seated {
            Some(seat) => seat,
            None => {
                game.refresh().await;
                let look = game.look::<Chess>(Eye::Public).await?;
                let free = [WHITE, BLACK].into_iter().find(|seat| look.seats.at(*seat).is_none());
                let Some(seat) = free else { return Err(words::full(&look)) };
                let manner = Manner { board: ask.board.0, ui: Ui::Never };
                let sitting = sitting(seat, Player::Agent, caller.name(), manner);
                if !game.sit(sitting, caller.connection).await? {
                    return Err(words::full(&look));
                }
                seat
            }
        };
        let look = game.look(Eye::Seat(seat)).await?;
        Ok(self.scene(&look, Some(seat), &caller).joined())
    }

    #[tool(
        name = "waitForNextTurn",
        title = "Wait for your turn",
        description = "Waits until it is your turn, the game is over or you are asked something, \
            for up to 30 seconds. A timeout is normal: call this tool again immediately.",
        output_schema = rmcp::handler::server::tool::schema_for_output::<ChessFacts>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn wait_for_next_turn(
        &self,
        Parameters(ask): Parameters<WaitForNextTurn>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seat) = self.seat(&ask.game_id.0, &caller).await?;
        let wait = game.wait(seat, self.wait);
        let Some(waited) = caller.patiently(wait).await else {
            return Err(Refused::new("Cancelled; nothing has changed."));
        };
        let in_time = waited?;
        let look = game.look(Eye::Seat(seat)).await?;
        let scene = self.scene(&look, Some(seat), &caller);
        Ok(if in_time { scene.waited() } else { scene.timed_out() })
    }

    #[tool(
        name = "finishTurn",
        title = "Play a move",
        description = "Plays your move. An illegal move is refused with the reason and nothing is \
            played. Then follow the next action in the answer.",
        output_schema = rmcp::handler::server::tool::schema_for_output::<ChessFacts>(),
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn finish_turn(
        &self,
        Parameters(ask): Parameters<FinishTurn>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seat) = self.seat(&ask.game_id.0, &caller).await?;
        let text = match ask.claim_win {
            true => format!("{} {CLAIM}", ask.r#move),
            false => ask.r#move,
        };
        let look = self.play(&game, seat, &text, ask.turn, &caller).await?;
        Ok(self.scene(&look, Some(seat), &caller).moved())
    }

    #[tool(
        name = "getGame",
        title = "Look at a chess game",
        description = "Board, history, legal moves and PGN of a game as it stands, for its players \
            and for anyone who watches. Does not wait.",
        output_schema = rmcp::handler::server::tool::schema_for_output::<ChessFacts>(),
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    async fn get_game(
        &self,
        Parameters(ask): Parameters<GetGame>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seat) = self.hall.enter(&ask.game_id.0, caller.connection).await?;
        game.refresh().await;
        let look = game.look(Eye::Public).await?;
        Ok(self.scene(&look, seat, &caller).seen())
    }

    #[tool(
        name = "gameAction",
        title = "Resign, draw, take back",
        description = "Resigns, offers, accepts, declines or claims a draw, or asks for a takeback \
            (granted by the computer; another player must agree).",
        output_schema = rmcp::handler::server::tool::schema_for_output::<ChessFacts>(),
        annotations(read_only_hint = false, destructive_hint = true, open_world_hint = false)
    )]
    async fn game_action(
        &self,
        Parameters(ask): Parameters<GameAction>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seat) = self.seat(&ask.game_id.0, &caller).await?;
        let OneOf(Action(action)) = ask.action;
        let look = self.play(&game, seat, action, ask.turn, &caller).await?;
        Ok(self.scene(&look, Some(seat), &caller).acted(action))
    }
}

impl Desk {
    pub(super) fn chess_tools() -> ToolRouter<Desk> {
        Desk::chess_router()
    }

    /// The game and the seat that this call speaks for.
    async fn seat(&self, handle: &Handle, caller: &Caller) -> Result<(Arc<Game>, Seat), Refused> {
        let (game, seat) = self.hall.enter(handle, caller.connection).await?;
        match seat {
            Some(seat) => Ok((game, seat)),
            None => Err(words::no_seat(game.id())),
        }
    }

    async fn play(
        &self,
        game: &Game,
        seat: Seat,
        text: &str,
        turn: Option<Whole<TurnNumber>>,
        caller: &Caller,
    ) -> Result<Look<Chess>, Refused> {
        let eye = Eye::Seat(seat);
        let retry = turn.map_or(Retry::Likely, |turn| Retry::Turn(turn.number as u32));
        match game.play(seat, text, retry).await {
            // As it was right after the move, so that a retry gets the same answer.
            Ok(played) => Ok(game.look_back(eye, played.number).await?),
            Err(Refusal::Store(error)) => Err(error.into()),
            Err(refusal) => {
                let look = game.look(eye).await?;
                let is_move = Action::WORDS.iter().all(|(action, _)| *action != text);
                Err(self.scene(&look, Some(seat), caller).refused(&refusal, is_move))
            }
        }
    }

    fn scene<'a>(
        &'a self,
        look: &'a Look<Chess>,
        seat: Option<Seat>,
        caller: &Caller,
    ) -> Scene<'a> {
        let manner =
            seat.and_then(|seat| look.seats.at(seat)).map_or_else(Manner::default, Manner::of);
        Scene { hall: &self.hall, look, seat, manner, has_apps: caller.has_apps() }
    }
}

fn other(seat: Seat) -> Seat {
    if seat == WHITE { BLACK } else { WHITE }
}

fn sitting(seat: Seat, player: Player, name: String, manner: Manner) -> SavedSeat {
    SavedSeat { seat, player, name, manner: manner.write(), at: now() }
}

impl From<Whole<Difficulty>> for Level {
    fn from(difficulty: Whole<Difficulty>) -> Level {
        let level = u8::try_from(difficulty.number).ok().and_then(Level::new);
        level.expect("there are ten levels")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratings_that_are_told_are_those_measured() {
        let schema = serde_json::to_string(&schemars::schema_for!(CreateGame)).expect("a schema");
        for level in [1, 10].map(|n| Level::new(n).expect("a level")) {
            assert!(schema.contains(&level.rating().to_string()), "level {}", level.get());
        }
    }
}
