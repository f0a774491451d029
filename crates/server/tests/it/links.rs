//! The person's side: links that seat them, moves they type in the chat, and clients that show
//! links by themselves.

use std::sync::{Arc, Mutex};

use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
        ElicitationAction, ElicitationCapability, Implementation, ProtocolVersion,
        UrlElicitationCapability,
    },
    service::{ClientLifecycleMode, RequestContext, serve_client_with_lifecycle},
    transport::StreamableHttpClientTransport,
};
use serde_json::{Value, json};

use crate::{
    house::House,
    pages::{get, post},
    players::{Player, Way, call_with_board, open_link},
};

#[tokio::test]
async fn a_link_seats_whoever_opens_it_first_and_a_new_one_ends_it() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Stdio).await;
    let created = agent.create(json!({ "type": "human", "color": "black" })).await;
    let (pass, first) = (created.pass(), created.open().await.expect("a seat"));
    let (status, why) = created.open().await.expect_err("it was opened before");
    assert_eq!(status, 409);
    assert!(why.contains("ask your agent for a new one"), "{why}");
    agent.play(&first, "e2e4").await.ok();

    let renewed = agent.act(&pass, "newLink").await.ok().says("The old link is ended");
    agent.play(&first, "d2d4").await.no().says("opens no seat");
    let (status, _) = created.open().await.expect_err("it is ended");
    assert_eq!(status, 403);
    let second = renewed.open().await.expect("a seat");
    assert_ne!(first, second);
    agent.play(&pass, "e7e5").await.ok();
    agent.play(&second, "g1f3").await.ok();
    // The agent's own pass is what it was.
    agent.wait_for_turn(&pass).await.says("(Nf3)");
}

#[tokio::test]
async fn whoever_opens_a_link_sits_from_then_on_and_is_called_by_their_name() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "human", "color": "black" })).await;
    let path = format!("/api/games/{}", created.id());
    let before = get(&house, &path).await;
    assert_eq!((&before["white"], &before["white_since"]), (&json!("human"), &Value::Null));
    assert!(before["black_since"].is_i64(), "the agent is there");

    let code = created.link.as_ref().and_then(|link| link.split("#open=").nth(1)).expect("a code");
    let ask = json!({ "code": code, "key": "a browser", "name": " Ada\n" });
    let (status, seated) = post(&house, &format!("{path}/open"), "", ask).await;
    assert_eq!(status, 201, "{seated}");
    let seen = get(&house, &path).await;
    assert_eq!(seen["white"], "Ada");
    assert!(seen["white_since"].as_i64() >= before["created_at"].as_i64());

    let pass = seated["pass"].as_str().expect("a pass");
    let rename = async |pass: &str, name: &str| {
        post(&house, &format!("{path}/name"), pass, json!({ "name": name })).await.0
    };
    assert_eq!(rename(pass, "Grace").await, 200);
    assert_eq!(rename(&created.pass(), "Eve").await, 403, "it is no person's seat");
    assert_eq!(rename("", "Eve").await, 403);
    let named = get(&house, &path).await;
    assert_eq!((&named["white"], &named["white_since"]), (&json!("Grace"), &seen["white_since"]));
    let found = get(&house, "/api/games?q=grace").await;
    assert_eq!(found[0]["game_id"], created.id());
}

#[tokio::test]
async fn a_code_that_is_none_opens_nothing() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "human" })).await;
    let link = created.link.clone().expect("a link");
    let (address, code) = link.split_once("#open=").expect("a code");
    let other = agent.create(json!({ "type": "human" })).await;
    let foreign = other.link.as_ref().and_then(|link| link.split("=").last()).expect("a code");
    for wrong in ["", "0123456789abcdef", "x", &code[1..], foreign, &created.pass()] {
        let opened = open_link(&format!("{address}#open={wrong}")).await;
        assert_eq!(opened.expect_err("no seat").0, 403, "{wrong}");
    }
    created.open().await.expect("it is still to be opened");
    agent.act(&created.pass(), "newLink").await.ok();
    let alone = agent.create(json!({ "type": "computer" })).await;
    agent.act(&alone.pass(), "newLink").await.no().says("nobody needs a link");
    assert_eq!(alone.link, None);
}

