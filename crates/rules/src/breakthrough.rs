//! Breakthrough: pieces step forward and take diagonally, and whoever is first on the far row has
//! won. A draw is impossible.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::{
    Card, Dice, Due, Eye, Illegal, Key, Outcome, Rules, Seat,
    board::{self, Board, BoardLook},
    drawing::{Ground, PieceShape, Shown},
    opening,
};

const ROWS: RangeInclusive<u8> = 4..=12;
const COLUMNS: RangeInclusive<u8> = 3..=12;
/// On fewer rows each has one row of pieces, or they would stand too near.
const FEWEST_FOR_TWO: usize = 6;

/// Moves up the board.
const WHITE: Seat = Seat(0);

const LOOK: BoardLook =
    BoardLook { ground: Ground::Checkered, shapes: [PieceShape::Pawn; 2], letters: ['W', 'B'] };

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    pub rows: u8,
    pub columns: u8,
    #[serde(skip_serializing_if = "opening::is_empty")]
    pub opening: u8,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { rows: 8, columns: 8, opening: 0 }
    }
}

/// From a square to a square, counted row by row from the bottom left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub from: u8,
    pub to: u8,
}

#[derive(Clone)]
pub struct Breakthrough {
    pub board: Board,
    /// How many pieces each has left.
    pieces: [u8; 2],
    next: Seat,
    last: Option<Move>,
    is_through: bool,
}

/// What anyone may see.
#[derive(Serialize)]
pub struct View {
    /// Row by row from the top, a dot for an empty square.
    pub board: Vec<String>,
    pub last: Option<String>,
    /// The moves that were drawn before anybody made one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
}

impl Breakthrough {
    /// Where a piece of `seat` on this square may go: straight ahead to an empty one, diagonally
    /// also to one of the other's.
    fn steps(&self, seat: Seat, from: usize) -> impl Iterator<Item = Move> {
        let columns = self.board.columns();
        // Nobody stands on the far row: the game was over when the first came there.
        let ahead = if seat == WHITE { from + columns } else { from - columns };
        let beside = |by: isize| (from % columns).checked_add_signed(by).filter(|c| *c < columns);
        let ways = [-1, 0, 1].map(|by| beside(by).map(|_| (ahead.wrapping_add_signed(by), by)));
        let may_go = move |(to, by): &(usize, isize)| match self.board.at(*to) {
            None => true,
            Some(owner) => owner != seat && *by != 0,
        };
        let ways = ways.into_iter().flatten().filter(may_go);
        ways.map(move |(to, _)| Move { from: from as u8, to: to as u8 })
    }

    fn moves(&self, seat: Seat) -> impl Iterator<Item = Move> {
        let squares = 0..self.board.columns() * self.board.rows();
        let own = squares.filter(move |square| self.board.at(*square) == Some(seat));
        own.flat_map(move |from| self.steps(seat, from))
    }

    /// Why no piece of `seat` goes so, with what comes nearest to it first.
    fn refuse(&self, seat: Seat, from: usize, to: usize) -> Illegal {
        let [start, end] = [from, to].map(|square| self.board.name(square));
        let is_near = self.is_near(seat, from, to);
        let (rule, reason) = match (self.board.at(from), self.board.at(to)) {
            (None, _) => ("NoPiece", format!("there is no piece on {start}")),
            (Some(owner), _) if owner != seat => {
                let name = Self::SEATS[usize::from(owner.0)];
                ("NotYours", format!("the piece on {start} is {name}'s"))
            }
            (_, Some(owner)) if is_near && owner == seat => {
                ("SquareTaken", format!("a piece of your own is on {end}"))
            }
            (_, Some(_)) if is_near => {
                ("SquareTaken", format!("{end} is taken, and pieces take diagonally only"))
            }
            _ => {
                let reason = "a piece goes to the next row ahead, straight or diagonally";
                ("OutOfReach", format!("{reason}, not from {start} to {end}"))
            }
        };
        let mut moves: Vec<_> = self.moves(seat).collect();
        moves.sort_by_key(|mv| (usize::from(mv.from) != from, usize::from(mv.to) != to));
        Illegal::because(rule, reason, moves.iter().map(|mv| self.write(mv)))
    }

    /// Whether `to` is in the row ahead and at most one column aside.
    fn is_near(&self, seat: Seat, from: usize, to: usize) -> bool {
        let columns = self.board.columns();
        let (near, far) = if seat == WHITE { (from, to) } else { (to, from) };
        near / columns + 1 == far / columns && (from % columns).abs_diff(to % columns) <= 1
    }
}

