//! What the skill tells an agent is enough to play: one that follows nothing else plays a game, goes
//! into a dungeon and through a league.

use std::{fs, path::Path};

use serde_json::{Map, Value, json};

use crate::{
    house::House,
    players::{Player, Way},
};

/// The blocks of the skill, in order, line by line.
fn blocks() -> Vec<Vec<String>> {
    let text = skill();
    let blocks = text.split("```text\n").skip(1);
    let lines = |block: &str| {
        let block = block.split("```").next().expect("a block ends");
        block.lines().map(str::to_owned).collect()
    };
    blocks.map(lines).collect()
}

fn skill() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../skills/agon/SKILL.md");
    fs::read_to_string(file).expect("the skill is there")
}

/// Knows nothing but what it is told by the block and by the answers.
struct Follower {
    player: Player,
    /// What it was told last, and what it was told before under other names.
    known: Map<String, Value>,
}

impl Follower {
    async fn new(house: &House) -> Follower {
        Follower { player: Player::new(house, Way::Plain).await, known: Map::new() }
    }

    async fn follow(&mut self, block: &[String]) {
        let mut lines = block.iter().peekable();
        while let Some(line) = lines.next() {
            let Some(end) = line.strip_prefix("repeat until ") else {
                self.step(line).await;
                continue;
            };
            let mut body = Vec::new();
            while let Some(line) = lines.next_if(|line| line.starts_with("  ")) {
                body.push(line.trim());
            }
            while !self.holds(end.trim_end_matches(':')) {
                for line in &body {
                    self.step(line).await;
                }
            }
        }
    }

    /// Calls, if the line says so now.
    async fn step(&mut self, line: &str) {
        let call = match line.strip_prefix("when ").and_then(|rest| rest.split_once(": ")) {
            Some((condition, _)) if !self.holds(condition) => return,
            Some((_, call)) => call,
            None => line,
        };
        let (tool, arguments) = call.split_once('(').expect("a call");
        let arguments = arguments.trim_end_matches(')').split(", ");
        let arguments: Map<_, _> = arguments
            .map(|argument| argument.split_once('=').expect("a name and a value"))
            .map(|(name, value)| (name.to_owned(), self.meant(value)))
            .collect();
        let answer = self.player.call(tool, arguments.into()).await.ok();
        // What stood in the last answer alone is over with it.
        self.known.remove("legal_moves");
        self.known.extend(answer.facts.as_object().expect("an object").clone());
    }

    fn holds(&self, condition: &str) -> bool {
        let (name, value) = condition.split_once(" is ").expect("a condition");
        let (value, wanted) = match value.strip_prefix("not ") {
            Some(value) => (value, false),
            None => (value, true),
        };
        let told = self.known.get(name).unwrap_or(&Value::Null);
        (*told == serde_json::from_str::<Value>(value).expect("a text")) == wanted
    }

    fn meant(&self, value: &str) -> Value {
        let Some(told) = value.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else {
            return serde_json::from_str(value).expect("a plain value");
        };
        let Some(list) = told.strip_prefix("one of ") else {
            return self.known.get(told).cloned().unwrap_or(json!(null));
        };
        let (list, field) = list.split_once('.').unwrap_or((list, ""));
        let one = &self.known[list][0];
        if field.is_empty() { one.clone() } else { one[field].clone() }
    }
}

#[tokio::test]
async fn an_agent_that_knows_only_the_skill_plays_a_game_and_goes_into_a_dungeon() {
    let house = House::open().await;
    let [game, dungeon, _] = blocks().try_into().expect("three blocks");
    let mut agent = Follower::new(&house).await;
    agent.follow(&game).await;
    assert!(agent.known["result"].is_string(), "{:?}", agent.known);
    let mut narrator = Follower::new(&house).await;
    narrator.follow(&dungeon).await;
    assert_eq!(narrator.known["name"], "Adventurer", "{:?}", narrator.known);
}

#[tokio::test]
async fn agents_that_know_only_the_skill_play_a_league() {
    let house = House::open().await;
    let league = blocks().pop().expect("it is the last");
    let mut agents = [Follower::new(&house).await, Follower::new(&house).await];
    for (agent, name) in agents.iter_mut().zip(["Ada", "Ben"]) {
        agent.follow(&[league[0].replace("Ada", name)]).await;
    }
    let started =
        house.neighbour().args(["league", "start", "league_1"]).output().expect("it runs");
    assert!(started.status.success(), "{started:?}");
    let [one, other] = &mut agents;
    tokio::join!(one.follow(&league[1..]), other.follow(&league[1..]));
    let table = one.player.call("get_standings", json!({})).await.ok();
    assert_eq!(table.facts["standings"][0]["played"], 1, "{}", table.facts);
}

#[tokio::test]
async fn every_tool_the_skill_names_is_there() {
    let house = House::open().await;
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let answer = reqwest::Client::new().post(house.page("/mcp")).json(&list).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();
    let tools = answer["result"]["tools"].as_array().expect("tools");
    let has = |name: &str| tools.iter().any(|tool| tool["name"] == name);
    let text = skill();
    // What is fenced is called by the stories above; this is what stands in the sentences.
    let prose: String = text.split("```").step_by(2).collect();
    let quoted = prose.split('`').skip(1).step_by(2);
    let calls = quoted.filter_map(|quoted| Some(quoted.split_once('(')?.0));
    assert!(calls.inspect(|name| assert!(has(name), "{name}")).count() > 1);
    // A page that says when to use it, for whoever decides that by its head alone.
    let head = text.split("---\n").nth(1).expect("a head");
    let description = head.lines().find_map(|line| line.strip_prefix("description: "));
    assert!(description.is_some_and(|text| text.len() <= 1024) && head.contains("name: agon\n"));
    assert!(text.lines().count() < 90, "it is one page");
}
