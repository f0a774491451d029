//! What is new to somebody in a third run of one theme.

use std::collections::HashSet;

use rules::dungeon::{Difficulty, Theme, View};

use crate::{Policy, Sort, Tools, play};

/// What was met in a run. A room is its name and its sentence.
#[derive(Default)]
struct Met {
    rooms: HashSet<String>,
    manners: HashSet<String>,
    events: HashSet<&'static str>,
}

impl Met {
    fn look(&mut self, view: &View) {
        let room = &view.room;
        let mut sentences = room.description.splitn(3, ". ");
        let own: Vec<&str> = sentences.by_ref().take(2).collect();
        self.rooms.insert(own.join(". "));
        self.manners.extend(room.monsters.iter().filter_map(|monster| monster.manner.clone()));
        self.events.extend(room.features.iter().map(|feature| feature.name));
        self.events.extend(room.npcs.iter().filter(|npc| npc.id.0 > 4).map(|npc| npc.name));
    }

    fn in_run(theme: Theme, seed: u64) -> Met {
        let mut met = Met::default();
        // Gently, so that nearly all of it is seen.
        let difficulty = Some(Difficulty::Gentle);
        let sort = Sort { theme: Some(theme), difficulty };
        play(Policy::Careful(Tools::All), &sort, seed, 0, &mut |view| met.look(view));
        met
    }
}

pub fn table(first: u64, runs: u64) {
    println!("\n| New in a third run, of {} | rooms | manners | events |", runs / 3);
    println!("|---|---|---|---|");
    for theme in Theme::ALL {
        let (mut rooms, mut manners, mut events) = ((0, 0), (0, 0), (0, 0));
        for start in (first..first + runs).step_by(3) {
            let [one, two, three] = [0, 1, 2].map(|more| Met::in_run(theme, start + more));
            count(&mut rooms, &three.rooms, [&one.rooms, &two.rooms]);
            count(&mut manners, &three.manners, [&one.manners, &two.manners]);
            count(&mut events, &three.events, [&one.events, &two.events]);
        }
        let share =
            |(new, all): (usize, usize)| format!("{:.0} %", 100.0 * new as f64 / all as f64);
        println!(
            "| {} | {} | {} | {} |",
            theme.word(),
            share(rooms),
            share(manners),
            share(events)
        );
    }
}

/// Adds how many of these were not in the two before, and how many there are.
fn count<T: Eq + std::hash::Hash>(
    sum: &mut (usize, usize),
    now: &HashSet<T>,
    before: [&HashSet<T>; 2],
) {
    sum.0 += now.iter().filter(|one| before.iter().all(|met| !met.contains(*one))).count();
    sum.1 += now.len();
}
