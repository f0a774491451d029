//! Finds the shortest game that shows each thing, and writes it down.

use std::collections::{HashMap, HashSet, VecDeque};

use super::*;
use crate::dungeon::{manners::Manner, state::State, tables::What, world::Place};

/// How many dungeons are played.
const SEEDS: u64 = 8000;
/// Whoever has not found the boss by then never will.
const PATIENCE: u32 = 220;
/// So many turns are told one by one, and all before them in a row.
const TOLD: usize = 6;

/// A game up to the turn that shows something.
struct Found {
    start: Start,
    moves: Vec<String>,
}

impl Found {
    /// Gentle dungeons are shorter; they count for more, or nearly all would be gentle.
    fn length(&self) -> usize {
        let moves = self.moves.len();
        if self.start.difficulty == Difficulty::Gentle { moves * 3 / 2 } else { moves }
    }
}

pub(super) fn write(feats: &[Feat]) {
    let mut found = HashMap::new();
    for seed in 0..SEEDS {
        let theme = Theme::ALL[(seed % 3) as usize];
        let difficulty = Difficulty::ALL[(seed / 3 % 3) as usize];
        look_in(Start { theme, difficulty, seed }, &mut found);
    }
    let mut files: HashMap<&str, Vec<String>> = HashMap::new();
    for feat in feats {
        let found = found.get(&feat.name).unwrap_or_else(|| panic!("never seen: {}", feat.name));
        files.entry(&feat.file).or_default().push(tell(feat, found));
    }
    for (name, games) in files {
        fs::write(folder().join(name), games.join("\n")).unwrap();
    }
}

/// Plays a game and keeps what is shown earlier than ever.
fn look_in(start: Start, found: &mut HashMap<String, Found>) {
    let mut dungeon = start.dungeon();
    let mut player = Player::new(start.seed);
    let mut moves: Vec<String> = Vec::new();
    for turn in 1..=PATIENCE {
        if dungeon.now.ending.is_some() {
            return;
        }
        let text = player.choose(&dungeon).to_string();
        let before = dungeon.now.clone();
        let report = play(&mut dungeon, &text, &mut Dice::new(start.seed, turn));
        moves.push(text);
        for name in shown(&before, &report, &dungeon.now) {
            let new = Found { start, moves: moves.clone() };
            if found.get(&name).is_none_or(|old| old.length() > new.length()) {
                found.insert(name, new);
            }
        }
    }
}

/// Somebody who sees through walls, takes everything and tries everything once in a while.
struct Player {
    whims: Dice,
    /// Goes to the boss as soon as there is a way.
    hasty: bool,
}

impl Player {
    fn new(seed: u64) -> Player {
        let mut whims = Dice::new(seed, u32::MAX);
        let hasty = whims.below(2) == 0;
        Player { whims, hasty }
    }

    fn choose(&mut self, dungeon: &Dungeon) -> Move {
        let mut legal = dungeon.moves();
        legal.retain(|mv| !matches!(mv, Move::Save(_) | Move::Load(_)));
        let state = &dungeon.now;
        let wish = if self.whims.below(15) == 0 {
            None
        } else if state.in_combat() {
            self.fight(state, &legal)
        } else {
            self.explore(state, &legal)
        };
        wish.or_else(|| self.one_of(&legal, |_| true)).expect("there is always something to do")
    }

    fn one_of(&mut self, legal: &[Move], like: impl Fn(&Move) -> bool) -> Option<Move> {
        let liked: Vec<&Move> = legal.iter().filter(|mv| like(mv)).collect();
        let bound = liked.len() as u32;
        if bound == 0 { None } else { Some(liked[self.whims.below(bound) as usize].clone()) }
    }

    fn fight(&mut self, state: &State, legal: &[Move]) -> Option<Move> {
        if 5 * state.hero.hp < 2 * state.hero.max_hp()
            && let Some(mv) = self.one_of(legal, |mv| heals(state, mv))
        {
            return Some(mv);
        }
        let braced = |manner| matches!(manner, Some(Manner::WindsUp(_) | Manner::Fades));
        if state.here().living().any(|foe| foe.spent && braced(foe.breed.manner)) {
            return Some(Move::Defend);
        }
        self.one_of(legal, |mv| matches!(mv, Move::Attack(_)))
    }

