//! Games of one table: both choose at once, the table says what each gets, and it is played over and
//! over. Prisoner's dilemma, stag hunt and rock-paper-scissors.

use serde::{Deserialize, Serialize};

use crate::{
    Card, Dice, Due, Eye, Illegal, Key, Outcome, Rules, Seat, Tag,
    drawing::{Numbers, Part, Shown},
    wording::{plain, quoted},
};

const MOST_ROUNDS: u32 = 200;
/// Of the rounds that were played, so many are told.
const RECENT: usize = 10;
const IN_WORDS: usize = 5;

/// What is played in every round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageGame {
    #[default]
    PrisonersDilemma,
    StagHunt,
    RockPaperScissors,
}

impl StageGame {
    pub fn title(self) -> &'static str {
        match self {
            StageGame::PrisonersDilemma => "Prisoner's dilemma",
            StageGame::StagHunt => "Stag hunt",
            StageGame::RockPaperScissors => "Rock-paper-scissors",
        }
    }

    pub fn choices(self) -> &'static [&'static str] {
        match self {
            StageGame::PrisonersDilemma => &["cooperate", "defect"],
            StageGame::StagHunt => &["stag", "hare"],
            StageGame::RockPaperScissors => &["rock", "paper", "scissors"],
        }
    }

    /// What `own` is worth against `other`, to either seat.
    pub fn pays(self, own: Move, other: Move) -> i32 {
        let table: &[&[i32]] = match self {
            StageGame::PrisonersDilemma => &[&[3, 0], &[5, 1]],
            StageGame::StagHunt => &[&[4, 0], &[3, 3]],
            StageGame::RockPaperScissors => &[&[0, -1, 1], &[1, 0, -1], &[-1, 1, 0]],
        };
        table[own.0][other.0]
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    pub game: StageGame,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// How many sides the die has that may end it after every round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub die: Option<u32>,
}

/// Which of the game's choices, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub usize);

/// What can be wrong with a move.
#[derive(Debug)]
struct NotAChoice;

#[derive(Clone)]
pub struct Matrix {
    game: StageGame,
    /// The most rounds there are.
    rounds: u32,
    die: Option<u32>,
    played: Vec<[Move; 2]>,
    is_over: bool,
}

/// What anyone may see. A sealed move is not in the position yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    pub game: StageGame,
    /// Which round it is, from 1; the last one, once it is over.
    pub round: u32,
    /// The most there are.
    pub rounds: u32,
    pub die: Option<u32>,
    pub points: [i32; 2],
    /// What both chose in the last rounds, the newest last.
    pub recent: Vec<[&'static str; 2]>,
}

impl Matrix {
    pub fn game(&self) -> StageGame {
        self.game
    }

    /// What both chose in every round.
    pub fn played(&self) -> &[[Move; 2]] {
        &self.played
    }

    fn points(&self) -> [i32; 2] {
        let sum = |own: usize| {
            self.played.iter().map(|round| self.game.pays(round[own], round[1 - own])).sum()
        };
        [sum(0), sum(1)]
    }

    /// What each gets for each pair of choices, those of the first seat in rows.
    fn table(&self) -> Numbers {
        let (game, choices) = (self.game, self.game.choices());
        let cell = |one, other| format!("{}:{}", game.pays(one, other), game.pays(other, one));
        let row = |(one, name): (usize, &&str)| {
            let cells = (0..choices.len()).map(|other| cell(Move(one), Move(other)));
            [name.to_string()].into_iter().chain(cells).collect()
        };
        // Player 1 chooses the row and Player 2 the column.
        let corner = "1 ↓ 2 →".to_owned();
        let head = [corner].into_iter().chain(choices.iter().map(|name| name.to_string()));
        Numbers { head: head.collect(), rows: choices.iter().enumerate().map(row).collect() }
    }
}

