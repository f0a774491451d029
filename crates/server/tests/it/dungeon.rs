//! The dungeon through its tools: the same on every way in, saved, checked, told the same twice.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Value, json};
use tokio::{sync::mpsc, task::JoinSet};

use crate::{
    delver::{Delver, Luck, actions, as_call},
    house::House,
    players::{Answer, Player, Way},
};

/// What every answer must be: the same in text and structure, and as its tool says it will be.
#[track_caller]
fn check_shape(tools: &BTreeMap<String, Value>, tool: &str, answer: &Answer) {
    let text: Value = serde_json::from_str(&answer.text).expect("the text is JSON");
    assert_eq!(text, answer.facts);
    assert_eq!(answer.text, answer.facts.to_string(), "compact");
    let schema = &tools[tool]["outputSchema"];
    for name in schema["required"].as_array().expect("required") {
        assert!(answer.facts.get(name.as_str().unwrap()).is_some(), "no {name} in {}", answer.text);
    }
    for (name, about) in schema["properties"].as_object().expect("properties") {
        let (value, kind) = (&answer.facts[name], about["type"].as_str());
        let fits = match kind {
            _ if answer.facts.get(name).is_none() => {
                let optional = answer.refused || tools[tool]["annotations"]["readOnlyHint"] == true;
                optional || !["message"].contains(&name.as_str())
            }
            Some("string") => value.is_string(),
            Some("integer") => value.is_i64(),
            Some("boolean") => value.is_boolean(),
            Some("array") => value.is_array(),
            Some("object") => value.is_object(),
            _ => value.is_object() || value.is_null(),
        };
        assert!(fits, "{tool}: {name} is {value}, not {kind:?}");
    }
    if answer.facts["success"] == false {
        assert_eq!(answer.facts["message"], answer.facts["error"]["message"]);
        let code = answer.facts["error"]["code"].as_str().expect("a code");
        assert!(code.chars().all(|c| c.is_ascii_uppercase() || c == '_'), "{code}");
        assert!(answer.facts["error"]["details"]["condition"].is_string());
    }
}

async fn tools(house: &House) -> BTreeMap<String, Value> {
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    let url = house.page("/dungeon/mcp");
    let answer = reqwest::Client::new().post(url).json(&list).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();
    let tools = answer["result"]["tools"].as_array().expect("tools").clone();
    // What a model is shown of them.
    let shown = tools.iter().map(|tool| {
        json!([tool["name"], tool["description"], tool["inputSchema"]]).to_string().len()
    });
    assert!(shown.sum::<usize>() < 5_000, "the tool list is too long");
    tools.into_iter().map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool)).collect()
}

#[tokio::test]
async fn answers_fit_their_schema_and_are_short() {
    let house = House::open().await;
    let tools = tools(&house).await;
    let player = Player::new(&house, Way::Plain).await;
    for seed in 0..6 {
        let delver = Delver::with_seed(&player, &format!("shapes {seed}"), seed).await;
        let mut luck = Luck(seed);
        for _ in 0..60 {
            let room = delver.call("get_current_room", json!({})).await;
            assert!(room.text.len() < 1_500, "{} bytes: {}", room.text.len(), room.text);
            check_shape(&tools, "get_current_room", &room);
            for tool in ["get_player_stats", "get_map"] {
                check_shape(&tools, tool, &delver.call(tool, json!({})).await);
            }
            // Half of the time something is tried that may well be refused.
            let actions = actions(&room.facts);
            let wild = [
                "move_to_room North",
                "combat_action Attack",
                "loot_treasure",
                "rest",
                "combat_action UseItem item-001",
                "use_item item-001",
                "equip_item item-002",
                "cast_spell Mend",
                "inspect_item item-001",
                "talk_to_npc",
                "save_game",
            ];
            let action = match luck.below(2) {
                0 => luck.pick(&wild).unwrap().to_string(),
                _ => luck.pick(&actions).cloned().unwrap_or("rest".into()),
            };
            let (tool, arguments) = as_call(&action);
            check_shape(&tools, tool, &delver.call(tool, arguments).await);
        }
    }
}

#[tokio::test]
async fn the_name_of_a_conversation_is_compared_exactly_and_not_kept() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let hash = async |id: &str| {
        player.call("get_player_stats", json!({ "conversationId": id })).await.fact("seedHash")
    };
    let names = ["a", "A", " a", "123e4567-e89b-12d3", &"x".repeat(128), &"ü".repeat(128)];
    let mut hashes = HashSet::new();
    for name in names {
        let first = hash(name).await;
        assert_eq!(hash(name).await, first);
        assert!(hashes.insert(first), "{name} is another conversation");
    }
    let kept = String::from_utf8_lossy(&house.stored_bytes()).into_owned();
    assert!(!kept.contains("123e4567-e89b"), "who knows the name may play");
}

