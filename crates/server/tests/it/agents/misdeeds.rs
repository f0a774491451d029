//! What an agent may do wrong when it is asked to move.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::{Mind, Reply, manners::Act};

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Misdeed {
    NoMove,
    /// Says that it heard, and never calls back.
    EmptyPromise,
    /// Plays this instead of a number, or says this instead of a parity.
    Plays(Odd),
    Html,
    OtherId,
    OtherMatch,
    OtherRound,
    Huge,
    TooDeep,
    Late(Duration),
    Silent,
    Closes,
    Redirects,
    SlowDown,
    /// Says that it is asked too often, unless it was left alone for this long.
    Rests(Duration),
    /// Says the wrong thing in this field of every first answer, and then plays well.
    Slips(&'static str),
    /// Plays another move each time it is asked.
    Wavers,
    Declines,
    /// Moves well, with HTTP 500 and `error: null` beside it: that is no misdeed after all.
    Confused,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Odd {
    Number(f64),
    Text(&'static str),
    Ninety9,
    Zero,
}

impl Mind {
    pub(super) async fn misbehave(
        &self,
        misdeed: Misdeed,
        id: &Value,
        act: Act,
        message: &Map<String, Value>,
    ) -> Reply {
        let well = |number| self.wrap(id, act, message, self.say(act, number));
        let with = |name: &str, value: Value| {
            let mut said = self.say(act, 3);
            said[name] = value;
            self.wrap(id, act, message, said)
        };
        let (asked, left_alone) = {
            let mut memory = self.memory();
            memory.asked += 1;
            let before = memory.asked_at.replace(Instant::now());
            (memory.asked, before.map(|before| before.elapsed()))
        };
        match misdeed {
            Misdeed::NoMove => self.wrap(id, act, message, json!({})),
            Misdeed::EmptyPromise => self.wrap(id, act, message, json!({ "status": "received" })),
            Misdeed::Plays(odd) => {
                let value = match odd {
                    Odd::Number(number) => json!(number),
                    Odd::Text(text) => json!(text),
                    Odd::Ninety9 => json!(99),
                    Odd::Zero => json!(0),
                };
                let said = json!({ "move": { "number": value }, "parity_choice": value });
                self.wrap(id, act, message, said)
            }
            Misdeed::Html => Reply::Raw(
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 21\r\n\r\n\
                 <html>even 3 </html>\n",
            ),
            Misdeed::OtherId => self.wrap(&json!(987_654), act, message, self.say(act, 3)),
            Misdeed::OtherMatch => with("match_id", json!("R7M7")),
            Misdeed::OtherRound => with("game_round", json!(77)),
            Misdeed::Huge => Reply::Flood,
            Misdeed::TooDeep => {
                let deep = (0..60).fold(json!(3), |inner, _| json!([inner]));
                with("move", json!({ "number": deep }))
            }
            Misdeed::Late(by) => {
                tokio::time::sleep(by).await;
                well(3)
            }
            Misdeed::Silent => Reply::Never,
            Misdeed::Closes => Reply::Close,
            Misdeed::Redirects => Reply::Raw(
                "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://169.254.169.254/\r\n\
                 content-length: 0\r\n\r\n",
            ),
            Misdeed::SlowDown => too_often(id),
            Misdeed::Rests(rest) if left_alone.is_none_or(|alone| alone < rest) => too_often(id),
            Misdeed::Rests(_) => well(3),
            Misdeed::Slips(field) if asked % 2 == 1 => with(field, json!("R7M7")),
            Misdeed::Slips(_) => well(3),
            Misdeed::Wavers => well(asked as u8 % 5 + 1),
            Misdeed::Declines => well(3),
            Misdeed::Confused => match well(3) {
                Reply::Json(_, mut body) => {
                    body["error"] = Value::Null;
                    Reply::Json(500, body)
                }
                other => other,
            },
        }
    }
}

fn too_often(id: &Value) -> Reply {
    let error = json!({ "code": -32000, "message": "Rate limit exceeded" });
    Reply::Json(200, json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}
