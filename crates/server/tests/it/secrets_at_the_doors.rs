//! Nothing that anybody gets at any door depends on what they may not know.
//!
//! Games are played by one script until two of them are the same as far as the rules show them to one
//! pair of eyes, and are not the same in truth. Then every byte that these eyes have got of the two is
//! the same. That the rules themselves keep secrets is held in their own tests
//! (`conformance/secrets.rs`).

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use futures_util::future::join_all;
use rules::{Due, Eye, Kind, Record, Seat, Tag};
use serde_json::{Value, json};

use crate::house::House;

/// So many turns of a game are looked at; hands of poker are over before.
const TURNS: usize = 5;
/// Every way of choosing and every order of sealing is among so many games.
const FEW: usize = 8;
/// If two that are alike are not among so many, they are never found.
const MOST: usize = 80;

/// After so many turns everybody who is not due waits for as long as they may, which is a second.
const WAITED_OUT: usize = 1;

/// What they are told then.
const IN_VAIN: &str = "Timeout: ";

/// How long nobody has moved, in a list.
const IDLE: &str = "\"idle_seconds\":";

/// Every kind with this tag that several sit down to.
fn kinds(tag: Tag) -> impl Iterator<Item = Kind> {
    let kinds = crate::told_of().filter(|kind| kind.seats.len() > 1);
    kinds.filter(move |kind| kind.card.is_some_and(|card| card.has(tag)))
}

#[tokio::test]
async fn nobody_is_told_what_another_has_been_dealt() {
    for kind in kinds(Tag::Hidden) {
        nothing_depends_on_secrets(kind, Sitting::ByPass).await;
    }
}

#[tokio::test]
async fn nobody_is_told_what_is_sealed_before_all_are_in() {
    for kind in kinds(Tag::Simultaneous) {
        nothing_depends_on_secrets(kind, Sitting::ByPass).await;
    }
}

#[tokio::test]
async fn no_session_is_told_what_another_has_been_dealt() {
    for kind in kinds(Tag::Hidden) {
        nothing_depends_on_secrets(kind, Sitting::BySession).await;
    }
}

#[tokio::test]
async fn no_session_is_told_what_is_sealed_before_all_are_in() {
    for kind in kinds(Tag::Simultaneous) {
        nothing_depends_on_secrets(kind, Sitting::BySession).await;
    }
}

/// What shows whose seat it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sitting {
    /// Whoever sits down has made no handshake, and has a pass.
    ByPass,
    /// Each has a session, in which the game's id is enough.
    BySession,
}

/// What one pair of eyes has got of a game, as it stood after each turn.
#[derive(Default)]
struct Told {
    /// What it may know of it, all in all: what the rules show, who has moved, what it played itself.
    allowed: Vec<String>,
    /// What nobody sees as a whole.
    truth: Vec<String>,
    /// By the door and the question.
    got: Vec<BTreeMap<String, String>>,
}

async fn nothing_depends_on_secrets(kind: Kind, sitting: Sitting) {
    let mut games: Vec<Vec<(Eye, Told)>> = Vec::new();
    // How often each pair of eyes was put to the test by two games that are not the same.
    let mut tested: BTreeMap<usize, usize> = BTreeMap::new();
    for first in (0..MOST).step_by(FEW) {
        // Together, for most of the time somebody waits.
        let few = (first..first + FEW).map(|number| play(kind, number, sitting));
        for game in join_all(few).await {
            for (eyes, one) in game.iter().enumerate() {
                let differed =
                    games.iter().map(|other| compare(kind, one, &other[eyes])).sum::<usize>();
                *tested.entry(eyes).or_default() += differed;
            }
            games.push(game);
        }
        if tested.values().all(|times| *times > 0) {
            return;
        }
    }
    panic!("{}: no two games look the same to everybody and are not", kind.name);
}

