//! Games that need no words of their own: what the tools say of any kind that has a card, and
//! `gameRules`, which tells the cards.
//!
//! Nothing here knows a kind: what there is to say comes from its card, its view and the moves it
//! offers.

mod board;
mod facts;
mod scene;

use std::{iter, sync::Arc};

use players::Strength;
use rmcp::{
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    model::Tool,
    tool, tool_router,
};
use rules::{Ask, Card, Eye, Glimpse, Key, Kind, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::facts::{TurnFacts, answers, answers_like};
use self::{
    board::{
        BoardManner, Screen, person_link, with_board, with_board_and_past, with_invitation,
        with_link,
    },
    scene::PlainScene,
};
use super::{
    McpService,
    ask::{Action, BoardStyle, CreateGame, FinishTurn, GameAction, GetGame, JoinGame, retry},
    caller::Caller,
    games::{Listed, idle, marks, moves},
    person::{must_be_asked, speaks_for},
    refusals::Refused,
    reply::Reply,
    seating::{JoinedSeat, Seating, not_set_up},
    table::kinds,
};
use crate::{
    hall::{Game, Hall, Move, Plan, Refusal, Seats, Sight, describe},
    player::{Player, plain_name},
    setting_up::{SetUp, set_up},
    store::{ListedGame, SavedSeat, Whose},
};

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
    /// As many as there can be.
    seats: Vec<&'static str>,
    /// The fewest who can play.
    fewest: usize,
    /// Keys of createGame's setup.
    setup: Vec<String>,
    /// How strong the computer is at difficulty 1, 2 and so on; asked for more, it is the last.
    levels: Vec<String>,
}

impl CardFacts {
    fn of(kind: Kind, card: &'static Card, rules: bool, levels: Vec<String>) -> CardFacts {
        CardFacts {
            game: kind.name,
            title: card.title,
            about: card.sentence,
            rules: rules.then_some(card.rules),
            moves: card.moves,
            seats: kind.seats.to_vec(),
            fewest: card.fewest.into(),
            setup: kind.choices().map(Key::to_string).collect(),
            levels,
        }
    }

    fn told(&self) -> String {
        let mut text = format!("- {}: {}", self.game, self.about);
        if let Some(rules) = self.rules {
            let names = self.seats.join(", ");
            let (fewest, most) = (self.fewest, self.seats.len());
            let seats =
                if fewest < most { format!("{fewest} to {most} of {names}") } else { names };
            text += &format!("\n  Rules: {rules}\n  A move: {}\n  Seats: {seats}", self.moves);
            if most > 2 {
                text += &format!("; {} says who has which, in order", self.table());
            }
        }
        if self.rules.is_some() && !self.setup.is_empty() {
            text += &format!("\n  setup: {}", self.setup.join("; "));
        }
        if let ([first, .., last], Some(_)) = (self.levels.as_slice(), self.rules) {
            let most = self.levels.len();
            text += &format!("\n  Computer: difficulty 1 ({first}) to {most} ({last})");
        }
        text
    }

    /// A call that seats one of each sort of players.
    fn table(&self) -> String {
        let guests = ["me", "computer 3", "agent", "human"];
        let number = guests.len().clamp(self.fewest, self.seats.len());
        let guests: Vec<_> = guests.into_iter().chain(iter::repeat("agent")).take(number).collect();
        let guests = serde_json::to_string(&guests).expect("names can be written");
        format!("`createGame(game={:?}, seats={})`", self.game, guests.replace(',', ", "))
    }
}

/// How strong the computer is at each level of a kind; none where that was not measured.
pub fn levels(kind: &Kind) -> Vec<String> {
    let levels = players::levels(kind.name).map(|level| players::strength(kind, level));
    let levels: Vec<_> = levels.collect();
    let is_known = levels.iter().any(|strength| *strength != Strength::Unknown);
    if is_known { levels.iter().map(Strength::to_string).collect() } else { Vec::new() }
}

