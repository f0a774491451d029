//! Stories of `agon league check`: agents of other authors are told what a league would see.

use std::{
    process::{ExitStatus, Stdio},
    time::Duration,
};

use serde_json::Value;

use crate::{
    agents::{Agent, DIALECTS, Kind, Misdeed, Odd},
    house::AGON,
    league_player::Fellow,
};

struct Checked {
    status: ExitStatus,
    report: String,
    complaint: String,
}

async fn check(url: &str, args: &[&str]) -> Checked {
    let mut command = tokio::process::Command::new(AGON);
    command.args(["league", "check", url, "--port", "0"]).args(args).stdin(Stdio::null());
    let output = command.output().await.expect("agon runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (report, complaint) = (text(&output.stdout), text(&output.stderr));
    Checked { status: output.status, report, complaint }
}

impl Checked {
    fn passes(&self, parts: &[&str]) {
        assert!(self.status.success(), "{}\n{}", self.report, self.complaint);
        self.says(parts);
    }

    fn fails(&self, parts: &[&str]) {
        assert_eq!(self.status.code(), Some(1), "{}", self.report);
        assert!(self.complaint.contains("could not play a match"), "{}", self.complaint);
        self.shows_what_is_right();
        self.says(parts);
    }

    /// Each FAIL ends with the request as a command, and with an answer that would have been right.
    fn shows_what_is_right(&self) {
        let mut lines = self.report.lines();
        let mut failed = 0;
        while let Some(line) = lines.next() {
            if line.starts_with("FAIL") {
                failed += 1;
                for begins in ["      curl -s http", "      would be right: {\"jsonrpc\":\"2.0\""] {
                    let next = lines.next().unwrap_or_default();
                    assert!(next.starts_with(begins), "{line}\n{next}");
                }
            }
        }
        assert!(failed > 0, "{}", self.report);
    }

    fn says(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.report.contains(part), "{part:?} is not in:\n{}", self.report);
        }
    }
}

#[tokio::test]
async fn an_agent_of_every_dialect_is_recognized_and_could_play() {
    for code in DIALECTS {
        let agent = Agent::start(Kind::Speaks(code)).await;
        let checked = check(&agent.url, &["--join-seconds", "2", "--move-seconds", "5"]).await;
        checked.passes(&[&format!("it speaks {code}: "), "after all this it still plays"]);
    }
    // It brings its number as a CHOOSE_PARITY_RESPONSE.
    let agent = Agent::start(Kind::Speaks("C2")).await;
    check(&agent.url, &["--game", "even-odd"]).await.passes(&["it speaks C2: "]);
}

#[tokio::test]
async fn our_own_player_plays_both_games_and_has_manners() {
    let fellow = Fellow::start(&["--strategy", "random"]).await;
    check(&fellow.url, &[]).await.passes(&[
        "it answers MCP's initialize",
        "invited, it says yes",
        "invited twice, it does not mind",
        "asked again, it plays the same",
        "sent ROUND_RESULT, it listens",
        "garbage is refused (HTTP 400, error -32700)",
        "a method nobody has is refused (error -32601)",
        "a protocol nobody speaks is refused",
        "a match of even-odd (league.v1) in S1 and a match of parity (league.v2) in H2",
    ]);
}

#[tokio::test]
async fn for_other_games_the_check_says_what_to_do() {
    let Checked { status, complaint, .. } =
        check("http://127.0.0.1:9/mcp", &["--game", "chess"]).await;
    assert!(!status.success());
    assert!(complaint.contains("agon league run --game chess --players 1 --with"), "{complaint}");
}

#[tokio::test]
async fn what_an_agent_does_wrong_is_said_in_plain_words() {
    use Misdeed::*;
    let late = "it did not answer within 0.5 s";
    for (misdeed, words) in [
        (NoMove, "the answer holds no move"),
        (
            EmptyPromise,
            "it acknowledged the question, but the answer did not come within 0.5 s; it is",
        ),
        (Plays(Odd::Ninety9), "99 is not a whole number from 1 to 5"),
        (Plays(Odd::Zero), "0 is not a whole number from 1 to 5"),
        (Plays(Odd::Text("7")), "\"7\" is not a whole number from 1 to 5"),
        (Plays(Odd::Text("3")), "\"3\" is neither \"even\" nor \"odd\""),
        (Plays(Odd::Text("Even")), "\"Even\" is neither \"even\" nor \"odd\""),
        (Plays(Odd::Number(2.9)), "2.9 is not a whole number from 1 to 5"),
        (Plays(Odd::Number(3.0)), "3.0 is not a whole number from 1 to 5"),
        (Html, "its answer (HTTP 200) is not JSON"),
        (OtherId, "it answered another request (id 987654)"),
        (OtherMatch, "the answer is for match R7M7"),
        (Huge, "its answer is larger than 256 kB"),
        (TooDeep, "its answer is nested more than 32 levels deep"),
        (Late(Duration::from_secs(60)), late),
        (Silent, late),
        (Closes, "it closed the connection without an answer"),
        (Redirects, "it sends us elsewhere (HTTP 307)"),
        (SlowDown, "it asks us to slow down"),
        (Declines, "invited, it says no"),
    ] {
        let agent = Agent::start(Kind::Does(misdeed)).await;
        // Who does answer must not be late on a busy machine; the others are not waited for.
        let is_late = words == late || [EmptyPromise, SlowDown].contains(&misdeed);
        let seconds = if is_late { "0.5" } else { "10" };
        let checked = check(&agent.url, &["--move-seconds", seconds]).await;
        checked.fails(&[words, &format!("curl -s {} -H ", agent.url), "would be right: {"]);
        let asked = |body: &&Value| body["params"]["message_type"] == "MOVE_REQUEST";
        let times = agent.heard().iter().filter(asked).count();
        let most = if misdeed == SlowDown { 8 } else { 3 };
        assert!(times <= most, "{misdeed:?}: a move is asked for {times} times");
    }
}

