//! Who may play: players register, come back, and hold tokens that show who they are.

use std::{sync::Arc, time::Duration};

use rules::league::{Event, Game as Contest, Phase, PlayerId, Registration, Setup, View};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::{task::JoinSet, time::sleep};

use super::{
    clock::Clock,
    dialect::Dialect,
    endpoint::Endpoint,
    leagues::{Leagues, MOST_OPEN, No, hex},
    message::Version,
    post::NoReply,
};
use crate::hall::Game;

/// As the rules have it, who would speak of the whole event.
const LONGEST_NAME: usize = 64;
/// How often a player is called to see whether it is there, and how long that is waited for.
const ATTEMPTS: u32 = 3;
const PATIENCE: Duration = Duration::from_millis(300);

/// Who wants to play.
pub struct Applicant {
    pub name: String,
    pub version: String,
    /// None of one who will ask for its moves instead of being asked.
    pub endpoint: Option<String>,
    pub dialect: Dialect,
    /// From an earlier registration, of one who comes back.
    pub token: Option<String>,
    /// The code of an invitation.
    pub invite: Option<String>,
}

/// What a registered player holds.
pub struct Ticket {
    pub league_id: String,
    pub player_id: PlayerId,
    pub token: String,
}

impl Leagues {
    /// A seat in a league that has not begun: the one that is named, which the first to name it
    /// opens, or else the newest that can be joined.
    pub async fn register(
        &self,
        league: Option<&str>,
        version: Version,
        applicant: Applicant,
    ) -> Result<Ticket, No> {
        let length = applicant.name.chars().count();
        if length > LONGEST_NAME {
            let reason = format!("a name has at most {LONGEST_NAME} characters, not {length}");
            return Err(No::Rule { rule: "InvalidName", reason });
        }
        if let Some(endpoint) = &applicant.endpoint {
            Endpoint::check(endpoint, &self.policy).await?;
        }
        let league = self.joinable(league, version, applicant.token.as_deref()).await?;
        let view = self.view(&league).await;
        if view.setup().game != contest(version) {
            let reason = format!(
                "league {} plays {:?}, which {} does not",
                view.setup().name,
                view.setup().game,
                version.name()
            );
            return Err(No::Rule { rule: "WrongGame", reason });
        }
        let league_id = view.setup().name.clone();
        if let Some(token) = &applicant.token
            && let Some(player_id) = player_of(&view, token)
        {
            let token = token.clone();
            self.renew(&league, &view, player_id, applicant).await?;
            self.welcome_back(&league, &view, player_id).await?;
            return Ok(Ticket { league_id, player_id, token });
        }
        if let Some(invitation) = &view.setup().invitation {
            let shown = applicant.invite.as_deref().map(|code| self.seal(&league_id, code));
            if shown.as_ref() != Some(invitation) {
                let reason = format!("league {league_id} is by invitation");
                return Err(No::Rule { rule: "InviteNeeded", reason });
            }
        }
        let token = new_token();
        let event = Event::Register(Registration {
            name: applicant.name,
            version: applicant.version,
            endpoint: applicant.endpoint,
            token: hash(&token),
            dialect: applicant.dialect.code().to_owned(),
        });
        let report = self.tell(&league, &event).await?;
        let player_id = serde_json::from_value(report["player_id"].clone());
        let player_id = player_id.expect("a registration says who it is for");
        Ok(Ticket { league_id, player_id, token })
    }

    /// Gives a player another token, which is told to whoever runs the league; the one it had is
    /// nobody's any more.
    pub async fn revoke(&self, league: &Game, player: PlayerId) -> Result<String, No> {
        let token = new_token();
        self.tell(league, &Event::Revoke { player, token: hash(&token) }).await?;
        Ok(token)
    }

    /// What the code of an invitation comes to; only this store can work it out.
    pub fn seal(&self, league: &str, code: &str) -> String {
        self.sign(&format!("invitation to {league}: {code}"))
    }

