//! How chambers are described: a line that suits the place, then what is there at this moment.
//!
//! The lines name only walls, floor and air, never anything that could be taken, fought or talked
//! to: that is added from the state, so that a description is always true.

use super::{
    layout::Purpose,
    state::State,
    world::{Chamber, Role, RoomType},
};

pub(super) fn flavours(purpose: Purpose) -> &'static [&'static str] {
    match purpose {
        Purpose::Entrance => &[
            "Daylight fails a few steps behind you, where the stairs come down.",
            "A broken gate hangs open; past it the steps end and the dark begins.",
            "Roots hang through the vault above the worn entrance stairs.",
        ],
        Purpose::Storeroom => &[
            "Shelves line a dry, dusty storeroom; most of them are bare.",
            "Barrel hoops and splinters show that this was once a store.",
            "A low cellar, swept by someone long ago and forgotten since.",
        ],
        Purpose::Merchant => &[
            "A lantern swings from a hook and makes this vault almost homely.",
            "The floor is swept here, and the air smells of lamp oil and cloves.",
            "Rugs deaden your steps in this warm, square chamber.",
        ],
        Purpose::Shrine => &[
            "Candle stubs burn in every niche around a plain stone altar.",
            "Water trickles over a carved face into a clear basin.",
            "Blue tiles, cracked but clean, cover this quiet chapel.",
        ],
        Purpose::Hermit => &[
            "Chalk marks count the days on every wall of this narrow cell.",
            "A ring of stones and cold ash marks where someone cooks.",
            "Moss makes a bed along one wall of this dim cave.",
        ],
        Purpose::Hoard => &[
            "A dry alcove behind a split curtain, out of everyone's way.",
            "Stone chests stand with their lids pushed off.",
            "Someone bricked this closet up, and someone else broke in.",
        ],
        Purpose::Fight => &[
            "Wet stone and old straw; the walls are scored with claw marks.",
            "Pillars divide a long hall into stripes of shadow.",
            "Bones crunch underfoot in this round, low cave.",
            "A guardroom, its benches overturned and its hearth cold.",
            "Water drips from above into black puddles.",
            "Rusty chains hang from the ceiling and sway a little.",
            "The ceiling has come down here and left a maze of rubble.",
            "Fungus lights the corners of this chamber a sickly green.",
        ],
        Purpose::KeyGuard => &[
            "A watch post: one chair, one table, one long view of the door.",
            "Iron hooks line the wall above a gouged and bloodstained floor.",
            "Scorched banners hang in what was the captain's room.",
        ],
        Purpose::Vault => &[
            "Iron plates cover walls, floor and door of this small vault.",
            "The lock was good: the dust in here has not been stirred for years.",
        ],
        Purpose::Boss => &[
            "Torches roar around a throne hacked from a single stump.",
            "Trophies of a hundred raids darken this great hall.",
            "The drums of the deep stop as you come in under the high dome.",
        ],
    }
}

pub(super) static SECRET_FLAVOURS: [&str; 3] = [
    "A forgotten study, no wider than your two arms.",
    "Glittering quartz closes over you like the inside of a shell.",
    "A walled-up chapel; nobody has breathed this air for an age.",
];

/// Things that give the hidden way away to those who look closely.
pub(super) static FEATURES: [&str; 5] =
    ["Cold Draught", "Hollow Wall", "Scratched Flagstone", "Crooked Tapestry", "Loose Brick"];

pub(super) fn describe(state: &State) -> String {
    match &state.story {
        None => describe_plainly(state.here()),
        Some(_) => describe_well(state),
    }
}

/// As the first rules have it.
fn describe_plainly(chamber: &Chamber) -> String {
    let mut text = chamber.flavour.to_owned();
    let mut add = |sentence: String| {
        text.push(' ');
        text.push_str(&sentence);
    };
    let living = tally(chamber.living().map(|monster| monster.breed.name));
    if !living.is_empty() {
        let bar = if chamber.living().count() > 1 { "bar" } else { "bars" };
        add(format!("{} {bar} your way.", capital(&list(&living))));
    }
    let dead: Vec<_> = chamber.monsters.iter().filter(|monster| !monster.alive()).collect();
    if !dead.is_empty() {
        let lie = if dead.len() > 1 { "lie" } else { "lies" };
        let names = tally(dead.iter().map(|monster| monster.breed.name));
        add(format!("{} {lie} dead.", capital(&list(&names))));
    }
    if let Some(npc) = &chamber.npc {
        add(presence(npc.role).to_owned());
    }
    for feature in &chamber.features {
        add(format!("Something is odd here: a {}.", feature.name.to_lowercase()));
    }
    for (direction, exit) in chamber.exits() {
        if let Some(lock) = exit.lock {
            add(format!("The {} door needs the {}.", direction.word(), lock.key().name));
        }
    }
    if !chamber.items.is_empty() {
        let names: Vec<_> = chamber.items.iter().map(|item| item.ware.name).collect();
        add(format!("You see: {}.", names.join(", ")));
    }
    text
}

