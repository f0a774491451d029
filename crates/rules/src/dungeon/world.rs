//! The dungeon as it stands: chambers and what is in them. How it came about is in `layout` and
//! `furnish`.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};
use ts_rs::TS;

use super::{
    events::Event,
    manners::Manner,
    tables::{Breed, Lock, Ware},
};

/// Ids as the wire writes them: a word and three digits.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, TS)]
        #[ts(as = "String")]
        pub struct $name(pub u16);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                write!(f, concat!($prefix, "-{:03}"), self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )*};
}

ids! {
    /// A chamber, under the wire's word for it.
    RoomId "room";
    ItemId "item";
    MonsterId "monster";
    NpcId "npc";
    FeatureId "feature";
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
pub enum Direction {
    North,
    South,
    East,
    West,
}

impl Direction {
    pub const ALL: [Direction; 4] =
        [Direction::North, Direction::South, Direction::East, Direction::West];

    /// As the wire has it.
    pub fn name(self) -> &'static str {
        match self {
            Direction::North => "North",
            Direction::South => "South",
            Direction::East => "East",
            Direction::West => "West",
        }
    }

    /// In running text and in moves.
    pub fn word(self) -> &'static str {
        match self {
            Direction::North => "north",
            Direction::South => "south",
            Direction::East => "east",
            Direction::West => "west",
        }
    }

    pub(super) fn back(self) -> Direction {
        match self {
            Direction::North => Direction::South,
            Direction::South => Direction::North,
            Direction::East => Direction::West,
            Direction::West => Direction::East,
        }
    }

    pub(super) fn from((x, y): Cell, direction: Direction) -> Cell {
        match direction {
            Direction::North => (x, y - 1),
            Direction::South => (x, y + 1),
            Direction::East => (x + 1, y),
            Direction::West => (x - 1, y),
        }
    }
}

/// x grows to the east, y to the south; the entrance is at (0, 0).
pub(super) type Cell = (i32, i32);

/// Where in `World::chambers`.
pub(super) type Place = usize;

pub(super) const ENTRANCE: Place = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub enum RoomType {
    Normal,
    Combat,
    Treasure,
    Boss,
    Secret,
}

#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub to: Place,
    pub lock: Option<Lock>,
}

#[derive(Clone)]
pub(super) struct Item {
    pub id: ItemId,
    pub ware: &'static Ware,
    /// Of one piece.
    pub value: u32,
    pub count: u32,
}

#[derive(Clone)]
pub(super) struct Monster {
    pub id: MonsterId,
    pub breed: &'static Breed,
    pub hp: i32,
    /// What it will leave behind, decided before the game began.
    pub drop: Option<Item>,
    /// Its breed's, as it is now: some grow stronger, some hide behind something.
    pub max_hp: i32,
    /// HP that choices took from it for good.
    pub weakened: i32,
    pub attack: i32,
    pub defence: i32,
    pub experience: u32,
    pub gold: u32,
    /// It has done what its manner lets it do once.
    pub spent: bool,
    /// How often it has had its turn in a round.
    pub rounds: u32,
}

impl Monster {
    pub fn new(id: MonsterId, breed: &'static Breed) -> Monster {
        Monster {
            id,
            breed,
            hp: breed.hp,
            drop: None,
            max_hp: breed.hp,
            weakened: 0,
            attack: breed.attack,
            defence: breed.defence + breed.manner.map_or(0, Manner::shell),
            experience: breed.experience,
            gold: breed.gold,
            spent: false,
            rounds: 0,
        }
    }

