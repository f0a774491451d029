//! What the owner does to the list of players: enters some, the computer, engines and people among
//! them, opens the next league for the same, takes a token back, and asks who is there.

use std::{sync::Arc, time::Duration};

use rules::league::{
    Event, LeagueRule, Phase, PlayerId, PlayerView, Registration, Setup, View, plain_name,
};
use tokio::{task::JoinSet, time::sleep};

use super::{
    handing_in::in_play,
    leagues::Leagues,
    refusals::{InTheWay, LeagueRefusal},
    registration::{Applicant, Ticket, hash, series_of, spoken},
};
use crate::{
    hall::Game,
    league::wire::{clock::Clock, endpoint::Endpoint, errors::NoAnswer, rpc},
    player::Level,
    store::{Opener, now},
};

/// How often a player is called to see whether it is there, and how long that is waited for.
const ATTEMPTS: u32 = 3;
const PATIENCE: Duration = Duration::from_millis(300);
/// What stands where others have their dialect.
const COMPUTER: &str = "computer";
const ENGINE: &str = "uci";
const PERSON: &str = "person";

/// A person of a league, and the secret that opens her seat in it.
pub struct LeaguePerson {
    pub player_id: PlayerId,
    pub name: String,
    pub token: String,
}

impl Leagues {
    /// One who never registers is entered by the owner.
    pub async fn add(&self, league: &Game, applicant: Applicant) -> Result<Ticket, LeagueRefusal> {
        if let Some(endpoint) = &applicant.endpoint {
            Endpoint::check(endpoint, &self.allowed_addresses).await?;
        }
        let version = applicant.manner.version();
        let version = spoken(self.view(league).setup().game, None, version);
        self.enter(league, applicant, None, version).await
    }

    /// The computer plays too, at each of these levels once.
    pub async fn add_computers(
        &self,
        league: &Game,
        levels: &[Level],
    ) -> Result<(), LeagueRefusal> {
        for level in levels.iter().map(|level| level.get()) {
            let view = self.view(league);
            if view.players().any(|player| player.computer == Some(level) && !player.removed) {
                continue;
            }
            let registration = Registration {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                computer: Some(level),
                ..self.newcomer(&format!("Computer, level {level}"), COMPUTER)
            };
            self.tell(league, &Event::Register(registration)).await?;
        }
        Ok(())
    }

    /// An engine plays too, under a name of its own.
    pub async fn add_engine(
        &self,
        league: &Game,
        name: &str,
        command: &str,
    ) -> Result<(), LeagueRefusal> {
        let is_known = |player: PlayerView| {
            player.engine == Some(command) && player.name == name && !player.removed
        };
        if !self.view(league).players().any(is_known) {
            let engine = Some(command.to_owned());
            let registration = Registration { engine, ..self.newcomer(name, ENGINE) };
            self.tell(league, &Event::Register(registration)).await?;
        }
        Ok(())
    }

    /// A person plays too, at a board in the browser. The same again tells the same.
    pub async fn add_person(
        &self,
        league: &Game,
        name: &str,
    ) -> Result<LeaguePerson, LeagueRefusal> {
        let known = |view: &View| {
            let mut people = view.players().filter(|player| player.person && !player.removed);
            let player = people.find(|player| plain_name(player.name) == plain_name(name))?;
            let (player_id, token) = (player.player_id, self.token_of(&player)?);
            Some(LeaguePerson { player_id, name: player.name.to_owned(), token })
        };
        if let Some(person) = known(&self.view(league)) {
            return Ok(person);
        }
        let registration = Registration { person: true, ..self.newcomer(name, PERSON) };
        self.tell(league, &Event::Register(registration)).await?;
        Ok(known(&self.view(league)).expect("she has just been written down"))
    }

    /// Somebody who did not register by themselves. The token can be worked out again by this store
    /// alone.
    fn newcomer(&self, name: &str, dialect: &str) -> Registration {
        let (nonce, token) = self.new_token();
        Registration {
            name: name.to_owned(),
            version: String::new(),
            endpoint: None,
            token: hash(&token),
            dialect: dialect.to_owned(),
            nonce,
            student: None,
            computer: None,
            engine: None,
            person: false,
        }
    }

    /// Opens the next league of a name for those who played in this one, as they were.
    pub async fn repeat(&self, league: &Game, view: &View) -> Result<Arc<Game>, LeagueRefusal> {
        if view.phase() == Phase::Open {
            let reason = format!("league {} has not been played yet", view.setup().name);
            return Err(LeagueRefusal::Rule {
                rule: InTheWay::Rule(LeagueRule::LeagueNotStarted),
                reason,
            });
        }
        let series = series_of(&view.setup().name).to_owned();
        let setup = Setup { name: series.clone(), by_owner: true, ..view.setup().clone() };
        let (last, next_name) = self.latest(&series).await?;
        // Whoever has come first for the next one is in it already.
        let next = match last {
            Some(last) if last.id() != league.id() && last.due().outcome().is_none() => {
                let other = self.view(&last).setup().clone();
                if !setup.is_like(&other) {
                    let name = other.name;
                    let reason = format!(
                        "league {name} is not over and was set up otherwise; end it with agon league \
                         end {name}"
                    );
                    return Err(LeagueRefusal::because(reason));
                }
                last
            }
            _ => self.open_next(next_name, setup, None).await?,
        };
        for (student, name) in view.students() {
            let (student, name) = (student.to_owned(), name.to_owned());
            self.tell(&next, &Event::Enlist { student, name }).await?;
        }
        for player in view.players().filter(|player| !player.removed) {
            match self.tell(&next, &Event::Register(player.registration())).await {
                Err(LeagueRefusal::Rule {
                    rule:
                        InTheWay::Rule(
                            LeagueRule::NameTaken
                            | LeagueRule::EndpointTaken
                            | LeagueRule::CodeUsed,
                        ),
                    ..
                }) => {}
                told => drop(told?),
            }
        }
        Ok(next)
    }

    /// Gives a player another token, which is told to whoever runs the league; the one it had is
    /// nobody's any more.
    pub async fn revoke(&self, league: &Game, player: PlayerId) -> Result<String, LeagueRefusal> {
        let (nonce, token) = self.new_token();
        let event = Event::Revoke { player, token: hash(&token), nonce };
        self.tell(league, &event).await?;
        self.seat_anew(league, player).await?;
        Ok(token)
    }

    /// Whoever had a person's link had the pass of her match too.
    async fn seat_anew(&self, league: &Game, player: PlayerId) -> Result<(), LeagueRefusal> {
        let view = self.view(league);
        let (Some(known), Some((fixture, seat))) = (view.player(player), in_play(&view, player))
        else {
            return Ok(());
        };
        if let Some(game) = self.game_of(league, &fixture).await?.filter(|_| known.person) {
            game.renew_link(seat).await?;
            let opener = Opener { key: None, name: None, at: now() };
            game.open_link(seat, game.seats().links(seat), opener).await?;
        }
        Ok(())
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
        let Ok(endpoint) = Endpoint::check(url, &self.allowed_addresses).await else {
            return false;
        };
        let ping = rpc::bare_call(1, "ping");
        for _ in 0..ATTEMPTS {
            // Whatever it says to that, it is there.
            match self.post.call(&endpoint, None, &ping, &Clock::of(PATIENCE)).await {
                Err(NoAnswer::Unreachable) => sleep(PATIENCE).await,
                _ => return true,
            }
        }
        false
    }
}
