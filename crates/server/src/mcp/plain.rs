//! Games that need no room of their own: what the tools say of any kind that has a card.
//!
//! The tools are the chess room's; a game of another kind is told here. Nothing in this file knows
//! a kind: what there is to say comes from its card, its view and the moves it offers.

mod scene;

use std::sync::Arc;

use rmcp::{
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    model::Tool,
    tool, tool_router,
};
use rules::{Card, Eye, Illegal, Kind, Rules, Seat, Tag, chess::Chess, quoted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use self::scene::Scene;
use super::{
    Desk, Room,
    caller::Caller,
    reply::{Refused, Reply},
};
use crate::{
    hall::{CreateError, Game, Plan, Refusal, Retry},
    player::{Player, plain_name},
    store::{Hashed, SavedSeat},
};

/// A game of any kind that is to be, as its creator asks for it.
pub struct Wish<'a> {
    pub opponent: Option<Player>,
    pub seat: Option<&'a str>,
    pub name: String,
    pub setup: Map<String, Value>,
    pub request: Option<String>,
}

/// A move as its player asks for it.
pub struct Ask<'a> {
    pub text: &'a str,
    pub comment: Option<&'a str>,
    pub turn: Option<u32>,
    pub wait: bool,
}

/// The kinds that anybody may sit down to with these tools, in the order in which they are listed.
pub fn kinds() -> impl Iterator<Item = (Kind, Card)> {
    let carded = rules::KINDS.iter().filter_map(|kind| Some((*kind, kind.card?)));
    carded.filter(|(_, card)| !card.has(Tag::Solo))
}

/// Those that have no room of their own.
pub fn others() -> impl Iterator<Item = (Kind, Card)> {
    kinds().filter(|(kind, _)| kind.name != Chess::KIND)
}

/// The kind of that name, or which there are.
pub fn kind(name: &str) -> Result<Kind, Refused> {
    let wanted = plain_name(name).to_lowercase().replace([' ', '_'], "-");
    let found = kinds().find(|(kind, card)| {
        kind.name == wanted || card.title.to_lowercase().replace(' ', "-") == wanted
    });
    found.map(|(kind, _)| kind).ok_or_else(|| {
        let names: Vec<_> = kinds().map(|(kind, _)| kind.name).collect();
        Refused::new(format!(
            "Error: no game is called {:?} here; there are {}. Nothing was created. gameRules \
             tells how each goes.",
            plain_name(name),
            names.join(", ")
        ))
    })
}

#[derive(Deserialize, JsonSchema)]
struct GameRules {
    /// One of them; all if left out.
    #[serde(default)]
    #[schemars(with = "String")]
    game: Option<String>,
}

/// What is told of the games there are.
#[derive(Serialize, JsonSchema)]
struct Cards {
    kinds: Vec<CardFacts>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct CardFacts {
    game: &'static str,
    title: &'static str,
    about: &'static str,
    /// Told when one game is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    rules: Option<&'static str>,
    /// How a move is written.
    moves: &'static str,
    seats: Vec<&'static str>,
    /// Keys of createGame's setup.
    setup: Vec<String>,
}

impl CardFacts {
    fn of(kind: Kind, card: Card, rules: bool) -> CardFacts {
        CardFacts {
            game: kind.name,
            title: card.title,
            about: card.sentence,
            rules: rules.then_some(card.rules),
            moves: card.moves,
            seats: kind.seats.to_vec(),
            setup: card.keys.iter().map(|key| format!("{}: {}", key.name, key.about)).collect(),
        }
    }

    fn told(&self) -> String {
        let mut text = format!("- {}: {}", self.game, self.about);
        if let Some(rules) = self.rules {
            let seats = self.seats.join(", ");
            text += &format!("\n  Rules: {rules}\n  A move: {}\n  Seats: {seats}", self.moves);
        }
        if self.rules.is_some() && !self.setup.is_empty() {
            text += &format!("\n  setup: {}", self.setup.join("; "));
        }
        text
    }
}

#[tool_router(router = plain_router)]
impl Desk {
    #[tool(
        name = "gameRules",
        title = "Games and their rules",
        description = "Which games there are; with game, its rules, how a move is written, its \
            seats and set-up.",
        output_schema = rmcp::handler::server::tool::schema_for_output::<Cards>(),
        annotations(
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn game_rules(&self, Parameters(ask): Parameters<GameRules>) -> Result<Reply, Refused> {
        let one = ask.game.map(|name| kind(&name)).transpose()?;
        let is_asked = |kind: &Kind| one.is_none_or(|one| one.name == kind.name);
        let told = kinds().filter(|(kind, _)| is_asked(kind));
        let told = told.map(|(kind, card)| CardFacts::of(kind, card, one.is_some()));
        let cards = Cards { kinds: told.collect() };
        let mut text: Vec<_> = cards.kinds.iter().map(CardFacts::told).collect();
        text.push(match one {
            Some(kind) => {
                format!("**Next Action**: call `createGame(type, game=\"{}\")`", kind.name)
            }
            None => "**Next Action**: call `gameRules(game)` for one of them".into(),
        });
        let facts = serde_json::to_value(&cards).expect("cards can be written");
        Ok(Reply::new(text.join("\n"), facts))
    }
}

impl Desk {
    pub(super) fn plain_tools() -> ToolRouter<Desk> {
        Desk::plain_router()
    }