impl Rules for Breakthrough {
    const KIND: &'static str = "breakthrough";
    const SEATS: &'static [&'static str] = &["White", "Black"];
    const CARD: Option<Card> = Some(Card {
        title: "Breakthrough",
        sentence: "Two move pieces forward and take diagonally; the first on the far row wins.",
        rules: "The board has 8 x 8 squares unless the set-up says otherwise; a1 is the bottom left \
            one. White's pieces fill the two lowest rows and move up, Black's the two highest and \
            move down; on fewer than 6 rows each has one row. White begins. The players take turns, \
            and each moves one piece to the next row ahead: straight or diagonally to an empty \
            square, or diagonally to one with an opponent's piece, which is taken off the board. \
            Straight ahead nothing can be taken, no piece ever goes sideways or back, and nobody \
            has to take. Whoever first has a piece on the row farthest from their own side has won, \
            or whoever takes the opponent's last piece. There is always a move, and no draw.",
        moves: "the square a piece stands on, then the square it goes to, also where it takes: a2a3",
        keys: &[
            Key { name: "rows", about: "4 to 12; 8" },
            Key { name: "columns", about: "3 to 12; 8" },
            opening::KEY,
        ],
        ..Card::PLAIN
    });

    type Setup = Setup;
    type Move = Move;
    type Report = ();
    type View = View;

    fn start(setup: &Setup, dice: &mut Dice) -> Result<Breakthrough, Illegal> {
        for (name, number, most) in
            [("rows", setup.rows, ROWS), ("columns", setup.columns, COLUMNS)]
        {
            if !most.contains(&number) {
                let (from, to) = most.into_inner();
                return Err(Illegal::set_up(format!("{name} is {from} to {to}, not {number}")));
            }
        }
        let (columns, rows) = (usize::from(setup.columns), usize::from(setup.rows));
        let mut board = Board::new(columns, rows);
        let filled = columns * if rows < FEWEST_FOR_TWO { 1 } else { 2 };
        for square in 0..filled {
            board.put(square, WHITE);
            board.put(columns * rows - 1 - square, Seat(1));
        }
        board.mark(None);
        let pieces = [filled as u8; 2];
        let begun = Breakthrough { board, pieces, next: WHITE, last: None, is_through: false };
        let (mut game, opening) = opening::draw(begun, setup.opening, dice)?;
        game.board.opening = opening;
        Ok(game)
    }

    fn due(&self) -> Due {
        let winner = Seat(1 - self.next.0);
        let how = match self.pieces[usize::from(self.next.0)] {
            _ if self.is_through => "by reaching the far row",
            0 => "by taking the last piece",
            _ => return Due::One(self.next),
        };
        let text = format!("{} wins {how}", Self::SEATS[usize::from(winner.0)]);
        Due::Over(Outcome::of_two(Some(winner), text))
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        if self.due().includes(seat) { self.moves(seat).collect() } else { Vec::new() }
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        self.due().admit(seat)?;
        let (from, to) = self.board.two_squares(text, || self.offers(seat))?;
        let mv = Move { from: from as u8, to: to as u8 };
        if self.board.at(from) == Some(seat) && self.steps(seat, from).any(|step| step == mv) {
            return Ok(mv);
        }
        Err(self.refuse(seat, from, to))
    }

    fn write(&self, Move { from, to }: &Move) -> String {
        self.board.name((*from).into()) + &self.board.name((*to).into())
    }

    fn play(&mut self, moves: &[(Seat, Move)], _: &mut Dice) {
        for (seat, mv) in moves {
            let (other, to) = (Seat(1 - seat.0), usize::from(mv.to));
            self.board.clear(mv.from.into());
            if self.board.at(to).is_some() {
                self.board.clear(to);
                self.pieces[usize::from(other.0)] -= 1;
            }
            self.board.put(to, *seat);
            let far = if *seat == WHITE { self.board.rows() - 1 } else { 0 };
            self.is_through = to / self.board.columns() == far;
            (self.last, self.next) = (Some(*mv), other);
        }
    }

    fn view(&self, _: Eye) -> View {
        let last = self.last.map(|mv| self.write(&mv));
        let board::View { board, opening, .. } = self.board.view(&LOOK, &[]);
        View { board, last, opening }
    }

    fn show(&self, eye: Eye) -> Shown {
        let due = self.due();
        let seat = match eye {
            Eye::Seat(seat) if due.includes(seat) => Some(seat),
            _ => None,
        };
        let moves = seat.into_iter().flat_map(|seat| self.moves(seat));
        let moves = moves.map(|mv| (mv.from.into(), mv.to.into(), self.write(&mv)));
        let bright: Vec<_> = self.last.iter().map(|mv| mv.from.into()).collect();
        self.board.show_drags(&LOOK, eye, &bright, "White moves up.", moves)
    }
}