#[tokio::test]
async fn a_failure_is_shown_in_the_dialect_of_the_agent() {
    for (code, says) in [
        ("L1", r#"would be right: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","#),
        ("E2", r#"would be right: {"jsonrpc":"2.0","id":1,"result":{"envelope":{"#),
        ("L1", "-H 'mcp-session-id: a-session'"),
    ] {
        let agent = Agent::start(Kind::DoesIn(code, Misdeed::NoMove)).await;
        check(&agent.url, &["--game", "even-odd"]).await.fails(&[says]);
    }
}

#[tokio::test]
async fn an_answer_for_another_round_is_no_move() {
    let agent = Agent::start(Kind::Does(Misdeed::OtherRound)).await;
    check(&agent.url, &["--game", "even-odd"]).await.fails(&["the answer is for round 77"]);
    let checked = check(&agent.url, &["--game", "even-odd", "--json"]).await;
    let fail = checked.report.lines().find(|line| line.contains("\"FAIL\"")).expect("a FAIL");
    let fail: Value = serde_json::from_str(fail).expect("JSON");
    assert_eq!(fail["right"]["result"]["move"], serde_json::json!({ "number": 3 }), "{fail}");
    assert!(fail["curl"].as_str().is_some_and(|curl| curl.starts_with("curl -s ")), "{fail}");
    assert!(!fail["says"].as_str().unwrap().contains('\n'), "{fail}");
}

#[tokio::test]
async fn what_is_merely_odd_does_not_keep_an_agent_from_playing() {
    let agent = Agent::start(Kind::Does(Misdeed::Confused)).await;
    check(&agent.url, &[]).await.passes(&["asked for a move, it plays 3"]);
    let agent = Agent::start(Kind::Does(Misdeed::Wavers)).await;
    check(&agent.url, &[]).await.passes(&["the first answer counts"]);
}

#[tokio::test]
async fn addresses_nobody_plays_at_are_said() {
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", closed.local_addr().unwrap());
    drop(closed);
    check(&url, &[]).await.fails(&["cannot be reached; is the agent running?"]);
    for (url, why) in [
        ("file:///etc/passwd", "only http and https are called, not file"),
        ("http://169.254.169.254/", "169.254.169.254 is not called"),
        ("nonsense", "not a URL"),
    ] {
        let checked = check(url, &[]).await;
        assert_eq!(checked.status.code(), Some(1));
        assert!(checked.complaint.contains(why), "{}", checked.complaint);
    }
}

#[tokio::test]
async fn an_agent_that_never_says_a_word_is_given_up() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let checked = check(&url, &["--join-seconds", "0.2"]).await;
    checked.fails(&["it did not answer within 0.2 s"]);
}

#[tokio::test]
async fn strictly_every_field_is_held_against_the_documents() {
    let fellow = Fellow::start(&[]).await;
    let strict = check(&fellow.url, &["--strict"]).await;
    strict.says(&[
        "ok    MOVE_RESPONSE.move.number: ",
        "came; the document says: an integer, 1-5 inclusive",
        "ok    CHOOSE_PARITY_RESPONSE.parity_choice",
        "ok    GAME_JOIN_ACK.arrival_timestamp",
        "ok    invalid JSON: HTTP 400 and error -32700 came",
        " rows hold.",
    ]);
    let agent = Agent::start(Kind::Speaks("S1")).await;
    let checked = check(&agent.url, &["--strict", "--game", "even-odd"]).await;
    assert_eq!(checked.status.code(), Some(1));
    assert!(checked.complaint.contains("it plays, but"), "{}", checked.complaint);
    checked.shows_what_is_right();
    checked.says(&["FAIL  MOVE_RESPONSE.round_id: nothing came; the document says: an integer"]);
}

#[tokio::test]
async fn an_agent_practises_among_our_own() {
    let agent = Agent::start(Kind::Speaks("S1")).await;
    let mut command = tokio::process::Command::new(AGON);
    command.args(["league", "run", "--players", "2", "--with", &agent.url]);
    let output = command.output().await.expect("agon runs");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && table.contains("agent at 127.0.0.1:"), "{table}");
    assert_eq!(table.lines().count(), 4, "{table}");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(!log.contains("ERROR"), "{log}");
    assert!(agent.heard().iter().any(|body| body["method"] == "MOVE_REQUEST"));
}

#[tokio::test]
async fn who_would_play_in_our_league_is_never_said_not_to() {
    use crate::agents::strangers::{Sort, Stranger};
    for (sort, speaks) in [
        (Sort::Titled, "it speaks "),
        (Sort::MetaOnly, "it speaks L1: "),
        (Sort::Handshaken, "it speaks S1c: "),
        (Sort::Waiting, "it speaks "),
    ] {
        let stranger = Stranger::start(sort).await;
        check(&stranger.url, &[]).await.passes(&["It could play", speaks]);
    }
    for misdeed in [Misdeed::Slips("match_id"), Misdeed::Wavers, Misdeed::Confused] {
        let agent = Agent::start(Kind::Does(misdeed)).await;
        check(&agent.url, &[]).await.passes(&["It could play"]);
    }
}
