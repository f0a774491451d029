//! The chess room: six tools, and `listGames`, which is in `games`.

mod advice;
mod ask;
mod drawing;
mod facts;
mod hint;
mod manner;
mod page;
mod refusals;
mod words;

use std::sync::Arc;

use rmcp::{
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    tool, tool_router,
};
use rules::{
    Eye, Seat,
    chess::{BLACK, CLAIM, Chess, RELAYED, Setup, WHITE, is_action, not_on_the_board},
};
use serde_json::Value;

use self::{
    ask::{
        Action, Color, CreateGame, FinishTurn, GameAction, GetGame, JoinGame, Opponent, TurnNumber,
        WaitForNextTurn, Wishes,
    },
    facts::{ChessFacts, SeenFacts, short_schema},
    manner::{Manner, Ui},
    words::Scene,
};
use super::{hints::Agreement, telling::pgn};
use crate::{
    hall::{CreateError, Game, Look, Plan, Played, Refusal, Retry},
    ids::Handle,
    mcp::{
        Desk,
        arguments::{OneOf, Whole},
        caller::{Caller, random_key},
        plain::{self, Ask, Wish},
        reply::{Refused, Reply},
    },
    player::{Player, plain_name},
    store::SavedSeat,
};

#[tool_router(router = chess_router)]
impl Desk {
    #[tool(
        name = "createGame",
        title = "New chess game",
        description = "Starts a game of chess. Answers with the game id (public) and your pass \
            (secret; send it as game_id from then on).",
        output_schema = short_schema(),
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn create_game(
        &self,
        Parameters(ask): Parameters<CreateGame>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let OneOf(Color(seat)) = ask.color;
        let OneOf(opponent) = ask.r#type;
        let player = match opponent {
            Opponent::Computer => Some(Player::Computer(ask.difficulty.into())),
            Opponent::Human => Some(Player::Human),
            Opponent::Agent => None,
        };
        if let Some(kind) = self.other_kind(ask.game.as_deref())? {
            let wish = Wish {
                opponent: player,
                seat: ask.seat.as_deref(),
                name: caller.called(&ask.name, &ask.model),
                setup: ask.setup,
                request: ask.request_id.map(|key| key.0),
            };
            return self.create_plain(kind, wish, &caller).await;
        }
        let wishes = Wishes::of(ask.setup)?;
        let ui = match ask.show_ui {
            Some(true) => Ui::Always,
            Some(false) => Ui::Never,
            None => Ui::HumansTurn,
        };
        let hints = wishes.hints.or(ask.hints).unwrap_or_default();
        let manner = Manner { board: ask.board.0, ui, agreement: Agreement { hints } };
        let mut seats =
            vec![sitting(seat, Player::Agent, caller.called(&ask.name, &ask.model), manner)];
        seats.extend(player.map(|player| sitting(other(seat), player, String::new(), manner)));
        let types = opponent == Opponent::Human && wishes.typed_moves.unwrap_or(true);
        let setup = Setup {
            fen: wishes.fen.or(ask.fen),
            free_takebacks: opponent == Opponent::Computer,
            hints,
            typed_moves: types.then_some(other(seat)),
            variant: wishes.variant,
            pgn: wishes.pgn,
            loose: wishes.loose.unwrap_or(true),
            resigns: wishes.resigns.unwrap_or(true),
            live_comments: wishes.live_comments.unwrap_or_default(),
        };
        setup.check().map_err(CreateError::from)?;
        let connection = caller.connection.map(|connection| (connection, seat));
        // Whoever must ask its person first calls again, and means the same game.
        let asks = || caller.opens_links().then(random_key);
        let key = ask.request_id.map(|key| key.0).or(caller.key.clone()).or_else(asks);
        let name = key.as_ref().map(|key| caller.request_key("createGame", key));
        let plan = Plan::of::<Chess>(&setup, seats);
        let game = self.hall.create(Plan { connection, name, by: caller.origin(), ..plan }).await?;
        // As it was at the start: the computer may have moved since, and whoever plays black is
        // told to wait in any case.
        let look = game.look_back(Eye::Seat(seat), 0).await?;
        if name.is_some() && !is_planned(&look, seat, player, &setup) {
            return Err(refusals::another_game(look.id));
        }
        let scene = self.scene(&look, Some(seat), &caller);
        let invited = caller.invite(scene.link().as_deref()).await;
        Ok(Reply { question: invited.question(key.unwrap_or_default()), ..scene.created(&invited) })
    }