#[tool_router(router = plain_router)]
impl McpService {
    #[tool(
        name = "gameRules",
        title = "Games and their rules",
        description = "Which games there are; with game, its rules, how a move is written, its \
            seats and set-up.",
        output_schema = rmcp::handler::server::tool::schema_for_output::<Cards>(),
        annotations(read_only_hint = true)
    )]
    async fn game_rules(&self, Parameters(ask): Parameters<GameRules>) -> Result<Reply, Refused> {
        let one = match ask.game {
            Some(name) => Some(self.kind_named(&name).map_err(Refused::new)?),
            None => self.only_kind(),
        };
        let is_asked = |kind: &Kind| one.is_none_or(|one| one.name == kind.name);
        let told = kinds().filter(|(kind, _)| is_asked(kind));
        let told = told.map(|(kind, card)| {
            let levels = self.tellings.of(kind.name).levels(&kind);
            CardFacts::of(kind, card, one.is_some(), levels)
        });
        let cards = Cards { kinds: told.collect() };
        let mut text: Vec<_> = cards.kinds.iter().map(CardFacts::told).collect();
        text.push(match one {
            Some(_) if self.only_kind().is_some() => "**Next Action**: call `createGame`".into(),
            Some(kind) => {
                format!("**Next Action**: call `createGame(game=\"{}\")`", kind.name)
            }
            None => "**Next Action**: call `gameRules(game)` for one of them".into(),
        });
        let facts = serde_json::to_value(&cards).expect("cards can be written");
        Ok(Reply::new(text.join("\n"), facts))
    }
}

impl McpService {
    pub fn plain_tools() -> ToolRouter<McpService> {
        McpService::plain_router()
    }
}

/// Speaks of `gameRules` as it is where one game alone is played: there is none to choose.
pub fn of_one_game(rules: &mut Tool) {
    rules.title = Some("Rules".into());
    rules.description = Some("The rules, and what setup takes.".into());
    Arc::make_mut(&mut rules.input_schema).insert("properties".into(), Map::new().into());
}

pub async fn create(
    service: &McpService,
    kind: Kind,
    ask: CreateGame,
    caller: &Caller,
) -> Result<Reply, Refused> {
    means_something(
        kind,
        &[
            ("fen", ask.fen.is_some()),
            ("hints", ask.hints == Some(true)),
            ("board", ask.board.0 != BoardStyle::Table),
        ],
    )?;
    let SetUp { text: setup, names, seed } =
        set_up(kind, wishes(kind, &ask)).map_err(|why| not_set_up(kind, &why))?;
    let seating = Seating::of(&ask, kind, names)?;
    let (seat, is_person) = (seating.own, seating.has_person());
    let name = plain_name(&caller.called(&ask.name, &ask.model));
    let manner = Screen::wanted(ask.show_ui, is_person).write();
    let mut seats = vec![SavedSeat { name, manner, ..SavedSeat::new(seat, Player::Agent) }];
    let others = seating.others.iter();
    seats.extend(others.filter_map(|(seat, player)| Some(board::asked(*seat, (*player)?))));
    let plan = Plan::new(kind, setup, seats).seeded(seed);
    let created = seating.create(&service.hall, plan, ask.request_id, caller).await?;
    let game = created.game;
    let sight = game.see_back(Eye::Seat(seat), 0);
    let invited = caller.invite(person_link(service, &sight, seat).as_deref()).await;
    let told = scene(service, &sight, Some(seat)).created(invited.told());
    let reply = with_invitation(service, told, (&game, seat), sight, caller, &invited);
    Ok(Reply { question: invited.question(created.key), ignored: seating.notes, ..reply })
}

pub async fn join(
    service: &McpService,
    (game, seated): (&Game, Option<Seat>),
    ask: JoinGame,
    caller: &Caller,
) -> Result<Reply, Refused> {
    let sight = game.see(Eye::Public);
    means_something(
        sight.kind,
        &[("hints", ask.hints), ("board", ask.board.0 != BoardStyle::Table)],
    )?;
    // The creator of a game sits in it; where nobody does, a referee plays for others.
    if sight.seats.iter().next().is_none() {
        return Err(scene::refereed(&sight));
    }
    let joined = ask.sit((game, seated), sight.names, "", caller).await?;
    let Some(JoinedSeat { seat, is_old }) = joined else {
        return Err(scene::full(&game.see(Eye::Public), ask.wanted_seat(sight.names)?));
    };
    let sight = game.see(Eye::Seat(seat));
    let joined = scene(service, &sight, Some(seat)).joined(is_old);
    Ok(with_board(service, joined, (game, Some(seat)), sight, caller))
}

pub async fn wait(
    service: &McpService,
    (game, seat): (&Game, Seat),
    caller: &Caller,
) -> Result<Reply, Refused> {
    let asks = must_ask(game, seat, caller).await;
    let in_time = if asks {
        true
    } else {
        let wait = game.wait(seat, service.wait);
        let waited = caller.patiently("Waiting for the others", wait).await;
        waited.ok_or_else(Refused::cancelled)??
    };
    let sight = game.see(Eye::Seat(seat));
    let scene = PlainScene { asks, ..scene(service, &sight, Some(seat)) };
    let waited = if in_time { scene.waited() } else { scene.timed_out() };
    let waited = with_link_if(asks, service, waited, &sight, seat);
    Ok(with_board(service, waited, (game, Some(seat)), sight, caller))
}

