//! The messages of the league: one table of their names, the methods and tools they come under,
//! and what each must carry.
//!
//! How an agent wants them wrapped is in `dialect`.

use std::{collections::HashMap, fmt, str::FromStr, sync::LazyLock};

use rules::quoted;
use serde_json::Value;
use uuid::Uuid;

use super::{Fields, errors::Misread, timestamp};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    V1,
    V2,
}

impl Version {
    pub fn name(self) -> &'static str {
        match self {
            Version::V1 => "league.v1",
            Version::V2 => "league.v2",
        }
    }
}

impl FromStr for Version {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Version, Misread> {
        match text {
            "league.v1" => Ok(Version::V1),
            "league.v2" => Ok(Version::V2),
            _ => Err(Misread::Version(quoted(text))),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Message {
    RegisterReferee,
    RefereeRegistered,
    RegisterPlayer,
    PlayerRegistered,
    RoundAnnouncement,
    GameStart,
    GameInvitation,
    JoinAck,
    MoveRequest,
    MoveResponse,
    MoveCall,
    MoveCallResponse,
    ParityCall,
    ParityResponse,
    RoundResult,
    GameEnd,
    GameOver,
    MatchReport,
    StandingsUpdate,
    RoundCompleted,
    LeagueCompleted,
    LeagueQuery,
    QueryResponse,
    LeagueError,
    GameError,
}

use Message::*;

/// One message in the table.
struct Row {
    message: Message,
    name: &'static str,
    /// The version that defines it; None if both do.
    version: Option<Version>,
    /// The method or tool that carries it.
    carrier: &'static str,
    /// Other names seen on the wire, of types, methods and tools alike.
    also: &'static [&'static str],
    /// The fields it must carry beside the envelope.
    own: &'static [&'static str],
}

const fn row(
    message: Message,
    name: &'static str,
    version: Option<Version>,
    carrier: &'static str,
    also: &'static [&'static str],
    own: &'static [&'static str],
) -> Row {
    Row { message, name, version, carrier, also, own }
}

const V1: Option<Version> = Some(Version::V1);
const V2: Option<Version> = Some(Version::V2);

