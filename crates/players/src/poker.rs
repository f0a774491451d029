//! Poker with few cards is solved, as far as its level goes: both players learn to regret less from
//! every time they play all hands there are (counterfactual regret, CFR+), and what they did on
//! average is how to play. Nobody can win against it in the long run who has not more time to learn.

use std::{
    collections::{BTreeMap, HashMap},
    sync::OnceLock,
};

use rules::{
    Dice, Seat,
    kuhn::{self, Kuhn, KuhnHand},
    leduc::{self, Leduc, LeducHand},
    poker::{HandRules, Rank},
};

use crate::{Computer, Effort, Level, effort};

/// A kind whose hands can be told one by one.
pub(crate) trait Small: HandRules {
    /// Every way the cards can be dealt, with its chance.
    fn deals() -> Vec<(f64, Self)>;

    /// Every way that the cards can lie after a move, with its chance.
    fn drawn(self, _before: &Self) -> Vec<(f64, Self)> {
        vec![(1.0, self)]
    }

    /// All that whoever is next knows.
    fn known(&self) -> String;
}

impl Small for KuhnHand<Rank> {
    fn deals() -> Vec<(f64, Self)> {
        let deck = [Rank::J, Rank::Q, Rank::K];
        let pairs = deck.into_iter().flat_map(|one| deck.map(|other| [one, other]));
        let pairs = pairs.filter(|[one, other]| one != other);
        let hand = |cards| KuhnHand { first: Seat(0), moves: Vec::new(), cards, won: None };
        pairs.map(|cards| (1.0 / 6.0, hand(cards))).collect()
    }

    fn known(&self) -> String {
        let own = self.cards[usize::from(self.next().0)];
        format!("{own:?} {:?}", self.moves)
    }
}

impl Small for LeducHand<Rank> {
    fn deals() -> Vec<(f64, Self)> {
        let ranks = [Rank::J, Rank::Q, Rank::K];
        let pairs = ranks.into_iter().flat_map(|one| ranks.map(|other| [one, other]));
        let hand = |cards| LeducHand {
            first: Seat(0),
            moves: [Vec::new(), Vec::new()],
            cards,
            table: None,
            paid: [1, 1],
            won: None,
        };
        let chance = |[one, other]: [Rank; 2]| if one == other { 1.0 } else { 2.0 } / 15.0;
        pairs.map(|cards| (chance(cards), hand(cards))).collect()
    }

    fn drawn(self, before: &Self) -> Vec<(f64, Self)> {
        if self.table == before.table {
            return vec![(1.0, self)];
        }
        let ranks = [Rank::J, Rank::Q, Rank::K];
        let left = |card| 2 - self.cards.iter().filter(|held| **held == card).count();
        let drawn = ranks.into_iter().filter(|card| left(*card) > 0);
        drawn
            .map(|card| (left(card) as f64 / 4.0, LeducHand { table: Some(card), ..self.clone() }))
            .collect()
    }

    fn known(&self) -> String {
        let own = self.cards[usize::from(self.next().0)];
        format!("{own:?} {:?} {:?}", self.table, self.moves)
    }
}

/// A place in the tree of all hands.
enum Node {
    /// The winnings of the first player.
    End(f64),
    Chance(Vec<(f64, usize)>),
    /// The player who is next, which of the things one can know this is, and where each move leads.
    Turn(usize, usize, Vec<usize>),
}

/// The strategy in one information set.
struct Lesson {
    player: usize,
    depth: usize,
    regrets: Vec<f64>,
    /// As it is played now, and as it was played so far, later rounds counting more.
    now: Vec<f64>,
    so_far: Vec<f64>,
}

/// How a small kind of poker is played.
pub struct Solution {
    nodes: Vec<Node>,
    lessons: Vec<Lesson>,
    known: HashMap<String, usize>,
}

impl Solution {
    /// After so many rounds of learning.
    fn of<H: Small>(rounds: u32) -> Solution {
        let mut solution =
            Solution { nodes: Vec::new(), lessons: Vec::new(), known: HashMap::new() };
        let deals = H::deals().into_iter();
        let deals = deals.map(|(chance, hand)| (chance, solution.grow(hand, 0))).collect();
        solution.nodes.push(Node::Chance(deals));
        for round in 1..=rounds {
            for player in [0, 1] {
                solution.learn(player, round.into());
            }
        }
        solution
    }

    pub fn of_kuhn(level: Level) -> Solution {
        Solution::of::<KuhnHand<Rank>>(crate::at(Kuhn::LEVELS, level).work)
    }

    pub fn of_leduc(level: Level) -> Solution {
        Solution::of::<LeducHand<Rank>>(crate::at(Leduc::LEVELS, level).work)
    }