pub async fn finish(
    service: &McpService,
    (game, seat): (&Game, Seat),
    ask: FinishTurn,
    caller: &Caller,
) -> Result<Reply, Refused> {
    let is_relayed = ask.is_relayed()?;
    let mover = if is_relayed { relayed_seat(service, game, seat).await? } else { seat };
    let (text, waits) = (ask.r#move.clone(), ask.wait);
    let mv = ask.at(mover, &text);
    let played = match game.play_seen::<Sight>(mv, Eye::Seat(seat)).await {
        Ok(played) => played,
        Err(Refusal::Store(error)) => return Err(error.into()),
        Err(refusal) => {
            if refusal.is_wrong_move() {
                game.count_refused(mover).await;
            }
            let sight = game.see(Eye::Seat(seat));
            let scene = scene(service, &sight, Some(seat));
            let is_meant = |action: &&str| action.eq_ignore_ascii_case(text.trim());
            return Err(match sight.actions.iter().find(|action| is_meant(action)) {
                // The game knows it as no move, whoever is to move.
                Some(action) if sight.outcome().is_none() => scene.beside_the_board(action),
                _ => scene.refused(&refusal),
            });
        }
    };
    let mut sight = played.seen;
    let waits = waits && sight.outcome().is_none() && !sight.due.includes(seat);
    let asks = waits && must_ask(game, seat, caller).await;
    if waits && !asks {
        // The move is played, whether or not anybody waits for what comes of it.
        let wait = game.wait(seat, service.wait);
        if caller.patiently("Waiting for the others", wait).await.is_some() {
            // Though it may not be the caller's turn yet, some of the others may have moved.
            sight = game.see(Eye::Seat(seat));
        }
    }
    let scene = PlainScene { asks, ..scene(service, &sight, Some(seat)) };
    let moved = scene.moved(played.number, is_relayed);
    let moved = with_link_if(asks, service, moved, &sight, seat);
    Ok(with_board(service, moved, (game, Some(seat)), sight, caller))
}

pub async fn get(
    service: &McpService,
    (game, seat): (&Game, Option<Seat>),
    ask: GetGame,
    caller: &Caller,
) -> Reply {
    let sight = game.see(seat.map_or(Eye::Public, Eye::Seat));
    let seen = scene(service, &sight, seat).seen();
    let past = ask.turn.map(|turn| turn.number as u32);
    let seen = match seat.filter(|_| !caller.opens_links()) {
        Some(own) => with_link(service, seen, &sight, own, false),
        None => seen,
    };
    let reply = with_board_and_past(service, seen, (game, seat), sight, caller, past);
    Reply { ignored: ask.hint.then(|| "hint".to_owned()).into_iter().collect(), ..reply }
}

/// Plays an action that the kind lists, or creates a new invitation link and revokes the old one.
pub async fn act(
    service: &McpService,
    (game, seat): (&Game, Seat),
    ask: GameAction,
    caller: &Caller,
) -> Result<Reply, Refused> {
    let sight = game.see(Eye::Seat(seat));
    let person = sight.seats.guest_of(seat);
    match (ask.action.among(sight.actions), person) {
        (Ok(Action::Deed(_)), _) if ask.r#move.is_some() => {
            Err(scene(service, &sight, Some(seat)).no_move_with(&ask.action.told()))
        }
        (Ok(Action::Deed(action)), _) => {
            let is_relayed = ask.by.is_some();
            let actor = if is_relayed { speaks_for(game, seat).await } else { Some(seat) };
            let Some(actor) = actor else {
                return Err(scene(service, &sight, Some(seat)).not_for_a_person());
            };
            let mv = Move::new(actor, Ask::Beside(action.to_owned()), retry(ask.turn));
            let played = match game.play_seen::<Sight>(mv, Eye::Seat(seat)).await {
                Ok(played) => played,
                Err(Refusal::Store(error)) => return Err(error.into()),
                Err(refusal) => {
                    let sight = game.see(Eye::Seat(seat));
                    return Err(scene(service, &sight, Some(seat)).refused(&refusal));
                }
            };
            let acted =
                scene(service, &played.seen, Some(seat)).resigned(played.number, is_relayed);
            Ok(with_board(service, acted, (game, Some(seat)), played.seen, caller))
        }
        (Ok(Action::NewLink), Some(person)) => {
            renew_link(service, (game, seat), person, caller).await
        }
        (Ok(Action::NewLink), None) | (Err(_), _) => {
            // Another process may have moved on.
            game.refresh().await;
            let sight = game.see(Eye::Seat(seat));
            Err(scene(service, &sight, Some(seat)).no_such_action(&ask.action.told()))
        }
    }
}

