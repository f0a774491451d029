//! Looking ahead in any kind of game: random games are played from where one stands, more of them
//! where they have gone well (UCT). Each seat is taken to want its own points.
//!
//! Hidden information is guessed again for every such game, so the search knows no more than
//! the seat does. There is no clock: it thinks for a number of games, with dice that are not the
//! game's own.

use rules::{Dice, Due, Rules, Seat};

use crate::exact;

/// How much is tried that has not gone well so far.
const CURIOSITY: f64 = 0.8;

/// A random game that takes longer than this counts as level.
const LONGEST: usize = 600;

/// Where a move is tried less often than this, it is also judged by the games in which it was played
/// later.
const OFTEN: u32 = 16;

/// So many positions are looked at for moves that decide the game at once.
const GLANCES: usize = 60_000;

/// A position that can be searched, typed or not.
pub(crate) trait Playable: Clone {
    type Move: Clone + PartialEq;

    fn due(&self) -> Due;
    fn legal(&self, seat: Seat) -> Vec<Self::Move>;
    fn play(&mut self, moves: &[(Seat, Self::Move)], dice: &mut Dice);
    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<Self>;
    /// Whether all is seen and nothing is drawn.
    fn is_open(&self) -> bool;
}

impl<R: Rules> Playable for R {
    type Move = R::Move;

    fn due(&self) -> Due {
        Rules::due(self)
    }

    fn legal(&self, seat: Seat) -> Vec<R::Move> {
        Rules::legal(self, seat)
    }

    fn play(&mut self, moves: &[(Seat, R::Move)], dice: &mut Dice) {
        Rules::play(self, moves, dice);
    }

    fn guess(&self, seat: Seat, dice: &mut Dice) -> Option<R> {
        Rules::guess(self, seat, dice)
    }

    fn is_open(&self) -> bool {
        R::CARD.is_some_and(|card| card.is_open())
    }
}

/// The move of `seat` that looks best after so many games; none if it has no move, or the kind does
/// not say what may be guessed.
pub(crate) fn choose<P: Playable>(
    position: &P,
    seat: Seat,
    playouts: u32,
    dice: &mut Dice,
) -> Option<P::Move> {
    if !position.due().includes(seat) {
        return None;
    }
    let moves = decisive(position, seat, position.legal(seat), dice);
    if moves.len() < 2 {
        return moves.into_iter().next();
    }
    let few = playouts / OFTEN < moves.len() as u32;
    let mut tree = Tree::new(few && position.is_open());
    for _ in 0..playouts.max(1) {
        tree.play_out(position.guess(seat, dice)?, dice);
    }
    let arms = tree.nodes[0].arms.iter().filter(|arm| arm.seat == seat && moves.contains(&arm.mv));
    let best = arms.max_by(|a, b| a.visits.cmp(&b.visits).then(a.mean().total_cmp(&b.mean())));
    best.map(|arm| arm.mv.clone())
}

/// Where all is seen and nothing is drawn: the move that wins at once; otherwise those after which
/// nobody else can, or all if there are none.
fn decisive<P: Playable>(
    position: &P,
    seat: Seat,
    moves: Vec<P::Move>,
    dice: &mut Dice,
) -> Vec<P::Move> {
    if !position.is_open() || moves.len() * moves.len() > GLANCES {
        return moves;
    }
    let mut after = |position: &P, seat, mv: &P::Move| {
        let mut next = position.clone();
        next.play(&[(seat, mv.clone())], dice);
        next
    };
    let winner = |position: &P| position.due().outcome().and_then(|outcome| outcome.winner());
    let mut safe = Vec::new();
    for mv in &moves {
        let next = after(position, seat, mv);
        if winner(&next) == Some(seat) {
            return vec![mv.clone()];
        }
        let loses = match next.due() {
            Due::One(other) if other != seat => next
                .legal(other)
                .iter()
                .any(|reply| winner(&after(&next, other, reply)).is_some_and(|won| won != seat)),
            Due::Over(_) => winner(&next).is_some(),
            _ => false,
        };
        if !loses {
            safe.push(mv.clone());
        }
    }
    if safe.is_empty() { moves } else { safe }
}

/// A move of one seat in one place, and how it has gone.
struct Arm<M> {
    seat: Seat,
    mv: M,
    visits: u32,
    /// How often it could have been chosen.
    chances: u32,
    points: f64,
    /// The games in which this seat made the move then or later, where these are counted.
    later: u32,
    later_points: f64,
}

impl<M> Arm<M> {
    fn mean(&self) -> f64 {
        self.points / f64::from(self.visits.max(1))
    }

    /// The estimated value: the fewer the visits, the more games count in which it came later.
    fn worth(&self) -> f64 {
        if self.later == 0 {
            return self.mean();
        }
        let trust = f64::from(OFTEN) / f64::from(OFTEN + self.visits);
        (1.0 - trust) * self.mean() + trust * self.later_points / f64::from(self.later)
    }
}

/// Where the same moves have led, whatever was drawn or dealt on the way.
struct Node<M> {
    arms: Vec<Arm<M>>,
    /// Which arms together lead to which node.
    children: Vec<(Vec<usize>, usize)>,
}

