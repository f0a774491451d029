//! What the owner does to the list of players: enters some, the computer among them, opens the next
//! league for the same, takes a token back, and asks who is there.

use std::{sync::Arc, time::Duration};

use rules::league::{Event, Phase, PlayerId, Registration, Setup, View};
use serde_json::json;
use tokio::{task::JoinSet, time::sleep};

use super::{
    leagues::{Leagues, No},
    registration::{Applicant, Ticket, hash, series_of, spoken},
};
use crate::{
    hall::Game,
    league::wire::{clock::Clock, endpoint::Endpoint, post::NoReply},
    player::Level,
};

/// How often a player is called to see whether it is there, and how long that is waited for.
const ATTEMPTS: u32 = 3;
const PATIENCE: Duration = Duration::from_millis(300);
/// What stands where others have their dialect.
const COMPUTER: &str = "computer";

impl Leagues {
    /// One who never registers is entered by the owner.
    pub async fn add(&self, league: &Game, applicant: Applicant) -> Result<Ticket, No> {
        if let Some(endpoint) = &applicant.endpoint {
            Endpoint::check(endpoint, &self.policy).await?;
        }
        let version = applicant.manner.version();
        let version = spoken(self.view(league).await.setup().game, None, version);
        self.enter(league, applicant, None, version).await
    }

    /// The computer plays too, at each of these levels once.
    pub async fn add_computers(&self, league: &Game, levels: &[Level]) -> Result<(), No> {
        for level in levels.iter().map(|level| level.get()) {
            let view = self.view(league).await;
            if view.players().any(|player| player.computer == Some(level) && !player.removed) {
                continue;
            }
            let (nonce, token) = self.new_token();
            let registration = Registration {
                name: format!("Computer, level {level}"),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                endpoint: None,
                // It is told to nobody.
                token: hash(&token),
                dialect: COMPUTER.to_owned(),
                nonce: Some(nonce),
                student: None,
                computer: Some(level),
            };
            self.tell(league, &Event::Register(registration)).await?;
        }
        Ok(())
    }

    /// Opens the next league of a name for those who played in this one, as they were.
    pub async fn repeat(&self, league: &Game, view: &View) -> Result<Arc<Game>, No> {
        if view.phase() == Phase::Open {
            let reason = format!("league {} has not been played yet", view.setup().name);
            return Err(No::Rule { rule: "LeagueNotStarted", reason });
        }
        let series = series_of(&view.setup().name).to_owned();
        let setup = Setup { name: series.clone(), by_owner: true, ..view.setup().clone() };
        let (last, next_name) = self.latest(&series).await?;
        // Whoever has come first for the next one is in it already.
        let next = match last {
            Some(last) if last.id() != league.id() && last.due().await.outcome().is_none() => last,
            _ => self.open_next(next_name, setup, None).await?,
        };
        for player in view.players().filter(|player| !player.removed) {
            let registration = Registration {
                name: player.name.to_owned(),
                version: player.version.to_owned(),
                endpoint: player.endpoint.map(str::to_owned),
                token: player.token.unwrap_or_default().to_owned(),
                dialect: player.dialect.to_owned(),
                nonce: player.nonce.map(str::to_owned),
                student: player.student.map(str::to_owned),
                computer: player.computer,
            };
            match self.tell(&next, &Event::Register(registration)).await {
                Err(No::Rule { rule: "NameTaken" | "EndpointTaken" | "CodeUsed", .. }) => {}
                told => drop(told?),
            }
        }
        Ok(next)
    }

    /// Gives a player another token, which is told to whoever runs the league; the one it had is
    /// nobody's any more.
    pub async fn revoke(&self, league: &Game, player: PlayerId) -> Result<String, No> {
        let (nonce, token) = self.new_token();
        let event = Event::Revoke { player, token: hash(&token), nonce: Some(nonce) };
        self.tell(league, &event).await?;
        Ok(token)
    }

    /// Who does not listen where it said it would. To be asked long after the registration:
    /// several register before they listen.
    pub async fn unreachable(&self, view: &View) -> Vec<PlayerId> {
        let mut calls = JoinSet::new();
        for player in view.players().filter(|player| !player.removed) {
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
}
