//! People: what they say, what they offer, and what a deal with them does.
//!
//! They speak in facts taken from the state; the speech is the game master's.

use serde::Serialize;
use ts_rs::TS;

use super::{
    events::Way,
    moves::Deal,
    report::{Deed, Gains, ItemShown, Report, Talk},
    state::State,
    story::Mark,
    tables::{self, Lock, Ware, What},
    world::{FeatureId, Find, Item, ItemId, Npc, NpcId, Role, World},
};

/// Somebody here, for talk that changes nothing.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Person {
    pub id: NpcId,
    pub name: &'static str,
    pub facts: Vec<String>,
    /// What can be asked.
    pub topics: Vec<Topic>,
    pub offers: Vec<Offer>,
}

/// A thing here with ways to choose from, for a look that changes nothing.
#[derive(Clone, Debug, Serialize, TS)]
pub struct OpenThing {
    pub id: FeatureId,
    pub name: &'static str,
    pub told: &'static str,
    pub offers: Vec<Offer>,
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct Topic {
    pub id: Deal,
    pub about: &'static str,
}

#[derive(Clone, Debug, Serialize, TS)]
pub struct Offer {
    pub id: Deal,
    pub what: String,
    /// In gold; what the hero pays, or for a sale what he gets.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub price: Option<u32>,
    /// Whether it can be had right now.
    pub available: bool,
}

impl Person {
    pub(super) fn of(state: &State, npc: &Npc) -> Person {
        let deals: Vec<Deal> = state.deals(npc);
        let topics = deals
            .iter()
            .filter_map(|deal| match deal {
                Deal::Key => Some(Topic { id: Deal::Key, about: "where the boss key is" }),
                Deal::Secret => Some(Topic { id: Deal::Secret, about: "what is hidden here" }),
                _ => None,
            })
            .collect();
        let offers = deals.iter().filter_map(|deal| Offer::of(state, npc, *deal)).collect();
        let facts = state.facts(npc);
        Person { id: npc.id, name: npc.name, facts, topics, offers }
    }
}

impl Offer {
    fn of(state: &State, npc: &Npc, deal: Deal) -> Option<Offer> {
        let (what, price) = match deal {
            Deal::Buy(id) => {
                let item = npc.stock.iter().find(|item| item.id == id)?;
                let Item { ware, count, value, .. } = item;
                (format!("{}: {} ({count} left)", ware.name, ware.description), Some(*value))
            }
            Deal::Sell(id) => {
                let item = state.hero.carried(id)?;
                (format!("he buys your {}", item.ware.name), Some(half(item)))
            }
            Deal::Give => ("something useful for a Health Potion".to_owned(), None),
            Deal::Heal => ("heals all your wounds, once".to_owned(), Some(tables::HEALING_PRICE)),
            Deal::Choose { way, .. } => return Some(Offer::of_way(state, deal, way)),
            Deal::Key | Deal::Secret => return None,
        };
        let available = state.objection(npc, deal).is_none();
        Some(Offer { id: deal, what, price, available })
    }

    fn of_way(state: &State, id: Deal, way: usize) -> Offer {
        let way = &state.open_event().expect("it has this way").ways[way];
        let available = state.lacks(way).is_none();
        Offer { id, what: state.what_of(way), price: way.need.gold(), available }
    }
}

impl OpenThing {
    /// In a fight there is no time to look.
    pub(super) fn of(state: &State) -> Option<OpenThing> {
        let event = state.open_thing().filter(|_| !state.in_combat())?;
        let mut features = state.here().features.iter();
        let id = features.find(|feature| matches!(feature.finds, Find::Choice))?.id;
        let ways = event.ways.iter().enumerate();
        let offers = ways
            .map(|(way, Way { word, .. })| Offer::of_way(state, Deal::Choose { way, word }, way));
        Some(OpenThing { id, name: event.name(), told: event.told, offers: offers.collect() })
    }
}

impl State {
    /// Everything this person deals in at the moment, within the hero's means or not.
    pub(super) fn deals(&self, npc: &Npc) -> Vec<Deal> {
        match npc.role {
            Role::Merchant => {
                let buy = npc.stock.iter().map(|item| Deal::Buy(item.id));
                let spare = self.hero.bag.iter().filter(|item| !self.hero.wears(item.id));
                buy.chain(spare.map(|item| Deal::Sell(item.id))).collect()
            }
            Role::ShrineKeeper if !npc.done => vec![Deal::Heal],
            Role::Knight if !npc.done => vec![Deal::Give],
            Role::Hermit => {
                let key = (!self.knows_the_key()).then_some(Deal::Key);
                let secret = (!self.world.secret.revealed).then_some(Deal::Secret);
                key.into_iter().chain(secret).collect()
            }
            Role::Stranger => {
                let ways = self.open_event().into_iter().flat_map(|event| event.ways);
                ways.enumerate().map(|(way, Way { word, .. })| Deal::Choose { way, word }).collect()
            }
            Role::ShrineKeeper | Role::Knight => Vec::new(),
        }
    }

