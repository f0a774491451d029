//! What a player is told who waits for something to decide: as facts, and in words.

use std::{sync::Arc, time::Duration};

use rmcp::model::JsonObject;
use rules::{
    Eye, Record, Seat,
    league::{MatchId, MatchView, PlayerId, Standing, View},
};
use serde::Serialize;
use serde_json::{Value, json, to_value};

use super::match_state::{ByPlayer, Course, MatchRound, MatchState};
use crate::{
    hall::Game,
    league::play::{
        leagues::Leagues,
        referee::{contest::made_for, kind::turn_of},
    },
    mcp::reply::Reply,
    player::plain_name,
    setting_up::{chosen_in_words, chosen_of},
};

#[derive(Serialize)]
#[serde(untagged)]
pub enum LeagueDecision {
    Match(Box<MatchDecision>),
    LeagueOver { league_id: String, standings: Vec<Standing>, status: DecisionStatus },
    Waiting { status: DecisionStatus },
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionStatus {
    YourMove,
    /// To what it was asked out of its turn.
    YourAnswer,
    LeagueOver,
    Waiting,
}

/// Something is wanted of a player, in a match.
#[derive(Serialize)]
pub struct MatchDecision {
    #[serde(flatten)]
    state: MatchState,
    /// Where no protocol was made for the game.
    #[serde(flatten)]
    seat: Option<SeenFromSeat>,
    status: DecisionStatus,
    your_role: &'static str,
    player_id: PlayerId,
    time_limit_seconds: u32,
    /// Of that, if the clock is this process's own.
    seconds_left: Option<u64>,
}

/// What a player may see of its match, and what it may play; with its pass, by which it can play the
/// match as any other game.
#[derive(Serialize)]
struct SeenFromSeat {
    game_id: String,
    game_round: u32,
    view: Value,
    legal_moves: Vec<String>,
    answers: Vec<&'static str>,
    asked: Option<PlayerId>,
}

/// What an answer may hold, which is less in most of them.
pub fn decision_schema() -> Arc<JsonObject> {
    let all = |kind: &str, names: &[&str]| -> JsonObject {
        let typed = |name: &&str| ((*name).to_owned(), json!({ "type": kind }));
        names.iter().map(typed).collect()
    };
    let mut properties = all("string", &["status", "league_id", "match_id", "game_id"]);
    properties.extend(all("string", &["your_role", "player_id", "text", "error"]));
    properties.extend(all("integer", &["game_round", "time_limit_seconds", "seconds_left"]));
    properties.extend(all("array", &["legal_moves", "answers", "rounds", "standings"]));
    properties.extend(all("object", &["view", "scores"]));
    Arc::new(JsonObject::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), Value::Object(properties)),
    ]))
}

impl LeagueDecision {
    pub const WAITING: LeagueDecision = LeagueDecision::Waiting { status: DecisionStatus::Waiting };

    pub fn league_over(view: &View) -> LeagueDecision {
        LeagueDecision::LeagueOver {
            league_id: view.setup().name.clone(),
            standings: view.standings(),
            status: DecisionStatus::LeagueOver,
        }
    }

    /// What is wanted of the one who sits there in a match that has begun.
    pub async fn wanted(
        leagues: &Leagues,
        view: &View,
        fixture: &MatchView,
        game: &Game,
        seat: Seat,
        status: DecisionStatus,
    ) -> LeagueDecision {
        let players = [fixture.player_a, fixture.player_b];
        let state = MatchState::of(fixture, game, Eye::Seat(seat)).await;
        let setup = view.setup();
        let seen = made_for(setup.game).is_none().then(|| {
            let pass = leagues.hall.pass(game.id(), &game.seats(), seat);
            SeenFromSeat::of(&game.record(), seat, players, pass.to_string())
        });
        let limit = Duration::from_secs(setup.time_limit_seconds.into());
        let left = leagues.deadlines.left(game.id(), seat, limit);
        let left = left.filter(|_| status == DecisionStatus::YourMove);
        LeagueDecision::Match(Box::new(MatchDecision {
            state,
            seat: seen,
            status,
            your_role: setup.game.kind().seats[usize::from(seat.0)],
            player_id: players[usize::from(seat.0)],
            time_limit_seconds: setup.time_limit_seconds,
            seconds_left: left.map(|left| left.as_secs()),
        }))
    }

