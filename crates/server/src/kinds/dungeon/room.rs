//! The dungeon room: thirteen tools for one hero, whose conversation is the game.
//!
//! All of them find the game, look or play, and say; what differs is in the table of offers.

mod answer;
mod ask;
mod offers;
mod refusals;

use std::{iter, sync::Arc};

use async_trait::async_trait;
use rmcp::{
    handler::server::{
        common::FromContextPart,
        router::tool::{ToolRoute, ToolRouter},
        tool::IntoCallToolResult,
    },
    model::JsonObject,
};
use rules::{
    Eye, Rules,
    dungeon::{Dungeon, Glimpse, HERO, Setup, View, Wish},
};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use self::{
    answer::{Answer, Scene},
    ask::{DungeonCall, What},
    offers::{DungeonTool, OFFERS},
    refusals::DungeonRefusal,
};
use super::dungeon_name;
use crate::{
    hall::{FindError, Game, Hall, Look, Move, Plan, Retry, Seats, WrongKind, introduce},
    ids::Handle,
    mcp::{
        McpService,
        caller::Caller,
        games::{Listed, idle, marks},
        reading::SEED,
        telling::Telling,
    },
    player::Player,
    store::{ListedGame, SavedSeat, StoreError, Whose},
};

impl McpService {
    pub fn dungeon_tools() -> ToolRouter<McpService> {
        let mut router = ToolRouter::new();
        for offer in OFFERS {
            router.add_route(ToolRoute::new_dyn(offer.tool(), move |mut call| {
                Box::pin(async move {
                    let arguments = call.arguments.take().unwrap_or_default();
                    let caller = Caller::from_context_part(&mut call)?;
                    call.service.delve(offer, &arguments, &caller).await.into_call_tool_result()
                })
            }));
        }
        router
    }

    async fn delve(&self, offer: &DungeonTool, arguments: &JsonObject, caller: &Caller) -> Answer {
        let found = async {
            let ask = ask::read(offer, arguments)?;
            let game = self.dungeon(&ask, caller).await?;
            Ok((ask, game))
        };
        let (ask, game) = match found.await {
            Ok(found) => found,
            Err(no) => return self.refuse(offer, self.known(arguments).await.as_deref(), no).await,
        };
        match self.act(offer, ask, &game).await {
            Ok(answer) => answer,
            Err(no) => self.refuse(offer, Some(&game), no).await,
        }
    }

    /// The game of a call that may make no sense otherwise. None is begun for it.
    async fn known(&self, arguments: &JsonObject) -> Option<Arc<Game>> {
        self.begun(&ask::conversation(arguments).ok()?).await.ok()?
    }

    /// The game that a conversation has begun, or that a pass opens.
    async fn begun(&self, conversation: &str) -> Result<Option<Arc<Game>>, DungeonRefusal> {
        let handle = conversation.parse::<Handle>().ok();
        if let Some(handle @ Handle { pass: Some(_), .. }) = &handle {
            match self.hall.enter(handle, None).await {
                Ok((game, _)) if game.kind().name == Dungeon::KIND => return Ok(Some(game)),
                Ok(_) | Err(FindError::WrongPass(_)) => return Err(DungeonRefusal::wrong_pass()),
                Err(error @ FindError::Store(_)) => return Err(error.into()),
                // Any other text is a name like all.
                _ => {}
            }
        }
        let named = self.hall.named(dungeon_name(conversation)).await?;
        if let (None, Some(Handle { game, pass: None })) = (&named, handle) {
            match self.hall.find(game).await {
                Ok(_) => return Err(DungeonRefusal::game_id()),
                Err(error @ FindError::Store(_)) => return Err(error.into()),
                Err(_) => {}
            }
        }
        Ok(named)
    }

    /// How things stand is told too, where there is a game to speak of.
    async fn refuse(&self, offer: &DungeonTool, game: Option<&Game>, no: DungeonRefusal) -> Answer {
        let Some(game) = game else { return answer::refused(offer, no) };
        match look(game) {
            Ok(look) => self.cave(offer, game, &look).refused(no),
            Err(worse) => answer::refused(offer, worse),
        }
    }

