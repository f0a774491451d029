//! A proxy on the server's own machine, set up as its manual says: calls that come through it are
//! strangers'.

use std::{
    net::TcpListener,
    process::{Command, Output},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    agents::{Agent, DIALECTS, Kind},
    house::House,
    players::{Player, Way},
};

/// Ports that another may take before nginx has them.
const TRIES: usize = 10;
/// How nginx speaks to the server from 1.29.7 on, and how people set up older ones.
const KEEP_ALIVE: &str = "proxy_http_version 1.1; proxy_set_header Connection \"\";";

/// Debian's nginx with a plain `proxy_pass`.
struct Nginx {
    folder: TempDir,
    address: String,
}

impl Nginx {
    fn before(house: &House, more: &str) -> Nginx {
        let folder = tempfile::tempdir().expect("a folder");
        let mut said = String::new();
        for _ in 0..TRIES {
            let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
            let address = free.expect("a port").to_string();
            let (at, to) = (folder.path().display(), &house.address);
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
            let temporary = temporary.map(|name| format!("{name}_temp_path {at}/{name};")).concat();
            let file = format!(
                "master_process off; pid {at}/pid; error_log {at}/log; events {{}}
                 http {{ access_log off; {temporary}
                 server {{ listen {address}; location / {{ proxy_pass http://{to}; {more} }} }} }}"
            );
            std::fs::write(folder.path().join("conf"), file).expect("a file");
            // It returns when it listens, or fails where another has taken the port.
            let started = Nginx::run(&folder, &[]);
            if started.status.success() {
                return Nginx { folder, address };
            }
            said = String::from_utf8_lossy(&started.stderr).into_owned();
        }
        panic!("nginx does not start: {said}");
    }

    fn run(folder: &TempDir, args: &[&str]) -> Output {
        let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
        let mut nginx = Command::new("nginx");
        nginx.env("PATH", path).arg("-p").arg(folder.path()).args(["-e", "log", "-c", "conf"]);
        nginx.args(args).output().expect("nginx is installed")
    }

    fn page(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        Nginx::run(&self.folder, &["-s", "stop"]);
    }
}

/// More searches than a stranger has in a minute.
const MANY: usize = 400;

/// How many searches in a row are answered before one is refused for now.
async fn searches(site: &str) -> usize {
    let mut answered = 0;
    while answered < MANY
        && reqwest::get(format!("{site}/api/games?q=x")).await.unwrap().status() == 200
    {
        answered += 1;
    }
    answered
}

#[tokio::test]
async fn callers_through_a_proxy_on_this_machine_are_strangers() {
    let url: &[&str] = &["--url", "https://games.example"];
    for (flags, more) in [(&[] as &[&str], ""), (url, ""), (url, KEEP_ALIVE)] {
        let house = House::alone(flags).await;
        let nginx = Nginx::before(&house, more);
        let key = "0123456789abcdef0123456789abcdef";
        let owner = Player::at(&format!("{}?key={key}", house.url()), Way::Plain).await;
        let ask = json!({ "type": "computer", "color": "black", "requestId": "first-of-mine" });
        let created = owner.create(ask.clone()).await;
        let listed = owner.call("listGames", json!({})).await.ok();
        assert_eq!(listed.facts["games"][0]["pass"], created.pass());
        let mut ids = vec![created.id()];
        for way in [Way::Plain, Way::Modern, Way::Legacy] {
            let stranger = Player::at(&nginx.page("/mcp"), way).await;
            let listed = stranger.call("listGames", json!({})).await.ok();
            assert!(listed.facts.to_string().contains(&created.id()), "{way:?}");
            assert!(!listed.facts.to_string().contains(&created.pass()), "{way:?}");
            let own = stranger.create(ask.clone()).await;
            assert!(!ids.contains(&own.id()), "{way:?}: another's requestId opens another's game");
            ids.push(own.id());
        }

        let open = house.neighbour().args(["league", "create", "cup"]).output().unwrap();
        assert!(open.status.success(), "{open:?}");
        let agent = Agent::start(Kind::Speaks(DIALECTS[0])).await;
        let manager = nginx.page("/league/mcp");
        for (league, why) in [("cup", "127.0.0.1"), ("another", "another")] {
            let said = agent.register(&manager, "Eve", league).await.to_string();
            assert!(said.contains("REJECTED") && said.contains(why), "{league}: {said}");
        }
        assert_eq!(agent.heard(), [] as [Value; 0], "nothing is posted to this machine");
        assert!(searches(&nginx.page("")).await < MANY, "what strangers ask for is counted");
        // Without a word of the owner's, whoever calls directly is at this machine.
        let said = agent.register(&house.page("/league/mcp"), "Ann", "cup").await.to_string();
        assert_eq!(said.contains("REJECTED"), !flags.is_empty(), "{said}");
        assert_eq!(searches(&house.page("")).await == MANY, flags.is_empty());
    }
}