    #[tool(
        name = "joinGame",
        title = "Join a chess game",
        description = "Takes the free seat in a game. Answers with your colour, your pass and the \
            board.",
        output_schema = short_schema(),
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn join_game(
        &self,
        Parameters(ask): Parameters<JoinGame>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, mut seated) = self.hall.enter(&ask.game_id.0, caller.connection).await?;
        let key = ask.request_id.map(|key| {
            let what = format!("joinGame {}", game.id());
            caller.request_key(&what, &key.0)
        });
        if let (None, Some(key)) = (seated, key) {
            seated = game.seat_of(key).await?;
        }
        if plain::tells(&game) {
            let name = caller.called(&ask.name, &ask.model);
            let keys = caller.connection.filter(|_| seated.is_none()).into_iter().chain(key);
            return self.join_plain(&game, seated, ask.seat.as_deref(), name, keys.collect()).await;
        }
        let wanted = ask.color.map(|OneOf(Color(seat))| seat);
        let is_wanted = |seat: &Seat| wanted.is_none_or(|wanted| wanted == *seat);
        let sits_already = async |seat| {
            let look = game.look(Eye::Seat(seat)).await?;
            Ok(self.scene(&look, Some(seat), &caller).joined(ask.hints, true))
        };
        if let Some(seat) = seated.filter(is_wanted) {
            return sits_already(seat).await;
        }
        game.refresh().await;
        let look = game.look::<Chess>(Eye::Public).await?;
        // A seat whose taker could not be told so is that caller's, who asks again.
        let open = game.open_seat().await;
        let is_free = |seat: &Seat| look.seats.at(*seat).is_none() || open == Some(*seat);
        let free = [WHITE, BLACK].into_iter().filter(is_wanted).find(is_free);
        let Some(seat) = free else {
            // The same call, made before, may have taken it just now.
            let ours = if let Some(key) = key { game.seat_of(key).await? } else { None };
            return match ours.filter(is_wanted) {
                Some(seat) => sits_already(seat).await,
                None => Err(refusals::full(&look)),
            };
        };
        let agreement = Agreement { hints: ask.hints };
        let manner = Manner { board: ask.board.0, ui: Ui::Never, agreement };
        let sitting = sitting(seat, Player::Agent, caller.called(&ask.name, &ask.model), manner);
        // A connection speaks for its first seat; the second has its pass.
        let connection = caller.connection.filter(|_| seated.is_none());
        if !game.sit(sitting, connection.into_iter().chain(key).collect()).await? {
            return Err(refusals::full(&look));
        }
        let look = game.look(Eye::Seat(seat)).await?;
        Ok(self.scene(&look, Some(seat), &caller).joined(ask.hints, false))
    }

    #[tool(
        name = "waitForNextTurn",
        title = "Wait for your turn",
        description = "Waits until it is your turn, the game is over or you are asked something, \
            for up to WAIT seconds. A timeout is normal: call this tool again immediately.",
        output_schema = short_schema(),
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn wait_for_next_turn(
        &self,
        Parameters(ask): Parameters<WaitForNextTurn>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seat) = self.seat(&ask.game_id.0, &caller).await?;
        if plain::tells(&game) {
            return self.wait_plain(&game, seat, &caller).await;
        }
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
        description = "Plays your move; an illegal one is refused with the reason. Then follow the \
            next action in the answer.",
        output_schema = short_schema(),
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
        if plain::tells(&game) {
            let comment = ask.comment.as_ref().map(|comment| comment.0.as_str());
            let asked = Ask {
                text: &ask.r#move,
                comment: comment.filter(|comment| !comment.is_empty()),
                turn: ask.turn.map(|turn| turn.number as u32),
                wait: ask.wait,
            };
            return self.finish_plain(&game, seat, asked, &caller).await;
        }
        // The rules know actions as moves too; a tool for moves does not resign for anybody.
        if let Some(why) = not_on_the_board(&ask.r#move) {
            let look = game.look(Eye::Seat(seat)).await?;
            if look.due.includes(seat) {
                game.count_refused(seat).await;
            }
            return Err(self.scene(&look, Some(seat), &caller).refused(&why.into(), true));
        }
        let mut text = ask.r#move.clone();
        if ask.claim_win {
            text = format!("{text} {CLAIM}");
        }
        let mut mover = seat;
        if ask.by.is_some() {
            mover = self.relayed_seat(&game, seat, &caller).await?;
            text = format!("{text} {RELAYED}");
        }
        let comment = ask.comment.as_ref().map(|comment| comment.0.as_str());
        // It would be read as the person's own.
        if comment.is_some() && ask.by.is_some() {
            return Err(Refused::new(
                "Error: comment is for your own moves; leave it out with by. Nothing was played.",
            ));
        }
        let comment = comment.filter(|comment| !comment.is_empty());
        let played = self.play(&game, (seat, mover), (&text, comment), ask.turn, &caller).await;
        let (look, played) = played?;
        if played.is_new && look.view.how_read(&ask.r#move).is_some() {
            game.count_loose(mover).await;
        }
        let accepted = self.scene(&look, Some(seat), &caller).moved(&ask.r#move);
        if !ask.wait || look.due.outcome().is_some() || look.due.includes(seat) {
            return Ok(accepted);
        }
        // The move is played, whether or not anybody waits for the reply.
        let wait = game.wait(seat, self.wait);
        match caller.patiently("Waiting for the opponent's move", wait).await {
            Some(Ok(true)) => {
                let now = game.look(Eye::Seat(seat)).await?;
                Ok(self.scene(&now, Some(seat), &caller).replied(&look, &ask.r#move))
            }
            Some(Ok(false) | Err(_)) | None => Ok(accepted),
        }
    }

    #[tool(
        name = "getGame",
        title = "Look at a chess game",
        description = "Board, history, legal moves and PGN of any game as it stands. Does not wait.",
        output_schema = rmcp::handler::server::tool::schema_for_output::<SeenFacts>(),
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn get_game(
        &self,
        Parameters(ask): Parameters<GetGame>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seat) = self.hall.enter(&ask.game_id.0, caller.connection).await?;
        game.refresh().await;
        if plain::tells(&game) {
            return Ok(self.get_plain(&game, seat).await);
        }
        let look = game.look(Eye::Public).await?;
        let scene = self.scene(&look, seat, &caller);
        if !ask.hint {
            return Ok(scene.seen());
        }
        if look.due.outcome().is_none() {
            let hint = self.hall.hint(&look, seat, caller.origin()).await;
            return hint.map(|hint| scene.hinted(&hint)).map_err(|no| scene.unhinted(no));
        }
        let review = self.hall.review(&look, 0..usize::MAX, caller.origin());
        let review = caller.patiently("Evaluating the game", review).await;
        let review = review.ok_or_else(Refused::cancelled)?;
        review.map(|review| scene.reviewed(&review)).map_err(|no| scene.unhinted(no))
    }

    #[tool(
        name = "gameAction",
        title = "Resign, draw, take back",
        description = "Resigns, offers, accepts, declines or claims a draw, asks for a takeback or \
            agrees to one; newLink seats the person anew, by a link that ends the old one.",
        output_schema = short_schema(),
        annotations(
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn game_action(
        &self,
        Parameters(ask): Parameters<GameAction>,
        caller: Caller,
    ) -> Result<Reply, Refused> {
        let (game, seat) = self.seat(&ask.game_id.0, &caller).await?;
        if plain::tells(&game) {
            return Err(plain::no_action(&game));
        }
        if ask.r#move.is_some() && ask.action.0 != Action::CLAIM_DRAW {
            let look = game.look(Eye::Seat(seat)).await?;
            return Err(self.scene(&look, Some(seat), &caller).no_move_with_that());
        }
        match ask.action {
            OneOf(Action::Move(action)) => {
                let mv = ask.r#move.unwrap_or_default();
                let text = format!("{action} {mv}");
                let (look, played) =
                    self.play(&game, (seat, seat), (&text, None), ask.turn, &caller).await?;
                let named = look.view.how_named(&mv);
                if played.is_new && named.is_some() {
                    game.count_loose(seat).await;
                }
                Ok(self.scene(&look, Some(seat), &caller).acted(action, named))
            }
            OneOf(Action::NewLink) => {
                let look = game.look(Eye::Seat(seat)).await?;
                let person = self.scene(&look, Some(seat), &caller).person();
                let person = person.filter(|person| *person != seat);
                let Some(person) = person else { return Err(refusals::nobody_to_link(look.id)) };
                // Whoever has been asked about a new link calls again with the same wish.
                if caller.key.is_none() {
                    game.renew_link(person).await?;
                }
                let look = game.look(Eye::Seat(seat)).await?;
                let scene = self.scene(&look, Some(seat), &caller);
                let invited = caller.invite(scene.link().as_deref()).await;
                let question = invited.question(look.id.to_string());
                Ok(Reply { question, ..scene.linked(&invited) })
            }
        }
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
            Some(seat) => {
                game.asked_by(caller.origin());
                Ok((game, seat))
            }
            None => Err(refusals::no_seat(game.id())),
        }
    }

    /// The seat of the person whose moves the caller may relay.
    async fn relayed_seat(
        &self,
        game: &Game,
        seat: Seat,
        caller: &Caller,
    ) -> Result<Seat, Refused> {
        let look = game.look::<Chess>(Eye::Seat(seat)).await?;
        let person = look.view.setup.typed_moves;
        person.ok_or_else(|| self.scene(&look, Some(seat), caller).not_relayed())
    }

    /// Plays for `mover` and shows it to `seat`.
    async fn play(
        &self,
        game: &Game,
        (seat, mover): (Seat, Seat),
        (text, comment): (&str, Option<&str>),
        turn: Option<Whole<TurnNumber>>,
        caller: &Caller,
    ) -> Result<(Look<Chess>, Played), Refused> {
        let eye = Eye::Seat(seat);
        let retry = turn.map_or(Retry::Likely, |turn| Retry::Turn(turn.number as u32));
        match game.play_saying(mover, text, comment, retry).await {
            // As it was right after the move, so that a retry gets the same answer.
            Ok(played) => Ok((game.look_back(eye, played.number).await?, played)),
            Err(Refusal::Store(error)) => Err(error.into()),
            Err(refusal) => {
                let is_move = !is_action(text);
                if is_move && refusal.is_wrong_move() {
                    game.count_refused(mover).await;
                }
                let look = game.look(eye).await?;
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
        Scene {
            hall: &self.hall,
            look,
            seat,
            manner,
            has_apps: caller.has_apps(),
            is_invited: caller.opens_links(),
            site: self.pages.as_deref(),
        }
    }
}

/// A game as anybody may see it.
pub fn seen_by_all(look: &Look<Chess>) -> Value {
    let facts = ChessFacts::new(look, None, String::new());
    let mut facts = serde_json::to_value(facts).expect("facts can be written");
    facts["pgn"] = pgn(look, &[]).into();
    facts
}

/// Whether a game that goes by the caller's key is the one it asks for now.
fn is_planned(look: &Look<Chess>, seat: Seat, opponent: Option<Player>, setup: &Setup) -> bool {
    let at = |seat| look.seats.at(seat).map(|sitting| sitting.player);
    let met = match opponent {
        Some(player) => at(other(seat)) == Some(player),
        // Somebody may have joined since.
        None => at(other(seat)).is_none_or(|player| player == Player::Agent),
    };
    met && at(seat) == Some(Player::Agent) && *look.view.setup == *setup
}

pub fn other(seat: Seat) -> Seat {
    if seat == WHITE { BLACK } else { WHITE }
}

fn sitting(seat: Seat, player: Player, name: String, manner: Manner) -> SavedSeat {
    SavedSeat { name: plain_name(&name), manner: manner.write(), ..SavedSeat::new(seat, player) }
}