#[tokio::test]
async fn a_retry_gets_the_same_answer_and_has_one_effect() {
    let mut house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let delver = Delver::with_seed(&player, "retries", 5).await;
    let mut luck = Luck(1);
    let mut last = delver.room().await;
    let mut answers = Vec::new();
    for n in 0..40 {
        let actions = actions(&last);
        let Some(action) = luck.pick(&actions) else { break };
        let (tool, mut arguments) = as_call(action);
        arguments["requestId"] = json!(format!("request {n}"));
        let first = delver.call(tool, arguments.clone()).await.ok();
        assert_eq!(delver.call(tool, arguments.clone()).await, first, "at once");
        last = first.facts.clone();
        answers.push((tool.to_owned(), arguments, first));
    }
    let stats = delver.stats().await;
    assert_eq!(stats["turn"], answers.len());
    house.crash_and_restart().await;
    for (tool, arguments, first) in &answers {
        assert_eq!(&delver.call(tool, arguments.clone()).await, first, "after a restart");
    }
    assert_eq!(delver.stats().await, stats, "nothing has happened twice");
    let other = json!({ "name": "another", "requestId": "request 0" });
    let answer = delver.call("save_game", other).await.no();
    assert_eq!(answer.facts["error"]["code"], "INVALID_ARGUMENT");
    assert_eq!(delver.stats().await, stats);
}

