//! What is special about a kind of game: how it is told, who plays it for the computer, which room
//! it has. Most kinds need no folder here; they are told by their card.
//!
//! The hall, the tools and the pages know no kind: what they need to know is handed to them from
//! here.

pub mod chess;
pub mod dungeon;

use std::{collections::HashMap, num::NonZeroUsize, sync::Arc};

use rmcp::model::{JsonObject, Tool};
use rules::{Card, Key, Kind, Rules, chess::Chess, dungeon::Dungeon};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use self::chess::{
    analyst::Analyst,
    computer::find_program,
    engine::Engine,
    guest::NoSuchEngine,
    room::{ChessPlayed, ChessTold},
};
use crate::{
    budgets::Budgets,
    hall::{
        Computers,
        computer::{Minds, Programs, Thinkers},
    },
    limits::Limits,
    mcp::{
        McpService, apps,
        arguments::describe,
        ask::Action,
        plain,
        room::{self, Plays, Room},
        table,
        telling::{Playing, Telling, Tellings},
    },
    web::showing::Showings,
};

#[derive(clap::Args, Default)]
#[command(next_help_heading = "The computer")]
#[group(id = "computer")]
pub struct ComputerFlags {
    #[command(flatten)]
    pub house: HouseEngine,
    /// Number of games the computer thinks about at once [default: the number of cores minus one]
    #[arg(long, value_name = "N", env = "AGON_THINKERS", global = true)]
    thinkers: Option<NonZeroUsize>,
}

/// The engine of the house. In `agon league`, `--engine` is another: one that plays along.
#[derive(clap::Args, Default)]
pub struct HouseEngine {
    /// UCI engine that plays chess for the computer: a command or a path, followed by its arguments
    #[arg(long, value_name = "COMMAND", env = "AGON_ENGINE", help_heading = "The computer")]
    engine: Option<String>,
}

impl HouseEngine {
    /// This one, or else the other.
    pub fn or(self, other: HouseEngine) -> HouseEngine {
        HouseEngine { engine: self.engine.or(other.engine) }
    }
}

/// Everything that the kinds bring along.
pub struct Kinds {
    pub computers: Computers,
    pub tellings: Tellings,
    pub showings: Showings,
}

impl Kinds {
    /// Until `stop`. The engine asked for must be there.
    pub fn new(
        flags: &ComputerFlags,
        limits: &Limits,
        budgets: Budgets,
        stop: CancellationToken,
    ) -> Result<Kinds, NoSuchEngine> {
        let thinkers = Thinkers::new(flags.thinkers, limits, stop);
        let engine = Engine::new(thinkers.clone(), flags.house.engine.as_deref())?;
        let analyst = Arc::new(Analyst::new(engine.clone(), budgets));
        let programs = Programs::from([(Chess::KIND, find_program(engine.clone()))]);
        let minds = Minds::from([(Chess::KIND, Box::new(engine) as _)]);
        let tellings: [(_, Box<dyn Telling>); 2] = [
            (Chess::KIND, Box::new(ChessTold)),
            (Dungeon::KIND, Box::new(dungeon::room::DungeonTold)),
        ];
        let played: [(_, Box<dyn Playing>); 1] =
            [(Chess::KIND, Box::new(ChessPlayed { analyst: analyst.clone() }))];
        Ok(Kinds {
            computers: Computers::new(thinkers, minds, programs),
            tellings: Tellings::new(
                Kind::of::<Chess>(),
                HashMap::from(tellings),
                HashMap::from(played),
                &[&apps::BOARD, &chess::BOARD],
            ),
            showings: Showings {
                own: vec![chess::pages::pages(), dungeon::pages::pages()],
                levels: chess::pages::levels(),
                routes: chess::pages::routes(&analyst).merge(dungeon::pages::routes()),
            },
        })
    }
}

/// The rooms that `--rooms` can name, in the order in which they are offered.
pub const ROOMS: [&str; 5] = ["chess", "games", "dungeon", "league", "referee"];

/// Every room.
pub fn rooms() -> Vec<Room> {
    let [league, referee] = room::of_leagues();
    vec![chess::room(), games(), dungeon::room(), league, referee]
}

