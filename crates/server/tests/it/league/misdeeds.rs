//! What hostile or broken players do: the other gets what it earned, the league goes on, and the
//! log says what happened.

use std::time::Duration;

use serde_json::json;

use super::{Cup, line};
use crate::{
    agents::{Agent, Kind, Misdeed, Odd},
    house::House,
};

/// Each misdeed, and what the log says of it: in even-odd and in parity, where they differ.
const MISDEEDS: [(Misdeed, [&str; 2]); 19] = {
    use Misdeed::*;
    const LATE: [&str; 2] = ["time is over"; 2];
    const NUMBER: &str = "is not a whole number from 1 to 5";
    const PARITY: &str = "is neither";
    [
        (NoMove, ["the answer holds no move"; 2]),
        (EmptyPromise, LATE),
        (Plays(Odd::Ninety9), [NUMBER, PARITY]),
        (Plays(Odd::Zero), [NUMBER, PARITY]),
        (Plays(Odd::Text("7")), [NUMBER, PARITY]),
        (Plays(Odd::Text("3")), [NUMBER, PARITY]),
        (Plays(Odd::Number(2.9)), [NUMBER, PARITY]),
        (Html, ["is not JSON"; 2]),
        (OtherId, ["it answered another request"; 2]),
        (OtherMatch, ["the answer is for match R7M7"; 2]),
        (OtherRound, ["the answer is for round 77"; 2]),
        (Huge, ["is larger than 256 kB"; 2]),
        (TooDeep, ["is nested more than 32 levels deep"; 2]),
        (Late(Duration::from_secs(60)), LATE),
        (Silent, LATE),
        (Closes, ["it closed the connection"; 2]),
        (Redirects, ["it sends us elsewhere"; 2]),
        (SlowDown, ["it asks us to slow down"; 2]),
        (Declines, ["a player does not want to play"; 2]),
    ]
};

#[tokio::test]
async fn whatever_others_do_the_honest_get_what_they_earned() {
    for (game, words) in [("even-odd", 0), ("parity", 1)] {
        let house = House::open().await;
        let cup = Cup::open(&house, game, &["--game", game, "--time-limit", "3"]).await;
        let honest = [
            Agent::start(Kind::Does(Misdeed::Confused)).await,
            Agent::start(Kind::Does(Misdeed::Wavers)).await,
        ];
        let mut ids = Vec::new();
        for (agent, name) in honest.iter().zip(["confused", "wavering"]) {
            ids.push(cup.seat(&house, agent, name).await);
        }
        let mut bad = Vec::new();
        for (misdeed, said) in MISDEEDS {
            // In a game of one decision there is no other round.
            if (game, misdeed) != ("parity", Misdeed::OtherRound) {
                let agent = Agent::start(Kind::Does(misdeed)).await;
                let id = cup.seat(&house, &agent, &format!("{misdeed:?}")).await;
                bad.push((id, said[words], agent));
            }
        }
        cup.start(&house).await;
        let state = cup.finish(&house).await;
        for id in &ids {
            assert_eq!(line(&state, id)["forfeits"], 0, "{game}: {}", line(&state, id));
            assert!(line(&state, id)["wins"].as_u64().unwrap() >= bad.len() as u64);
        }
        for (id, said, _) in &bad {
            let line = line(&state, id);
            // Who was suspended before it has lost to it too.
            assert_eq!(line["forfeits"], line["losses"], "{game}: {line}");
            assert_eq!((&line["draws"], &line["rounds_won"]), (&json!(0), &json!(0)), "{line}");
            house.logs(&[id, said]).await;
        }
    }
}