/// Case and punctuation of a name do not matter, so `REQUEST_MOVE` and `request/move` are one.
#[rustfmt::skip]
const TABLE: &[Row] = &[
    row(RegisterReferee, "REFEREE_REGISTER_REQUEST", V2, "register_referee",
        &["referee_register", "register_referee_request"],
        &["referee_meta.display_name", "referee_meta.contact_endpoint"]),
    row(RefereeRegistered, "REFEREE_REGISTER_RESPONSE", V2, "referee_register_response", &[],
        &["status"]),
    row(RegisterPlayer, "LEAGUE_REGISTER_REQUEST", None, "register_player",
        &["register", "league_register", "player_register", "register_player_request"],
        &["league_id", "player_meta.display_name", "player_meta.version",
          "player_meta.game_types", "player_meta.contact_endpoint"]),
    row(PlayerRegistered, "LEAGUE_REGISTER_RESPONSE", None, "league_register_response",
        &["register_player_response"],
        &["status"]),
    row(RoundAnnouncement, "ROUND_ANNOUNCEMENT", V2, "notify_round",
        &["announce_round", "receive_round_announcement", "handle_round_announcement"],
        &["round_id", "matches"]),
    row(GameStart, "GAME_START", V1, "game_start",
        &["game_invite", "handle_game_start", "notify_game_start"],
        &["match_id", "game_config", "players"]),
    row(GameInvitation, "GAME_INVITATION", V2, "handle_game_invitation",
        &["receive_game_invitation", "invite_player", "invitation"],
        &["match_id", "game_type"]),
    row(JoinAck, "GAME_JOIN_ACK", None, "game_join_ack",
        &["join_ack", "receive_game_join_ack", "handle_game_join_ack", "receive_join_ack"],
        &["match_id"]),
    row(MoveRequest, "MOVE_REQUEST", V1, "move_request",
        &["request_move", "handle_move_request", "get_move"],
        &["match_id", "game_round"]),
    row(MoveResponse, "MOVE_RESPONSE", V1, "move_response",
        &["receive_move", "receive_move_response", "submit_move"],
        &["match_id", "game_round", "move"]),
    row(MoveCall, "GAME_MOVE_CALL", V2, "game_move_call", &["handle_game_move_call"],
        &["match_id", "move_request"]),
    row(MoveCallResponse, "GAME_MOVE_RESPONSE", V2, "game_move_response",
        &["receive_game_move_response"],
        &["match_id", "player_id", "move_data"]),
    row(ParityCall, "CHOOSE_PARITY_CALL", V2, "choose_parity",
        &["parity_choose", "parity_call", "handle_choose_parity", "choose_parity_request"],
        &["match_id"]),
    row(ParityResponse, "CHOOSE_PARITY_RESPONSE", V2, "choose_parity_response",
        &["receive_parity_response", "parity_response", "receive_parity_choice"],
        &["match_id", "player_id", "parity_choice"]),
    row(RoundResult, "ROUND_RESULT", V1, "round_result",
        &["move_result", "notify_round_result", "handle_round_result", "receive_round_result"],
        &["match_id", "game_round"]),
    row(GameEnd, "GAME_END", V1, "game_end",
        &["notify_game_end", "handle_game_end", "receive_game_end"],
        &["match_id"]),
    row(GameOver, "GAME_OVER", V2, "notify_match_result",
        &["receive_game_over", "handle_game_over", "match_result", "receive_match_result",
          "handle_match_result", "game_result"],
        &["match_id", "game_result"]),
    row(MatchReport, "MATCH_RESULT_REPORT", V2, "report_match_result",
        &["report_result", "report_match", "submit_match_result"],
        &["match_id", "result"]),
    row(StandingsUpdate, "LEAGUE_STANDINGS_UPDATE", V2, "update_standings",
        &["standings_update", "receive_standings", "notify_standings"],
        &["standings"]),
    row(RoundCompleted, "ROUND_COMPLETED", V2, "notify_round_completed",
        &["receive_round_completed"],
        &["round_id"]),
    row(LeagueCompleted, "LEAGUE_COMPLETED", V2, "notify_league_completed",
        &["receive_league_completed", "league_end"],
        &[]),
    row(LeagueQuery, "LEAGUE_QUERY", V2, "league_query", &["query_league"],
        &["query_type"]),
    row(QueryResponse, "LEAGUE_QUERY_RESPONSE", V2, "league_query_response", &[],
        &["success"]),
    row(LeagueError, "LEAGUE_ERROR", None, "notify_league_error", &["receive_league_error"],
        &["error_code"]),
    row(GameError, "GAME_ERROR", V2, "notify_game_error",
        &["receive_game_error", "handle_game_error"],
        &["match_id", "error_code"]),
];

/// The fields of every message.
const ENVELOPE: &[&str] = &["protocol", "message_type", "sender", "timestamp", "conversation_id"];

/// Fields that agents spell in several ways; what is sent carries all of them.
const SPELLINGS: &[&[&str]] = &[
    &["accept", "accepted"],
    &["choices", "player_choices"],
    &["parity_choice", "choice"],
    &["played", "matches_played", "games_played"],
    &["matches_completed", "matches_played"],
    &["winner_player_id", "winner"],
    &["error_description", "error_message"],
];