/// Where every game is played.
fn games() -> Room {
    Room {
        name: "games",
        instructions: "Other games: gameRules tells which there are and how they go; \
                       createGame(game=...) starts one. The rest is as in chess; send the turn \
                       that an answer names."
            .into(),
        picture: BOARD,
        prompt: None,
        tools: || McpService::table_tools() + McpService::games_tools() + McpService::plain_tools(),
        dress: Some(Arc::new(widen)),
        plays: Plays::Anything,
        lists: table::kinds().map(|(kind, _)| kind.name).collect(),
        begins: Some("one with createGame"),
        resource: None,
        board: Some(&apps::BOARD),
    }
}

const BOARD: &str = "M4 4h16v16H4zM8 8h3v3H8zM13 13h3v3h-3z";

/// Speaks of the tools as they are in every game, and says what is for chess alone.
fn widen(tool: &mut Tool) {
    let answers = chess::room::answers(&tool.name).zip(plain::answers(&tool.name));
    if let Some((in_chess, elsewhere)) = answers {
        tool.output_schema = Some(Arc::new(either(&in_chess, &elsewhere)));
    }
    match tool.name.as_ref() {
        "createGame" => {
            // Some hosts find a tool by the words of its description alone.
            let names = table::kinds().map(|(_, card)| called(card)).collect::<Vec<_>>().join(", ");
            tool.description = Some(
                format!(
                    "Starts a game: {names}, rock paper scissors (a matrix game). Answers with the \
                     game id (public) and your pass (secret; send it as game_id from then on)."
                )
                .into(),
            );
            let seat = "Your colour. In games without colours, white means the first seat";
            describe(tool, "color", seat);
            describe(tool, "difficulty", "The computer's; 10 is its best");
            describe(tool, "board", "Chess: how it is drawn; fen is the shortest.");
            describe(
                tool,
                "setup",
                "As gameRules tells; chess: fen, pgn, variant (chess960), hints, ...",
            );
            let schema = Arc::make_mut(&mut tool.input_schema);
            // The opponent may be left out.
            schema.remove("required");
            let Some(properties) = schema.get_mut("properties") else { return };
            properties["type"]["default"] = json!("computer");
            properties["game"] = json!({
                "type": "string", "description": "Which one", "default": Chess::KIND,
            });
            properties["seats"] = guest_list("color");
        }
        "joinGame" => {
            describe(tool, "board", "Chess.");
            describe(tool, "hints", "Chess: agree to hints, where offered.");
            let schema = Arc::make_mut(&mut tool.input_schema);
            let Some(properties) = schema.get_mut("properties") else { return };
            properties["seat"] = json!({ "type": "string", "description": "By its name." });
        }
        "finishTurn" => {
            describe(
                tool,
                "move",
                "As the game writes it; chess: UCI, like a7a8q, or SAN, like Nf3.",
            );
            let claim =
                "Assert that this move wins (chess: checkmate); otherwise the move is rejected.";
            describe(tool, "claim_win", claim);
        }
        "getGame" => {
            let hint = "Chess: also evaluate, where hints are on or it is over.";
            describe(tool, "hint", hint);
        }
        "gameAction" => {
            tool.description = Some(
                "Resigns, where two play. Chess: also offers, accepts, declines or claims a draw, \
                 asks for a takeback or agrees to one. With by=human it does so for the person. \
                 newLink creates a new link for the person and revokes the old one."
                    .into(),
            );
        }
        _ => {}
    }
}

/// All names of a game: `Othello (reversi)`.
fn called(card: &Card) -> String {
    let title = card.title.to_lowercase();
    let others = card.also_called.iter().copied().filter(|name| !title.contains(name));
    let others = others.collect::<Vec<_>>().join(", ");
    if others.is_empty() { card.title.to_owned() } else { format!("{} ({others})", card.title) }
}

/// How a table is filled in order. With it, whoever knows no more can do all that `seat` does, which
/// is not listed beside it: ten arguments are as many as a model should read.
fn guest_list(seat: &str) -> Value {
    let about = format!(
        "Who sits where, in order, instead of type and {seat}: me, computer 3, agent, human."
    );
    json!({ "type": "array", "items": { "type": "string" }, "description": about })
}

