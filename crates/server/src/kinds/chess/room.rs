//! How chess is told to those who play it with the tools of every game.

mod advice;
mod drawing;
pub mod facts;
mod hint;
mod manner;
pub mod page;
mod refusals;
pub mod wishes;
mod words;

use std::sync::Arc;

use async_trait::async_trait;
use chess_engine::EngineLevel;
use rmcp::model::{JsonObject, Tool};
use rules::{
    Ask, Eye, Kind, Rules, Seat,
    chess::{BLACK, Chess, Glimpse, Setup, WHITE, not_on_the_board, seat_of},
};
use serde_json::Value;

use self::{
    facts::{ChessFacts, SeenFacts},
    manner::{ChessManner, Ui},
    wishes::Wishes,
    words::Scene,
};
use super::{analyst::Analyst, facts::color, introduce, pgn::pgn};
use crate::{
    hall::{Game, Hall, Look, Move, Plan, Refusal, Retry, Seats, WrongKind},
    mcp::{
        McpService,
        arguments::describe,
        ask::{Action, CreateGame, FinishTurn, GameAction, GetGame, JoinGame, retry},
        caller::Caller,
        games::{Listed, idle, marks, moves},
        person::{must_be_asked, speaks_for},
        plain::{answers_like, of_one_game},
        refusals::Refused,
        reply::Reply,
        seating::{JoinedSeat, Seating},
        telling::{Playing, Telling},
    },
    player::{Player, plain_name},
    store::{ListedGame, SavedSeat, Whose},
};

/// The one thing beside the board that may come with a move.
const CLAIM_DRAW: &str = "claimDraw";

/// Chess, with whoever says what a position is worth.
pub struct ChessPlayed {
    pub analyst: Arc<Analyst>,
}

#[async_trait]
impl Playing for ChessPlayed {
    async fn create(
        &self,
        service: &McpService,
        kind: Kind,
        ask: CreateGame,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        let seating = Seating::of(&ask, kind, Chess::SEATS)?;
        let seat = seating.own;
        let player = seating.others.iter().find_map(|(_, player)| *player);
        let wishes = Wishes::read(ask.setup).map_err(|why| {
            Refused::new(format!("Error: {why}. Correct it and call createGame again."))
        })?;
        let seed = wishes.seed;
        let setup = wishes.over(Setup {
            fen: ask.fen,
            free_takebacks: matches!(player, Some(Player::Computer(_))),
            hints: ask.hints.unwrap_or_default(),
            typed_moves: (player == Some(Player::Human)).then_some(other(seat)),
            ..Setup::default()
        });
        let ui = match ask.show_ui {
            Some(true) => Ui::Always,
            Some(false) => Ui::Never,
            None => Ui::HumansTurn,
        };
        let manner = ChessManner { board: ask.board.0, ui, hints: setup.hints };
        let mut seats =
            vec![sitting(seat, Player::Agent, caller.called(&ask.name, &ask.model), manner)];
        seats.extend(player.map(|player| sitting(other(seat), player, String::new(), manner)));
        let plan = Plan::of::<Chess>(&setup, seats).seeded(seed);
        let created = seating.create(&service.hall, plan, ask.request_id, caller).await?;
        // As it was at the start: the computer may have moved since, and whoever plays black is
        // told to wait in any case.
        let look = created.game.look_back(Eye::Seat(seat), 0)?;
        let scene = scene(service, &look, Some(seat), caller);
        let invited = caller.invite(scene.link().as_deref()).await;
        let question = invited.question(created.key);
        Ok(Reply { question, ..scene.created(&invited) })
    }

    async fn join(
        &self,
        service: &McpService,
        (game, seated): (&Game, Option<Seat>),
        ask: JoinGame,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        let manner = ChessManner { board: ask.board.0, ui: Ui::Never, hints: ask.hints };
        let joined = ask.sit((game, seated), Chess::SEATS, &manner.write(), caller).await?;
        let Some(JoinedSeat { seat, is_old }) = joined else {
            return Err(refusals::full(&game.look(Eye::Public)?));
        };
        let look = game.look(Eye::Seat(seat))?;
        Ok(scene(service, &look, Some(seat), caller).joined(ask.hints, is_old))
    }