    /// Why a deal cannot be made, if it cannot.
    pub(super) fn objection(&self, npc: &Npc, deal: Deal) -> Option<String> {
        let hero = &self.hero;
        let short_of = |price: u32| {
            (hero.gold < price).then(|| format!("it costs {price} gold and you have {}", hero.gold))
        };
        if let Deal::Sell(id) = deal
            && hero.wears(id)
        {
            return Some("you wear it; change to something else first".to_owned());
        }
        if !self.deals(npc).contains(&deal) {
            return Some(format!("the {} has no such offer", npc.name));
        }
        match deal {
            Deal::Buy(id) => {
                let item = npc.stock.iter().find(|item| item.id == id)?;
                let full =
                    || (!hero.has_room_for(item.ware)).then(|| "your bag is full".to_owned());
                short_of(item.value).or_else(full)
            }
            Deal::Give if self.potion().is_none() => {
                Some("you have no Health Potion to give".to_owned())
            }
            // The potion may leave its place in the bag to the armour.
            Deal::Give if !is_key(self.reward()) => {
                let full = !hero.has_room_for(self.reward()) && self.potion()?.count > 1;
                full.then(|| "your bag is too full for what he offers".to_owned())
            }
            Deal::Heal if hero.hp == hero.max_hp() => Some("you are not wounded".to_owned()),
            Deal::Heal => short_of(tables::HEALING_PRICE),
            Deal::Choose { way, .. } => self.lacks(&self.open_event()?.ways[way]),
            Deal::Give | Deal::Sell(_) | Deal::Key | Deal::Secret => None,
        }
    }

    fn potion(&self) -> Option<&Item> {
        self.hero.bag.iter().find(|item| item.ware == &tables::HEALTH_POTION)
    }

    /// What the knight has for the hero.
    fn reward(&self) -> &'static Ware {
        let needs_key = self.world.vault_locked() && !self.hero.has_key(Lock::Vault);
        if needs_key { &tables::SPARE_KEY } else { &tables::STRENGTH_POTION }
    }

    fn facts(&self, npc: &Npc) -> Vec<String> {
        let facts: &[&str] = match (npc.role, npc.done) {
            (Role::Merchant, _) => {
                &["he sells draughts", "he buys what you carry and do not wear at half its value"]
            }
            (Role::ShrineKeeper, false) => &["she can heal you once, for 60 gold"],
            (Role::ShrineKeeper, true) => &["she has healed you and can do no more"],
            (Role::Hermit, _) if self.world.secret.revealed && npc.done => {
                &["he has told you all he knows"]
            }
            (Role::Hermit, _) if self.deals(npc).is_empty() => {
                &["he knows nothing that you do not know"]
            }
            (Role::Hermit, _) => &["he has walked every passage of this dungeon"],
            (Role::Knight, false) => &[
                "he is too badly hurt to walk",
                "he would give something useful for a Health Potion",
            ],
            (Role::Knight, true) => &["your potion has saved him; he has nothing more to give"],
            (Role::Stranger, true) => &["there is nothing more to be had here"],
            (Role::Stranger, false) => {
                let event = self.open_event().expect("who is not done has something to offer");
                return vec![event.told.trim_end_matches('.').to_owned()];
            }
        };
        facts.iter().map(|fact| (*fact).to_owned()).collect()
    }