#[tokio::test]
async fn a_move_that_the_person_types_is_relayed_and_can_be_taken_back() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Legacy).await;
    let created = agent.create(json!({ "type": "human", "color": "black" })).await;
    let pass = created.pass();
    let relay = async |mv: &str| {
        let ask = json!({ "game_id": pass, "move": mv, "by": "human" });
        agent.call("finishTurn", ask).await
    };
    agent.play(&pass, "e4").await.no().says("Not your turn");
    relay("Ke2").await.no().says("Invalid move");
    let told = relay("e4").await.ok().says("relayed for the person").says("It is your turn.");
    assert_eq!(told.facts["relayed"], true);
    relay("e4").await.ok().says("relayed for the person");
    relay("d4").await.no().says("Not your turn");

    // That was not the person's move.
    let board = created.open().await.expect("a seat");
    let id = created.id();
    let seen = page(&house, &id, &board).await;
    assert_eq!(seen["can_take_back"], true);
    assert_eq!(seen["history"][0]["relayed"], true);
    assert_eq!(page(&house, &id, &pass).await["can_take_back"], false);
    agent.act(&board, "takeback").await.ok().says("The takeback is granted");
    relay("d4").await.ok();
    agent.play(&pass, "d5").await.ok();
    assert_eq!(page(&house, &id, &board).await["can_take_back"], false, "it is answered");
    agent.act(&board, "takeback").await.ok().says("your opponent must agree");
    agent.act(&pass, "declineTakeback").await.ok();
    agent.play(&board, "c4").await.ok();
    let pgn = agent.see(&pass).await.ok().fact("pgn");
    assert!(pgn.contains("1. d4 { relayed by the agent } 1... d5 2. c4 *"), "{pgn}");
    // Nobody marks a move of its own so, or asks for it back.
    agent.play(&pass, "e6 relayed").await.no().says("nobody's moves are relayed");
}

#[tokio::test]
async fn where_the_creator_says_so_nothing_is_relayed() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let setup = json!({ "typed_moves": false });
    let human = json!({ "type": "human", "color": "black", "setup": setup });
    let created = agent.create(human).await;
    let relay = async |pass: &str| json!({ "game_id": pass, "move": "e2e4", "by": "human" });
    let refused = agent.call("finishTurn", relay(&created.pass()).await).await.no();
    refused.says("moves are not relayed in this game").says("waitForNextTurn");
    let computer = agent.create(json!({ "type": "computer" })).await;
    agent.call("finishTurn", relay(&computer.pass()).await).await.no().says("leave by out");
}

async fn page(house: &House, id: &str, pass: &str) -> Value {
    let url = house.page(&format!("/api/games/{id}"));
    let seen = reqwest::Client::new().get(url).bearer_auth(pass).send().await.expect("an answer");
    seen.json().await.expect("JSON")
}

/// A client that shows its person links, and remembers them.
#[derive(Clone, Default)]
struct Host {
    shown: Arc<Mutex<Vec<String>>>,
    declines: bool,
}

impl ClientHandler for Host {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::UrlElicitationParams { url, .. } = request else {
            panic!("only a link is asked about");
        };
        self.shown.lock().expect("nobody panics").push(url);
        let action =
            if self.declines { ElicitationAction::Decline } else { ElicitationAction::Accept };
        Ok(ElicitResult::new(action))
    }

    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        let mut elicitation = ElicitationCapability::default();
        elicitation.url = Some(UrlElicitationCapability::default());
        capabilities.elicitation = Some(elicitation);
        ClientConfig::new(capabilities, Implementation::new("host", "1"))
    }
}