    pub fn alive(&self) -> bool {
        self.hp > 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Merchant,
    ShrineKeeper,
    Hermit,
    Knight,
    /// Somebody with a choice to offer.
    Stranger,
}

#[derive(Clone)]
pub(super) struct Npc {
    pub id: NpcId,
    pub role: Role,
    pub name: &'static str,
    /// The merchant's, with prices as values.
    pub stock: Vec<Item>,
    /// The shrine keeper has healed; the knight has had his potion; the hermit has told of the key.
    pub done: bool,
}

/// Something to look at closely.
#[derive(Clone, Copy)]
pub(super) struct Feature {
    pub id: FeatureId,
    pub name: &'static str,
    /// A sentence of the chamber's description; empty where the rules have one of their own.
    pub told: &'static str,
    /// "behind", "under" or "in": where it hides what it hides.
    pub side: &'static str,
    pub finds: Find,
}

/// What comes of looking closely.
#[derive(Clone, Copy)]
pub(super) enum Find {
    /// The hidden way.
    Exit,
    Gold(u32),
    Ware(&'static Ware),
    Nothing,
    /// One of the ways of the chamber's event, when it is chosen.
    Choice,
}

/// A choice that waits in a chamber, or what became of it.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub event: &'static Event,
    /// Which of its ways was taken.
    pub taken: Option<usize>,
}

#[derive(Clone)]
pub(super) struct Chamber {
    pub id: RoomId,
    pub room_type: RoomType,
    pub at: Cell,
    /// What it is called.
    pub name: &'static str,
    pub flavour: &'static str,
    /// What is heard, smelt or felt there.
    pub sense: &'static str,
    /// Something true and not yet told, for the first visit.
    pub fact: String,
    pub exits: [Option<Exit>; 4],
    pub monsters: Vec<Monster>,
    pub items: Vec<Item>,
    pub npc: Option<Npc>,
    pub features: Vec<Feature>,
    /// Of a thing or of the person here.
    pub choice: Option<Choice>,
    /// How often the hero has come here, the present stay included.
    pub visits: u32,
    /// Known by hearsay.
    pub charted: bool,
}

impl Chamber {
    pub fn exit(&self, direction: Direction) -> Option<Exit> {
        self.exits[direction as usize]
    }

    pub fn exits(&self) -> impl Iterator<Item = (Direction, Exit)> + '_ {
        Direction::ALL.into_iter().filter_map(|direction| Some((direction, self.exit(direction)?)))
    }

    pub fn living(&self) -> impl Iterator<Item = &Monster> {
        self.monsters.iter().filter(|monster| monster.alive())
    }

    pub fn visited(&self) -> bool {
        self.visits > 0
    }

    /// Whether somebody here can be talked to; a knight in the middle of a fight cannot.
    pub fn person(&self) -> Option<&Npc> {
        self.npc.as_ref().filter(|_| self.living().next().is_none())
    }
}

/// A way that is not there until it is revealed.
#[derive(Clone, Copy)]
pub(super) struct Secret {
    pub from: Place,
    pub direction: Direction,
    pub to: Place,
    pub revealed: bool,
}

#[derive(Clone)]
pub(super) struct World {
    pub chambers: Vec<Chamber>,
    pub secret: Secret,
    /// Where the boss key lies at first.
    pub key_at: Place,
    /// The hero was told so.
    pub key_told: bool,
    /// The next numbers for what comes into the world while it is played in.
    pub next_monster: u16,
    pub next_item: u16,
}

impl World {
    pub fn new_monster(&mut self, breed: &'static Breed) -> Monster {
        self.next_monster += 1;
        Monster::new(MonsterId(self.next_monster - 1), breed)
    }

    pub fn new_item(&mut self, ware: &'static Ware) -> Item {
        self.next_item += 1;
        Item { id: ItemId(self.next_item - 1), ware, value: ware.value, count: 1 }
    }

    pub fn join(&mut self, from: Place, direction: Direction, to: Place, lock: Option<Lock>) {
        self.chambers[from].exits[direction as usize] = Some(Exit { to, lock });
        self.chambers[to].exits[direction.back() as usize] = Some(Exit { to: from, lock });
    }

    /// Wherever it is: some run.
    pub fn monster(&mut self, id: MonsterId) -> &mut Monster {
        let mut all = self.chambers.iter_mut().flat_map(|chamber| &mut chamber.monsters);
        all.find(|monster| monster.id == id).expect("nothing is lost, dead or alive")
    }

    pub fn reveal(&mut self) -> Secret {
        let Secret { from, direction, to, .. } = self.secret;
        self.secret.revealed = true;
        self.join(from, direction, to, None);
        self.chambers[from].features.retain(|feature| !matches!(feature.finds, Find::Exit));
        self.chambers[from].charted = true;
        self.chambers[to].charted = true;
        self.secret
    }

    /// Whether the hero knows that this chamber is there.
    pub fn discovered(&self, place: Place) -> bool {
        let chamber = &self.chambers[place];
        chamber.visited()
            || chamber.charted
            || chamber.exits().any(|(_, exit)| self.chambers[exit.to].visited())
    }

    pub fn vault_locked(&self) -> bool {
        self.chambers
            .iter()
            .flat_map(Chamber::exits)
            .any(|(_, exit)| exit.lock == Some(Lock::Vault))
    }
}