    /// The conversation's game, which begins with its first call.
    async fn dungeon(
        &self,
        ask: &DungeonCall,
        caller: &Caller,
    ) -> Result<Arc<Game>, DungeonRefusal> {
        if let Some(game) = self.begun(&ask.conversation).await? {
            return match ask.chosen() {
                Some(chosen) if !ask.fits(&look(&game)?.view, &game) => {
                    Err(too_late_to_choose(chosen))
                }
                _ => Ok(game),
            };
        }
        let hero = SavedSeat { name: caller.name(), ..SavedSeat::new(HERO, Player::Agent) };
        let name = dungeon_name(&ask.conversation);
        let setup = Setup {
            seeded: ask.seed.is_some(),
            theme: ask.theme,
            difficulty: ask.difficulty,
            hero: ask.hero.clone(),
        };
        let plan = Plan::of::<Dungeon>(&setup, vec![hero]);
        let connection = caller.connection.map(|connection| (connection, HERO));
        let (name, by) = (Some(name), caller.id());
        Ok(self.hall.create(Plan { connection, name, by, ..plan.seeded(ask.seed) }).await?)
    }

    async fn act(
        &self,
        offer: &DungeonTool,
        ask: DungeonCall,
        game: &Game,
    ) -> Result<Answer, DungeonRefusal> {
        let request = ask.request;
        let wish = match ask.what {
            What::Do(wish) => wish,
            what => {
                let is_fresh = game.refresh().await;
                // What another node has played decides who and what is there.
                if !is_fresh && matches!(what, What::Inspect(..) | What::Talk(..)) {
                    return Err(StoreError::Unavailable.into());
                }
                let look = look(game)?;
                let scene = self.cave(offer, game, &look);
                let view = &look.view;
                match what {
                    What::Room => return Ok(scene.room()),
                    What::Stats => return Ok(scene.stats(game.revealed_seed())),
                    What::Map => return Ok(scene.seen(&view.map)),
                    What::Inspect(thing, choice) => match (scene.thing(&thing), choice) {
                        (Some(thing), None) => return Ok(scene.looked(thing)),
                        (open, choice) if open.is_some() || scene.has_feature(&thing) => {
                            Wish::Search(thing, choice)
                        }
                        (_, choice) => match scene.inspected(&thing) {
                            Err(no) => {
                                let search = Wish::Search(thing, choice);
                                return self.tell_again(offer, game, search, request, no).await;
                            }
                            Ok(_) if choice.is_some() => {
                                return Err(DungeonRefusal::nothing_to_choose(&thing));
                            }
                            told => return told,
                        },
                    },
                    What::Talk(whom, None) => return scene.talked(whom),
                    What::Talk(whom, Some(choice)) => match scene.person(whom.clone()) {
                        Ok(person) => {
                            let whom = Some(person.id.to_string());
                            Wish::Talk { whom, choice }
                        }
                        Err(no) => {
                            let talk = Wish::Talk { whom, choice };
                            return self.tell_again(offer, game, talk, request, no).await;
                        }
                    },
                    What::Do(_) => unreachable!("a deed is no look"),
                }
            }
        };
        self.play_and_tell(offer, game, wish, request).await
    }

    /// What was searched or talked to may be gone; the same call, made again with its requestId,
    /// is told the same. Any other is refused with `no`.
    async fn tell_again(
        &self,
        offer: &DungeonTool,
        game: &Game,
        wish: Wish,
        request: Option<String>,
        no: DungeonRefusal,
    ) -> Result<Answer, DungeonRefusal> {
        if request.is_none() {
            return Err(no);
        }
        let told = self.play_and_tell(offer, game, wish, request).await;
        told.map_err(|other| if other.is_error() { other } else { no })
    }