    /// Makes a deal that was checked with whoever is here.
    pub(super) fn talk(&mut self, deal: Deal, turn: u32) -> Report {
        let npc = self.here().npc.as_ref().expect("it was checked").name;
        let mut talk = Gains::default();
        let message = match deal {
            Deal::Buy(id) => self.buy(id, &mut talk),
            Deal::Sell(id) => self.sell(id, &mut talk),
            Deal::Give => self.give(&mut talk, turn),
            Deal::Heal => {
                self.hero.gold -= tables::HEALING_PRICE;
                talk.gold_spent = Some(tables::HEALING_PRICE);
                let restored = self.hero.heal(self.hero.max_hp());
                talk.hp_restored = Some(restored);
                self.done();
                self.note(turn, "Was healed at the shrine.");
                let cured = self.hero.cure();
                format!("The {npc} lays her hands on you: {restored} HP restored{cured}.")
            }
            Deal::Key => {
                self.done();
                let hint = self.learn_of_the_key();
                talk.hint = Some(hint.clone());
                format!("The {npc} says where the boss key is: {hint}.")
            }
            Deal::Secret => {
                let revealed = self.uncover(turn).expect("it was checked");
                talk.revealed = Some(revealed);
                format!("The {npc} tells of a hidden exit: {}.", self.whither(revealed))
            }
            Deal::Choose { .. } => unreachable!("choices are made elsewhere"),
        };
        Report { message, deed: Deed::Talk(Talk { npc, gains: talk }) }
    }

    fn done(&mut self) {
        self.here_mut().npc.as_mut().expect("somebody is here").done = true;
    }

    fn buy(&mut self, id: ItemId, talk: &mut Gains) -> String {
        let stock = &mut self.here_mut().npc.as_mut().expect("it was checked").stock;
        let place = stock.iter().position(|item| item.id == id).expect("it was checked");
        stock[place].count -= 1;
        let item = stock[place].clone();
        stock.retain(|item| item.count > 0);
        self.hero.gold -= item.value;
        talk.gold_spent = Some(item.value);
        talk.item = Some(ItemShown { value: item.ware.value, ..ItemShown::of(&item) });
        let (name, price) = (item.ware.name, item.value);
        talk.equipped = self.hero.pack(item).then_some(true);
        format!("You buy the {name} for {price} gold.")
    }

    fn sell(&mut self, id: ItemId, talk: &mut Gains) -> String {
        let item = self.hero.carried(id).expect("it was checked");
        let (name, price) = (item.ware.name, half(item));
        talk.item = Some(ItemShown::of(item));
        talk.gold_gained = Some(price);
        self.hero.spend(id);
        self.hero.gold += price;
        format!("You sell the {name} for {price} gold.")
    }

    fn give(&mut self, talk: &mut Gains, turn: u32) -> String {
        let ware = self.reward();
        let potion = self.potion().expect("it was checked").id;
        self.hero.spend(potion);
        self.done();
        let item = Item { id: REWARD, ware, value: ware.value, count: 1 };
        talk.item = Some(ItemShown::of(&item));
        self.mark(Mark::Mercy);
        if is_key(ware) {
            self.hero.keys.push(item);
        } else {
            talk.equipped = self.hero.pack(item).then_some(true);
        }
        // Not everyone who is wounded is a knight.
        self.note(turn, "Saved a wounded man.");
        format!("He drinks, breathes again and gives you his {}.", ware.name)
    }

    /// Where the boss key is; it is on the map from now on.
    pub(super) fn learn_of_the_key(&mut self) -> String {
        let place = self.world.key_at;
        self.world.chambers[place].charted = true;
        self.world.key_told = true;
        self.key_hint()
    }

    /// Whether the hero has the boss key, was told of it or has seen where it lies.
    pub(super) fn knows_the_key(&self) -> bool {
        let World { key_at, key_told, ref chambers, .. } = self.world;
        self.hero.has_key(Lock::Boss) || key_told || chambers[key_at].visited()
    }

    fn key_hint(&self) -> String {
        let key = &self.world.chambers[self.world.key_at];
        let (here, there) = (self.here().at, key.at);
        let away = |steps: i32, back: &str, on: &str| match steps {
            0 => None,
            1 => Some(format!("1 room {on}")),
            -1 => Some(format!("1 room {back}")),
            n if n < 0 => Some(format!("{} rooms {back}", -n)),
            n => Some(format!("{n} rooms {on}")),
        };
        let ways: Vec<String> =
            [away(there.1 - here.1, "north", "south"), away(there.0 - here.0, "west", "east")]
                .into_iter()
                .flatten()
                .collect();
        let place = self.called(self.world.key_at);
        if ways.is_empty() {
            return format!("it was left here, in {place}");
        }
        format!("it was left in {place}, {} of here", ways.join(" and "))
    }
}

/// What the knight gives, whatever it is.
const REWARD: ItemId = ItemId(401);

fn is_key(ware: &Ware) -> bool {
    matches!(ware.what, What::Key(_))
}

/// What the merchant pays for one.
fn half(item: &Item) -> u32 {
    item.ware.value / 2
}
