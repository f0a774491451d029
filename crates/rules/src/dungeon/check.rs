//! What may be done: one check for every move, in the order in which refusals are given.

use super::{
    DEFAULT_NAME, Dungeon,
    events::{Event, Way},
    moves::{Deal, Move},
    state::{Ending, State},
    tables::{self, Spell, What},
    words::list,
    world::{Direction, Feature, FeatureId, Find, Item, ItemId},
};
use crate::{Illegal, wording::quoted};

pub(super) const NAME_LENGTH: usize = 40;

/// What can stand in a hero's way, by the protocol's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    NoExit,
    LockedDoor,
    InCombat,
    NoCombat,
    InvalidTarget,
    ItemNotFound,
    NoItems,
    MultipleItems,
    InventoryFull,
    PlayerDead,
    GameOver,
    InvalidArgument,
    InvalidAction,
}

pub(super) fn refusal(
    obstacle: Obstacle,
    reason: impl Into<String>,
    options: Vec<String>,
) -> Illegal {
    Illegal::broken(obstacle, reason, options)
}

/// When a move can be made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Combat,
    Peace,
    Always,
}

impl Move {
    fn when(&self) -> When {
        match self {
            Move::Attack(_) | Move::Defend | Move::Flee | Move::Apply(_) => When::Combat,
            Move::Cast(Spell::Firebolt | Spell::Ward, _) => When::Combat,
            Move::Cast(Spell::Mend, _) | Move::Save(_) => When::Always,
            _ => When::Peace,
        }
    }
}

impl Dungeon {
    /// Moves that may be possible now, and all that are.
    pub(super) fn candidates(&self) -> Vec<Move> {
        let state = &self.now;
        let mut moves =
            if state.in_combat() { state.combat_candidates() } else { state.peace_candidates() };
        moves.push(Move::Cast(Spell::Mend, None));
        moves.push(Move::Save(DEFAULT_NAME.to_owned()));
        if !state.in_combat() {
            moves.extend(self.checkpoints.iter().map(|point| Move::Load(point.id)));
        }
        moves
    }

    pub(super) fn check(&self, mv: &Move) -> Result<(), Illegal> {
        self.now.check_open()?;
        self.now.check_when(mv.when())?;
        match mv {
            Move::Save(name) => check_name(name),
            Move::Load(id) if self.checkpoints.iter().any(|point| point.id == *id) => Ok(()),
            Move::Load(id) => Err(refusal(
                Obstacle::InvalidAction,
                format!("there is no checkpoint {id}"),
                self.checkpoints.iter().map(|point| point.id.to_string()).collect(),
            )),
            mv => self.now.check(mv),
        }
    }
}

/// A name must survive being written into the log and read again.
fn check_name(name: &str) -> Result<(), Illegal> {
    let length = name.chars().count();
    let fits = (1..=NAME_LENGTH).contains(&length)
        && name.trim() == name
        && !name.chars().any(char::is_control);
    if fits {
        Ok(())
    } else {
        Err(refusal(
            Obstacle::InvalidArgument,
            format!("a checkpoint's name has 1 to {NAME_LENGTH} printable characters"),
            vec![DEFAULT_NAME.to_owned()],
        ))
    }
}

impl State {
    fn combat_candidates(&self) -> Vec<Move> {
        let living = || self.here().living().map(|monster| monster.id);
        let mut moves: Vec<Move> = living().map(Move::Attack).collect();
        moves.extend([Move::Defend, Move::Flee]);
        moves.extend(self.hero.bag.iter().map(|item| Move::Apply(item.id)));
        moves.extend(living().map(|id| Move::Cast(Spell::Firebolt, Some(id))));
        moves.push(Move::Cast(Spell::Ward, None));
        moves
    }

