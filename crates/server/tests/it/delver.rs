//! A hero in the dungeon: one conversation, played through the tools.

use serde_json::{Map, Value, json};

use crate::players::{Answer, Player};

pub struct Delver<'a> {
    player: &'a Player,
    pub conversation: String,
}

impl<'a> Delver<'a> {
    pub fn new(player: &'a Player, conversation: impl Into<String>) -> Delver<'a> {
        Delver { player, conversation: conversation.into() }
    }

    /// Enters a dungeon made from `seed`.
    pub async fn with_seed(player: &'a Player, conversation: &str, seed: u64) -> Delver<'a> {
        let delver = Delver::new(player, conversation);
        delver.insist("get_current_room", json!({ "seed": seed.to_string() })).await.ok();
        delver
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.try_call(tool, arguments).await.expect("the call is answered")
    }

    pub async fn try_call(&self, tool: &str, mut arguments: Value) -> Option<Answer> {
        arguments["conversationId"] = json!(self.conversation);
        self.player.try_call(tool, arguments).await
    }

    /// Calls again as long as it is told to, which a busy store may tell it. For what is done once
    /// however often it is asked for.
    async fn insist(&self, tool: &str, arguments: Value) -> Answer {
        loop {
            let answer = self.call(tool, arguments.clone()).await;
            let is_our_fault =
                answer.facts["error"]["details"]["condition"] == "GameStateCorrupted";
            let told_to = ["try again", "make the very same call again"];
            let is_told_to = told_to.iter().any(|words| answer.text.contains(words));
            if !(is_our_fault && is_told_to) {
                return answer;
            }
        }
    }

    pub async fn room(&self) -> Value {
        self.insist("get_current_room", json!({})).await.ok().facts
    }

    pub async fn stats(&self) -> Value {
        self.insist("get_player_stats", json!({})).await.ok().facts
    }

    /// Does what an answer says is possible.
    pub async fn act(&self, action: &str) -> Value {
        let (tool, mut arguments) = as_call(action);
        let key = getrandom::u64().expect("the system has random numbers");
        arguments["requestId"] = json!(format!("{key:016x}"));
        self.insist(tool, arguments).await.facts
    }

    /// Plays one of the possible actions after the other, chosen by `luck`, until it is over or
    /// `turns` have been played. Answers the last answer.
    pub async fn wander(&self, luck: &mut Luck, turns: usize) -> Value {
        let mut last = self.room().await;
        for _ in 0..turns {
            let actions = actions(&last);
            let Some(action) = luck.pick(&actions) else { break };
            last = self.act(action).await;
            assert_eq!(last["success"], true, "{action}: {last}");
        }
        last
    }
}

pub fn actions(answer: &Value) -> Vec<String> {
    let actions = answer["availableActions"].as_array().expect("there are actions");
    actions.iter().map(|action| action.as_str().expect("a text").to_owned()).collect()
}

/// The call that an available action stands for.
pub fn as_call(action: &str) -> (&str, Value) {
    let mut words = action.splitn(3, ' ');
    let (tool, first, second) = (words.next().expect("a tool"), words.next(), words.next());
    let names = match (tool, first) {
        ("move_to_room", _) => ["direction", ""],
        ("combat_action", Some("UseItem")) => ["action", "itemId"],
        ("combat_action", _) => ["action", "targetMonsterId"],
        ("cast_spell", _) => ["spell", "targetMonsterId"],
        ("talk_to_npc", _) => ["npcId", "choice"],
        ("inspect_item", _) => ["itemId", "choice"],
        ("save_game", _) => ["", "load"],
        _ => ["itemId", ""],
    };
    let arguments = names.iter().zip([first, second]);
    let arguments = arguments.filter_map(|(name, value)| Some((name.to_string(), json!(value?))));
    (tool, arguments.filter(|(name, _)| !name.is_empty()).collect::<Map<_, _>>().into())
}

/// Chance for a story, the same every time.
pub struct Luck(pub u64);

impl Luck {
    pub fn below(&mut self, bound: usize) -> usize {
        // A linear congruence is chance enough to stumble through a dungeon.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        (!from.is_empty()).then(|| &from[self.below(from.len())])
    }
}
