//! What the dungeon tools say: one JSON object, the same as text and as structure.

use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{CallToolResponse, CallToolResult, ContentBlock},
};
use rules::dungeon::{Dungeon, Known, Obstacle, Offer, OpenThing, Person, Status, View};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{ask::as_call, offers::DungeonTool, refusals::DungeonRefusal};
use crate::{
    hall::{FindError, Look},
    store::{Millis, now},
    wording::sentence,
};

type Object = Map<String, Value>;

/// Whoever comes back after this long, in milliseconds, has forgotten what was.
const LONG_PAUSE: Millis = 30 * 60 * 1000;
/// How many lines it takes to tell them.
const RECAP: usize = 5;

pub struct Answer {
    body: Object,
    is_error: bool,
}

impl IntoCallToolResult for Answer {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let body = Value::Object(self.body);
        // Some hosts hand the model the text, some the structure: neither may be the poorer one.
        let text = vec![ContentBlock::text(body.to_string())];
        let mut result =
            if self.is_error { CallToolResult::error(text) } else { CallToolResult::success(text) };
        result.structured_content = Some(body);
        result.into_call_tool_result()
    }
}

/// What the hero's player is told of a game at one moment.
pub struct Scene<'a> {
    pub offer: &'a DungeonTool,
    pub look: &'a Look<Dungeon>,
    pub seed_hash: String,
    /// Where the game can be watched.
    pub page: String,
    /// The same with the secret by which it can be played there.
    pub play_page: String,
}

