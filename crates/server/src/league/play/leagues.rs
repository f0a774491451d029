//! The leagues: opened, joined, steered and looked at. What happens in one is a turn in its log.
//!
//! `registration` decides who may play in one, `conductor` leads it from match to match, and
//! `rules` says how it goes.

use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Arc, Mutex, OnceLock},
};

use hmac::{Hmac, Mac};
use rules::{
    Ask, Eye, Rules, is_invisible,
    league::{Event, Glimpse, League, MANAGER, MatchId, PlayerId, Report, Setup, View},
    quoted,
};
use serde::Serialize;
use sha2::Sha256;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::{
    deadlines::Deadlines, joining::Opens, rate_limit::RateLimit, refusals::LeagueRefusal,
    registration::numbered_league,
};
use crate::{
    budgets::CallerId,
    hall::{CreateError, Game, Hall, Plan, Retry},
    ids::GameId,
    league::wire::{
        callbacks::Callbacks,
        client::AgentClient,
        endpoint::{AllowedAddresses, Net},
    },
    limits::Limits,
    store::{Hashed, ListedGame, Order, Progress, StoreError, Wanted},
};

#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Leagues")]
#[group(id = "leagues")]
pub struct LeagueFlags {
    /// Players may listen in this network too (besides this machine), like 10.1.0.0/16
    #[arg(
        long,
        value_name = "CIDR",
        env = "AGON_LEAGUE_NET",
        value_delimiter = ',',
        global = true
    )]
    league_net: Vec<Net>,
    /// Who may open a league by registering for one that is not there [default: anyone, or owner
    /// if others than this machine can call]
    #[arg(long, value_name = "WHO", env = "AGON_LEAGUE_OPEN", global = true)]
    league_open: Option<Opens>,
    /// Take at most this many messages a minute from one player [default: 100, or as --limits says]
    #[arg(long, value_name = "MESSAGES", env = "AGON_LEAGUE_RATE", global = true)]
    league_rate: Option<NonZeroU32>,
    /// Take at most this many a minute from one player about one match [default: 50, or as --limits
    /// says]
    #[arg(long, value_name = "MESSAGES", env = "AGON_REFEREE_RATE", global = true)]
    referee_rate: Option<NonZeroU32>,
}

/// The matches that begin when a league starts.
#[derive(Serialize)]
pub struct Started {
    pub rounds: usize,
    pub matches: usize,
    /// Players that cannot be reached now; they forfeit the matches they miss.
    pub unreachable: Vec<PlayerId>,
}

#[derive(Clone)]
pub struct Leagues {
    pub hall: Arc<Hall>,
    pub post: AgentClient,
    pub allowed_addresses: AllowedAddresses,
    /// Answers that players bring later.
    pub callbacks: Callbacks,
    /// The match of each player's last GAME_JOIN_ACK that was received here.
    pub joins_heard: Arc<Mutex<HashMap<(GameId, PlayerId), MatchId>>>,
    /// How long whoever is due still has, in the matches that are refereed here.
    pub deadlines: Deadlines,
    pub rate_limit: Arc<RateLimit>,
    /// None where this machine alone can call, and whoever calls from it may open one.
    pub opens: Option<Opens>,
    /// Where answers that come later are handed in.
    pub referee_endpoint: Arc<OnceLock<String>>,
    /// Limits the matches refereed at once, over all leagues of this process.
    pub match_permits: Arc<Semaphore>,
    pub stop: CancellationToken,
}

impl LeagueFlags {
    /// Flags override the file.
    fn within(&self, limits: &Limits) -> Limits {
        let mut limits = limits.clone();
        limits.league_messages_per_minute =
            self.league_rate.unwrap_or(limits.league_messages_per_minute);
        limits.referee_messages_per_minute =
            self.referee_rate.unwrap_or(limits.referee_messages_per_minute);
        limits
    }
}

impl Leagues {
    /// `public` if others than this machine can call it.
    pub fn new(
        hall: Arc<Hall>,
        flags: &LeagueFlags,
        limits: &Limits,
        public: bool,
        stop: CancellationToken,
    ) -> Leagues {
        let limits = flags.within(limits);
        let allowed_addresses = if public {
            AllowedAddresses::public(&flags.league_net)
        } else {
            AllowedAddresses::opened_to(&flags.league_net)
        };
        Leagues {
            hall,
            post: AgentClient::new(&allowed_addresses),
            allowed_addresses,
            callbacks: Callbacks::default(),
            joins_heard: Arc::default(),
            deadlines: Deadlines::default(),
            rate_limit: Arc::new(RateLimit::new(&limits)),
            opens: flags.league_open.or(public.then_some(Opens::Owner)),
            referee_endpoint: Arc::default(),
            match_permits: Arc::new(Semaphore::new(limits.matches_at_once.get() as usize)),
            stop,
        }
    }

