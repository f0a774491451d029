//! Registrations as they come: from a tool's own arguments, or as messages in every shape that agents
//! are known to use; and how each is answered.
//!
//! `registration` decides who is let in.

use rules::{league::LeagueKind, short};
use serde_json::{Value, json};

use super::{
    leagues::Leagues,
    rate_limit::{Caller, CallerId, ServerPart},
    referee::contest::wire_name,
    refusals::{LeagueRefusal, MessageRefusal},
    registration::{Applicant, Ticket},
};
use crate::league::wire::{
    Fields,
    contents::written,
    dialect::Dialect,
    errors::Misread,
    manner::{Manner, by_type},
    message::{Message, Version, new_conversation},
    reading::{Parsed, Shape},
};

/// Somebody's wish to play, wherever it came from.
pub struct Application {
    pub league: Option<String>,
    /// The version it speaks, if it says so, and the version to assume otherwise.
    pub version: Option<Version>,
    pub likely: Version,
    pub applicant: Applicant,
    /// The word for yes; one kind of agent waits for another than all others.
    yes: &'static str,
    conversation: Option<String>,
    /// Identifies it before it has a token: its endpoint, or else its name.
    known_as: Option<String>,
}

impl Application {
    /// From one who comes over MCP, and says no more than a player must.
    pub fn by_tool(name: &str, version: &str, caller_id: CallerId) -> Result<Application, Misread> {
        if name.is_empty() {
            return Err(Misread::Missing("player_name".into()));
        }
        Ok(Application {
            league: None,
            version: None,
            likely: Version::V1,
            applicant: Applicant {
                name: name.trim().to_owned(),
                version: version.to_owned(),
                endpoint: None,
                manner: Dialect::L1.into(),
                token: None,
                invite: None,
                games: None,
                caller_id,
            },
            yes: ACCEPTED,
            conversation: None,
            known_as: Some(name.to_owned()),
        })
    }

    /// Where it listens. Who names a league plays what that one plays; who names none, what the
    /// protocols were made for.
    pub fn at(mut self, endpoint: &str) -> Application {
        let endpoint = Some(endpoint.trim()).filter(|url| !url.is_empty());
        let is_named = self.league.is_some();
        self.applicant.games = endpoint.filter(|_| !is_named).map(|_| own_game());
        self.applicant.endpoint = endpoint.map(str::to_owned);
        self.known_as = self.applicant.endpoint.clone().or(self.known_as);
        self
    }

    /// From a message.
    pub fn read(parsed: &Parsed, caller_id: CallerId) -> Result<Application, Misread> {
        let games = check(parsed)?;
        let either = |paths: &[&str]| paths.iter().find_map(|path| parsed.word(path));
        let text = |paths: &[&str]| {
            let given = paths.iter().find(|path| parsed.get(path).is_some());
            given.map(|path| parsed.text(path)).transpose()
        };
        let name = text(&NAMES)?.ok_or_else(|| Misread::Missing("player_name".into()))?;
        // A player without an endpoint leaves the field out; an empty one is a mistake.
        let optional = text(&["endpoint", "contact_endpoint"])?;
        let optional = optional.filter(|url| !url.trim().is_empty());
        let endpoint = text(&["player_meta.contact_endpoint"])?.or(optional);
        let given = |text: &&str| !text.is_empty();
        let league = parsed.word("league_id").filter(given);
        // Those who listen and do not say what they play, play what the protocols were made for; by
        // the tool, which has no word for it, what the league plays that they name.
        let is_told = parsed.shape == Shape::Tool && league.is_some();
        let games = games.or_else(|| endpoint.filter(|_| !is_told).map(|_| own_game()));
        let applicant = Applicant {
            name: name.trim().to_owned(),
            version: either(&["player_meta.version", "version"]).unwrap_or_default().to_owned(),
            endpoint: endpoint.map(|url| url.trim().to_owned()),
            manner: Manner::guess(parsed),
            token: parsed.word("auth_token").filter(given).map(str::to_owned),
            invite: text(&["player_meta.invite_code", "invite_code"])?.map(str::to_owned),
            games,
            caller_id,
        };
        Ok(Application {
            league: league.map(str::to_owned),
            version: parsed.version,
            likely: likely(parsed),
            applicant,
            yes: if by_type(parsed) && parsed.text_id { "REGISTERED" } else { ACCEPTED },
            conversation: parsed.word("conversation_id").map(str::to_owned),
            known_as: applies_as(parsed).map(str::to_owned),
        })
    }
}

