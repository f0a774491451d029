//! What is told of a match of a league.

use std::collections::BTreeMap;

use rules::{
    Due, Eye, Seat,
    even_odd::{EvenOdd, Parity as SumType},
    league::{Game as Contest, MatchView, PlayerId, View},
    parity::{Choice, Parity},
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use ts_rs::TS;

use crate::{
    hall::Game,
    league::play::{
        leagues::{LeagueRefusal, Leagues},
        referee::kind::{text_for, turn_of},
    },
};

/// A match as anybody may see it.
#[derive(Serialize)]
pub struct MatchState {
    #[serde(flatten)]
    fixture: MatchView,
    #[serde(flatten)]
    play: Option<InPlay>,
}

/// What was played in a match, as far as anybody may know.
#[derive(Serialize, TS)]
pub struct InPlay {
    /// Whose moves are awaited.
    thinking: Vec<PlayerId>,
    turn: usize,
    #[serde(flatten)]
    course: Course,
}

#[derive(Serialize, TS)]
#[serde(untagged)]
enum Course {
    EvenOdd {
        /// Those that are over.
        rounds: Vec<MatchRound>,
        game_round: usize,
        #[ts(as = "BTreeMap<PlayerId, i32>")]
        scores: ByPlayer<i32>,
    },
    Parity {
        /// Nothing before both have chosen; nothing from one who gave no answer.
        #[ts(as = "Option<BTreeMap<PlayerId, Option<Choice>>>")]
        choices: Option<ByPlayer<Option<Choice>>>,
        drawn_number: Option<u8>,
        number_parity: Option<Choice>,
    },
    /// Another game: who plays what, how it stands, and how it ended, in words.
    Any {
        #[ts(as = "BTreeMap<PlayerId, &'static str>")]
        roles: ByPlayer<&'static str>,
        text: String,
        ended: Option<String>,
    },
}

#[derive(Serialize, TS)]
struct MatchRound {
    game_round: usize,
    /// Nothing from one who gave no answer.
    #[ts(as = "BTreeMap<PlayerId, Option<u8>>")]
    moves: ByPlayer<Option<u8>>,
    sum: Option<u8>,
    sum_type: Option<SumType>,
    round_winner: Option<PlayerId>,
}

/// Something of each player, in the order of their seats.
struct ByPlayer<T>([(PlayerId, T); 2]);

impl<T: Serialize> Serialize for ByPlayer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(player, value)| (player, value)))
    }
}

pub async fn state_of(
    leagues: &Leagues,
    league: &Game,
    fixture: &MatchView,
) -> Result<MatchState, LeagueRefusal> {
    let play = match leagues.game_of(league, fixture).await? {
        Some(game) => Some(in_play(&game, [fixture.player_a, fixture.player_b]).await),
        None => None,
    };
    Ok(MatchState { fixture: fixture.clone(), play })
}

async fn in_play(game: &Game, [a, b]: [PlayerId; 2]) -> InPlay {
    game.refresh().await;
    let player = |seat: &Seat| if seat.0 == 0 { a } else { b };
    let thinking = match game.due() {
        Due::Each(seats) => seats.iter().map(player).collect(),
        Due::One(seat) => vec![player(&seat)],
        Due::Over(_) => Vec::new(),
    };
    let mut turn = game.log().len();
    let course = if let Ok(look) = game.look::<EvenOdd>(Eye::Public) {
        let rounds = look.view.rounds.iter().enumerate().map(|(n, round)| MatchRound {
            game_round: n + 1,
            moves: by_player([a, b], round.moves),
            sum: round.sum,
            sum_type: round.sum_type,
            round_winner: round.winner.as_ref().map(player),
        });
        Course::EvenOdd {
            rounds: rounds.collect(),
            game_round: look.view.rounds.len() + 1,
            scores: by_player([a, b], look.view.scores),
        }
    } else if let Ok(look) = game.look::<Parity>(Eye::Public) {
        Course::Parity {
            choices: look.view.choices.map(|choices| by_player([a, b], choices)),
            drawn_number: look.view.drawn_number,
            number_parity: look.view.number_parity,
        }
    } else {
        let record = game.record();
        turn = record.turns_seen(Eye::Public).count();
        Course::Any {
            roles: by_player([a, b], [0, 1].map(|seat| record.seats()[seat])),
            text: text_for(&record, Eye::Public),
            ended: record.due().outcome().map(ToString::to_string),
        }
    };
    InPlay { thinking, turn, course }
}

