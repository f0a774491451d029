//! How chambers are described: a line that suits the place, then what is there at this moment.
//!
//! The lines name only walls, floor and air, never anything that could be taken, fought or talked
//! to: that is added from the state, so that a description is always true.

use super::{state::State, themes::Theme, world::RoomType};

/// The place and its air, then who and what is there, as it has become.
pub(super) fn describe(state: &State) -> String {
    let chamber = state.here();
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
        && let Some(person) = state.story.lore.people.iter().find(|person| person.role == npc.role)
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
            1 => named(name),
            2 => format!("two {}", plural(name)),
            n => format!("{n} {}", plural(name)),
        })
        .collect()
}

/// The name with its article: "the" for a boss, since there is only one, else "a" or "an".
pub(super) fn named(name: &str) -> String {
    let mut bosses = Theme::ALL.iter().flat_map(|theme| theme.lore().bosses);
    if bosses.any(|boss| boss.breed.name == name) { format!("the {name}") } else { a(name) }
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