    pub(super) async fn create_plain(
        &self,
        kind: Kind,
        wish: Wish<'_>,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        if wish.opponent == Some(Player::Human) {
            return Err(Refused::new(format!(
                "Error: people play chess here so far, not {}; type is computer or agent. Nothing \
                 was created.",
                kind.name
            )));
        }
        let seat = wish.seat.map_or(Ok(Seat(0)), |name| named_seat(kind.seats, name))?;
        let sits = |seat, player, name: &str| SavedSeat {
            name: plain_name(name),
            ..SavedSeat::new(seat, player)
        };
        let mut seats = vec![sits(seat, Player::Agent, &wish.name)];
        let others = (0..kind.seats.len() as u8).map(Seat).filter(|other| *other != seat);
        seats.extend(
            wish.opponent
                .into_iter()
                .flat_map(|player| others.clone().map(move |other| sits(other, player, ""))),
        );
        let known =
            |name: &str| kind.card.is_some_and(|card| card.keys.iter().any(|key| key.name == name));
        if let Some(key) = wish.setup.keys().find(|key| !known(key)) {
            let why = format!("the set-up has no key {}", quoted(key));
            return Err(not_set_up(kind, &Illegal::set_up(why)));
        }
        let setup = Value::Object(wish.setup).to_string();
        let name = wish.request.map(|key| caller.request_key("createGame", &key));
        let connection = caller.connection.map(|connection| (connection, seat));
        let plan =
            Plan { connection, name, by: caller.origin(), ..Plan::new(kind, setup.clone(), seats) };
        let game = self.hall.create(plan).await.map_err(|error| match error {
            CreateError::Setup(why) => not_set_up(kind, &why),
            error => error.into(),
        })?;
        let sight = game.see_back(Eye::Seat(seat), 0).await;
        let is_planned = game.kind().name == kind.name && game.setup().await == setup;
        if name.is_some() && !is_planned {
            return Err(scene::another_game(game.id()));
        }
        Ok(self.plain_scene(&sight, Some(seat)).created())
    }

    pub(super) async fn join_plain(
        &self,
        game: &Game,
        seated: Option<Seat>,
        wanted: Option<&str>,
        name: String,
        keys: Vec<Hashed>,
    ) -> Result<Reply, Refused> {
        game.refresh().await;
        let sight = game.see(Eye::Public).await;
        let wanted = wanted.map(|name| named_seat(sight.names, name)).transpose()?;
        let is_wanted = |seat: &Seat| wanted.is_none_or(|wanted| wanted == *seat);
        if let Some(seat) = seated.filter(is_wanted) {
            let sight = game.see(Eye::Seat(seat)).await;
            return Ok(self.plain_scene(&sight, Some(seat)).joined(true));
        }
        let open = game.open_seat().await;
        let mut free = sight.all_seats().filter(|seat| {
            is_wanted(seat) && (sight.seats.at(*seat).is_none() || open == Some(*seat))
        });
        let Some(seat) = free.next() else { return Err(scene::full(&sight)) };
        let sitting = SavedSeat { name: plain_name(&name), ..SavedSeat::new(seat, Player::Agent) };
        if !game.sit(sitting, keys).await? {
            return Err(scene::full(&sight));
        }
        let sight = game.see(Eye::Seat(seat)).await;
        Ok(self.plain_scene(&sight, Some(seat)).joined(false))
    }

    pub(super) async fn wait_plain(
        &self,
        game: &Game,
        seat: Seat,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        let wait = game.wait(seat, self.wait);
        let waited = caller.patiently("Waiting for the others", wait).await;
        let in_time = waited.ok_or_else(Refused::cancelled)??;
        let sight = game.see(Eye::Seat(seat)).await;
        let scene = self.plain_scene(&sight, Some(seat));
        Ok(if in_time { scene.waited() } else { scene.timed_out() })
    }