    async fn play_and_tell(
        &self,
        offer: &DungeonTool,
        game: &Game,
        wish: Wish,
        request: Option<String>,
    ) -> Result<Answer, DungeonRefusal> {
        let ask = rules::Ask::of::<Dungeon>(move |dungeon, _| dungeon.find(&wish));
        let retry = Retry::Key(request);
        let mv = Move::new(HERO, ask, retry);
        let played =
            game.play_seen::<Result<Look<Dungeon>, WrongKind>>(mv, Eye::Seat(HERO)).await?;
        Ok(self.cave(offer, game, &played.seen?).acted())
    }

    fn cave<'a>(&self, offer: &'a DungeonTool, game: &Game, look: &'a Look<Dungeon>) -> Scene<'a> {
        let site = self.pages.as_deref().unwrap_or_default();
        let page = format!("{site}/dungeon/{}", game.id());
        let pass = self.hall.pass(game.id(), &look.seats, HERO);
        Scene {
            offer,
            look,
            seed_hash: game.seed_hash(),
            play_page: format!("{page}#{pass}"),
            page,
        }
    }
}

fn look(game: &Game) -> Result<Look<Dungeon>, DungeonRefusal> {
    Ok(game.look::<Dungeon>(Eye::Seat(HERO))?)
}

impl DungeonCall {
    /// What it says about a dungeon that is to begin, by the name of one such argument.
    fn chosen(&self) -> Option<&'static str> {
        let given = [
            (SEED, self.seed.is_some()),
            (offers::THEME, self.theme.is_some()),
            (offers::DIFFICULTY, self.difficulty.is_some()),
            (offers::HERO, self.hero.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Whether the dungeon began as it says; then it is the first call, made again.
    fn fits(&self, view: &View, game: &Game) -> bool {
        let begun = &view.setup;
        self.seed.is_none_or(|seed| view.seeded && game.has_seed(seed))
            && (self.theme.is_none() || self.theme == begun.theme)
            && (self.difficulty.is_none() || self.difficulty == begun.difficulty)
            && (self.hero.is_none() || self.hero == begun.hero)
    }
}

fn too_late_to_choose(name: &str) -> DungeonRefusal {
    DungeonRefusal::argument(
        format!(
            "this conversation has its dungeon already; leave {name} out, or use a new \
             conversationId"
        ),
        Vec::new(),
    )
}

/// How the dungeon is told beside its own tools.
pub struct DungeonTold;

#[async_trait]
impl Telling for DungeonTold {
    fn listed(&self, service: &McpService, game: &ListedGame, whose: Whose) -> Option<Listed> {
        let glimpse: Glimpse<IgnoredAny> = serde_json::from_str(game.glimpse.as_deref()?).ok()?;
        let taken: Seats = game.seats.iter().cloned().collect();
        let pass = service.place(game, &taken, iter::once(HERO), whose).pass;
        let mut about = format!(
            "{}, level {}, {} of {} HP, {} gold, in a {:?} room of a {}, {}{}",
            glimpse.name,
            glimpse.level,
            glimpse.hp,
            glimpse.max_hp,
            glimpse.gold,
            glimpse.chamber,
            glimpse.theme.word(),
            glimpse.difficulty.word(),
            marks(game)
        );
        if !glimpse.deeds.is_empty() {
            about += &format!("; last: {}", glimpse.deeds.join(" "));
        }
        let next_action = match &pass {
            Some(pass) => format!("get_current_room(conversationId=\"{pass}\")"),
            None => "its own conversationId opens it".into(),
        };
        Some(Listed {
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
        })
    }

    async fn read(&self, _: &Hall, game: &Game) -> Result<Value, WrongKind> {
        let look = game.look::<Dungeon>(Eye::Public)?;
        let view = &look.view;
        Ok(json!({
            "game_id": game.id().to_string(),
            "gameStatus": view.status,
            "turn": look.next - 1,
            "ending": view.ending,
            "score": view.score,
            "room": view.room,
            "stats": view.stats,
            "map": view.map,
            "chronicle": view.chronicle,
        }))
    }
}