fn by_player<T>([a, b]: [PlayerId; 2], [of_a, of_b]: [T; 2]) -> ByPlayer<T> {
    ByPlayer([(a, of_a), (b, of_b)])
}

/// What a player may see of its match where it is due, and what it may play; with its pass, by which
/// it can play the match as any other game.
pub async fn seen_by(leagues: &Leagues, game: &Game, seat: Seat, body: &mut Value) {
    let (record, seats) = (game.record(), game.seats());
    let eye = Eye::Seat(seat);
    body["game_id"] = json!(leagues.hall.pass(game.id(), &seats, seat).to_string());
    body["game_round"] = json!(turn_of(&record));
    body["view"] = serde_json::from_str(&record.view_json(eye)).expect("a view is JSON");
    body["text"] = json!(text_for(&record, eye));
    body["legal_moves"] = json!(record.offers(seat));
    body["answers"] = json!(record.answers(seat));
    let players = [&body["player_a"], &body["player_b"]];
    let asked = record.asked().map(|asked| players[usize::from(asked.0)].clone());
    body["asked"] = json!(asked);
}

/// Fields that say nothing are left out.
pub fn leave_out_empty(body: &mut Value) {
    let Some(fields) = body.as_object_mut() else { return };
    fields
        .retain(|_, value| !value.is_null() && value.as_array().is_none_or(|all| !all.is_empty()));
    fields.values_mut().for_each(leave_out_empty);
}

/// What a player is to decide, in words: the rules in a sentence, where the match stands, and what
/// to call next.
pub fn decision(view: &View, player: PlayerId, body: &Value) -> String {
    match body["status"].as_str() {
        Some("your_move") => match view.setup().game {
            Contest::EVEN_ODD => even_odd(view, player, body),
            Contest::PARITY => parity(view, player, body),
            _ => any_kind(view, player, body),
        },
        Some("your_answer") => your_answer(view, player, body),
        Some("league_over") => {
            let lines = view.standings();
            let table = lines.iter().take(10).map(|line| {
                format!("{}. {}, {} points", line.rank, line.display_name, line.points)
            });
            let table: Vec<_> = table.collect();
            format!(
                "The league is over.\n{}\n**Next Action**: none; you are done.",
                table.join("\n")
            )
        }
        _ => "Nothing to decide yet.\n**Next Action**: call `wait_for_decision` again, with the \
              same auth_token."
            .to_owned(),
    }
}

fn even_odd(view: &View, player: PlayerId, body: &Value) -> String {
    let setup = view.setup();
    let (other, round) = (opponent(view, player, body), &body["game_round"]);
    let role = body["your_role"].as_str().unwrap_or_default();
    let mine = player.to_string();
    let score = |id: &str| body["scores"][id].as_u64().unwrap_or(0);
    let mut text = format!(
        "Even-odd, match {}, round {round} of at most {}. Both show one to five fingers at once; \
         you are {role} and win the round if the sum is {}. First to {} rounds wins.\n\
         Score: you {}, {} {}.",
        body["match_id"].as_str().unwrap_or_default(),
        setup.max_rounds,
        role.to_lowercase(),
        setup.rounds_to_win,
        score(&mine),
        other.1,
        score(&other.0),
    );
    if let Some(last) = body["rounds"].as_array().and_then(|rounds| rounds.last()) {
        let shown =
            |id: &str| last["moves"][id].as_u64().map_or("nothing".into(), |n| n.to_string());
        let won = if last["round_winner"] == mine.as_str() { "you" } else { &other.1 };
        text += &format!(
            " Last round: you {}, {} {}; {won} won it.",
            shown(&mine),
            other.1,
            shown(&other.0)
        );
    }
    text += &format!(
        "\n**Next Action**: within {} seconds call `submit_move(auth_token, match_id={}, \
         game_round={round}, number)` with a number from 1 to 5, then `wait_for_decision`.",
        setup.time_limit_seconds, body["match_id"]
    );
    text
}

