//! The map: chambers visited, chambers known to be there, and a drawing of both.

use serde::Serialize;
use ts_rs::TS;

use super::{
    view::ExitShown,
    world::{Cell, Direction, ENTRANCE, Place, RoomId, RoomType, World},
};

#[derive(Clone, Debug, Serialize, TS)]
#[ts(rename = "DungeonMap")]
pub struct Map {
    pub rooms: Vec<MapRoom>,
    /// How many ordinary chambers have not been found yet.
    pub hidden: usize,
    /// The drawing, north at the top, with its legend.
    pub text: String,
}

#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MapRoom {
    pub room_id: RoomId,
    pub state: Known,
    /// Grows to the east.
    pub x: i32,
    /// Grows to the south.
    pub y: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub room_type: Option<RoomType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub exits: Option<Vec<ExitShown>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<_>")]
    pub here: bool,
    /// What it is called, once it has been seen or named.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[ts(optional, as = "Option<_>")]
    pub name: &'static str,
    /// What to come back for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sign: Option<Sign>,
}

/// What a map marks in a chamber that has been seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Sign {
    Monsters,
    Stairs,
    Person,
    /// A trap, or another thing to decide about.
    Choice,
}

impl Sign {
    fn of(world: &World, place: Place) -> Option<Sign> {
        let chamber = &world.chambers[place];
        let open = chamber.choice.as_ref().is_some_and(|choice| choice.taken.is_none());
        match () {
            () if !chamber.visited() => None,
            () if chamber.living().next().is_some() => Some(Sign::Monsters),
            () if place == ENTRANCE => Some(Sign::Stairs),
            () if chamber.npc.is_some() => Some(Sign::Person),
            () if open => Some(Sign::Choice),
            () => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    Visited,
    Discovered,
}

impl Map {
    pub(super) fn of(world: &World, here: Place) -> Map {
        let mut known: Vec<Place> =
            (0..world.chambers.len()).filter(|&place| world.discovered(place)).collect();
        // In the order of growth the list would tell how the dungeon was made.
        known.sort_by_key(|&place| world.chambers[place].id);
        let found = |place: &Place| world.discovered(*place) || *place == world.secret.to;
        Map {
            rooms: known.iter().map(|&place| MapRoom::of(world, place, here)).collect(),
            hidden: (0..world.chambers.len()).filter(|place| !found(place)).count(),
            text: draw(world, &known, here),
        }
    }
}

impl MapRoom {
    fn of(world: &World, place: Place, here: Place) -> MapRoom {
        let chamber = &world.chambers[place];
        let visited = chamber.visited();
        // A chamber the hero was told of has its name, but the hidden one stays nameless: only the
        // way to it was told.
        let is_named = visited || chamber.charted && place != world.secret.to;
        MapRoom {
            room_id: chamber.id,
            state: if visited { Known::Visited } else { Known::Discovered },
            x: chamber.at.0,
            y: chamber.at.1,
            room_type: visited.then_some(chamber.room_type),
            exits: visited.then(|| ExitShown::of(world, chamber)),
            here: place == here,
            name: if is_named { chamber.name } else { "" },
            sign: Sign::of(world, place),
        }
    }
}

const LEGEND: [(char, &str); 11] = [
    ('@', "you"),
    ('<', "stairs"),
    (' ', "visited"),
    ('?', "not entered yet"),
    ('T', "treasure"),
    ('P', "somebody to talk to"),
    ('*', "something to decide"),
    ('!', "monsters"),
    ('B', "boss"),
    ('S', "secret"),
    ('=', "locked"),
];

/// Three characters a chamber, one between them.
fn draw(world: &World, known: &[Place], here: Place) -> String {
    let cells = || known.iter().map(|&place| world.chambers[place].at);
    let west = cells().map(|(x, _)| x).min().expect("the hero is somewhere");
    let north = cells().map(|(_, y)| y).min().expect("the hero is somewhere");
    let east = cells().map(|(x, _)| x).max().expect("the hero is somewhere");
    let south = cells().map(|(_, y)| y).max().expect("the hero is somewhere");
    let mut canvas =
        vec![vec![' '; 4 * (east - west) as usize + 3]; 2 * (south - north) as usize + 1];
    let corner = |(x, y): Cell| (4 * (x - west) as usize, 2 * (y - north) as usize);
    let mut marks = Vec::new();
    let mut locked = false;
    for &place in known {
        let chamber = &world.chambers[place];
        let (column, row) = corner(chamber.at);
        let mark = if place == here { '@' } else { mark(world, place) };
        marks.push(mark);
        canvas[row][column..column + 3].copy_from_slice(&['[', mark, ']']);
        for (direction, exit) in chamber.exits().filter(|_| chamber.visited()) {
            locked |= exit.lock.is_some();
            let (sideways, upright) = if exit.lock.is_some() { ('=', '#') } else { ('-', '|') };
            match direction {
                Direction::North => canvas[row - 1][column + 1] = upright,
                Direction::South => canvas[row + 1][column + 1] = upright,
                Direction::East => canvas[row][column + 3] = sideways,
                Direction::West => canvas[row][column - 1] = sideways,
            }
        }
    }
    let mut text = String::new();
    for line in canvas {
        text.push_str(line.into_iter().collect::<String>().trim_end());
        text.push('\n');
    }
    text + &legend(&marks, locked)
}

fn mark(world: &World, place: Place) -> char {
    let chamber = &world.chambers[place];
    match (chamber.room_type, Sign::of(world, place)) {
        _ if !chamber.visited() => '?',
        _ if chamber.living().next().is_some() => '!',
        (_, Some(Sign::Choice)) => '*',
        (RoomType::Boss, _) => 'B',
        (RoomType::Secret, _) => 'S',
        (RoomType::Treasure, _) => 'T',
        _ if chamber.npc.is_some() => 'P',
        (_, Some(Sign::Stairs)) => '<',
        (RoomType::Normal | RoomType::Combat, _) => ' ',
    }
}

/// Of the marks that occur.
fn legend(marks: &[char], locked: bool) -> String {
    let lines: Vec<_> = LEGEND
        .into_iter()
        .filter(|(mark, _)| marks.contains(mark) || *mark == '=' && locked)
        .map(|(mark, meaning)| match mark {
            '=' => format!("= or # {meaning}"),
            mark => format!("[{mark}] {meaning}"),
        })
        .collect();
    lines.join(", ")
}