async fn renew_link(
    service: &McpService,
    (game, seat): (&Game, Seat),
    person: Seat,
    caller: &Caller,
) -> Result<Reply, Refused> {
    // A client that was asked about a new link repeats its call.
    if caller.key.is_none() {
        game.renew_link(person).await?;
    }
    let sight = game.see(Eye::Seat(seat));
    let invited = caller.invite(person_link(service, &sight, seat).as_deref()).await;
    let linked = scene(service, &sight, Some(seat)).linked(invited.told());
    let reply = with_invitation(service, linked, (game, seat), sight, caller, &invited);
    Ok(Reply { question: invited.question(game.id().to_string()), ..reply })
}

/// The game as anybody may see it.
pub fn read(hall: &Hall, game: &Game) -> Value {
    let sight = game.see(Eye::Public);
    PlainScene { hall, sight: &sight, seat: None, asks: false }.seen().facts
}

pub fn listed(service: &McpService, game: &ListedGame, whose: Whose) -> Option<Listed> {
    let glimpse: Glimpse = serde_json::from_str(game.glimpse.as_deref()?).ok()?;
    let kind = rules::kind(&game.kind).ok()?;
    let taken: Seats = game.seats.iter().cloned().collect();
    // A match of a league is for its players alone.
    taken.iter().next()?;
    let name = |seat: Seat| kind.seats.get(usize::from(seat.0)).copied().unwrap_or_default();
    let seats = (0..glimpse.seats).map(Seat);
    let place = service.place(game, &taken, seats.clone(), whose);
    let free = seats.clone().filter(|seat| taken.at(*seat).is_none());
    let free_seats: Vec<_> = free.map(name).collect();
    let is_due = place.seat.is_some_and(|seat| glimpse.due.contains(&seat));
    let (status, next_action) = place.goes_on(is_due, !free_seats.is_empty());
    Some(Listed {
        game: kind.name,
        game_id: game.id.to_string(),
        status,
        you: place.seat.map(name),
        players: seats.map(|seat| describe(taken.at(seat))).collect(),
        to_move: glimpse.due.first().map(|seat| name(*seat)),
        free_seats,
        about: format!("{}{}", moves(game.turns), marks(game)),
        turns: game.turns,
        idle_seconds: idle(game.last_at),
        next_action,
        pass: place.pass,
    })
}

/// Whether the person cannot play before the agent at `own` speaks to them.
async fn must_ask(game: &Game, own: Seat, caller: &Caller) -> bool {
    let has_board = |sitting: &SavedSeat| BoardManner::of(sitting).has_board(caller);
    must_be_asked(game, own, game.seats().at(own).is_some_and(has_board)).await
}

/// Without a board open, the answer has the link to one.
fn with_link_if(asks: bool, service: &McpService, reply: Reply, sight: &Sight, own: Seat) -> Reply {
    if asks { with_link(service, reply, sight, own, !sight.takes_relays()) } else { reply }
}

fn scene<'a>(service: &'a McpService, sight: &'a Sight, seat: Option<Seat>) -> PlainScene<'a> {
    PlainScene { hall: &service.hall, sight, seat, asks: false }
}

/// The seat of the person whose moves the caller may pass on. What is told in the chat must be no
/// secret.
async fn relayed_seat(service: &McpService, game: &Game, own: Seat) -> Result<Seat, Refused> {
    let person = speaks_for(game, own).await;
    let sight = game.see(Eye::Seat(own));
    let relayed = person.filter(|_| sight.takes_relays());
    relayed.ok_or_else(|| scene(service, &sight, Some(own)).not_relayed())
}

/// The choices for the set-up. A list of seats also says how many there are.
fn wishes(kind: Kind, ask: &CreateGame) -> Map<String, Value> {
    let mut wishes = ask.setup.clone();
    let has_number = kind.card.is_some_and(|card| usize::from(card.fewest) < kind.seats.len());
    let is_usual = |seats: usize| kind.names("{}").is_ok_and(|names| names.len() == seats);
    let unusual = ask.seats.as_ref().filter(|seats| has_number && !is_usual(seats.len()));
    if let Some(seats) = unusual {
        wishes.entry("seats").or_insert(seats.len().into());
    }
    wishes
}

/// Refuses what only other games have a use for, where a seat would be taken for it.
fn means_something(kind: Kind, sent: &[(&str, bool)]) -> Result<(), Refused> {
    match sent.iter().find(|(_, is_sent)| *is_sent) {
        None => Ok(()),
        Some((name, _)) => Err(Refused::new(format!(
            "Error: {name} means nothing in {}. Leave it out and call again; nothing was done.",
            kind.name
        ))),
    }
}