/// The parts of an output schema that hold for answers of either form.
fn either(one: &JsonObject, other: &JsonObject) -> JsonObject {
    let empty = JsonObject::new();
    let properties = |schema: &JsonObject| {
        schema.get("properties").and_then(Value::as_object).unwrap_or(&empty).clone()
    };
    let mut both = properties(one);
    for (name, theirs) in properties(other) {
        match both.get_mut(&name).and_then(Value::as_object_mut) {
            // Only what both say of it.
            Some(ours) => ours.retain(|key, value| theirs.get(key) == Some(value)),
            None => {
                both.insert(name, theirs);
            }
        }
    }
    let required = |schema: &JsonObject| {
        schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let theirs = required(other);
    let required: Vec<_> = required(one).into_iter().filter(|name| theirs.contains(name)).collect();
    JsonObject::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), Value::Object(both)),
        ("required".to_owned(), Value::Array(required)),
    ])
}

/// Rooms in which one kind alone is played that has no other room.
pub fn rooms_of_one_kind() -> Vec<Room> {
    let own: Vec<_> = rooms().into_iter().map(|room| room.name).collect();
    let others = table::kinds().filter(|(kind, _)| !own.contains(&kind.name));
    others.map(|(kind, card)| of_one_kind(kind, card)).collect()
}

fn of_one_kind(kind: Kind, card: &'static Card) -> Room {
    Room {
        name: kind.name,
        instructions: format!(
            "{}: {} Start with createGame, or joinGame if you were given a game id; gameRules \
             tells how it goes. Every answer ends with the next action; follow it, and send the \
             turn that it names. Keep your pass to yourself, and send it as game_id.",
            card.title, card.sentence
        ),
        dress: Some(Arc::new(move |tool: &mut Tool| narrow(kind, card, tool))),
        plays: Plays::Only(kind),
        lists: vec![kind.name],
        resource: Some(card.title),
        ..games()
    }
}

/// Speaks of the tools in the words of one kind.
fn narrow(kind: Kind, card: &'static Card, tool: &mut Tool) {
    tool.output_schema = plain::answers(&tool.name).or(tool.output_schema.take());
    let properties = Arc::make_mut(&mut tool.input_schema).get_mut("properties");
    let properties = properties.and_then(|properties| properties.as_object_mut());
    let Some(properties) = properties else { return };
    for of_chess in ["color", "board", "hints", "hint"] {
        properties.remove(of_chess);
    }
    match tool.name.as_ref() {
        "createGame" => {
            properties.insert("seat".into(), json!({ "type": "string", "enum": kind.seats }));
            if kind.seats.len() > 2 {
                properties.insert("seats".into(), guest_list("seat"));
            }
            properties["type"]["default"] = json!("computer");
            match card.keys {
                [] => {
                    properties.remove("setup");
                }
                keys => {
                    let keys: Vec<_> = keys.iter().map(Key::to_string).collect();
                    describe(tool, "setup", &keys.join("; "));
                }
            }
            Arc::make_mut(&mut tool.input_schema).remove("required");
            tool.title = Some(format!("New game of {}", card.title.to_lowercase()));
            tool.description = Some(
                format!(
                    "Starts a game. {} Answers with the game id (public) and your pass (secret; \
                     send it as game_id from then on).",
                    card.sentence
                )
                .into(),
            );
        }
        "joinGame" => {
            properties.insert("seat".into(), json!({ "type": "string", "enum": kind.seats }));
            tool.description =
                Some("Takes a free seat in a game. Answers with your seat and your pass.".into());
        }
        "finishTurn" => {
            // Where something is hidden or drawn, a claim that fails would tell it.
            if !card.is_open() {
                properties.remove("claim_win");
                properties.remove("by");
            }
            describe(tool, "claim_win", "Claim that it wins; if not, nothing is played.");
            describe(tool, "move", card.moves);
        }
        "getGame" => {
            tool.description = Some("Any game as it stands, and your moves. Does not wait.".into());
        }
        "gameAction" => {
            let resigns = match kind.seats.len() {
                2 => "Resigns",
                _ => "Resigns, where two play",
            };
            tool.title = Some("Resign".into());
            tool.description = Some(
                format!(
                    "{resigns}, for the person with by=human; newLink creates a new link for the \
                     person and revokes the old one."
                )
                .into(),
            );
            properties.remove("move");
            let actions: Vec<_> = kind.actions().iter().chain(&[Action::NEW_LINK]).collect();
            properties.insert("action".into(), json!({ "type": "string", "enum": actions }));
        }
        "gameRules" => plain::of_one_game(tool),
        _ => {}
    }
}
