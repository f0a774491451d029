//! What is told of a match of a league.

use std::collections::BTreeMap;

use rules::{
    Due, Eye, Seat,
    even_odd::{EvenOdd, SumType},
    league::{MatchView, PlayerId},
    parity::{EvenOrOdd, Parity},
};
use serde::{Serialize, Serializer};
use ts_rs::TS;

use crate::{
    hall::Game,
    league::play::{leagues::Leagues, refusals::LeagueRefusal},
};

/// A match as anybody may see it, or told to one who plays in it.
#[derive(Serialize)]
pub struct MatchState {
    #[serde(flatten)]
    pub(super) fixture: MatchView,
    #[serde(flatten)]
    play: Option<InPlay>,
}

impl MatchState {
    /// One that has begun.
    pub(super) async fn of(fixture: &MatchView, game: &Game, eye: Eye) -> MatchState {
        let play = in_play(game, [fixture.player_a, fixture.player_b], eye).await;
        MatchState { fixture: fixture.clone(), play: Some(play) }
    }

    pub(super) fn course(&self) -> Option<&Course> {
        self.play.as_ref().map(|play| &play.course)
    }

    /// How it stands, in words, in a game that no protocol was made for.
    pub(super) fn text(&self) -> &str {
        match self.course() {
            Some(Course::Any { text, .. }) => text,
            _ => "",
        }
    }
}

/// What was played in a match, as far as anybody may know.
#[derive(Serialize, TS)]
pub struct InPlay {
    /// Whose moves are awaited.
    thinking: Vec<PlayerId>,
    /// The number of the turn to be played next; in even-odd and parity that of the last one.
    turn: usize,
    #[serde(flatten)]
    course: Course,
}

#[derive(Serialize, TS)]
#[serde(untagged)]
pub(super) enum Course {
    EvenOdd {
        /// Those that are over.
        rounds: Vec<MatchRound>,
        game_round: usize,
        #[ts(as = "BTreeMap<PlayerId, i32>")]
        scores: ByPlayer<i32>,
    },
    Parity {
        /// Nothing before both have chosen; nothing from one who gave no answer.
        #[ts(as = "Option<BTreeMap<PlayerId, Option<EvenOrOdd>>>")]
        choices: Option<ByPlayer<Option<EvenOrOdd>>>,
        drawn_number: Option<u8>,
        number_parity: Option<EvenOrOdd>,
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
pub(super) struct MatchRound {
    game_round: usize,
    /// Nothing from one who gave no answer.
    #[ts(as = "BTreeMap<PlayerId, Option<u8>>")]
    pub(super) moves: ByPlayer<Option<u8>>,
    sum: Option<u8>,
    sum_type: Option<SumType>,
    pub(super) round_winner: Option<PlayerId>,
}

/// Something of each player, in the order of their seats.
pub(super) struct ByPlayer<T>([(PlayerId, T); 2]);

impl<T> ByPlayer<T> {
    pub(super) fn of(&self, player: PlayerId) -> &T {
        let [(first, its), (_, others)] = &self.0;
        if *first == player { its } else { others }
    }
}

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
    Ok(match leagues.game_of(league, fixture).await? {
        Some(game) => MatchState::of(fixture, &game, Eye::Public).await,
        None => MatchState { fixture: fixture.clone(), play: None },
    })
}

/// What everybody may know of it; `eye` sees more only in words.
async fn in_play(game: &Game, [a, b]: [PlayerId; 2], eye: Eye) -> InPlay {
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
        turn = record.turns_seen(Eye::Public).count() + 1;
        Course::Any {
            roles: by_player([a, b], [0, 1].map(|seat| record.seats()[seat])),
            text: record.show(eye).text,
            ended: record.due().outcome().map(ToString::to_string),
        }
    };
    InPlay { thinking, turn, course }
}

fn by_player<T>([a, b]: [PlayerId; 2], [of_a, of_b]: [T; 2]) -> ByPlayer<T> {
    ByPlayer([(a, of_a), (b, of_b)])
}