impl Scene<'_> {
    /// `what` is what was asked to be seen.
    pub fn seen(&self, what: impl Serialize) -> Answer {
        self.done(object(&what))
    }

    /// The room; after a long pause also what went before.
    pub fn room(&self) -> Answer {
        let view = &self.look.view;
        let mut body = object(&view.room);
        if self.look.times.last().is_some_and(|last| now() - last > LONG_PAUSE) {
            let (stats, map) = (&view.stats, &view.map);
            let visited = map.rooms.iter().filter(|room| room.state == Known::Visited).count();
            let mut recap = vec![format!(
                "{}, level {}, {} of {} HP and {} gold, has seen {visited} rooms.",
                stats.name, stats.level, stats.hp, stats.max_hp, stats.gold
            )];
            let deeds = view.chronicle.iter().rev().take(RECAP - 1).rev();
            recap.extend(deeds.map(|entry| format!("Turn {}: {}", entry.turn, entry.text)));
            body.insert("recap".into(), json!(recap));
        }
        self.done(body)
    }

    /// The hero, and when it is over how it went and how to check it.
    pub fn stats(&self, seed: Option<u64>) -> Answer {
        let view = &self.look.view;
        let mut body = object(&view.stats);
        body.insert("gameId".into(), json!(self.look.id.to_string()));
        body.insert("page".into(), json!(self.page));
        body.insert("playPage".into(), json!(self.play_page));
        body.insert("seedHash".into(), json!(self.seed_hash));
        if let Some(seed) = seed {
            // As a text: it is larger than some programs' numbers.
            body.insert("seed".into(), json!(seed.to_string()));
            body.insert("score".into(), json!(view.score));
            if !view.score_parts.is_empty() {
                body.insert("scoreParts".into(), json!(view.score_parts));
            }
            body.insert("chronicle".into(), json!(view.chronicle));
        }
        self.done(body)
    }

    /// What the last turn did.
    pub fn acted(&self) -> Answer {
        let view = &self.look.view;
        let report = self.look.report.as_deref().unwrap_or("{}");
        let mut body: Object = serde_json::from_str(report).unwrap_or_default();
        match self.offer.name {
            "move_to_room" => drop(body.insert("newRoom".into(), object(&view.room).into())),
            "combat_action" | "cast_spell" if body.contains_key("combatOver") => {
                body.insert("combat".into(), json!({ "monsters": view.combat }));
                // Whoever has fled wants to know where to.
                if body.contains_key("newRoomId") {
                    body.insert("newRoom".into(), object(&view.room).into());
                }
            }
            _ => {}
        }
        self.done(body)
    }

    pub fn has_feature(&self, thing: &str) -> bool {
        let mut features = self.look.view.room.features.iter();
        features.any(|feature| is_called(thing, &feature.id, feature.name))
    }

    /// What goes by this name and has ways to choose from; a part stands for the whole.
    pub fn thing(&self, name: &str) -> Option<&OpenThing> {
        let is_part = |offer: &Offer| name.eq_ignore_ascii_case(&offer.id.to_string());
        let thing = self.look.view.thing.as_ref()?;
        let is_it = is_called(name, &thing.id, thing.name) || thing.offers.iter().any(is_part);
        is_it.then_some(thing)
    }

    /// Which ways there are, and what each costs.
    pub fn looked(&self, thing: &OpenThing) -> Answer {
        let mut body = Object::new();
        body.insert("message".into(), json!(thing.told));
        body.insert("feature".into(), json!(thing.name));
        body.insert("offers".into(), json!(thing.offers));
        self.done(body)
    }

    /// All about an item that is here or carried.
    pub fn inspected(&self, thing: &str) -> Result<Answer, DungeonRefusal> {
        let view = &self.look.view;
        let Some(item) = view.inspect(thing) else {
            let known = view.things.iter().map(|thing| thing.id.to_string()).collect();
            let reason = format!("{thing:?} is neither here nor carried");
            return Err(DungeonRefusal::of(Obstacle::ItemNotFound, reason, known));
        };
        let mut body = Object::new();
        body.insert("message".into(), json!(item.description));
        body.insert("item".into(), json!(item));
        Ok(self.done(body))
    }

    /// What somebody here knows and offers.
    pub fn talked(&self, whom: Option<String>) -> Result<Answer, DungeonRefusal> {
        let person = self.person(whom)?;
        let mut body = Object::new();
        let facts: Vec<String> = person.facts.iter().map(|fact| sentence(fact)).collect();
        body.insert("message".into(), json!(facts.join(" ")));
        body.insert("npc".into(), json!(person.name));
        body.insert("npcId".into(), json!(person.id));
        body.insert("topics".into(), json!(person.topics));
        body.insert("offers".into(), json!(person.offers));
        Ok(self.done(body))
    }

    /// The one who was named, or the only one here.
    pub fn person(&self, whom: Option<String>) -> Result<&Person, DungeonRefusal> {
        let view = &self.look.view;
        if view.status == Status::InCombat {
            return Err(DungeonRefusal::of(
                Obstacle::InCombat,
                "there is no time to talk in combat",
                Vec::new(),
            ));
        }
        let people = &view.people;
        let ids = people.iter().map(|person| person.id.to_string()).collect();
        let found = match &whom {
            Some(whom) => people.iter().find(|person| is_called(whom, &person.id, person.name)),
            None if people.len() == 1 => people.first(),
            None => None,
        };
        found.ok_or_else(|| match (people.is_empty(), whom) {
            (true, _) => {
                DungeonRefusal::of(Obstacle::InvalidAction, "there is nobody to talk to here", ids)
            }
            (_, Some(whom)) => {
                DungeonRefusal::of(Obstacle::InvalidTarget, format!("{whom:?} is not here"), ids)
            }
            (_, None) => DungeonRefusal::argument("the npcId is missing".into(), ids),
        })
    }

    fn done(&self, body: Object) -> Answer {
        let mut whole = Object::new();
        whole.insert("success".into(), json!(true));
        whole.extend(body);
        self.stand(&mut whole);
        Answer { body: whole, is_error: false }
    }

    pub fn refused(&self, no: DungeonRefusal) -> Answer {
        let mut answer = refused(self.offer, no);
        let (view, body) = (&self.look.view, &mut answer.body);
        let facts = [
            ("previousRoomId", json!(view.room.room_id)),
            ("newRoomId", json!(view.room.room_id)),
            ("playerHpRemaining", json!(view.stats.hp)),
            ("inventoryCount", json!(view.stats.inventory.len())),
            ("combatOver", json!(view.combat.is_empty())),
            ("restsLeft", json!(view.stats.rests_left)),
            ("manaLeft", json!(view.stats.mana)),
        ];
        for (name, fact) in facts {
            if let Some(field) = body.get_mut(name) {
                *field = fact;
            }
        }
        if body["error"]["code"] == "MULTIPLE_ITEMS" {
            body["error"]["details"]["items"] = json!(view.room.items);
        }
        self.stand(body);
        answer
    }

    fn stand(&self, body: &mut Object) {
        stand(&self.look.view, self.look.next, &self.seed_hash, body);
    }
}

