//! Who may play: players register, come back, and hold tokens that show who they are.
//!
//! Which league they are let into is in `joining`.

use std::sync::Arc;

use rules::league::{
    Event, LeagueKind, LeagueRule, Phase, PlayerId, PlayerView, Registration, Setup, View,
    plain_name,
};
use sha2::{Digest, Sha256};

use super::{
    leagues::Leagues,
    rate_limit::CallerId,
    referee::contest::made_for,
    refusals::{InTheWay, LeagueRefusal},
};
use crate::{
    hall::Game,
    league::wire::{endpoint::Endpoint, manner::Manner, message::Version},
    player::plain_text,
};

/// As the rules have it, who would speak of the whole event.
const LONGEST_NAME: usize = 64;
/// Players of one name, told apart by a number; more than a class of them is a mistake.
const MOST_NAMESAKES: usize = 200;
/// Leagues that are not over, in which the bearer of a token is looked for who names none.
const LOOKED_AT: u32 = 20;

/// Who wants to play.
pub struct Applicant {
    pub name: String,
    pub version: String,
    /// None of one who will ask for its moves instead of being asked.
    pub endpoint: Option<String>,
    pub manner: Manner,
    /// From an earlier registration, of one who comes back.
    pub token: Option<String>,
    /// The code of an invitation.
    pub invite: Option<String>,
    /// What it says it plays; without that, whatever the league does.
    pub games: Option<Vec<String>>,
    pub caller_id: CallerId,
}

impl Applicant {
    pub fn plays(&self, game: LeagueKind) -> bool {
        let Some(games) = &self.games else { return true };
        let letters = |name: &str| name.to_lowercase().replace(['_', '-', ' '], "");
        // Both protocols call their game even_odd.
        let names = match made_for(game) {
            Some(_) => vec!["evenodd".to_owned(), "parity".to_owned()],
            None => vec![letters(game.name())],
        };
        games.iter().any(|played| names.contains(&letters(played)))
    }
}

/// What a registered player holds.
pub struct Ticket {
    pub league_id: String,
    pub player_id: PlayerId,
    /// None of one who comes back without it: it is told at the player's own endpoint only.
    pub token: Option<String>,
    /// What it is called here, if that is not what it asked for.
    pub renamed: Option<String>,
    pub version: Version,
}

impl Leagues {
    /// A seat in a league that has not begun, or the seat that one who comes back has had.
    /// `version` is what it speaks, if it says so; `likely` what it does else.
    pub async fn register(
        &self,
        league: Option<&str>,
        version: Option<Version>,
        likely: Version,
        mut applicant: Applicant,
    ) -> Result<Ticket, LeagueRefusal> {
        // Other agents read it.
        applicant.name = plain_text(&applicant.name);
        let length = applicant.name.chars().count();
        if length > LONGEST_NAME {
            let reason = format!("a name has at most {LONGEST_NAME} characters, not {length}");
            return Err(LeagueRefusal::because(reason));
        }
        if let Some(endpoint) = &applicant.endpoint {
            let allowed = if applicant.caller_id.is_here() {
                &self.allowed_addresses
            } else {
                &self.allowed_addresses.for_strangers()
            };
            Endpoint::check(endpoint, allowed).await?;
        }
        let league = self.joinable(league, version, likely, &applicant).await?;
        self.admit(&league, version, likely, applicant).await
    }

    /// The league of one who shows its token, and who it is there: the league it names, or else the
    /// newest one that knows the token.
    pub async fn find_own(
        &self,
        league: Option<&str>,
        token: &str,
    ) -> Result<(Arc<Game>, View, PlayerId), LeagueRefusal> {
        let own = async |league: Arc<Game>| {
            league.refresh().await;
            let view = self.view(&league);
            player_of(&view, token).map(|player| (league, view, player))
        };
        if let Some(found) = own(self.find(league).await?).await {
            return Ok(found);
        }
        if league.is_none() {
            for league in self.list(Some(false), LOOKED_AT).await? {
                if let Some(found) = own(league).await {
                    return Ok(found);
                }
            }
        }
        Err(LeagueRefusal::UnknownToken)
    }

