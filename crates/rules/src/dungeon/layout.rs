//! The ground plan: which cells are dug, which of them are joined, and what each is for.
//!
//! A tree is grown first and keys are put where they can be had without the door they open, so
//! every plan can be won. What stands and lies in the chambers is in `furnish`.

use std::collections::VecDeque;

use super::world::{Cell, Direction, ENTRANCE, Place};
use crate::Dice;

/// Without the secret one.
pub(super) const CHAMBERS: usize = 14;
const CHILDREN: usize = 3;
const NEWEST_IN_A_HUNDRED: u32 = 55;
const LOOPS: usize = 2;
const BOSS_DEPTH: u32 = 5;
/// Or the key's guard, a monster of the last tier, might stand next to the entrance.
const KEY_DEPTH: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Entrance,
    Storeroom,
    Merchant,
    Shrine,
    Hermit,
    Hoard,
    Fight,
    KeyGuard,
    Vault,
    Boss,
}

impl Purpose {
    /// Where things may lie about.
    pub fn is_open(self) -> bool {
        matches!(self, Purpose::Fight | Purpose::Merchant | Purpose::Shrine | Purpose::Hermit)
    }
}

pub(super) struct Plan {
    pub cells: Vec<Cell>,
    pub purposes: Vec<Purpose>,
    pub joins: Vec<(Place, Direction, Place)>,
    /// 1 to 3: how dangerous it is there.
    pub tiers: Vec<usize>,
    pub boss: Place,
    pub vault: Place,
    pub knight: Place,
    /// From where the secret chamber is entered, and which way.
    pub secret: (Place, Direction),
}

/// Draws plans until one is good; about every third is.
pub(super) fn plan(dice: &mut Dice) -> Plan {
    loop {
        if let Some(plan) = attempt(dice) {
            return plan;
        }
    }
}

fn attempt(dice: &mut Dice) -> Option<Plan> {
    let (cells, mut joins) = grow(dice);
    let depths = depths(&joins);
    let mut leaves: Vec<Place> =
        (1..CHAMBERS).filter(|&place| degree(&joins, place) == 1 && depths[place] > 1).collect();
    leaves.sort_by_key(|&leaf| std::cmp::Reverse(depths[leaf]));
    let [boss, key, ref others @ ..] = leaves[..] else { return None };
    let vault = *pick(dice, others)?;
    add_loops(dice, &cells, &mut joins, [boss, vault])?;
    let depths = self::depths(&joins);
    let deepest = depths.iter().all(|&depth| depth <= depths[boss]);
    if depths[boss] < BOSS_DEPTH || depths[key] < KEY_DEPTH || !deepest {
        return None;
    }
    let tiers: Vec<usize> = depths.iter().map(|&depth| tier(depth, depths[boss])).collect();
    let mut purposes = vec![Purpose::Fight; CHAMBERS];
    purposes[ENTRANCE] = Purpose::Entrance;
    purposes[boss] = Purpose::Boss;
    purposes[key] = Purpose::KeyGuard;
    purposes[vault] = Purpose::Vault;
    assign(dice, &mut purposes, &depths)?;
    let secret = hide(dice, &cells, &purposes)?;
    // The knight lies beside a fight of the middle tier, not where there is enough to tell of.
    let knights: Vec<Place> = (0..CHAMBERS)
        .filter(|&place| purposes[place] == Purpose::Fight && tiers[place] == 2)
        .filter(|&place| place != secret.0)
        .collect();
    let knight = *pick(dice, &knights)?;
    Some(Plan { cells, purposes, joins, tiers, boss, vault, knight, secret })
}

type Joins = Vec<(Place, Direction, Place)>;