impl Message {
    /// The message that goes by this name, be it a type, a method or a tool.
    pub fn named(name: &str) -> Option<Message> {
        static NAMES: LazyLock<HashMap<String, Message>> = LazyLock::new(|| {
            let named = |row: &'static Row| {
                let names = [row.name, row.carrier].into_iter().chain(row.also.iter().copied());
                names.map(|name| (plain(name), row.message))
            };
            TABLE.iter().flat_map(named).collect()
        });
        // Longer than any name of ours; not worth copying.
        (name.len() <= 64).then(|| NAMES.get(&plain(name)).copied()).flatten()
    }

    fn row(self) -> &'static Row {
        TABLE.iter().find(|row| row.message == self).expect("every message has a row")
    }

    /// As `message_type` has it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    pub fn carrier(self) -> &'static str {
        self.row().carrier
    }

    /// The version that defines it, or `asked` if both do.
    pub fn version(self, asked: Version) -> Version {
        self.row().version.unwrap_or(asked)
    }

    /// The fields it should carry and does not.
    pub fn missing_from(self, fields: &Fields) -> impl Iterator<Item = &'static str> {
        let all = ENVELOPE.iter().chain(self.row().own);
        all.copied().filter(|path| at(fields, path).is_none())
    }

    /// The whole message, with every spelling of what is spelt in several ways.
    pub fn write(
        self,
        version: Version,
        sender: &str,
        conversation_id: &str,
        mut own: Fields,
    ) -> Fields {
        let envelope = [
            ("protocol", version.name()),
            ("message_type", self.name()),
            ("sender", sender),
            ("conversation_id", conversation_id),
        ];
        own.extend(envelope.map(|(name, value)| (name.to_owned(), value.into())));
        own.insert("timestamp".into(), timestamp::now().into());
        spell(&mut own);
        own
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The value at `path`, like `player_meta.version`; null counts as absent.
pub fn at<'a>(fields: &'a Fields, path: &str) -> Option<&'a Value> {
    let mut steps = path.split('.');
    let first = fields.get(steps.next()?)?;
    steps.try_fold(first, |value, step| value.get(step)).filter(|value| !value.is_null())
}

/// A name for one exchange, in the form of a random UUID.
pub fn new_conversation() -> String {
    Uuid::new_v4().to_string()
}

fn plain(name: &str) -> String {
    let fold = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    name.chars().map(fold).collect()
}

fn spell(fields: &mut Fields) {
    for group in SPELLINGS {
        let Some(value) = group.iter().find_map(|name| fields.get(*name)).cloned() else {
            continue;
        };
        for name in *group {
            fields.entry(*name).or_insert_with(|| value.clone());
        }
    }
    for value in fields.values_mut() {
        match value {
            Value::Object(inner) => spell(inner),
            Value::Array(items) => {
                items.iter_mut().filter_map(Value::as_object_mut).for_each(spell);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_are_known_by_all_their_names() {
        let check = |name: &str, message| assert_eq!(Message::named(name), message, "{name}");
        check("LEAGUE_REGISTER_REQUEST", Some(RegisterPlayer));
        check("REGISTER_PLAYER_REQUEST", Some(RegisterPlayer));
        check("register_player", Some(RegisterPlayer));
        check("league/register", Some(RegisterPlayer));
        check("CHOOSE_PARITY_CALL", Some(ParityCall));
        check("parity_choose", Some(ParityCall));
        check("choose_parity", Some(ParityCall));
        check("receive_game_over", Some(GameOver));
        check("receive_parity_response", Some(ParityResponse));
        check("GAME_INVITE", Some(GameStart));
        check("MOVE_RESULT", Some(RoundResult));
        check("REQUEST_MOVE", Some(MoveRequest));
        check("tools/call", None);
        check("make_move", None);
        check("", None);
        check(&"register".repeat(100_000), None);
    }

    #[test]
    fn no_name_means_two_messages() {
        let mut seen = HashMap::new();
        for row in TABLE {
            assert_eq!(row.message.name(), row.name);
            for name in [row.name, row.carrier].iter().chain(row.also) {
                let before = seen.insert(plain(name), row.message);
                assert!(before.is_none_or(|message| message == row.message), "{name}");
            }
        }
    }

    #[test]
    fn doubtful_fields_are_sent_in_every_spelling() {
        let own = json!({
            "game_result": { "choices": { "P01": "even" }, "winner_player_id": null },
            "standings": [{ "player_id": "P01", "played": 2 }],
        });
        let Value::Object(own) = own else { unreachable!() };
        let said = GameOver.write(Version::V2, "referee:REF01", "c", own);
        assert_eq!(said["game_result"]["player_choices"], json!({ "P01": "even" }));
        assert_eq!(said["game_result"]["winner"], Value::Null);
        assert_eq!(said["standings"][0]["matches_played"], 2);
        assert_eq!(said["standings"][0]["games_played"], 2);
        assert_eq!(said["protocol"], "league.v2");
        assert_eq!(GameOver.missing_from(&said).collect::<Vec<_>>(), ["match_id"]);
    }
}