    async fn admit(
        &self,
        league: &Arc<Game>,
        version: Option<Version>,
        likely: Version,
        mut applicant: Applicant,
    ) -> Result<Ticket, LeagueRefusal> {
        let view = self.view(league);
        let game = view.setup().game;
        if !applicant.plays(game) {
            return Err(LeagueRefusal::OtherGame(game));
        }
        if let (Some(version), Some(plays)) = (version, made_for(game))
            && version != plays
        {
            let reason = format!(
                "league {} plays {game:?}, which {} does not",
                view.setup().name,
                version.name()
            );
            return Err(LeagueRefusal::because(reason));
        }
        let plays = spoken(game, version, likely);
        if made_for(game).is_none() {
            applicant.manner = applicant.manner.speaking(plays);
        }
        let league_id = view.setup().name.clone();
        let ticket = |player_id, token: Option<String>| Ticket {
            league_id: league_id.clone(),
            player_id,
            token,
            renamed: None,
            version: plays,
        };
        let shown = applicant.token.clone();
        if let Some(token) = shown
            && let Some(player_id) = player_of(&view, &token)
        {
            self.renew(league, &view, player_id, applicant).await?;
            self.welcome_back(league, &view, player_id).await?;
            return Ok(ticket(player_id, Some(token)));
        }
        let student = self.student(&view, applicant.invite.as_deref())?;
        if let Some(name) = roster_name(&view, student.as_deref()) {
            name.clone_into(&mut applicant.name);
        }
        let of_student = |player: &PlayerView| {
            student.is_some() && player.student == student.as_deref() && !player.removed
        };
        // A code is as good as a token: nobody else was given it.
        if let Some(known) = view.players().find(of_student) {
            let (player_id, token) = (known.player_id, self.token_of(&known));
            self.renew(league, &view, player_id, applicant).await?;
            self.welcome_back(league, &view, player_id).await?;
            return Ok(ticket(player_id, token));
        }
        if let Some(player_id) = same_player(&view, &applicant) {
            self.take_back(league, &view, player_id).await?;
            return Ok(ticket(player_id, None));
        }
        self.enter(league, applicant, student, plays).await
    }

    /// Writes a new player down, with a number behind its name if another is called so.
    pub(super) async fn enter(
        &self,
        league: &Game,
        applicant: Applicant,
        student: Option<String>,
        version: Version,
    ) -> Result<Ticket, LeagueRefusal> {
        let (nonce, mut token) = self.new_token();
        let mut registration = Registration {
            name: applicant.name.clone(),
            version: applicant.version,
            endpoint: applicant.endpoint,
            token: hash(&token),
            dialect: applicant.manner.to_string(),
            nonce,
            student,
            computer: None,
            engine: None,
            person: false,
        };
        if let Some((open, its_token)) = self.open_registration(league, &registration) {
            (registration, token) = (open, its_token);
        }
        let mut number = 1;
        let report = loop {
            let event = Event::Register(registration.clone());
            match self.tell(league, &event).await {
                Err(LeagueRefusal::Rule {
                    rule: InTheWay::Rule(LeagueRule::NameTaken), ..
                }) if number < MOST_NAMESAKES => {
                    number += 1;
                    registration.name = numbered(&applicant.name, number);
                }
                told => break told?,
            }
        };
        let player_id = serde_json::from_value(report["player_id"].clone());
        let player_id = player_id.expect("a registration says who it is for");
        let league_id = self.view(league).setup().name.clone();
        let renamed = Some(registration.name).filter(|name| *name != applicant.name);
        Ok(Ticket { league_id, player_id, token: Some(token), renamed, version })
    }

    /// The registration whose caller was told that it is not known whether it was written down, if
    /// this one is the same again; and the token it came with.
    fn open_registration(
        &self,
        league: &Game,
        wish: &Registration,
    ) -> Option<(Registration, String)> {
        let Ok(Event::Register(open)) = serde_json::from_str(&league.open_move()?) else {
            return None;
        };
        let named = [open.name.as_str(), base_name(&open.name)].contains(&wish.name.as_str());
        let of_wish = Registration {
            name: wish.name.clone(),
            token: wish.token.clone(),
            nonce: wish.nonce.clone(),
            ..open.clone()
        };
        let token = self.token_from(&open.nonce);
        (named && of_wish == *wish).then_some((open, token))
    }

    /// What the code of an invitation comes to; only this store can work it out.
    pub fn seal(&self, league: &str, code: &str) -> String {
        self.sign(&format!("invitation to {league}: {code}"))
    }

    /// The code that lets this student, and nobody else, into a league.
    pub fn code_for(&self, league: &str, student: &str) -> String {
        let seal = self.sign(&format!("code for {league}: {student}"));
        format!("{student}-{}", &seal[..16])
    }

    /// Whose code was shown, in a league where everybody has one; or why it does not open this one.
    fn student(&self, view: &View, code: Option<&str>) -> Result<Option<String>, LeagueRefusal> {
        let setup = view.setup();
        let refused = |how: &str| {
            let reason = format!("league {} is {how}", setup.name);
            Err(LeagueRefusal::Rule { rule: InTheWay::InviteNeeded, reason })
        };
        if setup.by_code {
            let student = code.and_then(|code| code.rsplit_once('-')).map(|(student, _)| student);
            // The leagues of one name share their codes: a class plays more than once.
            let series = series_of(&setup.name);
            return match student.filter(|who| Some(self.code_for(series, who).as_str()) == code) {
                Some(student) => Ok(Some(student.to_owned())),
                None => refused("for those with a code of their own"),
            };
        }
        let invited = |code: &str| self.is_invitation(setup, code);
        if setup.invitation.is_some() && !code.is_some_and(invited) {
            return refused("by invitation");
        }
        Ok(None)
    }

    /// Whether this code is the league's invitation. The next league of a name was sealed by the name
    /// alone.
    pub fn is_invitation(&self, setup: &Setup, code: &str) -> bool {
        let names = [setup.name.as_str(), series_of(&setup.name)];
        names.iter().any(|name| setup.invitation.as_ref() == Some(&self.seal(name, code)))
    }

