//! A player's memory: its matches, its moves in them, and the moves it saw others play.
//!
//! Each question is decided once. Whoever asks again gets the same answer, or waits for the same
//! decision.

use std::collections::{BTreeMap, HashMap, VecDeque};

use rules::parity::EvenOrOdd;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::league::{
    programs::strategy::{DecisionPoint, Strategy},
    wire::{message::Message, reading::Parsed},
};

/// More than any league has; a stranger who invents matches must not fill the memory.
const MATCHES: usize = 1000;
const ROUNDS: usize = 100;
/// Of the last so many matches every round is remembered, of others what we played in them.
const RECENT: usize = 4;

#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum Choice {
    Number(u8),
    Parity(EvenOrOdd),
    /// As its game writes it.
    Move(String),
}

/// Which choice is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceAsked {
    Fingers,
    Parity,
    /// Any other, which says what may be played.
    Offered,
}

#[derive(Default)]
pub struct Memory {
    pub player_id: Option<String>,
    pub league_id: Option<String>,
    pub token: Option<String>,
    matches: HashMap<MatchKey, Match>,
    order: VecDeque<MatchKey>,
    /// How often each opponent played even, and odd.
    seen: HashMap<String, [u32; 2]>,
    decided: u32,
    record: [u32; 3],
}

/// Match ids come again in another league.
#[derive(Clone, PartialEq, Eq, Hash)]
struct MatchKey(String, String);

#[derive(Default)]
struct Match {
    opponent: Option<String>,
    wanted: Option<EvenOrOdd>,
    asked: BTreeMap<u32, AskedChoice>,
    results: BTreeMap<u32, Value>,
    over: bool,
}

/// A question, and what came of it. A player of leagues is asked thousands.
enum AskedChoice {
    Decided(Choice),
    Open(ChoiceAsked, watch::Sender<Option<Choice>>),
}

/// A choice that was made, or is waited for.
pub enum Decision {
    Made(Choice),
    Awaited(watch::Receiver<Option<Choice>>),
}

impl Memory {
    /// The choice for the round that `heard` asks about; it may have yet to be made.
    pub fn decide(
        &mut self,
        parsed: &Parsed,
        game: ChoiceAsked,
        strategy: &Strategy,
        seed: u64,
    ) -> Decision {
        let (me, decided) = (self.player_id.clone(), self.decided);
        let round = round(parsed);
        self.learn(parsed);
        let at = self.open(parsed, false);
        if let Some(asked) = at.asked.get(&round) {
            return asked.decision();
        }
        let (wanted, opponent) = (at.wanted, at.opponent.clone());
        let seen = self.seen_of(opponent.as_deref(), me.as_deref());
        let match_id = parsed.word("match_id").unwrap_or_default();
        // Matches need not come in order, so a game of one decision counts by the league's rounds.
        let in_league = parsed.get("round_id").and_then(Value::as_u64);
        let turn = match game {
            ChoiceAsked::Fingers | ChoiceAsked::Offered => round,
            ChoiceAsked::Parity => in_league.and_then(|n| n.try_into().ok()).unwrap_or(decided + 1),
        };
        let place = DecisionPoint { match_id, round: turn, wanted, seen };
        let choice = match game {
            ChoiceAsked::Fingers => strategy.number(seed, &place).map(Choice::Number),
            ChoiceAsked::Parity => strategy.parity(seed, &place).map(Choice::Parity),
            ChoiceAsked::Offered => {
                strategy.option(seed, &place, &offered(parsed)).map(Choice::Move)
            }
        };
        self.decided += 1;
        let at = self.open(parsed, false);
        while at.asked.len() >= ROUNDS {
            at.asked.pop_first();
        }
        let asked = match choice {
            Some(choice) => AskedChoice::Decided(choice),
            None => AskedChoice::Open(game, watch::Sender::default()),
        };
        at.asked.entry(round).or_insert(asked).decision()
    }

    /// Makes the choice that is waited for; `match_id` if several are. None if nobody waits.
    pub fn choose(&mut self, number: u8, match_id: Option<&str>) -> Option<(String, Choice)> {
        let matches = self.matches.iter_mut();
        let (key, asked, game) = matches
            .filter(|(key, _)| match_id.is_none_or(|id| key.1 == id))
            .flat_map(|(key, at)| at.asked.values_mut().map(move |asked| (key, asked)))
            .find_map(|(key, asked)| asked.open().map(|game| (key, asked, game)))?;
        let choice = match game {
            ChoiceAsked::Fingers => Choice::Number(number),
            ChoiceAsked::Parity => Choice::Parity(EvenOrOdd::of(number)),
            ChoiceAsked::Offered => return None,
        };
        if let AskedChoice::Open(_, waiting) =
            std::mem::replace(asked, AskedChoice::Decided(choice.clone()))
        {
            waiting.send_replace(Some(choice.clone()));
        }
        Some((key.1.clone(), choice))
    }

