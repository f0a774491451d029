//! The ten levels: how much each may look at, and how carefully it picks.

const RATINGS: [u16; 10] = [351, 538, 718, 904, 1113, 1272, 1564, 1847, 2199, 2760];

/// How strong, 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

pub(crate) struct Character {
    /// Positions looked at before a move is chosen. A count and not a time, so that a slow machine
    /// plays the same game as a fast one.
    pub nodes: u64,
    /// Plies looked ahead, if there is a limit besides the nodes.
    pub deepest: Option<i32>,
    /// By how many centipawns a move may be worse and still tempt; at 0 only the best will do.
    pub temperature: i32,
    /// How often, in a thousand, the answer to a move is overlooked.
    pub blindness: u64,
    /// How many centipawns a move gains by looking natural.
    pub habit: i32,
    /// Whether a forced mate, once found, is always played.
    pub sure_of_mate: bool,
}

impl Level {
    pub const ALL: [Level; 10] = [
        Level(1),
        Level(2),
        Level(3),
        Level(4),
        Level(5),
        Level(6),
        Level(7),
        Level(8),
        Level(9),
        Level(10),
    ];

    pub fn new(n: u8) -> Option<Level> {
        (1..=10).contains(&n).then_some(Level(n))
    }

    pub fn get(self) -> u8 {
        self.0
    }

    /// As measured by `make calibrate`, on the scale of Stockfish's skill table (CCRL blitz); see
    /// docs/levels.md.
    pub const fn rating(self) -> u16 {
        RATINGS[self.0 as usize - 1]
    }

    /// How many positions it looks at for a move, at the most.
    pub fn nodes(self) -> u64 {
        self.character().nodes
    }

    pub(crate) fn character(self) -> &'static Character {
        &CHARACTERS[self.0 as usize - 1]
    }
}

#[rustfmt::skip]
static CHARACTERS: [Character; 10] = [
    //   nodes  deepest  temperature  blindness  habit
    beginner(100,     1,         270,       900,   300),
    beginner(100,     1,         150,       600,   180),
    beginner(150,     1,          70,       260,    90),
    character(300, Some(2),       42,        75,    45),
    character(650,    None,       29,        24,    15),
    character(800,    None,       22,        12,    10),
    character(1_000,  None,        9,         1,     3),
    character(1_200,  None,        8,         0,     0),
    character(4_000,  None,        0,         0,     0),
    character(500_000, None,       0,         0,     0),
];

const fn character(
    nodes: u64,
    deepest: Option<i32>,
    temperature: i32,
    blindness: u64,
    habit: i32,
) -> Character {
    Character { nodes, deepest, temperature, blindness, habit, sure_of_mate: true }
}

/// May pass over a mate.
const fn beginner(
    nodes: u64,
    deepest: i32,
    temperature: i32,
    blindness: u64,
    habit: i32,
) -> Character {
    let character = character(nodes, Some(deepest), temperature, blindness, habit);
    Character { sure_of_mate: false, ..character }
}