    /// `by_pass`: the caller has the tools of every game too, by which a pass is played.
    pub fn reply(&self, view: &View, by_pass: bool) -> Reply {
        let mut facts = to_value(self).expect("a decision can be written");
        leave_out_empty(&mut facts);
        Reply::new(self.words(view, by_pass), facts)
    }

    /// The rules in a sentence, where the match stands, and what to call next.
    fn words(&self, view: &View, by_pass: bool) -> String {
        match self {
            LeagueDecision::Match(wanted) => wanted.words(view, by_pass),
            LeagueDecision::LeagueOver { standings, .. } => {
                let table = standings.iter().take(10).map(|line| {
                    format!("{}. {}, {} points", line.rank, line.display_name, line.points)
                });
                let table: Vec<_> = table.collect();
                format!(
                    "The league is over.\n{}\n**Next Action**: none; you are done.",
                    table.join("\n")
                )
            }
            LeagueDecision::Waiting { .. } => {
                format!("Nothing to decide yet.\n**Next Action**: call {} again.", waiting(view))
            }
        }
    }
}

impl SeenFromSeat {
    fn of(record: &Record, seat: Seat, players: [PlayerId; 2], game_id: String) -> SeenFromSeat {
        let view = record.view_json(Eye::Seat(seat));
        SeenFromSeat {
            game_id,
            game_round: turn_of(record),
            view: serde_json::from_str(&view).expect("a view is JSON"),
            legal_moves: record.offers(seat),
            answers: record.answers(seat),
            asked: record.asked().map(|asked| players[usize::from(asked.0)]),
        }
    }
}

impl MatchDecision {
    fn words(&self, view: &View, by_pass: bool) -> String {
        match (&self.seat, self.state.course()) {
            (Some(seen), _) if self.status == DecisionStatus::YourAnswer => {
                self.your_answer(view, seen)
            }
            (Some(seen), _) => self.any_kind(view, seen, by_pass),
            (None, Some(Course::EvenOdd { rounds, game_round, scores })) => {
                self.even_odd(view, rounds, *game_round, scores)
            }
            (None, _) => self.parity(view),
        }
    }

    fn even_odd(
        &self,
        view: &View,
        rounds: &[MatchRound],
        round: usize,
        scores: &ByPlayer<i32>,
    ) -> String {
        let (setup, role, me) = (view.setup(), self.your_role, self.player_id);
        let (other, name) = (self.opponent(), self.opponent_name(view));
        let mut text = format!(
            "Even-odd, match {}, round {round} of at most {}. Both show one to five fingers at once; \
             you are {role} and win the round if the sum is {}. First to {} rounds wins.\n\
             Score: you {}, {name} {}.",
            self.match_id(),
            setup.max_rounds,
            role.to_lowercase(),
            setup.rounds_to_win,
            scores.of(me),
            scores.of(other),
        );
        if let Some(last) = rounds.last() {
            let shown = |player| {
                last.moves.of(player).map_or("nothing".to_owned(), |number| number.to_string())
            };
            let won = if last.round_winner == Some(me) { "you" } else { &name };
            text +=
                &format!(" Last round: you {}, {name} {}; {won} won it.", shown(me), shown(other));
        }
        text += &format!(
            "\n**Next Action**: {} call `submit_move(auth_token, match_id=\"{}\", \
             game_round={round}, number, league_id={:?})` with a number from 1 to 5, then {}.",
            self.in_time(),
            self.match_id(),
            setup.name,
            waiting(view),
        );
        text
    }