    /// Takes note of what is new about a player; what it leaves out stays as it was. How it turned
    /// out to speak is forgotten only if it lives elsewhere now.
    async fn renew(
        &self,
        league: &Game,
        view: &View,
        player: PlayerId,
        applicant: Applicant,
    ) -> Result<(), No> {
        let known = view.player(player).expect("a token is a player's");
        let version = Some(applicant.version).filter(|version| !version.is_empty());
        let endpoint = applicant.endpoint.or_else(|| known.endpoint.map(str::to_owned));
        let dialect = match endpoint.as_deref() == known.endpoint {
            true => known.dialect,
            false => applicant.dialect.code(),
        };
        let registration = Registration {
            name: applicant.name,
            version: version.unwrap_or_else(|| known.version.to_owned()),
            dialect: dialect.to_owned(),
            token: known.token.unwrap_or_default().to_owned(),
            endpoint,
        };
        let same = (registration.name.as_str(), registration.version.as_str())
            == (known.name, known.version)
            && registration.endpoint.as_deref() == known.endpoint;
        if !same {
            tracing::info!(%player, name = registration.name, "a player comes from elsewhere");
            self.tell(league, &Event::Renew { player, registration }).await?;
        }
        Ok(())
    }

    /// A player who was suspended for not being there, and is.
    pub async fn welcome_back(
        &self,
        league: &Game,
        view: &View,
        player: PlayerId,
    ) -> Result<(), No> {
        let suspended = view.player(player).is_some_and(|player| player.suspended);
        if suspended && view.phase() == Phase::Running {
            self.tell(league, &Event::Return { player }).await?;
        }
        Ok(())
    }

    /// Who does not listen where it said it would. To be asked long after the registration:
    /// several register before they listen.
    pub async fn unreachable(&self, view: &View) -> Vec<PlayerId> {
        let mut calls = JoinSet::new();
        for player in view.players() {
            let (leagues, id) = (self.clone(), player.player_id);
            let Some(url) = player.endpoint.map(str::to_owned) else { continue };
            calls.spawn(async move { (!leagues.reaches(&url).await).then_some(id) });
        }
        let mut absent: Vec<_> = calls.join_all().await.into_iter().flatten().collect();
        absent.sort_unstable();
        absent
    }

    async fn reaches(&self, url: &str) -> bool {
        let Ok(endpoint) = Endpoint::check(url, &self.policy).await else { return false };
        let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
        for _ in 0..ATTEMPTS {
            // Whatever it says to that, it is there.
            match self.post.call(&endpoint, None, &ping, &Clock::of(PATIENCE)).await {
                Err(NoReply::Unreachable) => sleep(PATIENCE).await,
                _ => return true,
            }
        }
        false
    }

    async fn joinable(
        &self,
        league: Option<&str>,
        version: Version,
        token: Option<&str>,
    ) -> Result<Arc<Game>, No> {
        if let Some(name) = league {
            let (last, next) = self.latest(name).await?;
            let over = match &last {
                Some(league) => league.due().await.outcome().is_some(),
                None => true,
            };
            return match last.filter(|_| !over) {
                Some(league) => Ok(league),
                None => self.open(usual(&next, version)).await,
            };
        }
        for league in self.list(Some(false), MOST_OPEN).await? {
            let view = self.view(&league).await;
            let is_open = view.phase() == Phase::Open;
            let comes_back = token.is_some_and(|token| player_of(&view, token).is_some());
            if (is_open || comes_back) && view.setup().game == contest(version) {
                return Ok(league);
            }
        }
        let number = self.list(None, 200).await?.len() + 1;
        self.open(usual(&format!("league_{number}"), version)).await
    }
}

fn usual(name: &str, version: Version) -> Setup {
    Setup { name: name.to_owned(), game: contest(version), ..Setup::default() }
}

fn contest(version: Version) -> Contest {
    match version {
        Version::V1 => Contest::EvenOdd,
        Version::V2 => Contest::Parity,
    }
}

/// Whose token this is.
pub fn player_of(view: &View, token: &str) -> Option<PlayerId> {
    let hash = hash(token);
    view.players().find(|player| player.token == Some(hash.as_str())).map(|p| p.player_id)
}

fn new_token() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    hex(&bytes)
}

fn hash(token: &str) -> String {
    hex(&Sha256::digest(token))
}