    /// Takes note of what a message tells, whichever it is. Said twice it counts once.
    pub fn learn(&mut self, parsed: &Parsed) {
        use Message::{GameEnd, GameInvitation, GameOver, GameStart, MoveRequest, ParityCall};
        let begins = matches!(parsed.message, GameStart | GameInvitation);
        let goes_on = matches!(
            parsed.message,
            MoveRequest | ParityCall | Message::MoveCall | Message::RoundResult
        );
        let ends = matches!(parsed.message, GameEnd | GameOver);
        if !(begins || goes_on || ends) || parsed.word("match_id").is_none() {
            return;
        }
        let me = self.player_id.clone();
        let mut shown = Vec::new();
        let mut won = None;
        let at = self.open(parsed, begins);
        at.learn_roles(parsed, me.as_deref());
        match parsed.message {
            Message::RoundResult if !at.results.contains_key(&round(parsed)) => {
                shown = choices(parsed, &["moves"]);
                at.results.insert(round(parsed), told_of(parsed));
                while at.results.len() > ROUNDS {
                    at.results.pop_first();
                }
            }
            GameEnd | GameOver if !at.over => {
                let places = ["game_result.choices", "game_result.player_choices", "choices"];
                shown = choices(parsed, &places);
                let winner = ["winner", "game_result.winner_player_id", "game_result.winner"];
                let winner = winner.iter().find_map(|path| parsed.word(path));
                won = Some(winner.map(|winner| Some(winner) == me.as_deref()));
                at.over = true;
            }
            _ => {}
        }
        for (player, parity) in shown {
            let room = self.seen.len() < MATCHES || self.seen.contains_key(&player);
            if room && Some(&player) != me.as_ref() {
                self.seen.entry(player).or_default()[parity as usize] += 1;
            }
        }
        match won {
            Some(Some(true)) => self.record[0] += 1,
            Some(None) => self.record[1] += 1,
            Some(Some(false)) => self.record[2] += 1,
            None => {}
        }
    }

    /// The match a message is about. An invitation to one that is over begins it anew.
    fn open(&mut self, parsed: &Parsed, anew: bool) -> &mut Match {
        let word = |path| parsed.word(path).unwrap_or_default().to_owned();
        let key = MatchKey(word("league_id"), word("match_id"));
        if anew && self.matches.get(&key).is_some_and(|at| at.over) {
            self.matches.remove(&key);
            self.order.retain(|other| *other != key);
        }
        if !self.matches.contains_key(&key) {
            self.order.push_back(key.clone());
            let old = self.order.iter().rev().nth(RECENT).and_then(|key| self.matches.get_mut(key));
            if let Some(old) = old.filter(|old| old.over) {
                old.results = BTreeMap::new();
            }
            if self.order.len() > MATCHES
                && let Some(oldest) = self.order.pop_front()
            {
                self.matches.remove(&oldest);
            }
        }
        self.matches.entry(key).or_default()
    }

    /// How often this opponent played even and odd; of an unknown one, how often all players did.
    fn seen_of(&self, opponent: Option<&str>, me: Option<&str>) -> [u32; 2] {
        let all = || {
            let others = self.seen.iter().filter(|(id, _)| Some(id.as_str()) != me);
            others.fold([0, 0], |[even, odd], (_, seen)| [even + seen[0], odd + seen[1]])
        };
        opponent.map_or_else(all, |id| self.seen.get(id).copied().unwrap_or_default())
    }

    /// The answer of `get_my_state`.
    pub fn state(&self, name: &str, strategy: &Strategy) -> Value {
        let [wins, draws, losses] = self.record;
        let asked = self
            .order
            .iter()
            .filter_map(|key| self.matches.get(key).map(|at| (key, at)))
            .flat_map(|(key, at)| {
                at.asked.iter().map(move |(round, asked)| (key, at, round, asked))
            })
            .filter_map(|(key, at, round, asked)| Some(at.question(key, *round, asked.open()?)));
        let last = self.order.back().and_then(|key| self.matches.get(key).map(|at| (key, at)));
        json!({
            "name": name,
            "player_id": self.player_id,
            "league_id": self.league_id,
            "strategy": strategy.to_string(),
            "registered": self.player_id.is_some(),
            "moves_asked": asked.collect::<Vec<_>>(),
            "last_match": last.map(|(key, at)| at.told(key)),
            "record": { "played": wins + draws + losses, "wins": wins, "draws": draws,
                "losses": losses },
        })
    }
}

impl Match {
    fn learn_roles(&mut self, parsed: &Parsed, me: Option<&str>) {
        let players = parsed.get("players").and_then(Value::as_array);
        let mut role = parsed.word("game_state.your_role").map(str::to_owned);
        for player in players.into_iter().flatten() {
            let id = player["player_id"].as_str().or(player.as_str());
            match id {
                Some(id) if Some(id) == me => role = player["role"].as_str().map(str::to_owned),
                Some(id) if me.is_some() => self.opponent = Some(id.to_owned()),
                _ => {}
            }
        }
        let opponent = ["opponent_id", "context.opponent_id"].iter().find_map(|p| parsed.word(p));
        self.opponent = opponent.map(str::to_owned).or(self.opponent.take());
        match role.as_deref().map(str::to_ascii_uppercase).as_deref() {
            Some("ODD") => self.wanted = Some(EvenOrOdd::Odd),
            Some("EVEN") => self.wanted = Some(EvenOrOdd::Even),
            _ => {}
        }
    }