/// Wanders on until the server dies, and says so at every answer. Answers the last turn that was
/// answered.
async fn wander_until_it_dies(
    url: String,
    number: usize,
    answered: mpsc::UnboundedSender<()>,
) -> (usize, u64) {
    let player = Player::Plain { http: reqwest::Client::new(), url };
    let delver = Delver::new(&player, format!("conversation {number}"));
    let mut luck = Luck(number as u64);
    let mut turn = 0;
    let Some(mut last) = delver.try_call("get_current_room", json!({})).await else {
        return (number, 0);
    };
    loop {
        let actions = actions(&last.facts);
        let action = luck.pick(&actions).cloned().unwrap_or("save_game".into());
        let (tool, arguments) = as_call(&action);
        match delver.try_call(tool, arguments).await {
            Some(answer) => {
                turn = turn.max(answer.facts["turn"].as_u64().expect("a turn"));
                last = answer;
                // Nobody counts any more once the server is to die.
                let _ = answered.send(());
            }
            None => return (number, turn),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_conversations_survive_kill_9() {
    let mut house = House::open().await;
    let mut reached: BTreeMap<usize, u64> = BTreeMap::new();
    for _ in 0..3 {
        let (answered, mut answers) = mpsc::unbounded_channel();
        let mut playing = JoinSet::new();
        for number in 0..64 {
            playing.spawn(wander_until_it_dies(house.url(), number, answered.clone()));
        }
        // In the middle of it, ten answers for each on the way.
        for _ in 0..640 {
            answers.recv().await.expect("an answer");
        }
        house.kill();
        for (number, turn) in playing.join_all().await {
            // Whoever was not answered once is where it was.
            let known = reached.entry(number).or_default();
            *known = turn.max(*known);
        }
        house.restart().await;
        let player = Player::new(&house, Way::Plain).await;
        for (number, turn) in &mut reached {
            let delver = Delver::new(&player, format!("conversation {number}"));
            let kept = delver.stats().await["turn"].as_u64().unwrap();
            // One more may have been saved whose answer did not arrive.
            assert!(kept == *turn || kept == *turn + 1, "conversation {number}: {turn}, {kept}");
            *turn = kept;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_conversations_do_not_mix() {
    let house = House::open().await;
    let http = reqwest::Client::new();
    let mut playing = JoinSet::new();
    for number in 0..1000_u64 {
        let (http, url) = (http.clone(), house.url());
        playing.spawn(async move {
            let player = Player::Plain { http, url };
            // A hundred dungeons, each played the same way ten times side by side.
            let seed = number % 100;
            let delver = Delver::with_seed(&player, &format!("crowd {number}"), seed).await;
            let last = delver.wander(&mut Luck(seed), 6).await;
            (seed, last.to_string())
        });
    }
    let mut told: BTreeMap<u64, HashSet<String>> = BTreeMap::new();
    for (seed, last) in playing.join_all().await {
        told.entry(seed).or_default().insert(last);
    }
    assert_eq!(told.len(), 100);
    assert!(told.values().all(|answers| answers.len() == 1), "the same, whoever else plays");
    assert!(told.values().flatten().collect::<HashSet<_>>().len() > 90, "and not the same for all");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_actions_at_once_have_some_order() {
    let house = House::open().await;
    let http = reqwest::Client::new();
    let player = Player::new(&house, Way::Plain).await;
    let mut playing = JoinSet::new();
    for number in 0..50 {
        let (http, url) = (http.clone(), house.url());
        playing.spawn(async move {
            let player = Player::Plain { http, url };
            let delver = Delver::new(&player, "crowded");
            let direction = ["North", "East", "South", "West"][number % 4];
            let actions = [
                ("move_to_room", json!({ "direction": direction })),
                ("save_game", json!({ "name": format!("save {number}") })),
                ("combat_action", json!({ "action": "Attack" })),
            ];
            let (tool, arguments) = actions[number % 3].clone();
            let answer = delver.call(tool, arguments.clone()).await.ok().facts;
            (answer, tool, arguments)
        });
    }
    let answers = playing.join_all().await;
    let mut done: Vec<_> =
        answers.into_iter().filter(|(answer, _, _)| answer["success"] == true).collect();
    done.sort_by_key(|(answer, _, _)| answer["turn"].as_u64());
    let numbers: Vec<_> =
        done.iter().map(|(answer, _, _)| answer["turn"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=done.len() as u64).collect::<Vec<_>>(), "one turn each");
    assert!(done.len() > 5, "some of them at least");
    // One after another, in that order, they give the same answers.
    let crowded = Delver::new(&player, "crowded");
    let game = crowded.stats().await["gameId"].as_str().unwrap().to_owned();
    let seed = house.seed(&game);
    let alone = Delver::with_seed(&player, "alone", seed).await;
    for (answer, tool, arguments) in done {
        assert_eq!(alone.call(tool, arguments).await.facts, answer);
    }
}

#[tokio::test]
async fn the_end_is_final_told_and_can_be_checked() {
    let house = House::open().await;
    let player = Player::new(&house, Way::Plain).await;
    let mut luck = Luck(9);
    // Who always attacks and never heals does not live long; but in some dungeons nothing kills it
    // and it walks about for ever, so that another one is entered after a while.
    let names: Vec<String> = (1..100).map(|number| format!("to the end {number}")).collect();
    let mut ended = None;
    for name in &names {
        let delver = Delver::new(&player, name);
        let first = delver.room().await;
        let hash = first["seedHash"].as_str().expect("committed in the first answer").to_owned();
        let stats = delver.stats().await;
        assert!(stats.get("seed").is_none(), "the seed is a secret");
        let game = stats["gameId"].as_str().unwrap().to_owned();
        let mut last = first;
        for _ in 0..300 {
            let actions = actions(&last);
            let fights: Vec<_> =
                actions.iter().filter(|a| a.starts_with("combat_action Attack")).collect();
            let moves: Vec<_> = actions.iter().filter(|a| a.starts_with("move_to_room")).collect();
            match luck.pick(if fights.is_empty() { &moves } else { &fights }) {
                Some(action) => last = delver.act(action).await,
                None => break,
            }
        }
        if actions(&last).is_empty() {
            ended = Some((name, delver, hash, game, last));
            break;
        }
    }
    let (name, delver, hash, game, last) = ended.expect("one of them ends");
    let status = last["gameStatus"].as_str().unwrap().to_owned();
    assert!(["Dead", "Victory"].contains(&status.as_str()), "{last}");
    let code = if status == "Dead" { "INSUFFICIENT_HP" } else { "INVALID_ACTION" };
    for (tool, arguments) in [
        ("move_to_room", json!({ "direction": "North" })),
        ("combat_action", json!({ "action": "Attack" })),
        ("rest", json!({})),
        ("save_game", json!({})),
    ] {
        let answer = delver.call(tool, arguments).await.ok().facts;
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert_eq!(answer["gameStatus"], status);
        assert!(answer["ending"].is_string());
    }
    let stats = delver.stats().await;
    let seed = stats["seed"].as_str().expect("revealed at the end").to_owned();
    assert_eq!(sha256(&seed), hash);
    assert!(stats["score"].is_u64() && !stats["chronicle"].as_array().unwrap().is_empty());
    assert_eq!(delver.room().await["gameStatus"], status, "one can still look");

    for name in [game.as_str(), name] {
        let output = house.neighbour().args(["verify", name]).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{said}");
        assert!(said.contains("every answer holds") && said.contains(&seed), "{said}");
        assert!(said.contains(&hash));
    }
    house.spoil_a_report(&game);
    let output = house.neighbour().args(["verify", &game]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(!output.status.success() && said.contains("1 answer does not hold"), "{said}");
    let output = house.neighbour().args(["verify", "00000000"]).output().unwrap();
    assert!(!output.status.success());
}

fn sha256(text: &str) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test]
async fn two_processes_share_a_conversation() {
    let house = House::open().await;
    let (here, there) =
        (Player::new(&house, Way::Plain).await, Player::new(&house, Way::Stdio).await);
    let (here, there) = (Delver::new(&here, "shared"), Delver::new(&there, "shared"));
    assert_eq!(here.room().await, there.room().await);
    let mut luck = Luck(4);
    let mut last = here.room().await;
    for n in 0..40 {
        let actions = actions(&last);
        let Some(action) = luck.pick(&actions) else { break };
        last = if n % 2 == 0 { here.act(action).await } else { there.act(action).await };
        assert_eq!(last["success"], true, "{action}: {last}");
    }
    let (mut one, mut other) = (here.stats().await, there.stats().await);
    // Each process has pages of its own.
    for page in ["page", "playPage"] {
        assert_ne!(one[page].take(), other[page].take());
    }
    assert_eq!(one, other);
}