    /// Takes note of what is new about a player; what it leaves out stays as it was. How it turned
    /// out to speak is forgotten only if it lives elsewhere now.
    async fn renew(
        &self,
        league: &Game,
        view: &View,
        player: PlayerId,
        applicant: Applicant,
    ) -> Result<(), LeagueRefusal> {
        let known = view.player(player).expect("a token is a player's");
        let version = Some(applicant.version).filter(|version| !version.is_empty());
        let endpoint = applicant.endpoint.or_else(|| known.endpoint.map(str::to_owned));
        let dialect = if endpoint.as_deref() == known.endpoint {
            known.dialect.to_owned()
        } else {
            applicant.manner.to_string()
        };
        // Who was given a number behind its name may not know that it has one.
        let is_called_so = plain_name(&applicant.name) == plain_name(base_name(known.name));
        let name = match roster_name(view, known.student) {
            Some(name) => name.to_owned(),
            None if is_called_so => known.name.to_owned(),
            None => applicant.name,
        };
        let registration = Registration {
            name,
            version: version.unwrap_or_else(|| known.version.to_owned()),
            dialect,
            endpoint,
            ..known.registration()
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

    /// One who has lost its token has its place back, and is told its token where it lives: whoever
    /// merely knows its name and address learns nothing and changes nothing.
    async fn take_back(
        &self,
        league: &Game,
        view: &View,
        player: PlayerId,
    ) -> Result<(), LeagueRefusal> {
        let known = view.player(player).expect("it was found");
        if let Ok(manner) = known.dialect.parse::<Manner>()
            && !manner.token
        {
            let dialect = Manner { token: true, ..manner }.to_string();
            self.tell(league, &Event::Learn { player, dialect }).await?;
        }
        self.welcome_back(league, view, player).await
    }

    /// A player who was not there, and is.
    pub async fn welcome_back(
        &self,
        league: &Game,
        view: &View,
        player: PlayerId,
    ) -> Result<(), LeagueRefusal> {
        let was_away = |player: PlayerView| player.suspended || player.missed;
        let back = view.player(player).is_some_and(|player| !player.removed && was_away(player));
        if back && view.phase() == Phase::Running {
            self.tell(league, &Event::Return { player }).await?;
        }
        Ok(())
    }

    /// A player's token; none where the player needs none, as the computer.
    pub fn token_of(&self, player: &PlayerView) -> Option<String> {
        player.nonce.map(|nonce| self.token_from(nonce))
    }

    /// A token, and what it is made from. The token itself is kept nowhere.
    pub(super) fn new_token(&self) -> (String, String) {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the system has random numbers");
        let nonce = hexadecimal::encode(bytes);
        let token = self.token_from(&nonce);
        (nonce, token)
    }

    fn token_from(&self, nonce: &str) -> String {
        self.sign(&format!("token of a player: {nonce}"))
    }
}

/// What the operator's roster calls a student.
fn roster_name<'a>(view: &'a View, student: Option<&str>) -> Option<&'a str> {
    view.students().find(|(known, _)| Some(*known) == student).map(|(_, name)| name)
}

/// What is spoken with somebody who says so, or likely does.
pub(super) fn spoken(game: LeagueKind, version: Option<Version>, likely: Version) -> Version {
    made_for(game).or(version).unwrap_or(likely)
}

/// Whose token this is.
pub fn player_of(view: &View, token: &str) -> Option<PlayerId> {
    let hash = hash(token);
    let mut players = view.players().filter(|player| !player.removed);
    players.find(|player| player.token == Some(hash.as_str())).map(|p| p.player_id)
}

/// The player who has this name and lives there.
pub(super) fn same_player(view: &View, applicant: &Applicant) -> Option<PlayerId> {
    let endpoint = applicant.endpoint.as_deref()?;
    let name = plain_name(&applicant.name);
    let is_it = |player: &PlayerView| {
        player.endpoint == Some(endpoint)
            && !player.removed
            && [player.name, base_name(player.name)].iter().any(|own| plain_name(own) == name)
    };
    view.players().find(is_it).map(|player| player.player_id)
}

/// A name with a number behind it, cut so that it is not too long.
fn numbered(name: &str, number: usize) -> String {
    let number = format!(" {number}");
    let base: String = name.chars().take(LONGEST_NAME - number.len()).collect();
    format!("{}{number}", base.trim_end())
}

/// A name without the number behind it.
fn base_name(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((base, number)) if number.parse::<usize>().is_ok_and(|n| n > 1) => base,
        _ => name,
    }
}

/// What the leagues that come one after another under one name are called together.
pub fn series_of(league: &str) -> &str {
    numbered_league(league).map_or(league, |(series, _)| series)
}

/// The name that leagues have in common, and which of them this is, from the second on.
pub(super) fn numbered_league(league: &str) -> Option<(&str, usize)> {
    let (series, number) = league.rsplit_once('.')?;
    number.parse().ok().filter(|number| *number > 1).map(|number| (series, number))
}

pub(super) fn hash(token: &str) -> String {
    hexadecimal::encode(Sha256::digest(token))
}