    /// Whether one who calls from there may open a league by registering for it.
    pub(super) fn may_be_opened_from(&self, caller_id: CallerId) -> bool {
        match self.opens {
            Some(Opens::Anyone) => true,
            Some(Opens::Owner) => caller_id == CallerId::Owner,
            None => caller_id.is_here(),
        }
    }

    /// Opens a league, or finds the one of that name. With a seed, its matches are dealt the same way
    /// every time, and are practice.
    pub async fn open_with(
        &self,
        setup: Setup,
        seed: Option<u64>,
    ) -> Result<Arc<Game>, LeagueRefusal> {
        let name = league_name(&setup.name);
        let series = setup.name.clone();
        if let Some(league) = self.hall.named(name).await? {
            return Ok(league);
        }
        check_name(&setup.name)?;
        setup.check_match().map_err(CreateError::from)?;
        let setup = Setup { practice: seed.is_some(), ..setup };
        let plan = Plan::of::<League>(&setup, Vec::new()).seeded(seed);
        let league = self.hall.create(Plan { name: Some(name), ..plan }).await?;
        self.hall.store().set_named(series_name(&series), league.id()).await?;
        Ok(league)
    }

    /// The league of that name that is not over, or a new one of that name.
    pub async fn open_again(
        &self,
        setup: Setup,
        seed: Option<u64>,
    ) -> Result<Arc<Game>, LeagueRefusal> {
        let (last, next) = self.latest(&setup.name).await?;
        if let Some(league) = last {
            league.refresh().await;
            if league.due().outcome().is_none() {
                return Ok(league);
            }
        }
        self.open_next(next, setup, seed).await
    }

    /// A new league, the next of those that go by the set-up's name.
    pub async fn open_next(
        &self,
        next: String,
        setup: Setup,
        seed: Option<u64>,
    ) -> Result<Arc<Game>, LeagueRefusal> {
        let series = setup.name.clone();
        let league = self.open_with(Setup { name: next, ..setup }, seed).await?;
        self.hall.store().set_named(series_name(&series), league.id()).await?;
        Ok(league)
    }

    /// The league of that name or game id, or without one the newest.
    pub async fn find(&self, name: Option<&str>) -> Result<Arc<Game>, LeagueRefusal> {
        let Some(name) = name else {
            let newest = self.list(None, 1).await?;
            return newest.into_iter().next().ok_or(LeagueRefusal::NothingOpened);
        };
        if let Some(league) = self.latest(name).await?.0 {
            return Ok(league);
        }
        if let Some(league) = self.first(name).await? {
            return Ok(league);
        }
        let by_id = name.parse::<crate::ids::Handle>().ok().map(|handle| handle.game);
        let game = match by_id {
            Some(id) => self.hall.find(id).await.ok(),
            None => None,
        };
        let league = game.filter(|game| game.kind().name == League::KIND);
        league.ok_or_else(|| LeagueRefusal::UnknownLeague(quoted(name)))
    }

    /// The first of the leagues of a name, which that name does not mean any more when there is
    /// another: it goes by the number one.
    pub(super) async fn first(&self, name: &str) -> Result<Option<Arc<Game>>, LeagueRefusal> {
        let Some(series) = name.strip_suffix(".1") else { return Ok(None) };
        Ok(self.hall.named(league_name(series)).await?)
    }

    /// The name of the league before this one, of those that go by the same name.
    pub async fn previous(&self, view: &View) -> Result<Option<String>, LeagueRefusal> {
        let Some((series, number)) = numbered_league(&view.setup().name) else { return Ok(None) };
        let name = if number == 2 { series.to_owned() } else { format!("{series}.{}", number - 1) };
        let is_there = self.hall.named(league_name(&name)).await?.is_some();
        Ok(is_there.then(|| format!("{series}.{}", number - 1)))
    }

    /// The last of the leagues that went by a name, and the name of the one after it: agents have
    /// the name of their league written into them, and come back for another.
    pub(super) async fn latest(
        &self,
        name: &str,
    ) -> Result<(Option<Arc<Game>>, String), LeagueRefusal> {
        let store = self.hall.store();
        let newest = match store.named(series_name(name)).await? {
            Some(id) => Some(self.hall.find(id).await?),
            // A crash may have come between a league and the note of it.
            None => self.hall.named(league_name(name)).await?,
        };
        let Some(league) = newest else { return Ok((None, name.to_owned())) };
        let last = self.view(&league).setup().name.clone();
        let number = last.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
        let number = number.and_then(|number| number.parse::<u32>().ok()).unwrap_or(1);
        Ok((Some(league), format!("{name}.{}", number + 1)))
    }

    /// The newest first.
    pub async fn list(
        &self,
        over: Option<bool>,
        limit: u32,
    ) -> Result<Vec<Arc<Game>>, LeagueRefusal> {
        let mut leagues = Vec::new();
        for listed in self.listed(over, limit).await? {
            leagues.push(self.hall.find(listed.id).await?);
        }
        Ok(leagues)
    }