    /// Puts all that can come of this hand into the tree.
    fn grow<H: Small>(&mut self, hand: H, depth: usize) -> usize {
        let node = match hand.won() {
            Some([won, _]) => Node::End(won.into()),
            None => {
                let player = usize::from(hand.next().0);
                let moves = hand.legal();
                let lesson = *self.known.entry(hand.known()).or_insert(self.lessons.len());
                if lesson == self.lessons.len() {
                    let (zero, even) = (vec![0.0; moves.len()], 1.0 / moves.len() as f64);
                    self.lessons.push(Lesson {
                        player,
                        depth,
                        regrets: zero.clone(),
                        now: vec![even; moves.len()],
                        so_far: zero,
                    });
                }
                let after = moves.into_iter().map(|mv| {
                    let mut next = hand.clone();
                    // Every card that chance may deal is played, not only the one drawn.
                    next.play(mv, &mut Dice::new(0, 0));
                    let ways = next.drawn(&hand).into_iter();
                    let ways: Vec<_> =
                        ways.map(|(chance, next)| (chance, self.grow(next, depth + 1))).collect();
                    match ways.as_slice() {
                        [(_, only)] => *only,
                        _ => self.add(Node::Chance(ways)),
                    }
                });
                Node::Turn(player, lesson, after.collect())
            }
        };
        self.add(node)
    }

    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// One round in which `player` learns.
    fn learn(&mut self, player: usize, weight: f64) {
        self.play(self.root(), player, [1.0, 1.0], weight);
        for lesson in self.lessons.iter_mut().filter(|lesson| lesson.player == player) {
            // CFR+ drops negative regrets.
            lesson.regrets.iter_mut().for_each(|regret| *regret = regret.max(0.0));
            lesson.now = shares(&lesson.regrets);
        }
    }

    /// The value for `player` from here on. `reach` is how likely it is to come here as far as the
    /// player decides it, and as far as all else does.
    fn play(&mut self, node: usize, player: usize, reach: [f64; 2], weight: f64) -> f64 {
        match &self.nodes[node] {
            Node::End(won) => {
                if player == 0 {
                    *won
                } else {
                    -*won
                }
            }
            Node::Chance(ways) => {
                let ways = ways.clone();
                let worth = ways.into_iter().map(|(chance, next)| {
                    chance * self.play(next, player, [reach[0], reach[1] * chance], weight)
                });
                worth.sum()
            }
            Node::Turn(turn, lesson, after) => {
                let (turn, lesson, after) = (*turn, *lesson, after.clone());
                let now = self.lessons[lesson].now.clone();
                let own = usize::from(turn != player);
                let worth: Vec<_> = after
                    .into_iter()
                    .zip(&now)
                    .map(|(next, share)| {
                        let mut reach = reach;
                        reach[own] *= share;
                        self.play(next, player, reach, weight)
                    })
                    .collect();
                let mean: f64 = worth.iter().zip(&now).map(|(worth, share)| worth * share).sum();
                if turn == player {
                    let lesson = &mut self.lessons[lesson];
                    for (at, worth) in worth.into_iter().enumerate() {
                        lesson.regrets[at] += reach[1] * (worth - mean);
                        lesson.so_far[at] += weight * reach[0] * now[at];
                    }
                }
                mean
            }
        }
    }

    /// The expected winnings of the first player in a hand if both play this strategy.
    pub fn value(&self) -> f64 {
        self.worth(self.root(), &|lesson| shares(&self.lessons[lesson].so_far))
    }

    /// Winnings per hand of a perfect opponent who knows this strategy, on average over both
    /// seats.
    pub fn exploitability(&self) -> f64 {
        (self.best_answer(0) + self.best_answer(1)) / 2.0
    }

    /// Winnings per hand against random play, averaged over both seats.
    pub fn against_random(&self) -> f64 {
        let won = [(0, 1.0), (1, -1.0)].map(|(player, sign)| {
            let plays = |lesson: usize| {
                let Lesson { player: turn, so_far, .. } = &self.lessons[lesson];
                if *turn == player { shares(so_far) } else { shares(&vec![0.0; so_far.len()]) }
            };
            sign * self.worth(self.root(), &plays)
        });
        won.iter().sum::<f64>() / 2.0
    }

    /// How likely each move is, in the order of the rules, by what its player knows: the own card,
    /// the one on the table where there may be one, and what was said.
    pub fn plays(&self) -> BTreeMap<&str, Vec<f64>> {
        let known = self.known.iter();
        known.map(|(known, at)| (known.as_str(), shares(&self.lessons[*at].so_far))).collect()
    }