fn grow(dice: &mut Dice) -> (Vec<Cell>, Joins) {
    let mut cells: Vec<Cell> = vec![(0, 0)];
    let mut joins: Joins = Vec::new();
    while cells.len() < CHAMBERS {
        let from = if dice.below(100) < NEWEST_IN_A_HUNDRED {
            cells.len() - 1
        } else {
            dice.below(cells.len() as u32) as Place
        };
        let direction = Direction::ALL[dice.below(4) as usize];
        let cell = Direction::from(cells[from], direction);
        let children = joins.iter().filter(|(parent, ..)| *parent == from).count();
        if children < CHILDREN && !cells.contains(&cell) {
            joins.push((from, direction, cells.len()));
            cells.push(cell);
        }
    }
    (cells, joins)
}

fn degree(joins: &Joins, place: Place) -> usize {
    joins.iter().filter(|(a, _, b)| *a == place || *b == place).count()
}

fn depths(joins: &Joins) -> Vec<u32> {
    let mut depths = vec![u32::MAX; CHAMBERS];
    depths[ENTRANCE] = 0;
    let mut queue = VecDeque::from([ENTRANCE]);
    while let Some(here) = queue.pop_front() {
        for &(a, _, b) in joins {
            let there = if a == here { b } else { a };
            if (a == here || b == here) && depths[there] == u32::MAX {
                depths[there] = depths[here] + 1;
                queue.push_back(there);
            }
        }
    }
    depths
}

fn add_loops(dice: &mut Dice, cells: &[Cell], joins: &mut Joins, closed: [Place; 2]) -> Option<()> {
    for _ in 0..LOOPS {
        let mut possible = Vec::new();
        for from in (0..CHAMBERS).filter(|place| !closed.contains(place)) {
            for direction in [Direction::South, Direction::East] {
                let cell = Direction::from(cells[from], direction);
                let Some(to) = cells.iter().position(|c| *c == cell) else { continue };
                let joined =
                    joins.iter().any(|&(a, _, b)| (a, b) == (from, to) || (b, a) == (from, to));
                if !joined && !closed.contains(&to) {
                    possible.push((from, direction, to));
                }
            }
        }
        joins.push(*pick(dice, &possible)?);
    }
    Some(())
}

fn tier(depth: u32, boss: u32) -> usize {
    match 100 * depth / boss {
        0..=45 => 1,
        46..=80 => 2,
        _ => 3,
    }
}

/// Who and what else is where: a storeroom next to the entrance, the peaceful chambers anywhere.
fn assign(dice: &mut Dice, purposes: &mut [Purpose], depths: &[u32]) -> Option<()> {
    let free = |purposes: &[Purpose], deep: &dyn Fn(u32) -> bool| -> Vec<Place> {
        (0..CHAMBERS).filter(|&p| purposes[p] == Purpose::Fight && deep(depths[p])).collect()
    };
    let near = free(purposes, &|depth| depth == 1);
    purposes[*pick(dice, &near)?] = Purpose::Storeroom;
    for purpose in [Purpose::Merchant, Purpose::Shrine, Purpose::Hermit, Purpose::Hoard] {
        let left = free(purposes, &|_| true);
        purposes[*pick(dice, &left)?] = purpose;
    }
    Some(())
}

fn hide(dice: &mut Dice, cells: &[Cell], purposes: &[Purpose]) -> Option<(Place, Direction)> {
    let closed = [Purpose::Entrance, Purpose::Boss, Purpose::Vault, Purpose::KeyGuard];
    let walls: Vec<_> = (0..CHAMBERS)
        .filter(|&place| !closed.contains(&purposes[place]))
        .flat_map(|place| Direction::ALL.map(|direction| (place, direction)))
        .filter(|&(place, direction)| !cells.contains(&Direction::from(cells[place], direction)))
        .collect();
    pick(dice, &walls).copied()
}

pub(super) fn pick<'a, T>(dice: &mut Dice, from: &'a [T]) -> Option<&'a T> {
    if from.is_empty() {
        return None;
    }
    from.get(dice.below(from.len() as u32) as usize)
}

pub(super) fn shuffle<T>(dice: &mut Dice, list: &mut [T]) {
    for last in (1..list.len()).rev() {
        list.swap(last, dice.below(last as u32 + 1) as usize);
    }
}