    async fn wait(
        &self,
        service: &McpService,
        (game, seat): (&Game, Seat),
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        if must_ask(game, seat, caller).await {
            let look = game.look(Eye::Seat(seat))?;
            let scene = scene(service, &look, Some(seat), caller);
            return Ok(Scene { asks: true, ..scene }.waited());
        }
        let wait = game.wait(seat, service.wait);
        let waited = caller.patiently("Waiting for the opponent's move", wait).await;
        let in_time = waited.ok_or_else(Refused::cancelled)??;
        let look = game.look(Eye::Seat(seat))?;
        let scene = scene(service, &look, Some(seat), caller);
        Ok(if in_time { scene.waited() } else { scene.timed_out() })
    }

    async fn finish(
        &self,
        service: &McpService,
        (game, seat): (&Game, Seat),
        ask: FinishTurn,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        // The rules know actions as moves too; a tool for moves does not resign for anybody.
        if let Some(why) = not_on_the_board(&ask.r#move) {
            let look = game.look(Eye::Seat(seat))?;
            if look.due.includes(seat) {
                game.count_refused(seat).await;
            }
            return Err(scene(service, &look, Some(seat), caller).refused(&why.into(), true));
        }
        let is_relayed = ask.is_relayed()?;
        let mover = if is_relayed { relayed_seat(service, game, seat, caller)? } else { seat };
        let (text, waits) = (ask.r#move.clone(), ask.wait);
        let read = text.clone();
        let on_board = Ask::of(move |chess: &Chess, seat| chess.on_board(seat, &read, is_relayed));
        let loose = game.view::<Chess>(Eye::Seat(mover))?.is_loose(&text);
        let mv = Move { loose, ..ask.at(mover, on_board) };
        let look = play(service, game, (seat, true), mv, caller).await?;
        let accepted = scene(service, &look, Some(seat), caller).moved(&text);
        if !waits || look.due.outcome().is_some() || look.due.includes(seat) {
            return Ok(accepted);
        }
        if must_ask(game, seat, caller).await {
            let scene = scene(service, &look, Some(seat), caller);
            return Ok(Scene { asks: true, ..scene }.moved(&text));
        }
        // The move is played, whether or not anybody waits for the reply.
        let wait = game.wait(seat, service.wait);
        match caller.patiently("Waiting for the opponent's move", wait).await {
            Some(Ok(true)) => {
                let now = game.look(Eye::Seat(seat))?;
                Ok(scene(service, &now, Some(seat), caller).replied(&look, &text))
            }
            Some(Ok(false) | Err(_)) | None => Ok(accepted),
        }
    }

    async fn get(
        &self,
        service: &McpService,
        (game, seat): (&Game, Option<Seat>),
        ask: GetGame,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        let look = game.look(Eye::Public)?;
        let scene = scene(service, &look, seat, caller);
        if !ask.hint {
            return Ok(scene.seen());
        }
        if look.due.outcome().is_none() {
            let hint = self.analyst.hint(&look, seat, caller.id()).await;
            return hint.map(|hint| scene.hinted(&hint)).map_err(|no| scene.unhinted(no));
        }
        let review = self.analyst.review(&look, 0..usize::MAX, caller.id());
        let review = caller.patiently("Evaluating the game", review).await;
        let review = review.ok_or_else(Refused::cancelled)?;
        review.map(|review| scene.reviewed(&review)).map_err(|no| scene.unhinted(no))
    }

    async fn act(
        &self,
        service: &McpService,
        (game, seat): (&Game, Seat),
        ask: GameAction,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        let action = ask.action.among(Chess::ACTIONS);
        let action = action.map_err(|no| Refused::argument(no, "gameAction"))?;
        if ask.r#move.is_some() && action != Action::Deed(CLAIM_DRAW) {
            let look = game.look(Eye::Seat(seat))?;
            return Err(scene(service, &look, Some(seat), caller).no_move_with_that());
        }
        match action {
            Action::Deed(action) => {
                let is_relayed = ask.by.is_some();
                let look = game.look(Eye::Seat(seat))?;
                let before = scene(service, &look, Some(seat), caller);
                let actor = if is_relayed { speaks_for(game, seat).await } else { Some(seat) };
                let actor = actor.ok_or_else(|| before.not_for_a_person())?;
                let named = ask.r#move.unwrap_or_default();
                let deed = rules::chess::action(action).expect("what is offered is known");
                let act = async |seat_of: Seat, retry| {
                    let with = named.clone();
                    let ask = move |chess: &Chess, seat| chess.beside_board(seat, deed, &with);
                    let mv = Move::new(seat_of, Ask::of(ask), retry);
                    let mv = Move { loose: look.view.is_loose(&named), ..mv };
                    play(service, game, (seat, false), mv, caller).await
                };
                let mut look = act(actor, retry(ask.turn)).await?;
                let asks_back = look.view.takeback_request.is_some_and(|by| seat_of(by) == actor);
                if is_relayed && action == "takeback" && asks_back {
                    // The agent has heard of the wish in the chat, so it agrees at once. A retry of
                    // the call finds this turn again.
                    look = act(seat, Retry::Turn(look.next)).await?;
                }
                let named = look.view.how_named(&named);
                let computer = look.asked.and_then(|asked| look.seats.at(asked));
                if computer.is_some_and(|asked| matches!(asked.player, Player::Computer(_))) {
                    // It answers at once.
                    let wait = game.wait(seat, service.wait);
                    if let Some(Ok(true)) = caller.patiently("Waiting for the answer", wait).await {
                        look = game.look(Eye::Seat(seat))?;
                    }
                }
                let who = (action, is_relayed);
                Ok(scene(service, &look, Some(seat), caller).acted(who, named))
            }
            Action::NewLink => {
                let look = game.look(Eye::Seat(seat))?;
                let person = scene(service, &look, Some(seat), caller).guest();
                let Some(person) = person else { return Err(refusals::nobody_to_link(look.id)) };
                // A client that was asked about a new link repeats its call.
                if caller.key.is_none() {
                    game.renew_link(person).await?;
                }
                let look = game.look(Eye::Seat(seat))?;
                let scene = scene(service, &look, Some(seat), caller);
                let invited = caller.invite(scene.link().as_deref()).await;
                let question = invited.question(look.id.to_string());
                Ok(Reply { question, ..scene.linked(&invited) })
            }
        }
    }
}

