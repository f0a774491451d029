//! Registrations as they come: in every shape that agents are known to use, and how each is answered.
//!
//! Who is let in is decided in `registration`.

use serde_json::{Value, json};

use super::{
    counter::{Unheard, reply},
    leagues::{Leagues, No},
    pace::{Origin, Payer},
    registration::{Applicant, Ticket},
};
use crate::league::wire::{
    Fields,
    manner::{Manner, by_type},
    message::{Message, Version},
    reading::{Heard, Misread, Shape, short},
};

impl Leagues {
    pub(super) async fn payer_of(&self, heard: &Heard, origin: Origin) -> Payer {
        let registers = heard.message == Message::RegisterPlayer;
        let newcomer = applies_as(heard).filter(|_| registers);
        self.payer(origin, heard.word("auth_token"), heard.word("league_id"), newcomer).await
    }

    pub(super) async fn hear_registration(
        &self,
        heard: &Heard,
        origin: Origin,
    ) -> Result<Fields, Unheard> {
        check_registration(heard)?;
        let either = |paths: &[&str]| paths.iter().find_map(|path| heard.word(path));
        let Some(name) = either(&NAMES) else {
            return Err(Misread::Missing("player_name".into()).into());
        };
        // Whoever has no endpoint says nothing of one; an empty one is a mistake.
        let optional =
            either(&["endpoint", "contact_endpoint"]).filter(|url| !url.trim().is_empty());
        let endpoint = heard.word("player_meta.contact_endpoint").or(optional);
        let league = heard.word("league_id").filter(|league| !league.is_empty());
        let manner = Manner::guess(heard);
        let applicant = Applicant {
            name: name.trim().to_owned(),
            version: either(&["player_meta.version", "version"]).unwrap_or_default().to_owned(),
            endpoint: endpoint.map(|url| url.trim().to_owned()),
            manner,
            token: heard.word("auth_token").filter(|token| !token.is_empty()).map(str::to_owned),
            invite: either(&["player_meta.invite_code", "invite_code"]).map(str::to_owned),
            origin,
        };
        // One kind of agent waits for this word before it takes its token.
        let yes = if by_type(heard) && heard.text_id { "REGISTERED" } else { "ACCEPTED" };
        let (version, own) =
            match self.register(league, heard.version, likely(heard), applicant).await {
                Ok(ticket) => (ticket.version, accepted(yes, &ticket)),
                Err(no @ No::Store(_)) => return Err(no.into()),
                Err(no) => {
                    tracing::info!(name = short(name), %no, "a registration was rejected");
                    let own = json!({
                        "status": "REJECTED",
                        "player_id": null,
                        "league_id": league,
                        "reason": no.to_string(),
                    });
                    (heard.version.unwrap_or(likely(heard)), own)
                }
            };
        let answer = reply(heard, Message::PlayerRegistered, version, own);
        Ok(Manner { token: false, ..manner }.address(answer, None))
    }
}

/// Where the name of a player stands, the protocol's own first.
const NAMES: [&str; 4] = ["player_meta.display_name", "player_name", "display_name", "name"];

/// The tool of the same name is content with less than the message, and agents of league.v2 leave
/// out what they please.
fn check_registration(heard: &Heard) -> Result<(), Misread> {
    let games = heard.get("player_meta.game_types").or(heard.get("game_types"));
    let bare_tool = heard.shape == Shape::Tool
        && ["protocol", "message_type", "sender", "timestamp"]
            .iter()
            .all(|f| heard.get(f).is_none());
    let lenient = bare_tool || heard.version == Some(Version::V2);
    if heard.get("player_meta").is_some() && !lenient {
        heard.complete()?;
    }
    match games.map(|games| games.as_array().is_some_and(|games| games.iter().any(is_even_odd))) {
        Some(false) => Err(Misread::OtherGame),
        None if heard.get("player_meta").is_some() && !lenient => Err(Misread::OtherGame),
        _ => Ok(()),
    }
}

/// Both protocols call their game so.
fn is_even_odd(game: &Value) -> bool {
    let letters = |name: &str| name.to_lowercase().replace(['_', '-', ' '], "");
    game.as_str().is_some_and(|name| ["evenodd", "parity"].contains(&letters(name).as_str()))
}

/// What an agent speaks that names neither its protocol nor a league.
fn likely(heard: &Heard) -> Version {
    let hint = heard.word("player_meta.protocol_version").unwrap_or_default();
    let second = hint == "league.v2" || hint.starts_with("2.");
    if second { Version::V2 } else { Version::V1 }
}

fn accepted(yes: &str, ticket: &Ticket) -> Value {
    let mut own = json!({
        "status": yes,
        "player_id": ticket.player_id,
        "auth_token": ticket.token,
        "league_id": ticket.league_id,
        "reason": null,
    });
    if let Some(name) = &ticket.renamed {
        own["display_name"] = json!(name);
        own["note"] = json!(format!("another player has this name, so yours is {name:?} here"));
    }
    if ticket.token.is_none() {
        own["note"] = json!(
            "welcome back; you have your place again, and your auth_token comes with our next \
             call to your endpoint"
        );
    }
    own
}

/// What one who registers is known by, before it has a token: where it listens, else its name.
fn applies_as(heard: &Heard) -> Option<&str> {
    ["player_meta.contact_endpoint", "endpoint", "contact_endpoint"]
        .into_iter()
        .chain(NAMES)
        .find_map(|path| heard.word(path).filter(|text| !text.trim().is_empty()))
}