impl Leagues {
    pub(super) async fn caller_of(&self, parsed: &Parsed, caller_id: CallerId) -> Caller {
        let registers = parsed.message == Message::RegisterPlayer;
        let newcomer = applies_as(parsed).filter(|_| registers);
        self.caller(caller_id, parsed.word("auth_token"), parsed.word("league_id"), newcomer).await
    }

    /// Lets somebody play, or says why not; either way with the whole message that tells so.
    pub async fn enrol(&self, application: Application) -> Result<Fields, MessageRefusal> {
        let Application { league, version, likely, applicant, yes, conversation, known_as } =
            application;
        let (caller_id, token) = (applicant.caller_id, applicant.token.as_deref());
        let caller = self.caller(caller_id, token, league.as_deref(), known_as.as_deref()).await;
        self.rate_limit.count(caller, ServerPart::Manager)?;
        let (name, manner) = (applicant.name.clone(), applicant.manner);
        let (version, answer) =
            match self.register(league.as_deref(), version, likely, applicant).await {
                Ok(ticket) => {
                    self.rate_limit.let_in(caller);
                    (ticket.version, accepted(yes, ticket))
                }
                Err(no @ (LeagueRefusal::Store(_) | LeagueRefusal::OtherGame(_))) => {
                    return Err(no.into());
                }
                Err(no) => {
                    tracing::info!(name = short(&name), %no, "a registration was rejected");
                    (version.unwrap_or(likely), rejected(league, &no))
                }
            };
        let (conversation, own) = (conversation.unwrap_or_else(new_conversation), written(&answer));
        let answer = Message::PlayerRegistered.write(version, "league_manager", &conversation, own);
        Ok(Manner { token: false, ..manner }.address(answer, None))
    }
}

const ACCEPTED: &str = "ACCEPTED";

/// Where the name of a player stands, the protocol's own first.
const NAMES: [&str; 4] = ["player_meta.display_name", "player_name", "display_name", "name"];

fn applies_as(parsed: &Parsed) -> Option<&str> {
    ["player_meta.contact_endpoint", "endpoint", "contact_endpoint"]
        .into_iter()
        .chain(NAMES)
        .find_map(|path| parsed.word(path).filter(|text| !text.trim().is_empty()))
}

fn own_game() -> Vec<String> {
    vec![wire_name(LeagueKind::EVEN_ODD).to_owned()]
}

/// The games that are listed. The tool of the same name is content with less than the message, and
/// agents of league.v2 leave out what they please.
fn check(parsed: &Parsed) -> Result<Option<Vec<String>>, Misread> {
    let bare_tool = parsed.shape == Shape::Tool
        && ["protocol", "message_type", "sender", "timestamp"]
            .iter()
            .all(|f| parsed.get(f).is_none());
    let lenient = bare_tool || parsed.version == Some(Version::V2);
    if parsed.get("player_meta").is_some() && !lenient {
        parsed.complete()?;
    }
    let Some(listed) = parsed.get("player_meta.game_types").or(parsed.get("game_types")) else {
        return Ok(None);
    };
    let names = listed.as_array().map(|all| all.iter().filter_map(Value::as_str));
    Ok(Some(names.into_iter().flatten().map(str::to_owned).collect()))
}

/// The version to assume of an agent that names neither its protocol nor a league.
fn likely(parsed: &Parsed) -> Version {
    let hint = parsed.word("player_meta.protocol_version").unwrap_or_default();
    let second = hint == "league.v2" || hint.starts_with("2.");
    if second { Version::V2 } else { Version::V1 }
}

fn accepted(yes: &'static str, ticket: Ticket) -> Value {
    let mut answer = json!({
        "status": yes,
        "player_id": ticket.player_id,
        "auth_token": ticket.token,
        "league_id": ticket.league_id,
        "reason": null,
    });
    if let Some(name) = &ticket.renamed {
        answer["display_name"] = json!(name);
        answer["note"] = format!("this name is taken; you play as {name:?}").into();
    }
    if ticket.token.is_none() {
        answer["note"] = "welcome back; you have your place again, and your auth_token comes with \
                          our next call to your endpoint"
            .into();
    }
    answer
}

fn rejected(league: Option<String>, no: &LeagueRefusal) -> Value {
    let reason = no.to_string();
    json!({ "status": "REJECTED", "player_id": null, "league_id": league, "reason": reason })
}