    fn explore(&mut self, state: &State, legal: &[Move]) -> Option<Move> {
        let hurt = 2 * state.hero.hp < state.hero.max_hp();
        let tries = |mv: &Move| {
            use Move::{Search, Talk, Touch};
            matches!(mv, Search(_) | Touch { .. } | Talk(_, Deal::Choose { .. } | Deal::Secret))
        };
        self.one_of(legal, |mv| matches!(mv, Move::Take(_)))
            .or_else(|| self.one_of(legal, tries))
            .or_else(|| self.one_of(legal, |mv| hurt && *mv == Move::Rest))
            .or_else(|| self.one_of(legal, |mv| hurt && heals(state, mv)))
            .or_else(|| way_to(state, |place| self.hasty || !is_boss(state, place)))
            .or_else(|| self.one_of(legal, |mv| *mv == Move::Rest))
            .or_else(|| way_to(state, |_| true))
    }
}

fn is_boss(state: &State, place: Place) -> bool {
    state.world.chambers[place].room_type == RoomType::Boss
}

fn heals(state: &State, mv: &Move) -> bool {
    match mv {
        Move::Use(item) | Move::Apply(item) => {
            let item = state.hero.carried(*item);
            item.is_some_and(|item| matches!(item.ware.what, What::Heal(_)))
        }
        Move::Cast(spell, _) => *spell == Spell::Mend,
        _ => false,
    }
}

/// The first step to the nearest chamber that is new, or where somebody is yet to be beaten.
fn way_to(state: &State, wanted: impl Fn(Place) -> bool) -> Option<Move> {
    let mut seen = HashSet::from([state.at]);
    let mut queue = VecDeque::from([(state.at, None)]);
    while let Some((from, first)) = queue.pop_front() {
        for (direction, exit) in state.world.chambers[from].exits() {
            let open = exit.lock.is_none_or(|lock| state.hero.has_key(lock));
            if !open || !wanted(exit.to) || !seen.insert(exit.to) {
                continue;
            }
            let first = first.unwrap_or(direction);
            let chamber = &state.world.chambers[exit.to];
            if !chamber.visited() || chamber.living().next().is_some() {
                return Some(Move::Go(first));
            }
            queue.push_back((exit.to, Some(first)));
        }
    }
    None
}

/// As the file has it.
fn tell(feat: &Feat, found: &Found) -> String {
    let mut record = found.start.record();
    let mut lines = vec![format!("# {}", feat.name), format!("start {}", found.start)];
    let (before, last) = found.moves.split_at(told_from(feat, found));
    for moves in before.chunks(6) {
        moves.iter().for_each(|text| accept(&mut record, text, &feat.name));
        lines.push(format!("play {}", moves.join("; ")));
    }
    lines.extend(facts(&record, &["hero", "foes"]));
    let choice = feat.file.starts_with("choices");
    for (text, left) in last.iter().zip((0..last.len()).rev()) {
        if left == 0 {
            lines.extend(facts(&record, &["manners", "ways"]));
        }
        if left == 0 && choice {
            lines.extend(facts(&record, &["room"]));
        }
        accept(&mut record, text, &feat.name);
        lines.push(format!("play {text}"));
        lines.extend(facts(&record, &["told", "dice", "hero", "foes"]));
    }
    if choice {
        lines.extend(facts(&record, &["got", "room", "score"]));
    }
    if record.due().outcome().is_some() {
        lines.extend(facts(&record, &["over", "score"]));
    }
    lines.join("\n") + "\n"
}

/// Those of the facts that there is something to say of.
fn facts(record: &Record, names: &[&str]) -> Vec<String> {
    let seen = names.iter().map(|name| (name, see(record, name)));
    let seen = seen.filter(|(_, seen)| seen != "none");
    seen.map(|(name, seen)| format!("= {name}: {seen}")).collect()
}

/// From which move on every turn is told: where the last chamber was entered if there is a fight to
/// be told, else the last.
fn told_from(feat: &Feat, found: &Found) -> usize {
    let last = found.moves.len() - 1;
    if feat.file.starts_with("endings") || feat.file.starts_with("choices") {
        return last;
    }
    let mut dungeon = found.start.dungeon();
    let mut from = 0;
    for (index, text) in found.moves[..last].iter().enumerate() {
        let at = dungeon.now.at;
        play(&mut dungeon, text, &mut Dice::new(found.start.seed, index as u32 + 1));
        if dungeon.now.at != at {
            from = index;
        }
    }
    from.max(last.saturating_sub(TOLD))
}