    pub(super) async fn finish_plain(
        &self,
        game: &Arc<Game>,
        seat: Seat,
        ask: Ask<'_>,
        caller: &Caller,
    ) -> Result<Reply, Refused> {
        let retry = ask.turn.map_or(Retry::Likely, Retry::Turn);
        let played = match game.play_saying(seat, ask.text, ask.comment, retry).await {
            Ok(played) => played,
            Err(Refusal::Store(error)) => return Err(error.into()),
            Err(refusal) => {
                if refusal.is_wrong_move() {
                    game.count_refused(seat).await;
                }
                let sight = game.see(Eye::Seat(seat)).await;
                return Err(self.plain_scene(&sight, Some(seat)).refused(&refusal));
            }
        };
        let then = game.see_back(Eye::Seat(seat), played.number).await;
        let accepted = self.plain_scene(&then, Some(seat)).moved(played.number);
        if !ask.wait || then.outcome().is_some() || then.due.includes(seat) {
            return Ok(accepted);
        }
        // The move is played, whether or not anybody waits for what comes of it.
        match caller.patiently("Waiting for the others", game.wait(seat, self.wait)).await {
            Some(Ok(true)) => {
                let now = game.see(Eye::Seat(seat)).await;
                Ok(self.plain_scene(&now, Some(seat)).moved(played.number))
            }
            Some(Ok(false) | Err(_)) | None => Ok(accepted),
        }
    }

    pub(super) async fn get_plain(&self, game: &Game, seat: Option<Seat>) -> Reply {
        let sight = game.see(seat.map_or(Eye::Public, Eye::Seat)).await;
        self.plain_scene(&sight, seat).seen()
    }

    /// The kind that a caller asks for, if it is another than chess.
    pub(super) fn other_kind(&self, name: Option<&str>) -> Result<Option<Kind>, Refused> {
        let Some(name) = name else { return Ok(None) };
        if self.rooms.contains(&Room::Games) {
            return Ok(Some(kind(name)?).filter(|kind| kind.name != Chess::KIND));
        }
        match name.trim().eq_ignore_ascii_case(Chess::KIND) {
            true => Ok(None),
            false => Err(Refused::new(
                "Error: chess alone is played here; /games/mcp offers every game. Nothing was \
                 created.",
            )),
        }
    }

    fn plain_scene<'a>(&'a self, sight: &'a crate::hall::Sight, seat: Option<Seat>) -> Scene<'a> {
        Scene { hall: &self.hall, sight, seat }
    }
}

/// The seat of that name, or which there are.
fn named_seat(names: &[&str], wanted: &str) -> Result<Seat, Refused> {
    let wanted = wanted.trim().to_lowercase();
    let found = names.iter().position(|name| name.to_lowercase() == wanted);
    found.map(|at| Seat(at as u8)).ok_or_else(|| {
        Refused::new(format!(
            "Error: seat must be one of {}, not {:?}. Nothing was done.",
            names.join(", "),
            plain_name(&wanted)
        ))
    })
}

/// Whether a game is told here: it is none that has words of its own.
pub fn tells(game: &Game) -> bool {
    others().any(|(kind, _)| kind.name == game.kind().name)
}

pub fn no_action(game: &Game) -> Refused {
    Refused::new(format!(
        "Error: there is nothing to do in {} but to move; call finishTurn. Nothing has changed.",
        game.kind().name
    ))
}

/// Tells of the other games in tools that are known from chess.
pub fn widen(tool: &mut Tool) {
    // Only chess has one.
    let required = tool.output_schema.as_mut().map(Arc::make_mut);
    let required = required.and_then(|schema| schema.get_mut("required")?.as_array_mut());
    if let Some(required) = required {
        required.retain(|name| name != "fen");
    }
    let schema = Arc::make_mut(&mut tool.input_schema);
    let Some(properties) = schema.get_mut("properties") else { return };
    match tool.name.as_ref() {
        "createGame" => {
            tool.title = Some("New game".into());
            tool.description = Some(
                "Starts a game: chess, or another that gameRules tells of. Answers with the game \
                 id (public) and your pass (secret; send it as game_id from then on)."
                    .into(),
            );
            properties["game"] = json!({ "type": "string", "default": Chess::KIND });
            properties["seat"] =
                json!({ "type": "string", "description": "Instead of color, in other games." });
        }
        "finishTurn" => {
            properties["move"]["description"] =
                "As the game writes it; chess: UCI, like a7a8q, or SAN, like Nf3.".into();
        }
        "joinGame" => tool.title = Some("Join a game".into()),
        "getGame" => tool.title = Some("Look at a game".into()),
        _ => {}
    }
}

/// Why a set-up did not do.
fn not_set_up(kind: Kind, why: &Illegal) -> Refused {
    let keys = kind.card.map_or(&[][..], |card| card.keys);
    let keys: Vec<_> = keys.iter().map(|key| format!("{}: {}", key.name, key.about)).collect();
    let known = match keys.as_slice() {
        [] => "It takes no set-up.".to_owned(),
        keys => format!("Its set-up: {}.", keys.join("; ")),
    };
    Refused::new(format!("Error: no game was created: {why}. {known}"))
}