    fn peace_candidates(&self) -> Vec<Move> {
        let here = self.here();
        let mut moves: Vec<Move> = here.exits().map(|(direction, _)| Move::Go(direction)).collect();
        moves.extend(here.items.iter().map(|item| Move::Take(item.id)));
        for item in &self.hero.bag {
            moves.push(match item.ware.what {
                What::Weapon(_) | What::Armour(_) => Move::Equip(item.id),
                _ => Move::Use(item.id),
            });
        }
        moves.push(Move::Rest);
        for &Feature { id: feature, finds, .. } in &here.features {
            if !matches!(finds, Find::Choice) {
                moves.push(Move::Search(feature));
                continue;
            }
            let ways = self.open_thing().into_iter().flat_map(|event| event.ways).enumerate();
            moves.extend(ways.map(|(way, Way { word, .. })| Move::Touch { feature, way, word }));
        }
        moves.push(Move::Cast(Spell::Reveal, None));
        if let Some(npc) = here.person() {
            moves.extend(self.deals(npc).into_iter().map(|deal| Move::Talk(npc.id, deal)));
        }
        moves
    }

    /// Nothing is done after the end.
    pub(super) fn check_open(&self) -> Result<(), Illegal> {
        match self.ending {
            None => Ok(()),
            Some(ending @ Ending::Death(_)) => {
                let why = format!("the adventurer is dead, the game is over ({})", ending.text());
                Err(refusal(Obstacle::PlayerDead, why, Vec::new()))
            }
            Some(ending) => {
                let why = format!("the game is won and over ({})", ending.text());
                Err(refusal(Obstacle::GameOver, why, Vec::new()))
            }
        }
    }

    pub(super) fn check_when(&self, when: When) -> Result<(), Illegal> {
        match (when, self.in_combat()) {
            (When::Combat, false) => {
                Err(refusal(Obstacle::NoCombat, "there is nothing to fight here", Vec::new()))
            }
            (When::Peace, true) => {
                let foes: Vec<String> = self
                    .here()
                    .living()
                    .map(|monster| format!("the {}", monster.breed.name))
                    .collect();
                let why = format!("not while you fight {}; win or flee first", list(&foes));
                let options = ["Attack", "Defend", "Flee", "UseItem"];
                Err(refusal(Obstacle::InCombat, why, options.map(str::to_owned).to_vec()))
            }
            _ => Ok(()),
        }
    }

    fn check(&self, mv: &Move) -> Result<(), Illegal> {
        match mv {
            Move::Go(direction) => self.check_go(*direction),
            Move::Attack(id) | Move::Cast(Spell::Firebolt, Some(id))
                if self.here().living().all(|monster| monster.id != *id) =>
            {
                Err(self.no_target(&id.to_string()))
            }
            Move::Attack(_) | Move::Defend | Move::Flee => Ok(()),
            Move::Take(id) => self.check_take(*id),
            Move::Apply(id) => self.check_apply(*id),
            Move::Use(id) => self.check_use(*id),
            Move::Equip(id) => self.check_equip(*id),
            Move::Rest => self.check_rest(),
            Move::Search(id) => self.check_search(*id),
            Move::Touch { feature, way, .. } => self.check_touch(*feature, *way),
            Move::Cast(spell, _) => self.check_cast(*spell),
            Move::Talk(_, deal) => self.check_talk(*deal),
            Move::Save(_) | Move::Load(_) => unreachable!("they are checked with the checkpoints"),
        }
    }

    fn check_go(&self, direction: Direction) -> Result<(), Illegal> {
        let word = direction.word();
        let Some(exit) = self.here().exit(direction) else {
            let why = format!("there is no exit to the {word}");
            return Err(refusal(Obstacle::NoExit, why, self.ways()));
        };
        match exit.lock {
            Some(lock) if !self.hero.has_key(lock) => {
                let key = lock.key().name;
                let why = format!("the door to the {word} is locked; the {key} would open it");
                Err(refusal(Obstacle::LockedDoor, why, self.ways()))
            }
            _ => Ok(()),
        }
    }

    /// Directions that can be taken now.
    pub(super) fn ways(&self) -> Vec<String> {
        self.here()
            .exits()
            .filter(|(_, exit)| exit.lock.is_none_or(|lock| self.hero.has_key(lock)))
            .map(|(direction, _)| direction.name().to_owned())
            .collect()
    }

    fn check_search(&self, id: FeatureId) -> Result<(), Illegal> {
        let here = self.here();
        let Some(feature) = here.features.iter().find(|feature| feature.id == id) else {
            return Err(refusal(Obstacle::InvalidAction, "there is nothing odd here", Vec::new()));
        };
        match feature.finds {
            Find::Choice => Err(self.no_such_way("")),
            _ => Ok(()),
        }
    }