/// The place and its air, then who and what is there, as it has become.
fn describe_well(state: &State) -> String {
    let chamber = state.here();
    let story = state.story.as_ref().expect("it was asked for");
    let mut parts = vec![format!("{}. {}", capital(chamber.name), chamber.flavour)];
    let mut add = |sentence: String| parts.push(sentence);
    let living = tally(chamber.living().map(|monster| monster.breed.name));
    // A place with more to tell of goes without its air.
    let busy = chamber.npc.is_some() || chamber.choice.is_some() || chamber.items.len() > 2;
    if living.is_empty() {
        if !busy {
            add(chamber.sense.to_owned());
        }
    } else {
        let bar = if chamber.living().count() > 1 { "bar" } else { "bars" };
        add(format!("{} {bar} your way.", capital(&list(&living))));
    }
    let dead: Vec<_> = chamber.monsters.iter().filter(|monster| !monster.alive()).collect();
    if !dead.is_empty() {
        let lie = if dead.len() > 1 { "lie" } else { "lies" };
        let still = if state.wakes_again() { "beaten" } else { "dead" };
        let names = tally(dead.iter().map(|monster| monster.breed.name));
        add(format!("{} {lie} {still}.", capital(&list(&names))));
    }
    if let Some(npc) = &chamber.npc
        && let Some(person) = story.lore.people.iter().find(|person| person.role == npc.role)
    {
        add((if npc.done { person.after } else { person.before }).to_owned());
    }
    if let Some(choice) = &chamber.choice {
        let way = choice.taken.map(|way| choice.event.ways[way].after);
        add(way.unwrap_or(choice.event.told).to_owned());
    }
    for feature in chamber.features.iter().filter(|feature| !feature.told.is_empty()) {
        add(feature.told.to_owned());
    }
    for (direction, exit) in chamber.exits() {
        if let Some(lock) = exit.lock {
            add(format!("The {} door needs the {}.", direction.word(), lock.key().name));
        }
    }
    if !chamber.items.is_empty() {
        let names: Vec<_> = chamber.items.iter().map(|item| item.ware.name).collect();
        add(format!("You see: {}.", names.join(", ")));
    }
    parts.join(" ")
}

/// How the hero must feel here, in a word.
pub(super) fn mood(state: &State) -> &'static str {
    let (chamber, hero) = (state.here(), &state.hero);
    match chamber.room_type {
        _ if state.story.is_none() => "",
        _ if state.ending.is_some() => "ended",
        RoomType::Boss if state.in_combat() => "dread",
        _ if 3 * hero.hp <= hero.max_hp() => "desperate",
        _ if state.in_combat() => "danger",
        RoomType::Secret => "wonder",
        _ if chamber.npc.is_some() => "company",
        RoomType::Treasure => "relief",
        _ if chamber.visits > 1 => "familiar",
        _ => "uneasy",
    }
}

fn presence(role: Role) -> &'static str {
    match role {
        Role::Merchant => "A merchant looks up from his goods.",
        Role::ShrineKeeper => "A shrine keeper nods to you.",
        Role::Hermit => "A hermit squints at you.",
        Role::Knight => "A wounded knight leans against the wall.",
        Role::Stranger => "A stranger waits here.",
    }
}

/// Names with their articles, equal ones counted together.
fn tally<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for name in names {
        match counted.iter_mut().find(|(seen, _)| *seen == name) {
            Some((_, count)) => *count += 1,
            None => counted.push((name, 1)),
        }
    }
    counted
        .into_iter()
        .map(|(name, count)| match count {
            1 => a(name),
            2 => format!("two {}", plural(name)),
            n => format!("{n} {}", plural(name)),
        })
        .collect()
}

pub(super) fn a(name: &str) -> String {
    let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {name}")
}

fn plural(name: &str) -> String {
    let hisses = ["ch", "sh", "s", "x"].iter().any(|end| name.ends_with(end));
    format!("{name}{}", if hisses { "es" } else { "s" })
}

pub(super) fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