    fn parity(&self, view: &View) -> String {
        let (id, other) = (self.match_id(), self.opponent_name(view));
        format!(
            "Parity, match {id} against {other}. Both say even or odd without hearing the other, then \
             a number from 1 to 10 is drawn; who alone was right wins, the same choice is a draw.\n\
             **Next Action**: {} call `submit_move(auth_token, match_id=\"{id}\", choice, \
             league_id={:?})` with even or odd, then {}.",
            self.in_time(),
            view.setup().name,
            waiting(view),
        )
    }

    fn any_kind(&self, view: &View, seen: &SeenFromSeat, by_pass: bool) -> String {
        let card = view.setup().game.card();
        let rules = if seen.game_round <= 2 { card.rules } else { card.sentence };
        // The rules are those of the usual game.
        let setup = chosen_in_words(&chosen_of(view.setup().game_setup.clone()));
        let setup = setup.map_or_else(String::new, |setup| format!("Set-up: {setup}.\n"));
        let question = match seen.asked {
            None => String::new(),
            Some(asked) if asked == self.player_id => {
                format!("**Answers**: {}; or play on\n", seen.answers.join(", "))
            }
            Some(_) => "What you asked is not answered yet, and your time runs on.\n".to_owned(),
        };
        let (pass, turn) = (&seen.game_id, seen.game_round);
        let otherwise = if by_pass {
            format!(", or by your pass `finishTurn(game_id=\"{pass}\", move, turn={turn})`")
        } else {
            String::new()
        };
        format!(
            "{} {rules}\n{setup}{}\n{question}**Moves**: {} (a move: {})\n\
             **Next Action**: {} call `submit_move(auth_token, match_id=\"{}\", \
             game_round={turn}, choice, league_id={:?})` with one of them{otherwise}, then {}.",
            self.seated(view),
            self.state.text(),
            seen.legal_moves.join(", "),
            card.moves,
            self.in_time(),
            self.match_id(),
            view.setup().name,
            waiting(view),
        )
    }

    fn your_answer(&self, view: &View, seen: &SeenFromSeat) -> String {
        format!(
            "{}\n{}\n**Answers**: {}\n\
             **Next Action**: call `submit_move(auth_token, match_id=\"{}\", game_round={}, choice, \
             league_id={:?})` with one of them, then {}.",
            self.seated(view),
            self.state.text(),
            seen.answers.join(", "),
            self.match_id(),
            seen.game_round,
            view.setup().name,
            waiting(view),
        )
    }

    /// By when it must have moved. Where another process has the clock, how far it is is not known.
    fn in_time(&self) -> String {
        match self.seconds_left {
            Some(1) => "within 1 second".to_owned(),
            Some(left) => format!("within {left} seconds"),
            None => format!("within {} seconds of becoming due,", self.time_limit_seconds),
        }
    }

    /// What is played, against whom, and as what.
    fn seated(&self, view: &View) -> String {
        let (title, other) = (view.setup().game.card().title, self.opponent_name(view));
        let (id, role) = (self.match_id(), self.your_role);
        format!("{title}, match {id} against {other}. You are {role}.")
    }

    fn match_id(&self) -> MatchId {
        self.state.fixture.match_id
    }

    fn opponent(&self) -> PlayerId {
        let MatchView { player_a, player_b, .. } = self.state.fixture;
        if player_a == self.player_id { player_b } else { player_a }
    }

    fn opponent_name(&self, view: &View) -> String {
        let known = view.player(self.opponent());
        known.map_or("the other".into(), |known| plain_name(known.name))
    }
}

/// The call that waits for what comes next. There may be a newer league by then, so it names its own.
fn waiting(view: &View) -> String {
    format!("`wait_for_decision(auth_token, league_id={:?})`", view.setup().name)
}

/// Fields that say nothing are left out. A view is the kind's own, and has the same shape wherever it
/// is told.
fn leave_out_empty(body: &mut Value) {
    let Some(fields) = body.as_object_mut() else { return };
    fields
        .retain(|_, value| !value.is_null() && value.as_array().is_none_or(|all| !all.is_empty()));
    let own = fields.iter_mut().filter(|(name, _)| *name != "view");
    own.for_each(|(_, value)| leave_out_empty(value));
}