    fn check_touch(&self, id: FeatureId, way: usize) -> Result<(), Illegal> {
        let is_here = self.here().features.iter().any(|feature| feature.id == id);
        let event = self.open_thing().filter(|_| is_here).ok_or_else(|| self.no_such_way(""))?;
        match self.lacks(&event.ways[way]) {
            None => Ok(()),
            Some(why) => Err(refusal(Obstacle::InvalidAction, why, self.possible_ways())),
        }
    }

    /// Refuses a choice that the thing here does not offer, or asks for one.
    pub(super) fn no_such_way(&self, text: &str) -> Illegal {
        let name = self.open_thing().map_or("nothing", Event::name);
        let why = match text {
            "" => format!("the {name} has several choices; say which one you take"),
            _ => format!("{} is not a choice at the {name}", quoted(text)),
        };
        refusal(Obstacle::InvalidAction, why, self.possible_ways())
    }

    fn possible_ways(&self) -> Vec<String> {
        let ways = self.open_thing().into_iter().flat_map(|event| event.ways);
        ways.filter(|way| self.lacks(way).is_none()).map(|way| way.word.to_owned()).collect()
    }

    pub(super) fn no_target(&self, text: &str) -> Illegal {
        let living = self.here().living().map(|monster| monster.id.to_string()).collect();
        refusal(
            Obstacle::InvalidTarget,
            format!("no living monster here is {}", quoted(text)),
            living,
        )
    }

    fn check_take(&self, id: ItemId) -> Result<(), Illegal> {
        let here = self.here();
        let Some(item) = here.items.iter().find(|item| item.id == id) else {
            return Err(self.not_lying(&id.to_string()));
        };
        let carried =
            !matches!(item.ware.what, What::Riches | What::Key(_) | What::Chart | What::Relic);
        if carried && !self.hero.has_room_for(item.ware) {
            let why = format!("your bag is full: {0} of {0} places are taken", tables::BAG);
            return Err(refusal(Obstacle::InventoryFull, why, Vec::new()));
        }
        Ok(())
    }

    pub(super) fn not_lying(&self, text: &str) -> Illegal {
        let here = self.here();
        if here.items.is_empty() {
            return refusal(Obstacle::NoItems, "there is nothing to pick up here", Vec::new());
        }
        let options = here.items.iter().map(|item| item.id.to_string()).collect();
        refusal(Obstacle::ItemNotFound, format!("no {} lies here", quoted(text)), options)
    }

    pub(super) fn not_carried(&self, text: &str) -> Illegal {
        let is_meant =
            |item: &&Item| item.id.to_string() == text || item.ware.name.eq_ignore_ascii_case(text);
        if let Some(kept) = self.hero.keys.iter().find(is_meant) {
            let why =
                format!("the {} is kept for its time; nothing is done with it", kept.ware.name);
            return refusal(Obstacle::InvalidAction, why, self.usable());
        }
        let options = self.hero.bag.iter().map(|item| item.id.to_string()).collect();
        refusal(Obstacle::ItemNotFound, format!("you carry no {}", quoted(text)), options)
    }

    fn carried(&self, id: ItemId) -> Result<&Item, Illegal> {
        self.hero.carried(id).ok_or_else(|| self.not_carried(&id.to_string()))
    }

    fn check_apply(&self, id: ItemId) -> Result<(), Illegal> {
        match self.carried(id)?.ware.what {
            What::Weapon(_) | What::Armour(_) => self.check_equip(id),
            _ => self.check_use(id),
        }
    }

