//! The ten levels: how much each may look at, and how carefully it picks.

use crate::child::Sight;

const RATINGS: [u16; 10] = [328, 533, 731, 1049, 1150, 1382, 1586, 1847, 2199, 2760];

/// How strong, 1 to 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EngineLevel(u8);

pub(crate) struct Character {
    /// Positions looked at before a move is chosen. A count and not a time, so that a slow machine
    /// plays the same game as a fast one.
    pub nodes: u64,
    /// Plies looked ahead, if there is a limit besides the nodes.
    pub deepest: Option<i32>,
    /// By how many centipawns a move may be worse and still tempt; at 0 only the best will do.
    pub temperature: i32,
    /// How many centipawns a move gains by looking natural.
    pub habit: i32,
    /// Whether a forced mate, once found, is always played.
    pub sure_of_mate: bool,
    /// Who has this does not look ahead, but at what meets the eye.
    pub sight: Option<Sight>,
}

impl EngineLevel {
    pub const ALL: [EngineLevel; 10] = [
        EngineLevel(1),
        EngineLevel(2),
        EngineLevel(3),
        EngineLevel(4),
        EngineLevel(5),
        EngineLevel(6),
        EngineLevel(7),
        EngineLevel(8),
        EngineLevel(9),
        EngineLevel(10),
    ];

    pub fn new(n: u8) -> Option<EngineLevel> {
        (1..=10).contains(&n).then_some(EngineLevel(n))
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
    // temperature, habit
    child(150, 190, Sight { plain:  910, jump:  20, hidden:  20, mate:  10, small:  0 }),
    child( 85, 130, Sight { plain:  960, jump: 200, hidden: 100, mate: 150, small: 10 }),
    child( 45,  90, Sight { plain: 1000, jump: 600, hidden: 350, mate: 600, small: 50 }),
    //    nodes  deepest  temperature  habit
    character(1_000, Some(1),      75,   120),
    character(1_000, Some(1),      50,    60),
    character(800,   Some(2),      40,    20),
    character(1_000, None,         22,     7),
    character(1_200, None,          8,     0),
    character(4_000, None,          0,     0),
    character(500_000, None,        0,     0),
];

const fn character(nodes: u64, deepest: Option<i32>, temperature: i32, habit: i32) -> Character {
    Character { nodes, deepest, temperature, habit, sure_of_mate: true, sight: None }
}

/// May pass over a mate. What is looked at besides only tells others how the game stands.
const fn child(temperature: i32, habit: i32, sight: Sight) -> Character {
    let character = character(100, Some(1), temperature, habit);
    Character { sure_of_mate: false, sight: Some(sight), ..character }
}
