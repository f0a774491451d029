//! What there is to be shown, by the rules' own lists, and what a turn shows of it.

use super::*;
use crate::dungeon::{
    endings::Fame,
    events::{Event, Gain, Way, common},
    manners::Manner,
    state::{Ending, State},
    tables::Breed,
};

/// Something that a transcript is to show.
pub(super) struct Feat {
    pub name: String,
    pub file: String,
}

const WAKES: &str = "fall: wakes at the stairs";
const DEATHS: [&str; 3] =
    ["fall: killed by a monster", "fall: killed by poison", "fall: killed by fire"];

pub(super) fn all() -> Vec<Feat> {
    let mut feats: Vec<Feat> = Vec::new();
    for manner in breeds().filter_map(|breed| breed.manner) {
        let (name, _) = sign(manner);
        if feats.iter().all(|feat| feat.name != manner_shown(name)) {
            let file = "manners.txt".to_owned();
            feats.push(Feat { name: manner_shown(name), file });
        }
    }
    feats.extend(choices(common::EVENTS, "choices_common.txt"));
    for theme in Theme::ALL {
        let word = theme.word();
        feats.extend(choices(theme.lore().events, &format!("choices_{word}.txt")));
        let file = format!("endings_{word}.txt");
        feats.extend(
            Fame::ALL.map(|fame| Feat { name: ending_shown(theme, fame), file: file.clone() }),
        );
    }
    let fall = |name: &str| Feat { name: name.to_owned(), file: "falls.txt".to_owned() };
    feats.extend(DEATHS.into_iter().chain([WAKES]).map(fall));
    feats
}

/// Whoever may be met.
fn breeds() -> impl Iterator<Item = &'static Breed> {
    let met = Theme::ALL.into_iter().flat_map(|theme| {
        let lore = theme.lore();
        let companies = lore.companies.into_iter().flatten().copied().flatten().copied();
        companies.chain(lore.bosses.iter().map(|boss| boss.breed))
    });
    let events = Theme::ALL.into_iter().flat_map(|theme| theme.lore().events);
    let ways = common::EVENTS.iter().chain(events).flat_map(|event| event.ways);
    let gains = ways.flat_map(|way| way.good.gains.iter().chain(way.bad.gains));
    let fought = |gain: &Gain| if let Gain::Fight(breed) = gain { Some(*breed) } else { None };
    met.chain(gains.filter_map(fought))
}

fn choices(events: &'static [Event], file: &str) -> Vec<Feat> {
    let ways = events.iter().flat_map(|event| event.ways.iter().map(move |way| (event, way)));
    let ends = ways.flat_map(|(event, way)| {
        let ends = if way.from == 0 { vec![true] } else { vec![true, false] };
        ends.into_iter().map(move |good| (event, way, good))
    });
    let feat = |(event, way, good): (&Event, &Way, bool)| Feat {
        name: way_shown(event, way, good),
        file: file.to_owned(),
    };
    ends.map(feat).collect()
}

fn manner_shown(name: &str) -> String {
    format!("manner: {name}")
}

fn way_shown(event: &Event, way: &Way, good: bool) -> String {
    let name = event.name();
    let end = match (way.from, good) {
        (0, _) => "",
        (_, true) => ", the good end",
        (_, false) => ", the bad end",
    };
    format!("choice: {name}: {}{end}", way.word)
}

fn ending_shown(theme: Theme, fame: Fame) -> String {
    format!("ending: {}: {}", theme.word(), fame.title())
}

/// What a manner is called here, and what is told when it comes to bear.
fn sign(manner: Manner) -> (&'static str, &'static str) {
    match manner {
        Manner::Poisons => ("poisons", "The poison costs you"),
        Manner::Burns => ("burns", "The fire costs you"),
        Manner::Withers => ("withers", "Your flesh withers: healing is halved."),
        Manner::Rusts => ("rusts", "Your armor loses a point."),
        Manner::DrainsMana => ("drains mana", "of your mana."),
        Manner::Drinks => ("drinks", "HP of it."),
        Manner::Regenerates(_) => ("regenerates", " heals "),
        Manner::Steals(_) => ("steals", " snatches "),
        Manner::FleesAtHalf => ("flees at half", " turns tail and runs "),
        Manner::Splits => ("splits", " splits in two."),
        Manner::Calls(_) => ("calls", " calls, and "),
        Manner::Guards => ("guards", " fells the "),
        Manner::Shell(_) => ("shell", "'s shell breaks."),
        Manner::StrikesLeavers => ("strikes leavers", " strikes after you: "),
        Manner::Bursts => ("bursts", " bursts: "),
        Manner::Enrages(_) => ("enrages", " rages: +"),
        Manner::WindsUp(_) => ("winds up", " hits you"),
        Manner::Fades => ("fades", " turns solid again."),
        Manner::Rises => ("rises", " falls, and gets up again with "),
        Manner::Thorns => ("thorns", "Its thorns cost you "),
    }
}

/// The names of all that a turn shows.
pub(super) fn shown(before: &State, report: &Value, after: &State) -> Vec<String> {
    let told = report["message"].as_str().unwrap();
    let mut names = manners_shown(before, told, after);
    // To be healed of nothing is nothing to be shown.
    if report["hpRestored"] != 0 {
        names.extend(choice_shown(before, told, after));
    }
    let story = &after.story;
    // There must be some gold to be halved.
    if story.falls > before.story.falls && before.hero.gold > 1 {
        names.push(WAKES.to_owned());
    }
    match after.ending {
        Some(Ending::Fame(fame, ..)) => names.push(ending_shown(story.lore.theme, fame)),
        Some(Ending::Death(by)) => {
            let [monster, poison, fire] = DEATHS;
            let death = match by {
                "poison" => poison,
                "fire" => fire,
                _ => monster,
            };
            names.push(death.to_owned());
        }
        None => {}
    }
    names
}

fn manners_shown(before: &State, told: &str, after: &State) -> Vec<String> {
    let mut names = Vec::new();
    for monster in before.here().living() {
        let Some(manner) = monster.breed.manner else { continue };
        let (name, sentence) = sign(manner);
        let shows = match manner {
            // Whoever it stood before is easier to hit from now on.
            Manner::Guards => {
                told.contains(&format!("fells the {}", monster.breed.name)) && after.in_combat()
            }
            // It has wound up in the round before.
            Manner::WindsUp(_) => monster.spent,
            Manner::Drinks => !told.contains(" drinks 0 HP"),
            _ => true,
        };
        if shows && told.contains(sentence) {
            names.push(manner_shown(name));
        }
    }
    names
}

fn choice_shown(before: &State, told: &str, after: &State) -> Option<String> {
    let event = before.open_event()?;
    let taken = after.world.chambers[before.at].choice.as_ref()?.taken?;
    let way = &event.ways[taken];
    Some(way_shown(event, way, told.starts_with(way.good.told)))
}