    fn check_use(&self, id: ItemId) -> Result<(), Illegal> {
        let hero = &self.hero;
        let item = self.carried(id)?;
        let why = match item.ware.what {
            What::Heal(_) if hero.hp == hero.max_hp() && hero.poison == 0 => {
                format!("you are not wounded: {0} of {0} HP", hero.hp)
            }
            What::Mana(_) if hero.mana == hero.max_mana() => {
                format!("your mana is full: {0} of {0}", hero.mana)
            }
            What::Strength if hero.strength == tables::BOOST_ROUNDS => {
                "you feel its full strength already".to_owned()
            }
            What::Stone if hero.stone == tables::BOOST_ROUNDS => {
                "your skin is hard as stone already".to_owned()
            }
            What::Weapon(_) | What::Armour(_) => {
                format!("the {} is not drunk; equip it", item.ware.name)
            }
            _ => return Ok(()),
        };
        Err(refusal(Obstacle::InvalidAction, why, self.usable()))
    }

    fn check_equip(&self, id: ItemId) -> Result<(), Illegal> {
        let item = self.carried(id)?;
        let why = match item.ware.what {
            _ if self.hero.wears(id) => format!("the {} is on you already", item.ware.name),
            What::Weapon(_) | What::Armour(_) => return Ok(()),
            _ => format!("the {} cannot be worn", item.ware.name),
        };
        let gear = self.hero.bag.iter().filter(|item| {
            matches!(item.ware.what, What::Weapon(_) | What::Armour(_)) && !self.hero.wears(item.id)
        });
        Err(refusal(Obstacle::InvalidAction, why, gear.map(|item| item.id.to_string()).collect()))
    }

    /// Items that would do something if they were used now: in combat gear counts, since it can be
    /// changed.
    pub(super) fn usable(&self) -> Vec<String> {
        let good = |item: &&Item| match item.ware.what {
            What::Weapon(_) | What::Armour(_) => self.in_combat() && !self.hero.wears(item.id),
            What::Heal(_) => self.hero.hp < self.hero.max_hp() || self.hero.poison > 0,
            What::Mana(_) => self.hero.mana < self.hero.max_mana(),
            What::Strength => self.hero.strength < tables::BOOST_ROUNDS,
            What::Stone => self.hero.stone < tables::BOOST_ROUNDS,
            What::Riches | What::Key(_) | What::Chart | What::Relic => false,
        };
        self.hero.bag.iter().filter(good).map(|item| item.id.to_string()).collect()
    }

    fn check_rest(&self) -> Result<(), Illegal> {
        let hero = &self.hero;
        let why = match () {
            () if hero.rests == 0 => "you have rested as often as you dare here",
            () if hero.hp == hero.max_hp() && hero.mana == hero.max_mana() && hero.poison == 0 => {
                "you are not tired"
            }
            () => return Ok(()),
        };
        Err(refusal(Obstacle::InvalidAction, why, Vec::new()))
    }

    fn check_cast(&self, spell: Spell) -> Result<(), Illegal> {
        let hero = &self.hero;
        let (name, needs) = (spell.name(), spell.mana());
        let why = match spell {
            _ if hero.mana < needs => {
                format!("{name} needs {needs} mana and you have {}", hero.mana)
            }
            Spell::Mend if hero.hp == hero.max_hp() && hero.poison == 0 => {
                format!("you are not wounded: {0} of {0} HP", hero.hp)
            }
            Spell::Ward if hero.ward == tables::BOOST_ROUNDS => "you are warded already".to_owned(),
            _ => return Ok(()),
        };
        let others = Spell::ALL.iter().filter(|spell| spell.mana() <= hero.mana);
        let options = others.map(|spell| spell.name().to_owned()).collect();
        Err(refusal(Obstacle::InvalidAction, why, options))
    }

    fn check_talk(&self, deal: Deal) -> Result<(), Illegal> {
        let Some(npc) = self.here().person() else { return Err(self.nobody()) };
        match self.objection(npc, deal) {
            None => Ok(()),
            Some(why) => Err(refusal(Obstacle::InvalidAction, why, self.possible_deals())),
        }
    }

    pub(super) fn nobody(&self) -> Illegal {
        refusal(Obstacle::InvalidAction, "there is nobody to talk to here", Vec::new())
    }

    pub(super) fn possible_deals(&self) -> Vec<String> {
        let Some(npc) = self.here().person() else { return Vec::new() };
        let deals = self.deals(npc).into_iter();
        deals
            .filter(|deal| self.objection(npc, *deal).is_none())
            .map(|deal| deal.to_string())
            .collect()
    }
}