/// As long as two games may look the same they do. After how many turns they did so without being so.
fn compare(kind: Kind, (eye, one): &(Eye, Told), (_, other): &(Eye, Told)) -> usize {
    let mut differed = 0;
    for turn in 0..one.allowed.len().min(other.allowed.len()) {
        if one.allowed[..=turn] != other.allowed[..=turn] {
            break;
        }
        differed += usize::from(one.truth[turn] != other.truth[turn]);
        let (got, got_otherwise) = (&one.got[turn], &other.got[turn]);
        assert!(got.keys().eq(got_otherwise.keys()), "other doors were tried");
        for (door, bytes) in got {
            assert_eq!(
                *bytes, got_otherwise[door],
                "{} after {turn} turns: what {eye:?} gets at {door} depends on a secret",
                kind.name
            );
        }
    }
    differed
}

/// A set-up in which everything is as little as it can be, so that few secrets are possible.
fn small(kind: Kind) -> Value {
    let mut setup = serde_json::Map::new();
    let card = kind.card.expect("it has a tag");
    // Sealed moves are secrets enough, and want their rounds.
    for key in card.keys.iter().filter(|_| !card.has(Tag::Simultaneous)) {
        let mut smaller = setup.clone();
        smaller.insert(key.name.to_owned(), json!(1));
        if kind.names(&Value::Object(smaller.clone()).to_string()).is_ok() {
            setup = smaller;
        }
    }
    Value::Object(setup)
}

/// A game in play, and the doors to it.
struct Table {
    house: House,
    http: reqwest::Client,
    /// Everybody's, in the order of the seats; the last has no seat.
    clients: Vec<Client>,
    kind: Kind,
    id: String,
    passes: Vec<String>,
    /// The same game by the rules alone.
    record: Record,
    moves: Vec<(Seat, String)>,
    /// Everybody's stream of all games, and what has been read of it.
    stream: reqwest::Response,
    heard: String,
}

/// Plays a little of a game, with a server for it alone, and looks at it through every door after every
/// turn. Among such games everybody chooses this or that, and seals first or last.
async fn play(kind: Kind, number: usize, sitting: Sitting) -> Vec<(Eye, Told)> {
    let (mut table, mut answers) = Table::set(kind, sitting).await;
    let eyes = (0..table.passes.len() as u8).map(|seat| Eye::Seat(Seat(seat))).chain([Eye::Public]);
    let mut told: Vec<_> = eyes.map(|eye| (eye, Told::default())).collect();
    for turn in 0..=TURNS {
        let due = match table.record.due() {
            Due::One(seat) => vec![seat],
            Due::Each(seats) => seats,
            // Once it is over the seed is told, and with it everything.
            Due::Over(_) => break,
        };
        let news = table.news().await;
        let idle: Vec<_> = table.seats().filter(|seat| !due.contains(seat)).collect();
        if turn == WAITED_OUT {
            let waits = idle.iter().map(|seat| table.wait_in_vain(*seat));
            for (seat, told) in idle.iter().zip(join_all(waits).await) {
                let told = ("waitForNextTurn in vain".to_owned(), told);
                answers.entry(seat.0).or_default().extend([told]);
            }
        }
        for (eye, told) in &mut told {
            let mut got = table.look(*eye).await;
            got.insert("/api/events".to_owned(), news.clone());
            if let Eye::Seat(seat) = eye {
                got.extend(answers.remove(&seat.0).unwrap_or_default());
            }
            let plain = got.into_iter().map(|(door, got)| (door, table.plain(*eye, &got)));
            told.got.push(plain.collect());
            told.allowed.push(table.allowed(*eye));
            told.truth.push(table.truth());
        }
        let mover = if number % FEW < FEW / 2 { due[0] } else { due[due.len() - 1] };
        let offers = table.record.offers(mover);
        // In a game of sealed moves these are the secret; elsewhere all play the same.
        let is_sealed = kind.card.is_some_and(|card| card.has(Tag::Simultaneous));
        let whim = if is_sealed { number >> mover.0 & 1 } else { 0 };
        let offer = &offers[(turn + whim) % offers.len()];
        // Of a range, its beginning.
        let mv = offer.split("..").next().expect("a text");
        // Whoever waits meanwhile is told as soon as there is something to do.
        let mut waiting: BTreeMap<_, _> =
            idle.into_iter().map(|seat| (seat, tokio::spawn(table.until_due(seat)))).collect();
        let answer = table.play(mover, mv).await;
        answers.entry(mover.0).or_default().insert("finishTurn".to_owned(), answer);
        waiting.retain(|seat, waits| {
            let is_due = table.record.due().includes(*seat);
            if !is_due {
                waits.abort();
            }
            is_due
        });
        for (seat, waits) in waiting {
            let told = ("waitForNextTurn meanwhile".to_owned(), waits.await.expect("an answer"));
            answers.entry(seat.0).or_default().extend([told]);
        }
    }
    told
}

