//! The chess room: six tools.

mod ask;
mod drawing;
mod facts;
mod hint;
mod manner;
mod words;

use std::sync::Arc;

use rmcp::{
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    tool, tool_router,
};
use rules::{
    Eye, Seat,
    chess::{BLACK, CLAIM, Chess, Setup, WHITE, is_action, not_on_the_board},
};

use self::{
    ask::{
        Action, Color, CreateGame, FinishTurn, GameAction, GetGame, JoinGame, Opponent, TurnNumber,
        WaitForNextTurn,
    },
    facts::{ChessFacts, SeenFacts},
    manner::{Manner, Ui},
    words::Scene,
};
use super::{
    Desk,
    arguments::{OneOf, Whole},
    caller::Caller,
    reply::{Refused, Reply},
};
use crate::{
    hall::{Agreement, Game, Handle, Look, Plan, Player, Refusal, Retry},
    store::{SavedSeat, now},
};

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
        let agreement = Agreement { hints: ask.hints };
        let manner = Manner { board: ask.board.0, ui, agreement };
        let mut seats = vec![sitting(seat, Player::Agent, caller.name(), manner)];
        let player = match opponent {
            Opponent::Computer => Some(Player::Computer(ask.difficulty.into())),
            Opponent::Human => Some(Player::Human),
            Opponent::Agent => None,
        };
        seats.extend(player.map(|player| sitting(other(seat), player, String::new(), manner)));
        let setup = Setup {
            fen: ask.fen,
            free_takebacks: opponent == Opponent::Computer,
            hints: ask.hints,
            ..Setup::default()
        };
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
                let agreement = Agreement { hints: ask.hints };
                let manner = Manner { board: ask.board.0, ui: Ui::Never, agreement };
                let sitting = sitting(seat, Player::Agent, caller.name(), manner);
                if !game.sit(sitting, caller.connection).await? {
                    return Err(words::full(&look));
                }
                seat
            }
        };
        let look = game.look(Eye::Seat(seat)).await?;
        Ok(self.scene(&look, Some(seat), &caller).joined(ask.hints))
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
        let waited = caller.patiently("Waiting for the opponent's move", wait).await;
        let in_time = waited.ok_or_else(Refused::cancelled)??;
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
        // The rules know actions as moves too; a tool for moves does not resign for anybody.
        if let Some(why) = not_on_the_board(&ask.r#move) {
            let look = game.look(Eye::Seat(seat)).await?;
            return Err(self.scene(&look, Some(seat), &caller).refused(&why.into(), true));
        }
        let text = match ask.claim_win {
            true => format!("{} {CLAIM}", ask.r#move),
            false => ask.r#move.clone(),
        };
        let look = self.play(&game, seat, &text, ask.turn, &caller).await?;
        Ok(self.scene(&look, Some(seat), &caller).moved(&ask.r#move))
    }

    #[tool(
        name = "getGame",
        title = "Look at a chess game",
        description = "Board, history, legal moves and PGN of a game as it stands, for its players \
            and for anyone who watches; with hint also what it is worth. Does not wait.",
        output_schema = rmcp::handler::server::tool::schema_for_output::<SeenFacts>(),
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
        let scene = self.scene(&look, seat, &caller);
        if !ask.hint {
            return Ok(scene.seen());
        }
        if look.due.outcome().is_none() {
            let hint = self.hall.hint(&look, seat).await;
            return hint.map(|hint| scene.hinted(&hint)).map_err(|no| scene.unhinted(no));
        }
        let review = self.hall.review(&look, 0..usize::MAX);
        let review = caller.patiently("Evaluating the game", review).await;
        let review = review.ok_or_else(Refused::cancelled)?;
        review.map(|review| scene.reviewed(&review)).map_err(|no| scene.unhinted(no))
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
        let text = match ask.r#move {
            Some(mv) => format!("{action} {mv}"),
            None => action.to_owned(),
        };
        let look = self.play(&game, seat, &text, ask.turn, &caller).await?;
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
                let is_move = !is_action(text);
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