fn parity(view: &View, player: PlayerId, body: &Value) -> String {
    let other = opponent(view, player, body);
    format!(
        "Parity, match {} against {}. Both say even or odd without hearing the other, then a number \
         from 1 to 10 is drawn; who alone was right wins, the same choice is a draw.\n\
         **Next Action**: within {} seconds call `submit_move(auth_token, match_id={}, choice)` with \
         even or odd, then `wait_for_decision`.",
        body["match_id"].as_str().unwrap_or_default(),
        other.1,
        view.setup().time_limit_seconds,
        body["match_id"]
    )
}

fn any_kind(view: &View, player: PlayerId, body: &Value) -> String {
    let (setup, card) = (view.setup(), view.setup().game.card());
    let rules = if body["game_round"].as_u64() <= Some(2) { card.rules } else { card.sentence };
    let question = match body["asked"].as_str() {
        None => String::new(),
        Some(asked) if asked == player.to_string() => {
            format!("**Answers**: {}; or play on\n", listed(&body["answers"]))
        }
        Some(_) => "What you asked is not answered yet, and your time runs on.\n".to_owned(),
    };
    format!(
        "{} {rules}\n{}\n{question}**Moves**: {} (a move: {})\n\
         **Next Action**: within {} seconds call `submit_move(auth_token, match_id={}, \
         game_round={}, choice)` with one of them, then `wait_for_decision`.",
        seated(view, player, body),
        body["text"].as_str().unwrap_or_default(),
        listed(&body["legal_moves"]),
        card.moves,
        setup.time_limit_seconds,
        body["match_id"],
        body["game_round"],
    )
}

/// It was asked something out of its turn.
fn your_answer(view: &View, player: PlayerId, body: &Value) -> String {
    format!(
        "{}\n{}\n**Answers**: {}\n\
         **Next Action**: call `submit_move(auth_token, match_id={}, game_round={}, choice)` with \
         one of them, then `wait_for_decision`.",
        seated(view, player, body),
        body["text"].as_str().unwrap_or_default(),
        listed(&body["answers"]),
        body["match_id"],
        body["game_round"],
    )
}

/// What is played, against whom, and as what.
fn seated(view: &View, player: PlayerId, body: &Value) -> String {
    let word = |name: &str| body[name].as_str().unwrap_or_default();
    let (title, (_, other)) = (view.setup().game.card().title, opponent(view, player, body));
    format!("{title}, match {} against {other}. You are {}.", word("match_id"), word("your_role"))
}

fn listed(texts: &Value) -> String {
    let texts = texts.as_array().into_iter().flatten().filter_map(Value::as_str);
    texts.collect::<Vec<_>>().join(", ")
}

/// The other's id and name. The name is the other's own words, so it is kept short and on one line.
fn opponent(view: &View, player: PlayerId, body: &Value) -> (String, String) {
    let both = [&body["player_a"], &body["player_b"]];
    let id = both.iter().filter_map(|id| id.as_str()).find(|id| *id != player.to_string());
    let id = id.unwrap_or_default();
    let name = id.parse().ok().and_then(|id| view.player(id));
    let name = name.map_or("the other".into(), |known| known.name.chars().take(40).collect());
    (id.to_owned(), name)
}
