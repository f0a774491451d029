//! The dungeon: one hero, a maze made from a seed, and dice that fall in the open.
//!
//! The numbers are in `tables`. How a dungeon comes about is in `layout` and `furnish`, what a
//! text means in `reading`, what may be done in `check`, what it does in `combat`, `deeds` and
//! `talk`, and what is seen of it in `view` and `map`, in a list in `glimpse`.

mod check;
mod combat;
mod deeds;
mod difficulty;
mod endings;
mod events;
mod furnish;
mod glimpse;
mod layout;
mod manners;
mod map;
mod moves;
mod reading;
mod report;
mod state;
mod story;
mod tables;
mod talk;
mod themed;
mod themes;
mod view;
mod words;
mod world;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use check::Obstacle;
pub use difficulty::Difficulty;
pub use endings::ScorePart;
pub use glimpse::Glimpse;
pub use map::{Known, Map, MapRoom, Sign};
pub use moves::{CheckpointId, Deal, Move, Wish};
pub use report::{
    By, Cast, Deed, Dropped, Equip, Fight, Gains, Go, ItemShown, Loaded, Report, Rest, Revealed,
    Roll, Saved, Take, Talk, Touch, Use,
};
pub use state::{Entry, Status};
pub use tables::{ItemType, Spell};
pub use talk::{Offer, OpenThing, Person, Topic};
pub use themes::Theme;
pub use view::{
    Armour, Carried, ChamberShown, CheckpointShown, Effect, ExitShown, FeatureShown, Foe,
    Inspection, MonsterShown, NpcShown, SpellShown, Stats, View, Weapon,
};
pub use world::{Direction, FeatureId, ItemId, MonsterId, NpcId, RoomId, RoomType};

use crate::{Card, Dice, Due, Eye, Illegal, Outcome, Rules, Seat, Tag};
use state::State;
use story::Story;

pub const HERO: Seat = Seat(0);

const CHECKPOINTS: usize = 5;
const DEFAULT_NAME: &str = "checkpoint";

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Setup {
    /// The caller asked for this seed, and so may know what is to come.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seeded: bool,
    /// Drawn where nobody asked for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<Theme>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    /// What the hero is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hero: Option<String>,
}

/// The longest name of a hero, in characters.
pub const HERO_NAME_LENGTH: usize = 24;

#[derive(Clone)]
pub struct Dungeon {
    /// With what was drawn where nobody asked for anything.
    setup: Setup,
    now: State,
    /// Oldest first. Going back to one does not undo the others, nor itself.
    checkpoints: Vec<Checkpoint>,
    saves: u32,
    loads: u32,
}

#[derive(Clone)]
struct Checkpoint {
    id: CheckpointId,
    name: String,
    /// With the luck that was to come, so that going back is no way to better dice.
    state: Arc<State>,
}

impl Dungeon {
    /// Every possible move; saving stands for saving under any name.
    fn moves(&self) -> Vec<Move> {
        self.candidates().into_iter().filter(|mv| self.check(mv).is_ok()).collect()
    }

    fn save(&mut self, name: &str) -> Report {
        let same = |point: &Checkpoint| point.name.to_lowercase() == name.to_lowercase();
        let id = match self.checkpoints.iter().position(same) {
            Some(old) => self.checkpoints.remove(old).id,
            None => {
                self.saves += 1;
                CheckpointId(self.saves)
            }
        };
        if self.checkpoints.len() == CHECKPOINTS {
            self.checkpoints.remove(0);
        }
        let state = Arc::new(self.now.clone());
        self.checkpoints.push(Checkpoint { id, name: name.to_owned(), state });
        Report {
            message: format!("The game is saved as {name:?}."),
            deed: Deed::Save(Saved { checkpoint_id: id, name: name.to_owned() }),
        }
    }

    fn load(&mut self, id: CheckpointId, turn: u32) -> Report {
        let point = self.checkpoints.iter().find(|point| point.id == id).expect("it was checked");
        let name = point.name.clone();
        self.now = State::clone(&point.state);
        self.loads += 1;
        self.now.note(turn, format!("Went back to {name:?}."));
        let new_room_id = self.now.here().id;
        Report {
            message: format!(
                "You are back in {}, as it was at {name:?}.",
                self.now.called(self.now.at)
            ),
            deed: Deed::Load(Loaded { checkpoint_id: id, name, new_room_id }),
        }
    }
}

impl Rules for Dungeon {
    const KIND: &'static str = "dungeon";
    const SEATS: &'static [&'static str] = &["Adventurer"];
    const CARD: Option<Card> = Some(Card {
        title: "Dungeon",
        sentence: "One hero goes down to the boss of a dungeon whose dice nobody can touch.",
        rules: "Explore chambers, fight monsters in rounds, gather items, gold and experience, talk \
            to people, and defeat the boss behind the locked door. Death ends the adventure, unless \
            a checkpoint was saved.",
        moves: "by the dungeon's own tools; start with get_current_room",
        tags: &[Tag::Solo, Tag::Chance, Tag::Hidden],
        fewest: 1,
        ..Card::PLAIN
    });

    type Setup = Setup;
    type Move = Move;
    type Report = Report;
    type View = View;

    fn start(setup: &Setup, dice: &mut Dice) -> Result<Dungeon, Illegal> {
        let story = Story::of(setup, dice)?;
        let setup = Setup {
            seeded: setup.seeded,
            theme: Some(story.lore.theme),
            difficulty: Some(story.difficulty),
            hero: Some(story.hero.clone()),
        };
        let now = State::new(themed::world(&story, dice), story);
        Ok(Dungeon { setup, now, checkpoints: Vec::new(), saves: 0, loads: 0 })
    }

    fn due(&self) -> Due {
        match self.now.ending {
            None => Due::One(HERO),
            Some(ending) => {
                let points = if ending.is_victory() { 1 } else { -1 };
                Due::Over(Outcome::new(vec![points], ending.text()))
            }
        }
    }

    fn legal(&self, seat: Seat) -> Vec<Move> {
        if seat == HERO { self.moves() } else { Vec::new() }
    }

    fn parse(&self, seat: Seat, text: &str) -> Result<Move, Illegal> {
        if seat != HERO {
            return Err(Illegal::NotYourTurn);
        }
        self.read(text)
    }

    fn write(&self, mv: &Move) -> String {
        mv.to_string()
    }

    fn play(&mut self, moves: &[(Seat, Move)], dice: &mut Dice) -> Report {
        let [(_, mv)] = moves else { unreachable!("one hero makes one move") };
        match mv {
            Move::Save(name) => self.save(name),
            Move::Load(id) => self.load(*id, dice.turn()),
            mv => self.now.play(mv, dice),
        }
    }

    // Nobody plays it but the hero.
    fn guess(&self, _: Seat, _: &mut Dice) -> Option<Dungeon> {
        None
    }

    fn view(&self, _: Eye) -> View {
        View::of(self)
    }

    fn glimpse(&self) -> Option<String> {
        Some(serde_json::to_string(&Glimpse::of(self)).expect("a glimpse can be written"))
    }
}