    /// The newest leagues, as lists show them.
    pub async fn glimpses(&self, limit: u32) -> Result<Vec<(ListedGame, Glimpse)>, LeagueRefusal> {
        let mut glimpses = Vec::new();
        for listed in self.listed(None, limit).await? {
            glimpses.push(self.glimpse(listed).await?);
        }
        Ok(glimpses)
    }

    /// A league as lists show it: the stored summary if it is over, else its present state.
    pub async fn glimpse(
        &self,
        listed: ListedGame,
    ) -> Result<(ListedGame, Glimpse), LeagueRefusal> {
        let kept = listed.glimpse.as_deref().and_then(|glimpse| serde_json::from_str(glimpse).ok());
        if let Some(glimpse) = kept {
            return Ok((listed, glimpse));
        }
        let look = self.hall.find(listed.id).await?.look::<League>(Eye::Public);
        let look = look.expect("only leagues are listed here");
        Ok((look.listed(), look.view.glimpse()))
    }

    /// The newest first.
    async fn listed(&self, over: Option<bool>, limit: u32) -> Result<Vec<ListedGame>, StoreError> {
        let progress = match over {
            None => Progress::Any,
            Some(true) => Progress::Over,
            Some(false) => Progress::Unfinished,
        };
        let order = Order::Newest;
        let wanted = Wanted { progress, order, ..Wanted::of(vec![League::KIND], limit) };
        Ok(self.hall.store().list(wanted).await?.games)
    }

    /// Drops the notes of leagues that are over.
    pub(super) fn forget_joins(&self, unfinished: &[GameId]) {
        let mut joins = self.joins_heard.lock().expect("nobody panics holding this");
        joins.retain(|(league, _), _| unfinished.contains(league));
    }

    /// Appends an event to the league's log and returns the report of it.
    pub async fn tell(
        &self,
        league: &Game,
        event: &Event,
    ) -> Result<serde_json::Value, LeagueRefusal> {
        let event = event.clone();
        let ask = Ask::of(move |league: &League, seat| league.fitting(seat, event.clone()));
        let played = league.play(MANAGER, ask, Retry::Key(None)).await?;
        let report = league.report(played.number).unwrap_or_default();
        Ok(serde_json::from_str(&report).unwrap_or_default())
    }

    /// Closes the registration.
    pub async fn start(&self, league: &Game) -> Result<Started, LeagueRefusal> {
        let unreachable = self.unreachable(&self.view(league)).await;
        let report = self.tell(league, &Event::Start).await?;
        match serde_json::from_value(report) {
            Ok(Report::Started { rounds, matches }) => Ok(Started { rounds, matches, unreachable }),
            other => unreachable!("a start is reported as one, not as {other:?}"),
        }
    }

    /// Where people find the pages of the server on this store, if one has said so.
    pub async fn pages(&self) -> Result<Option<String>, StoreError> {
        self.hall.store().session(self.pages_key()).await
    }

    pub async fn remember_pages(&self, url: &str) -> Result<(), StoreError> {
        self.hall.store().save_session(self.pages_key(), url.to_owned()).await
    }

    /// Kept in the table of sessions, under a key that no client can send.
    fn pages_key(&self) -> Hashed {
        Hashed::of(&self.sign("address of the pages"))
    }

    pub fn view(&self, league: &Game) -> View {
        let view = league.view::<League>(Eye::Seat(MANAGER));
        view.expect("only leagues are found here")
    }

    /// The bearer of this token operates the leagues of this store.
    pub fn operator_token(&self) -> String {
        self.sign("operator of the leagues")
    }

    /// Words that only this store can have signed so.
    pub(super) fn sign(&self, words: &str) -> String {
        let secret = self.hall.store().secret();
        let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key may have any length");
        mac.update(words.as_bytes());
        hexadecimal::encode(mac.finalize().into_bytes())
    }

    pub fn is_operator(&self, token: Option<&str>) -> Result<(), LeagueRefusal> {
        // Compared as hashes, so that the time it takes tells nothing.
        if token.is_some_and(|token| Hashed::of(token) == Hashed::of(&self.operator_token())) {
            Ok(())
        } else {
            Err(LeagueRefusal::NotOperator)
        }
    }
}

/// A league's name is read by people and stands in the address of its page.
fn check_name(name: &str) -> Result<(), LeagueRefusal> {
    if name.chars().any(char::is_alphanumeric) && !name.chars().any(is_invisible) {
        return Ok(());
    }
    Err(LeagueRefusal::because(format!(
        "a league's name needs a letter or digit and may not contain invisible characters: {}",
        quoted(name)
    )))
}

pub fn league_name(name: &str) -> Hashed {
    Hashed::of(&format!("league {name}"))
}

fn series_name(name: &str) -> Hashed {
    Hashed::of(&format!("leagues called {name}"))
}