impl Table {
    /// With what everybody was told who sat down at it, by their seats.
    async fn set(kind: Kind, sitting: Sitting) -> (Table, BTreeMap<u8, BTreeMap<String, String>>) {
        let house = House::alone(&["--wait-seconds", "1"]).await;
        let http = reqwest::Client::new();
        let stream = http.get(house.page("/api/events")).send().await.expect("a stream");
        let setup = small(kind);
        let ask = json!({ "game": kind.name, "type": "agent", "setup": setup });
        let mut clients = vec![Client::of(&house, sitting).await];
        let created = clients[0].tool("createGame", ask).await;
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let id = text(&facts(&created)["game_id"]);
        let record = Record::start(kind, &setup.to_string(), house.seed(&id)).expect("it begins");
        let mut passes = vec![text(&facts(&created)["pass"])];
        let mut answers =
            BTreeMap::from([(0, BTreeMap::from([("createGame".to_owned(), created)]))]);
        for seat in 1..record.seats().len() as u8 {
            let client = Client::of(&house, sitting).await;
            let joined = client.tool("joinGame", json!({ "game_id": id })).await;
            clients.push(client);
            passes.push(text(&facts(&joined)["pass"]));
            answers.insert(seat, BTreeMap::from([("joinGame to sit down".to_owned(), joined)]));
        }
        clients.push(Client::of(&house, sitting).await);
        let (moves, heard) = (Vec::new(), String::new());
        (Table { house, http, clients, kind, id, passes, record, moves, stream, heard }, answers)
    }

    fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.passes.len() as u8).map(Seat)
    }

    fn client(&self, eye: Eye) -> &Client {
        match eye {
            Eye::Seat(seat) => &self.clients[usize::from(seat.0)],
            _ => self.clients.last().expect("everybody has one"),
        }
    }

    /// What whoever is not due gets that waits for as long as they may.
    async fn wait_in_vain(&self, seat: Seat) -> String {
        let ask = json!({ "game_id": self.passes[usize::from(seat.0)] });
        let told = self.client(Eye::Seat(seat)).tool("waitForNextTurn", ask).await;
        assert!(told.contains(IN_VAIN), "{told}");
        told
    }

    /// What whoever is not due gets as soon as they are.
    fn until_due(&self, seat: Seat) -> impl Future<Output = String> + Send + 'static {
        let client = self.client(Eye::Seat(seat)).clone();
        let ask = json!({ "game_id": self.passes[usize::from(seat.0)] });
        async move {
            loop {
                let told = client.tool("waitForNextTurn", ask.clone()).await;
                if !told.contains(IN_VAIN) {
                    return told;
                }
            }
        }
    }

    async fn play(&mut self, seat: Seat, mv: &str) -> String {
        let pass = &self.passes[usize::from(seat.0)];
        let ask = json!({ "game_id": pass, "move": mv, "turn": self.turn() });
        let answer = self.client(Eye::Seat(seat)).tool("finishTurn", ask).await;
        let step = self.record.step(seat, mv).expect("it is offered");
        self.record.take(step);
        self.moves.push((seat, mv.to_owned()));
        answer
    }

    /// The number of the turn to be played next.
    fn turn(&self) -> usize {
        self.moves.len() + 1
    }

    fn allowed(&self, eye: Eye) -> String {
        let own =
            |(seat, mv): &(Seat, String)| (*seat, (eye == Eye::Seat(*seat)).then(|| mv.clone()));
        let moves: Vec<_> = self.moves.iter().map(own).collect();
        format!("{} {moves:?}", self.record.view_json(eye))
    }

    fn truth(&self) -> String {
        let seats = (0..self.passes.len() as u8).map(|seat| Eye::Seat(Seat(seat)));
        let views: Vec<_> = seats.map(|eye| self.record.view_json(eye)).collect();
        format!("{views:?} {:?}", self.moves)
    }

    /// Everything that these eyes can ask for now, and what they get.
    async fn look(&self, eye: Eye) -> BTreeMap<String, String> {
        let (client, mut got) = (self.client(eye), BTreeMap::new());
        let pass = match eye {
            Eye::Seat(seat) => Some(&self.passes[usize::from(seat.0)]),
            _ => None,
        };
        let name = pass.unwrap_or(&self.id);
        let no_move = |turn: usize| json!({ "game_id": name, "move": "no move", "turn": turn });
        let mut asks = vec![
            ("getGame", json!({ "game_id": name })),
            ("joinGame", json!({ "game_id": name })),
            ("listGames", json!({})),
            ("finishTurn", no_move(self.turn())),
            ("finishTurn", no_move(self.turn() + 7)),
            ("gameAction", json!({ "game_id": name, "action": "newLink" })),
            ("gameAction", json!({ "game_id": name, "action": "peek" })),
            ("gameAction", json!({ "game_id": name, "action": "offerDraw" })),
            ("finishTurn", json!({ "game_id": name, "move": "resign" })),
        ];
        // Others would wait for as long as they may; what they get is looked at elsewhere.
        if let Eye::Seat(seat) = eye
            && self.record.due().includes(seat)
        {
            asks.push(("waitForNextTurn", json!({ "game_id": name })));
        }
        for (tool, ask) in asks {
            let door = self.plain(eye, &format!("{tool} {ask}"));
            let answer = client.tool(tool, ask).await;
            if tool == "getGame" {
                self.is_what_the_rules_show(eye, &answer);
            }
            got.insert(door, answer);
        }
        // In a session that has a seat, the game's id is enough.
        for tool in ["getGame", "joinGame"] {
            let answer = client.tool(tool, json!({ "game_id": self.id })).await;
            got.insert(format!("{tool} by the game's id"), answer);
        }
        let own_door = self.house.page(&format!("/{}/mcp", self.kind.name));
        let call = tool_call("getGame", json!({ "game_id": name }));
        let seen = post(&self.http, &own_door, &call).await;
        got.insert("getGame at the kind's own door".to_owned(), seen);
        let uri = format!("{}://game/{name}", self.kind.name);
        let read = json!({ "jsonrpc": "2.0", "id": 1, "method": "resources/read",
            "params": { "uri": uri } });
        got.insert("resources/read".to_owned(), client.post(&read).await);
        let game = format!("/api/games/{}", self.id);
        let past = (0..self.turn()).map(|turn| format!("{game}/turns/{turn}"));
        for path in past.chain([game.clone(), "/api/games".to_owned()]) {
            let mut request = self.http.get(self.house.page(&path));
            if let Some(pass) = pass {
                request = request.bearer_auth(pass);
            }
            let answer = request.send().await.expect("an answer").text().await.expect("text");
            got.insert(path.replace(&self.id, "GAME"), answer);
        }
        let mine = self.house.page("/api/games/mine");
        let mine = post(&self.http, &mine, &json!({ "passes": [name] })).await;
        got.insert("/api/games/mine".to_owned(), mine);
        got.insert("the game's stream".to_owned(), self.first_of_stream().await);
        got
    }

    /// Else the two games that are compared would not be those that are played.
    fn is_what_the_rules_show(&self, eye: Eye, answer: &str) {
        let shown: Value = serde_json::from_str(&self.record.view_json(eye)).expect("JSON");
        assert_eq!(facts(answer)["view"], shown, "{answer}");
    }

    async fn first_of_stream(&self) -> String {
        let page = self.house.page(&format!("/api/games/{}/events", self.id));
        let mut stream = self.http.get(page).send().await.expect("a stream");
        let mut text = String::new();
        while !text.contains("\n\n") {
            let chunk = stream.chunk().await.expect("it goes on").expect("there is more");
            text += &String::from_utf8_lossy(&chunk);
        }
        text
    }

    /// What everybody is told of this game, as it stands, among all.
    async fn news(&mut self) -> String {
        loop {
            while let Some((event, rest)) = self.heard.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let data = data.unwrap_or_default().to_owned();
                self.heard = rest.to_owned();
                let told: Value = serde_json::from_str(&data).unwrap_or_default();
                let is_now = told["game_id"] == self.id && told["turn"] == self.turn();
                if is_now && told["free_seat"] == false {
                    return data;
                }
            }
            let chunk = self.stream.chunk().await.expect("it goes on").expect("there is more");
            self.heard += &String::from_utf8_lossy(&chunk);
        }
    }

    /// In one form whatever must differ between two games: ids, times, the seed's hash, addresses.
    /// Another's pass is not among it.
    fn plain(&self, eye: Eye, text: &str) -> String {
        let mut text = text.to_owned();
        if let Eye::Seat(seat) = eye {
            text = text.replace(&self.passes[usize::from(seat.0)], "PASS");
        }
        let text = text.replace(&self.id, "GAME").replace(&self.house.address, "HOST");
        let (before, idle) = text.split_once(IDLE).unwrap_or((&text, ""));
        let idle = idle.trim_start_matches(|c: char| c.is_ascii_digit());
        let text = [before, idle].concat();
        let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
        let plain = words.map(|word| {
            let name = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            let is_hash = name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_time = name.len() == 13 && name.bytes().all(|byte| byte.is_ascii_digit());
            match (is_hash, is_time) {
                (true, _) => word.replace(name, "HASH"),
                (_, true) => word.replace(name, "TIME"),
                _ => word.to_owned(),
            }
        });
        plain.collect()
    }
}

