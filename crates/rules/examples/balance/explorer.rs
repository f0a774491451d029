//! Where to go and what to do there: through every chamber that can be reached, then to the boss.

use std::collections::{HashMap, HashSet, VecDeque};

use rules::dungeon::{Deal, Direction, ItemType, Known, RoomId, RoomType, View};

use crate::{Tools, fighter::potions};

/// What a player remembers beside the map.
#[derive(Default)]
pub struct Explorer {
    /// Chambers fled from, and how strong the hero was then.
    feared: HashMap<RoomId, i32>,
    /// Which key each locked door wants.
    locks: HashMap<(RoomId, Direction), &'static str>,
    /// Where somebody could be bought or healed from.
    merchant: Option<RoomId>,
    shrine: Option<RoomId>,
    shopped: HashSet<RoomId>,
    /// Which of the ways that strangers offer it takes; none if it keeps away from them.
    whim: Option<usize>,
}

/// One way through the map.
struct Step {
    from: RoomId,
    direction: Direction,
    to: RoomId,
}

impl Explorer {
    pub fn new(whim: Option<usize>) -> Explorer {
        Explorer { whim, ..Explorer::default() }
    }

    /// Whether there is anything better to do than to fight this fight.
    pub fn may_flee(&self, view: &View) -> bool {
        let here = view.room.room_id;
        let stronger = self.feared.get(&here).is_none_or(|then| strength(view) > *then);
        let elsewhere = view.map.rooms.iter().any(|room| {
            room.state == Known::Discovered && !self.feared.contains_key(&room.room_id)
        });
        let rests = view.stats.rests_left > 0 && view.stats.hp < view.stats.max_hp;
        stronger && (elsewhere || rests)
    }

    pub fn fears(&mut self, view: &View) {
        self.feared.insert(view.room.room_id, strength(view));
    }

    /// What to do in peace; `tools` is none for those who only walk, take and hit.
    pub fn next(&mut self, view: &View, tools: Option<Tools>, loots: bool) -> String {
        self.look(view);
        let texts: Vec<String> = view.actions.iter().map(ToString::to_string).collect();
        let take = view.room.items.iter().find(|item| {
            let wanted = loots || item.name.ends_with("Key");
            wanted && texts.contains(&format!("take {}", item.id))
        });
        if let Some(item) = take {
            return format!("take {}", item.id);
        }
        if tools == Some(Tools::All)
            && let Some(text) = self.help(view, &texts)
        {
            return text;
        }
        self.explore(view, tools.is_some(), loots)
            .or_else(|| self.ready(view, tools, &texts))
            .or_else(|| self.dare(view))
            .unwrap_or_else(|| texts[0].clone())
    }

    fn boss(&self, step: &Step) -> bool {
        self.locks.get(&(step.from, step.direction)) == Some(&"Boss Key")
    }

    /// To the nearest chamber that is new, then to those fled from, with new strength.
    fn explore(&self, view: &View, careful: bool, loots: bool) -> Option<String> {
        if !loots && view.stats.keys.contains(&"Boss Key") {
            let way = self.way(view, &|step| self.boss(step), false);
            if way.is_some() {
                return way;
            }
        }
        let fresh = |step: &Step| {
            !self.boss(step) && !known(view, step.to) && !self.feared.contains_key(&step.to)
        };
        let again = |step: &Step| {
            self.feared.get(&step.to).is_some_and(|then| !careful || strength(view) > *then + 3)
        };
        self.way(view, &fresh, false).or_else(|| self.way(view, &again, false))
    }

    /// To the boss, or if the key is missing to what was feared.
    fn dare(&self, view: &View) -> Option<String> {
        self.way(view, &|step| self.boss(step), false)
            .or_else(|| self.way(view, &|step| self.feared.contains_key(&step.to), false))
            .or_else(|| self.way(view, &|step| !known(view, step.to) || self.boss(step), true))
    }

    fn look(&mut self, view: &View) {
        let here = view.room.room_id;
        if view.combat.is_empty() {
            self.feared.remove(&here);
        }
        for exit in view.room.exits.iter().filter(|exit| exit.is_locked) {
            let boss = format!("{} door needs the Boss Key", exit.direction.word());
            let key = if view.room.description.contains(&boss) { "Boss Key" } else { "Small Key" };
            self.locks.insert((here, exit.direction), key);
        }
        for offer in view.people.iter().flat_map(|npc| &npc.offers) {
            match offer.id {
                Deal::Buy(_) => self.merchant = Some(here),
                Deal::Heal => self.shrine = Some(here),
                _ => {}
            }
        }
    }