/// How chess is told beside its tools.
pub struct ChessTold;

#[async_trait]
impl Telling for ChessTold {
    fn listed(&self, service: &McpService, game: &ListedGame, whose: Whose) -> Option<Listed> {
        let glimpse: Glimpse = serde_json::from_str(game.glimpse.as_deref()?).ok()?;
        let taken: Seats = game.seats.iter().cloned().collect();
        let seats = [WHITE, BLACK];
        let place = service.place(game, &taken, seats.into_iter(), whose);
        let free = seats.iter().filter(|seat| taken.at(**seat).is_none());
        let free_seats: Vec<_> = free.map(|seat| color(*seat)).collect();
        let is_due = place.seat == Some(glimpse.to_move);
        let (status, next_action) = place.goes_on(is_due, !free_seats.is_empty());
        let last = glimpse.last.as_ref().map(|last| format!(", last {}", last.san));
        Some(Listed {
            game: Chess::KIND,
            game_id: game.id.to_string(),
            status,
            you: place.seat.map(color),
            players: seats.map(|seat| introduce(taken.at(seat))).to_vec(),
            to_move: Some(color(glimpse.to_move)),
            free_seats,
            about: format!(
                "{}{}{}",
                moves(glimpse.moves as u32),
                last.unwrap_or_default(),
                marks(game)
            ),
            turns: game.turns,
            idle_seconds: idle(game.last_at),
            next_action,
            pass: place.pass,
        })
    }

    fn levels(&self, _: &Kind) -> Vec<String> {
        EngineLevel::ALL.map(|level| format!("rated {}", level.rating())).into()
    }

    async fn read(&self, _: &Hall, game: &Game) -> Result<Value, WrongKind> {
        let look = game.look::<Chess>(Eye::Public)?;
        let facts = ChessFacts::new(&look, None, String::new());
        let mut facts = serde_json::to_value(facts).expect("facts can be written");
        facts["pgn"] = pgn(&look, &[]).into();
        Ok(facts)
    }
}