/// How things stand, in every answer; `next` is the number of the turn to come.
fn stand(view: &View, next: u32, seed_hash: &str, body: &mut Object) {
    body.insert("gameStatus".into(), json!(view.status));
    body.insert("turn".into(), json!(next - 1));
    if let Some(ending) = &view.ending {
        body.insert("ending".into(), json!(ending));
    }
    let actions: Vec<_> = view.actions.iter().map(|mv| as_call(&mv.to_string())).collect();
    body.insert("availableActions".into(), json!(actions));
    // Given before any die has fallen, so that nobody can choose it afterwards.
    if next == 1 {
        body.insert("seedHash".into(), json!(seed_hash));
    }
}

/// A refusal with the answer's own fields in it, empty, for clients that read them unasked.
pub fn refused(offer: &DungeonTool, no: DungeonRefusal) -> Answer {
    match &no.fault {
        Some(FindError::Store(error)) => tracing::error!(%error, "a call failed"),
        Some(error) => tracing::error!(%error, "a game is lost to its players"),
        None => {}
    }
    let message = sentence(&no.reason);
    let mut details = json!({ "condition": no.why.condition() });
    if !no.options.is_empty() {
        details["available"] = json!(no.options);
    }
    let mut body = Object::new();
    body.insert("success".into(), json!(false));
    body.insert("message".into(), json!(message));
    body.insert(
        "error".into(),
        json!({ "code": no.why.code(), "message": message, "details": details }),
    );
    for (name, value) in offer.nothing() {
        body.entry(name).or_insert(value);
    }
    Answer { body, is_error: no.is_error() }
}

/// Things and people go by their ids and by their names.
fn is_called(text: &str, id: &impl ToString, name: &str) -> bool {
    text.eq_ignore_ascii_case(&id.to_string()) || text.eq_ignore_ascii_case(name)
}

fn object(what: &impl Serialize) -> Object {
    match serde_json::to_value(what) {
        Ok(Value::Object(object)) => object,
        _ => unreachable!("views are objects"),
    }
}

#[cfg(test)]
mod tests {
    use rules::{Eye, Record, dungeon::HERO, kind};

    use super::*;

    /// Whatever is in a room, a model can afford to look at it.
    #[test]
    fn a_room_is_told_in_less_than_a_page() {
        let mut longest = 0;
        for seed in 0..60_u64 {
            // Whoever is gentle with himself sees everything.
            let setup = r#"{"difficulty":"gentle"}"#;
            let mut record = Record::start(kind("dungeon").unwrap(), setup, seed).unwrap();
            for step in 1..150_u64 {
                let view: View = record.view::<Dungeon>(Eye::Seat(HERO)).unwrap();
                let mut body = object(&view.room);
                body.insert("success".into(), json!(true));
                stand(&view, record.next_number(), &"f".repeat(64), &mut body);
                let length = Value::Object(body).to_string().len();
                assert!(length < 1_500, "{length} bytes, seed {seed}: {:?}", view.room);
                longest = longest.max(length);
                let saves = |mv: &String| mv.starts_with("save") || mv.starts_with("load");
                let moves = view.actions.iter().map(ToString::to_string);
                let moves: Vec<_> = moves.filter(|mv| !saves(mv)).collect();
                // A different spread for each dungeon is chance enough.
                let pick = (seed * 7919 + step * 104_729) % 65_521;
                let Some(mv) = moves.get(pick as usize % moves.len().max(1)) else { break };
                let step = record.step(HERO, mv).unwrap();
                record.take(step);
            }
        }
        assert!(longest > 1_200, "the longest has {longest} bytes");
    }
}