/// Somebody who calls tools, with or without a session.
#[derive(Clone)]
struct Client {
    http: reqwest::Client,
    url: String,
    session: Option<String>,
    calls: Arc<AtomicU64>,
}

impl Client {
    async fn of(house: &House, sitting: Sitting) -> Client {
        let (http, calls) = (reqwest::Client::new(), Arc::default());
        let mut client = Client { http, url: house.url(), session: None, calls };
        if sitting == Sitting::BySession {
            client.shake_hands().await;
        }
        client
    }

    async fn shake_hands(&mut self) {
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "eyes", "version": "1" } } });
        let answer = self.in_session().json(&hello).send().await.expect("an answer");
        let id = answer.headers()["mcp-session-id"].to_str().expect("a text").to_owned();
        answer.bytes().await.expect("the whole answer");
        self.session = Some(id);
        self.post(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    }

    fn in_session(&self) -> reqwest::RequestBuilder {
        self.http.post(&self.url).header("accept", "application/json, text/event-stream")
    }

    /// The answer and, in a session, whatever is told before it, without the numbers of the events.
    async fn post(&self, message: &Value) -> String {
        let Some(id) = &self.session else { return post(&self.http, &self.url, message).await };
        let request = self.in_session().header("mcp-session-id", id).json(message);
        let text = request.send().await.expect("an answer").text().await.expect("text");
        let told = text.lines().filter_map(|line| line.strip_prefix("data:"));
        let told: Vec<_> = told.map(str::trim).filter(|told| !told.is_empty()).collect();
        if told.is_empty() { text } else { told.join("\n") }
    }

    async fn tool(&self, name: &str, ask: Value) -> String {
        let mut call = tool_call(name, ask);
        // A call that nobody waits for any more is answered all the same, by its id.
        let id = 1 + self.calls.fetch_add(1, Ordering::Relaxed);
        call["id"] = id.into();
        self.post(&call).await.replace(&format!("\"id\":{id},"), "\"id\":1,")
    }
}

async fn post(http: &reqwest::Client, url: &str, body: &Value) -> String {
    let answer = http.post(url).json(body).send().await.expect("an answer");
    answer.text().await.expect("text")
}

fn tool_call(name: &str, ask: Value) -> Value {
    let params = json!({ "name": name, "arguments": ask });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

/// What a tool's answer says as facts.
fn facts(answer: &str) -> Value {
    let answer = answer.lines().last().expect("an answer");
    let answer: Value = serde_json::from_str(answer).expect("JSON");
    answer["result"]["structuredContent"].clone()
}