struct Tree<M> {
    nodes: Vec<Node<M>>,
    /// Whether moves at the root are also judged by games in which they came later.
    counts_later: bool,
    /// The fewest and the most points that anybody has made, nought being among them.
    range: (f64, f64),
}

impl<M: Clone + PartialEq> Tree<M> {
    fn new(counts_later: bool) -> Tree<M> {
        let root = Node { arms: Vec::new(), children: Vec::new() };
        Tree { nodes: vec![root], counts_later, range: (0.0, 0.0) }
    }

    /// One game: by what is known as far as the tree goes and one step further, then at random.
    fn play_out<P: Playable<Move = M>>(&mut self, mut position: P, dice: &mut Dice) {
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut played = Vec::new();
        let mut node = Some(0);
        for _ in 0..LONGEST {
            let due = match position.due() {
                Due::One(seat) => vec![seat],
                Due::Each(seats) => seats,
                Due::Over(_) => break,
            };
            let mut moves = Vec::with_capacity(due.len());
            let mut taken = Vec::new();
            for seat in due {
                let legal = position.legal(seat);
                if legal.is_empty() {
                    return;
                }
                let mv = match node {
                    Some(node) => {
                        let arm = self.select(node, seat, &legal, dice);
                        path.push((node, arm));
                        taken.push(arm);
                        self.nodes[node].arms[arm].mv.clone()
                    }
                    None => legal[dice.below(legal.len() as u32) as usize].clone(),
                };
                moves.push((seat, mv));
            }
            position.play(&moves, dice);
            if self.counts_later {
                played.extend(moves);
            }
            node = node.and_then(|node| self.step(node, taken));
        }
        let points = position.due().outcome().map_or(Vec::new(), |outcome| outcome.points.clone());
        self.learn(&path, &played, &points);
    }

    /// The arm to try: one that has never been, or else the most promising.
    fn select(&mut self, node: usize, seat: Seat, legal: &[M], dice: &mut Dice) -> usize {
        let (low, high) = self.range;
        let span = (high - low).max(f64::MIN_POSITIVE);
        let arms = &mut self.nodes[node].arms;
        let mut fresh = 0;
        let mut best = (f64::NEG_INFINITY, 0);
        let mut from = 0;
        for mv in legal {
            let at = find(arms, seat, mv, from);
            from = at + 1;
            let arm = &mut arms[at];
            arm.chances += 1;
            let worth = if arm.visits == 0 && arm.later < OFTEN {
                // All of these are alike; one of them is drawn.
                fresh += 1;
                if dice.below(fresh) > 0 { f64::NEG_INFINITY } else { f64::INFINITY }
            } else {
                let unsure = (exact::ln(arm.chances) / f64::from(arm.visits.max(1))).sqrt();
                (arm.worth() - low) / span + CURIOSITY * unsure
            };
            if worth >= best.0 {
                best = (worth, at);
            }
        }
        best.1
    }

    /// Where these arms lead; nowhere yet if nobody has gone there, but there will be.
    fn step(&mut self, node: usize, taken: Vec<usize>) -> Option<usize> {
        let known = self.nodes[node].children.iter().find(|(arms, _)| *arms == taken);
        if let Some((_, child)) = known {
            return Some(*child);
        }
        let child = self.nodes.len();
        self.nodes.push(Node { arms: Vec::new(), children: Vec::new() });
        self.nodes[node].children.push((taken, child));
        None
    }

    /// Without points it counts as level.
    fn learn(&mut self, path: &[(usize, usize)], played: &[(Seat, M)], points: &[i32]) {
        let made = |seat: Seat| points.get(usize::from(seat.0)).copied().map_or(0.0, f64::from);
        for points in points.iter().copied().map(f64::from) {
            self.range = (self.range.0.min(points), self.range.1.max(points));
        }
        for (node, arm) in path {
            let arm = &mut self.nodes[*node].arms[*arm];
            arm.visits += 1;
            arm.points += made(arm.seat);
        }
        for arm in &mut self.nodes[0].arms {
            if played.iter().any(|(seat, mv)| *seat == arm.seat && *mv == arm.mv) {
                arm.later += 1;
                arm.later_points += made(arm.seat);
            }
        }
    }
}

/// Where this seat's move is among the arms; it is added if it is new. Moves mostly come in the same
/// order, so it is looked for where the last one was found.
fn find<M: Clone + PartialEq>(arms: &mut Vec<Arm<M>>, seat: Seat, mv: &M, from: usize) -> usize {
    let is_it = |arm: &Arm<M>| arm.seat == seat && arm.mv == *mv;
    let from = from.min(arms.len());
    let ahead = arms[from..].iter().position(is_it).map(|at| from + at);
    ahead.or_else(|| arms[..from].iter().position(is_it)).unwrap_or_else(|| {
        arms.push(Arm {
            seat,
            mv: mv.clone(),
            visits: 0,
            chances: 0,
            points: 0.0,
            later: 0,
            later_points: 0.0,
        });
        arms.len() - 1
    })
}