    fn question(&self, key: &MatchKey, round: u32, game: ChoiceAsked) -> Value {
        let role = self.wanted.map(|wanted| wanted.name().to_ascii_uppercase());
        let game = match game {
            ChoiceAsked::Fingers => "even_odd",
            ChoiceAsked::Parity => "parity",
            ChoiceAsked::Offered => "another",
        };
        json!({ "match_id": key.1, "game_round": round, "game": game, "role": role,
            "previous_rounds": self.rounds() })
    }

    fn told(&self, key: &MatchKey) -> Value {
        json!({ "match_id": key.1, "opponent_id": self.opponent, "over": self.over,
            "rounds": self.rounds() })
    }

    fn rounds(&self) -> Vec<&Value> {
        self.results.values().collect()
    }
}

impl AskedChoice {
    /// The game, if somebody waits for the choice.
    fn open(&self) -> Option<ChoiceAsked> {
        match self {
            AskedChoice::Open(game, waiting) if waiting.receiver_count() > 0 => Some(*game),
            _ => None,
        }
    }

    fn decision(&self) -> Decision {
        match self {
            AskedChoice::Decided(choice) => Decision::Made(choice.clone()),
            AskedChoice::Open(_, waiting) => Decision::Awaited(waiting.subscribe()),
        }
    }
}

/// The moves that a question offers; none if it lists none.
pub fn offered(parsed: &Parsed) -> Vec<String> {
    let places = ["game_state.legal_moves", "move_request.valid_options"];
    let found = places.iter().find_map(|path| parsed.get(path)?.as_array());
    found.into_iter().flatten().filter_map(|text| Some(text.as_str()?.to_owned())).collect()
}

/// A round that is over, as the referee told it.
fn told_of(parsed: &Parsed) -> Value {
    json!({ "game_round": round(parsed), "moves": parsed.get("moves"),
        "winner": parsed.get("round_winner") })
}

/// The round asked about. A game of one decision has one.
fn round(parsed: &Parsed) -> u32 {
    let round = parsed.get("game_round").and_then(Value::as_u64).unwrap_or(1);
    round.try_into().unwrap_or(u32::MAX)
}

/// The parity that each player played. Values that are neither a number nor a parity are left out.
fn choices(parsed: &Parsed, places: &[&str]) -> Vec<(String, EvenOrOdd)> {
    let found = places.iter().find_map(|path| parsed.get(path)?.as_object());
    let parity = |value: &Value| match value.as_str() {
        Some("even") => Some(EvenOrOdd::Even),
        Some("odd") => Some(EvenOrOdd::Odd),
        _ => value
            .as_u64()
            .map(|number| if number % 2 == 0 { EvenOrOdd::Even } else { EvenOrOdd::Odd }),
    };
    let played = found.into_iter().flatten().filter_map(|(id, value)| Some((id, parity(value)?)));
    played.map(|(id, parity)| (id.clone(), parity)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::league::wire::reading::hear;

    #[test]
    fn of_matches_long_over_only_what_counts_is_kept() {
        let mut memory = Memory { player_id: Some("P01".into()), ..Memory::default() };
        let mut tell = |kind: &str, n: u32, own: Value| {
            let mut message = json!({ "league_id": "l", "match_id": format!("R{n}M1"),
                "game_round": 1, "players": ["P01", "P02"] });
            message.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
            let parsed = hear(kind, message).unwrap();
            match kind {
                "MOVE_REQUEST" => {
                    memory.decide(&parsed, ChoiceAsked::Fingers, &Strategy::Frequency, 7);
                }
                _ => memory.learn(&parsed),
            }
        };
        let result = json!({ "moves": { "P01": 1, "P02": 2 }, "round_winner": "P01",
            "much": "x".repeat(1000) });
        for n in 1..=100 {
            tell("GAME_START", n, json!({}));
            tell("MOVE_REQUEST", n, json!({}));
            tell("ROUND_RESULT", n, result.clone());
            tell("GAME_END", n, json!({ "winner": "P01" }));
        }
        // Said again, it counts no more than before.
        tell("GAME_END", 1, json!({ "winner": "P01" }));
        tell("MOVE_REQUEST", 1, json!({}));
        assert_eq!(memory.decided, 100);
        let remembered = memory.matches.values().map(|at| at.results.len()).sum::<usize>();
        assert_eq!(remembered, RECENT);
        let state = json!(memory.state("Alpha", &Strategy::Frequency));
        assert_eq!(state["record"], json!({ "played": 100, "wins": 100, "draws": 0, "losses": 0 }));
        let round = json!({ "game_round": 1, "moves": { "P01": 1, "P02": 2 }, "winner": "P01" });
        assert_eq!(
            state["last_match"],
            json!({ "match_id": "R100M1", "opponent_id": "P02",
            "over": true, "rounds": [round] })
        );
        assert_eq!(memory.seen_of(Some("P02"), None), [100, 0]);
    }
}