impl Rules for Matrix {
    const KIND: &'static str = "matrix-game";
    const SEATS: &'static [&'static str] = &["Player 1", "Player 2"];
    const CARD: Option<Card> = Some(Card {
        title: "Repeated matrix game",
        also_called: &["prisoner's dilemma"],
        sentence: "Two choose at once, again and again: to cooperate or not, stag or hare, or rock.",
        rules: "In every round both players choose at once, and neither sees the other's choice \
            before both are in. What each gets follows from the two choices; points are the sum \
            over all rounds. Prisoner's dilemma: both cooperate 3:3, both defect 1:1, who defects \
            alone gets 5 and the other 0. Stag hunt: both stag 4:4, a hare is always worth 3, who \
            goes for the stag alone gets 0. Rock-paper-scissors: rock beats scissors, scissors beat \
            paper, paper beats rock; 1 for the winner, -1 for the loser, 0 for both if they are the \
            same. The game has a known number of rounds, or where the set-up says die, a die is \
            rolled after each round and a 1 ends it, so that nobody knows which is the last.",
        moves: "the choice in one word, as the game has it: cooperate",
        tags: &[Tag::Simultaneous, Tag::Chance],
        fewest: 2,
        keys: &[
            Key {
                name: "game",
                about: "prisoners-dilemma, stag-hunt or rock-paper-scissors; prisoners-dilemma",
            },
            Key { name: "rounds", about: "1 to 200; 20, or with a die 200 at most" },
            Key { name: "die", about: "2 to 100 sides: a 1 after any round ends the game; none" },
        ],
    });

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, _: &mut Dice) -> Result<Matrix, Illegal> {
        let Setup { game, rounds, die } = *setup;
        let rounds = rounds.unwrap_or(if die.is_some() { MOST_ROUNDS } else { 20 });
        if !(1..=MOST_ROUNDS).contains(&rounds) {
            return Err(Illegal::set_up(format!("rounds is 1 to 200, not {rounds}")));
        }
        if let Some(sides) = die.filter(|sides| !(2..=100).contains(sides)) {
            return Err(Illegal::set_up(format!("die is 2 to 100 sides, not {sides}")));
        }
        Ok(Matrix { game, rounds, die, played: Vec::new(), is_over: false })
    }

    fn due(&self) -> Due {
        if self.is_over {
            Due::Over(Outcome::of_sums(self.points(), "points", Self::SEATS))
        } else {
            Due::Each(vec![Seat(0), Seat(1)])
        }
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        let is_due = self.due().includes(seat);
        (0..self.game.choices().len()).filter(|_| is_due).map(Move).collect()
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        self.due().admit(seat)?;
        let (word, choices) = (plain(text), self.game.choices());
        choices.iter().position(|choice| *choice == word).map(Move).ok_or_else(|| {
            let (title, choices) = (self.game.title(), choices.join(", "));
            let reason = format!("{} is no choice in {title}: {choices}", quoted(text));
            Illegal::because(NotAChoice, reason, self.offers(seat))
        })
    }

    fn write(&self, mv: &Move) -> String {
        self.game.choices()[mv.0].to_owned()
    }

    fn play(&mut self, moves: &[(Seat, Move)], dice: &mut Dice) {
        let of = |seat| moves.iter().find(|(s, _)| *s == seat).expect("both have chosen").1;
        self.played.push([of(Seat(0)), of(Seat(1))]);
        let round = self.played.len() as u32;
        self.is_over =
            round == self.rounds || self.die.is_some_and(|d| dice.of(round).below(d) == 0);
    }

    fn view(&self, _: Eye) -> View {
        let recent = &self.played[self.played.len().saturating_sub(RECENT)..];
        View {
            game: self.game,
            round: self.played.len() as u32 + u32::from(!self.is_over),
            rounds: self.rounds,
            die: self.die,
            points: self.points(),
            recent: recent.iter().map(|both| both.map(|mv| self.game.choices()[mv.0])).collect(),
        }
    }

    fn show(&self, eye: Eye) -> Shown {
        let View { game, round, rounds, die, points: [one, other], recent } = self.view(eye);
        let chance = die.map(|sides| format!("at most {rounds} (1 in {sides} is the last)"));
        let end = format!("of {}", chance.unwrap_or_else(|| rounds.to_string()));
        let last = &recent[recent.len().saturating_sub(IN_WORDS)..];
        let last: Vec<_> = last.iter().map(|both| both.join(":")).collect();
        let last = if last.is_empty() { "" } else { &format!(" Before: {}.", last.join(", ")) };
        let text = format!("{}, round {round} {end}, points {one}:{other}.{last}", game.title());
        let rounds = recent.iter().map(|both| both.map(str::to_owned).into()).collect();
        let head = Self::SEATS.iter().map(|seat| seat.to_string()).collect();
        let drawing =
            vec![Part::Numbers(self.table()), Part::Numbers(Numbers { head, rows: rounds })];
        Shown { text, drawing }
    }

    fn revealed(&self) -> Option<String> {
        let is_by_die = self.is_over && (self.played.len() as u32) < self.rounds;
        is_by_die.then(|| "The die shows 1: this was the last round.".to_owned())
    }

    fn won_so_far(&self) -> Vec<i32> {
        self.points().into()
    }
}