/// Speaks of the tools of every game in the words of chess.
pub fn dress(tool: &mut Tool) {
    match tool.name.as_ref() {
        "createGame" => {
            tool.title = Some("New chess game".into());
            tool.description = Some(
                "Starts a game of chess. Answers with the game id (public) and your pass (secret; \
                 send it as game_id from then on)."
                    .into(),
            );
            describe(tool, "color", "Yours; white moves first.");
            describe(tool, "difficulty", "The computer's: 1 is rated 328, 10 is rated 2760");
            describe(tool, "setup", "fen, pgn, variant, hints and more: gameRules tells.");
        }
        "joinGame" => {
            tool.title = Some("Join a chess game".into());
            tool.description = Some(
                "Takes the free seat in a game. Answers with your colour, your pass and the board."
                    .into(),
            );
        }
        "finishTurn" => describe(tool, "move", "UCI, like a7a8q, or SAN, like Nf3."),
        "getGame" => {
            tool.title = Some("Look at a chess game".into());
            tool.description = Some(
                "Board, history, legal moves and PGN of any game as it stands. Does not wait."
                    .into(),
            );
        }
        "gameRules" => of_one_game(tool),
        _ => {}
    }
    tool.output_schema = answers(&tool.name).or(tool.output_schema.take());
}

/// The output schema of a tool of every game in chess, if it is one.
pub fn answers(tool: &str) -> Option<Arc<JsonObject>> {
    answers_like::<SeenFacts>(tool, &[("fen", "string")])
}

/// The seat of the person whose moves the caller may relay, also while they have a board open: there
/// the move is marked as relayed, and they can take it back without asking.
fn relayed_seat(
    service: &McpService,
    game: &Game,
    own: Seat,
    caller: &Caller,
) -> Result<Seat, Refused> {
    let look = game.look::<Chess>(Eye::Seat(own))?;
    let person = look.seats.guest_of(own);
    let person = person.filter(|person| look.view.setup.typed_moves == Some(*person));
    person.ok_or_else(|| scene(service, &look, Some(own), caller).not_relayed())
}

/// Whether the person cannot play before the agent at `own` speaks to them.
async fn must_ask(game: &Game, own: Seat, caller: &Caller) -> bool {
    let has_board = |sitting: &SavedSeat| ChessManner::of(sitting).has_board(caller);
    must_be_asked(game, own, game.seats().at(own).is_some_and(has_board)).await
}

/// Plays on the board (`is_move`) or beside it, and shows it to `seat`; whether it was played by
/// this call.
async fn play(
    service: &McpService,
    game: &Game,
    (seat, is_move): (Seat, bool),
    mv: Move,
    caller: &Caller,
) -> Result<Look<Chess>, Refused> {
    let (eye, mover) = (Eye::Seat(seat), mv.seat);
    match game.play_seen::<Result<Look<Chess>, WrongKind>>(mv, eye).await {
        Ok(played) => Ok(played.seen?),
        Err(Refusal::Store(error)) => Err(error.into()),
        Err(refusal) => {
            if is_move && refusal.is_wrong_move() {
                game.count_refused(mover).await;
            }
            let look = game.look(eye)?;
            Err(scene(service, &look, Some(seat), caller).refused(&refusal, is_move))
        }
    }
}

fn scene<'a>(
    service: &'a McpService,
    look: &'a Look<Chess>,
    seat: Option<Seat>,
    caller: &'a Caller,
) -> Scene<'a> {
    let sitting = seat.and_then(|seat| look.seats.at(seat));
    let manner = sitting.map_or_else(ChessManner::default, ChessManner::of);
    let is_person = sitting.is_some_and(|sitting| sitting.player == Player::Human);
    let own = seat.filter(|_| !is_person);
    Scene {
        hall: &service.hall,
        look,
        seat,
        pass: own.map(|seat| service.hall.pass(look.id, &look.seats, seat)),
        manner,
        caller,
        site: service.pages.as_deref(),
        asks: false,
    }
}

pub fn other(seat: Seat) -> Seat {
    if seat == WHITE { BLACK } else { WHITE }
}

fn sitting(seat: Seat, player: Player, name: String, manner: ChessManner) -> SavedSeat {
    SavedSeat { name: plain_name(&name), manner: manner.write(), ..SavedSeat::new(seat, player) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratings_that_are_told_are_those_measured() {
        let mut tool = McpService::table_tools().map["createGame"].attr.clone();
        dress(&mut tool);
        let told = tool.input_schema["properties"]["difficulty"]["description"].to_string();
        for level in [EngineLevel::ALL[0], EngineLevel::ALL[9]] {
            assert!(told.contains(&level.rating().to_string()), "level {}", level.get());
        }
    }
}