    /// What only the further tools can do: search, talk, mend, rest.
    fn help(&mut self, view: &View, texts: &[String]) -> Option<String> {
        let stats = &view.stats;
        let of = |start: &str| texts.iter().find(|text| text.starts_with(start)).cloned();
        let person = view.people.first();
        let said = |deal: &str| person.and_then(|npc| of(&format!("talk {} {deal}", npc.id)));
        // What is looked at closely may bite.
        let sound = 100 * stats.hp >= 70 * stats.max_hp;
        let search = of("search").filter(|_| sound);
        if let Some(text) = search.or_else(|| said("secret")).or_else(|| said("key")) {
            return Some(text);
        }
        let ways = view.people.iter().flat_map(|npc| npc.offers.iter().map(move |o| (npc, o)));
        let ways: Vec<_> = ways
            .filter(|(_, offer)| offer.available && matches!(offer.id, Deal::Choose { .. }))
            .collect();
        if let (Some(whim), false) = (self.whim, ways.is_empty()) {
            let (npc, offer) = ways[whim % ways.len()];
            return Some(format!("talk {} {}", npc.id, offer.id));
        }
        let keyless = !stats.keys.contains(&"Small Key");
        if keyless
            && potions(view) >= 3
            && let Some(text) = said("give")
        {
            return Some(text);
        }
        let spare = stats.inventory.iter().filter(|item| item.item_type != ItemType::Potion);
        if let Some(text) = spare.filter_map(|item| said(&format!("sell {}", item.id))).next() {
            return Some(text);
        }
        let hurt = 100 * stats.hp / stats.max_hp;
        if hurt <= 45 && stats.rests_left > 1 {
            return of("rest");
        }
        if hurt <= 60 && stats.max_hp - stats.hp >= 10 {
            return of("cast mend");
        }
        None
    }

    /// Before the boss: buy, heal, rest.
    fn ready(&mut self, view: &View, tools: Option<Tools>, texts: &[String]) -> Option<String> {
        if tools != Some(Tools::All) {
            return None;
        }
        let here = view.room.room_id;
        let gold = view.stats.gold;
        if Some(here) == self.merchant {
            let wanted = ["Greater Health Potion", "Health Potion", "Stone Potion"];
            let offers =
                || view.people.iter().flat_map(|npc| npc.offers.iter().map(move |o| (npc, o)));
            for name in wanted {
                let good = |what: &str| what.starts_with(name);
                if let Some((npc, offer)) =
                    offers().find(|(_, offer)| offer.available && good(&offer.what))
                    && matches!(offer.id, Deal::Buy(_))
                {
                    return Some(format!("talk {} {}", npc.id, offer.id));
                }
            }
            self.shopped.insert(here);
        }
        if let Some(merchant) = self.merchant
            && gold >= 40
            && !self.shopped.contains(&merchant)
            && let Some(way) = self.way(view, &|step| step.to == merchant, false)
        {
            return Some(way);
        }
        let tired = view.stats.hp < view.stats.max_hp || view.stats.mana < view.stats.max_mana;
        if tired && view.stats.rests_left > 0 {
            return texts.iter().find(|text| *text == "rest").cloned();
        }
        if view.stats.hp + 10 <= view.stats.max_hp {
            let heal = texts.iter().find(|text| text.starts_with("talk") && text.ends_with("heal"));
            if let Some(text) = heal {
                return Some(text.clone());
            }
            if let Some(shrine) = self.shrine
                && gold >= 60
                && here != shrine
                && !self.shopped.contains(&shrine)
            {
                self.shopped.insert(shrine);
                return self.way(view, &|step| step.to == shrine, false);
            }
        }
        None
    }

    /// The first step towards the nearest chamber that is wanted.
    fn way(&self, view: &View, wanted: &dyn Fn(&Step) -> bool, bold: bool) -> Option<String> {
        let here = view.room.room_id;
        let mut seen = HashSet::from([here]);
        let mut queue = VecDeque::from([(here, None)]);
        while let Some((from, first)) = queue.pop_front() {
            let room = view.map.rooms.iter().find(|room| room.room_id == from);
            for exit in room.and_then(|room| room.exits.as_ref()).into_iter().flatten() {
                let step = Step { from, direction: exit.direction, to: exit.room_id };
                let first = first.unwrap_or(exit.direction);
                let key = self.locks.get(&(from, exit.direction));
                let open = !exit.is_locked || key.is_none_or(|key| view.stats.keys.contains(key));
                if !open {
                    continue;
                }
                if wanted(&step) {
                    return Some(format!("go {}", first.word()));
                }
                let safe = bold || !self.feared.contains_key(&step.to);
                let boss = key == Some(&"Boss Key");
                if safe && !boss && known(view, step.to) && seen.insert(step.to) {
                    queue.push_back((step.to, Some(first)));
                }
            }
        }
        None
    }
}

fn known(view: &View, id: RoomId) -> bool {
    let room = view.map.rooms.iter().find(|room| room.room_id == id);
    room.is_some_and(|room| room.state == Known::Visited && room.room_type != Some(RoomType::Boss))
}

/// A rough measure of what the hero can stand.
fn strength(view: &View) -> i32 {
    let stats = &view.stats;
    let gear = 5 * stats.equipped_weapon.damage + 6 * stats.equipped_armour.defence;
    stats.hp + 12 * potions(view) as i32 + gear
}