    /// The most that `player` can win against this strategy.
    fn best_answer(&self, player: usize) -> f64 {
        let mut plays: Vec<_> = self.lessons.iter().map(|lesson| shares(&lesson.so_far)).collect();
        let mut places = vec![Vec::new(); self.lessons.len()];
        self.find(self.root(), player, 1.0, &plays, &mut places);
        let mut own: Vec<_> =
            (0..self.lessons.len()).filter(|at| self.lessons[*at].player == player).collect();
        // Later decisions come first.
        own.sort_by_key(|lesson| std::cmp::Reverse(self.lessons[*lesson].depth));
        let sign = if player == 0 { 1.0 } else { -1.0 };
        for lesson in own {
            let worth = |mv: &usize| -> f64 {
                let places = places[lesson].iter();
                let worth = places.map(|(after, reach): &(&Vec<usize>, f64)| {
                    sign * reach * self.worth(after[*mv], &|lesson| plays[lesson].clone())
                });
                worth.sum()
            };
            let moves = plays[lesson].len();
            let best = (0..moves).max_by(|a, b| worth(a).total_cmp(&worth(b)));
            plays[lesson] = (0..moves).map(|mv| f64::from(u8::from(Some(mv) == best))).collect();
        }
        sign * self.worth(self.root(), &|lesson| plays[lesson].clone())
    }

    /// All places of `player`'s, with how likely the others bring the game there.
    fn find<'a>(
        &'a self,
        node: usize,
        player: usize,
        reach: f64,
        plays: &[Vec<f64>],
        places: &mut [Vec<(&'a Vec<usize>, f64)>],
    ) {
        match &self.nodes[node] {
            Node::End(_) => {}
            Node::Chance(ways) => {
                for (chance, next) in ways {
                    self.find(*next, player, reach * chance, plays, places);
                }
            }
            Node::Turn(turn, lesson, after) => {
                if *turn == player {
                    places[*lesson].push((after, reach));
                }
                for (next, share) in after.iter().zip(&plays[*lesson]) {
                    let share = if *turn == player { 1.0 } else { *share };
                    self.find(*next, player, reach * share, plays, places);
                }
            }
        }
    }

    /// The expected winnings of the first player from this node on.
    fn worth(&self, node: usize, plays: &dyn Fn(usize) -> Vec<f64>) -> f64 {
        match &self.nodes[node] {
            Node::End(won) => *won,
            Node::Chance(ways) => {
                ways.iter().map(|(chance, next)| chance * self.worth(*next, plays)).sum()
            }
            Node::Turn(_, lesson, after) => {
                let plays_here = plays(*lesson);
                let after = after.iter().zip(plays_here).filter(|(_, share)| *share > 0.0);
                after.map(|(next, share)| share * self.worth(*next, plays)).sum()
            }
        }
    }

    fn choose<H: Small>(&self, hand: &H, dice: &mut Dice) -> Option<H::Move> {
        let lesson = &self.lessons[*self.known.get(&hand.known())?];
        let mut drawn = f64::from(dice.below(1 << 30)) / f64::from(1 << 30);
        let moves = hand.legal();
        let last = moves.last().copied();
        for (mv, share) in moves.into_iter().zip(shares(&lesson.so_far)) {
            if drawn < share {
                return Some(mv);
            }
            drawn -= share;
        }
        last
    }
}

/// Each part of the whole; all the same if there is nothing.
fn shares(parts: &[f64]) -> Vec<f64> {
    let whole: f64 = parts.iter().map(|part| part.max(0.0)).sum();
    let even = 1.0 / parts.len() as f64;
    parts.iter().map(|part| if whole > 0.0 { part.max(0.0) / whole } else { even }).collect()
}

/// Learned when first needed, for each level.
type Solved = [OnceLock<Solution>; 10];

/// As it was learned in so many rounds, which only one level does.
fn solved<R: Computer>(
    solved: &'static Solved,
    rounds: u32,
    of: fn(u32) -> Solution,
) -> &'static Solution {
    let level = R::LEVELS.iter().position(|effort| effort.work == rounds);
    solved[level.expect("only levels are asked for")].get_or_init(|| of(rounds))
}

/// Their work is how often all hands are played before it sits down.
impl Computer for Kuhn {
    const LEVELS: &'static [Effort] = &[
        effort(0, 0),
        effort(0, 2),
        effort(0, 4),
        effort(0, 8),
        effort(0, 16),
        effort(0, 40),
        effort(0, 200),
        effort(0, 1_000),
    ];

    fn think(&self, _: Seat, rounds: u32, dice: &mut Dice) -> Option<kuhn::Move> {
        static SOLVED: Solved = [const { OnceLock::new() }; 10];
        solved::<Kuhn>(&SOLVED, rounds, Solution::of::<KuhnHand<Rank>>).choose(self.hand(), dice)
    }
}

impl Computer for Leduc {
    const LEVELS: &'static [Effort] = &[
        effort(0, 0),
        effort(0, 4),
        effort(0, 8),
        effort(0, 12),
        effort(0, 20),
        effort(0, 40),
        effort(0, 100),
        effort(0, 300),
        effort(0, 1_000),
    ];

    fn think(&self, _: Seat, rounds: u32, dice: &mut Dice) -> Option<leduc::Move> {
        static SOLVED: Solved = [const { OnceLock::new() }; 10];
        solved::<Leduc>(&SOLVED, rounds, Solution::of::<LeducHand<Rank>>).choose(self.hand(), dice)
    }
}