#[tokio::test]
async fn where_the_host_shows_links_the_model_sees_one_only_if_that_failed() {
    let modern =
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    for (lifecycle, declines) in [
        (ClientLifecycleMode::Initialize, false),
        (ClientLifecycleMode::Initialize, true),
        (modern.clone(), false),
        (modern, true),
    ] {
        let house = House::open().await;
        let host = Host { declines, ..Host::default() };
        // Of several nodes, the one that asks is the one that hears what the person says.
        let url = format!("http://{}/mcp", house.nodes()[0].address);
        let transport = StreamableHttpClientTransport::from_uri(url);
        let client = serve_client_with_lifecycle(host.clone(), transport, lifecycle);
        let client = client.await.expect("the client connects");
        let call = async |tool: &'static str, arguments: Value| {
            let arguments = arguments.as_object().cloned().expect("an object");
            let call = CallToolRequestParams::new(tool).with_arguments(arguments);
            let result = client.call_tool(call).await.expect("an answer");
            let answer = serde_json::to_value(result).expect("it can be written");
            let is_asked = declines && (tool == "createGame" || tool == "gameAction");
            let tells = is_asked || answer.to_string().contains("No board is open");
            for part in [&answer["content"][0]["text"], &answer["structuredContent"]] {
                assert_eq!(part.to_string().contains("#open="), tells, "{answer}");
            }
            answer
        };
        let said = |answer: &Value| answer["content"][0]["text"].as_str().expect("text").to_owned();
        let created = call("createGame", json!({ "type": "human", "color": "black" })).await;
        let told = if declines { "declined to open the board" } else { "given the link" };
        assert!(said(&created).contains(told), "{created}");
        let pass = created["structuredContent"]["pass"].as_str().expect("a pass").to_owned();
        let first = host.shown.lock().expect("nobody panics").clone();
        assert_eq!(first.len(), 1, "the person is asked once");
        // They have not opened it, so that the model may have to tell them.
        let waited = call("waitForNextTurn", json!({ "game_id": pass })).await;
        assert!(said(&waited).contains("No board is open"), "{waited}");

        call("gameAction", json!({ "game_id": pass, "action": "newLink" })).await;
        let shown = host.shown.lock().expect("nobody panics").clone();
        assert_eq!(shown.len(), 2);
        assert_eq!(open_link(&shown[0]).await.expect_err("it is ended").0, 403);
        let board = open_link(&shown[1]).await.expect("a seat");
        let person = Player::new(&house, Way::Plain).await;
        person.play(&board, "e2e4").await.ok();
        let waited = call("waitForNextTurn", json!({ "game_id": pass })).await;
        assert!(said(&waited).contains("(e4)"), "{waited}");
        client.cancel().await.expect("it ends");
    }
}

#[tokio::test]
async fn a_browser_whose_answer_was_lost_opens_the_link_again() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "human" })).await;
    let link = created.link.clone().expect("a link");
    let (page, code) = link.split_once("#open=").expect("a code");
    let address = format!("{}/open", page.replace("/game/", "/api/games/"));
    let open = async |key: &str| {
        let body = json!({ "code": code, "key": key });
        let opened = reqwest::Client::new().post(&address).json(&body).send().await;
        let opened = opened.expect("the pages answer");
        (opened.status().as_u16(), opened.json::<Value>().await.expect("JSON")["pass"].clone())
    };
    let (status, pass) = open("my own browser").await;
    assert_eq!(status, 201);
    assert_eq!(open("my own browser").await, (201, pass));
    assert_eq!(open("another browser").await.0, 409);
    assert_eq!(open("").await.0, 409);
    agent.act(&created.pass(), "newLink").await.ok();
    assert_eq!(open("my own browser").await.0, 403, "the link is ended for all");
}

#[tokio::test]
async fn a_stranger_is_given_no_seat_by_looking() {
    let house = House::open().await;
    let agent = Player::new(&house, Way::Plain).await;
    let created = agent.create(json!({ "type": "human", "color": "black" })).await;
    let look = json!({ "game_id": created.id() });
    let seen = call_with_board(&house, "getGame", look).await.to_string();
    assert!(seen.contains(&created.id()), "{seen}");
    assert!(!seen.contains("#open="), "{seen}");
    let id = created.id();
    assert!(!seen.contains(&format!("{id}-")), "a pass is told: {seen}");
}
