//! What is done in peace: walking, taking, drinking, dressing, resting, looking, casting.

use super::{
    report::{Cast, Deed, Equip, Go, ItemShown, Report, Rest, Revealed, Take, Use},
    state::State,
    tables::{self, Lock, Spell, What},
    world::{Direction, FeatureId, ItemId},
};

/// What a map is worth that shows nothing new.
const OLD_MAP: u32 = 15;

/// What a draught did.
pub(super) struct Drunk {
    pub hp: Option<i32>,
    pub mana: Option<i32>,
    pub effect: Option<&'static str>,
    pub message: String,
    pub left: u32,
}

impl State {
    pub(super) fn go(&mut self, direction: Direction, turn: u32) -> Report {
        let from = self.here().id;
        let exit = self.here().exit(direction).expect("it was checked");
        let key = exit.lock.map(|lock| self.hero.key(lock).expect("it was checked").ware.name);
        if let Some(lock) = exit.lock {
            self.world.join(self.at, direction, exit.to, None);
            let text = match lock {
                Lock::Boss => "Opened the door to the boss.",
                Lock::Vault => "Opened the vault.",
            };
            self.note(turn, text);
        }
        self.enter(exit.to);
        let opening = key.map(|key| format!("The {key} turns in the lock. ")).unwrap_or_default();
        let new = if self.here().visits > 1 {
            "back into a chamber you know"
        } else {
            "into a new chamber"
        };
        Report {
            message: format!("{opening}You move {} {new}.", direction.word()),
            deed: Deed::Go(Go {
                previous_room_id: from,
                new_room_id: self.here().id,
                unlocked: key,
            }),
        }
    }

    pub(super) fn take(&mut self, id: ItemId, turn: u32) -> Report {
        let items = &mut self.here_mut().items;
        let place = items.iter().position(|item| item.id == id).expect("it was checked");
        let item = items.remove(place);
        let (name, what) = (item.ware.name, item.ware.what);
        let mut take = Take {
            item: ItemShown::of(&item),
            gold_gained: 0,
            inventory_count: 0,
            equipped: None,
            revealed: None,
        };
        let message = match what {
            What::Riches => {
                take.gold_gained = item.value;
                self.hero.gold += item.value;
                format!("You pick up the {name}, worth {} gold.", item.value)
            }
            What::Key(_) | What::Relic => {
                self.hero.keys.push(item);
                self.note(turn, format!("Found the {name}."));
                match what {
                    What::Relic => format!("You wrap the {name} up and keep it safe."),
                    _ => format!("You put the {name} on your key ring."),
                }
            }
            What::Chart => {
                take.revealed = self.uncover(turn);
                match take.revealed {
                    Some(found) => {
                        format!("The {name} shows a hidden exit: {}.", self.whither(found))
                    }
                    None if !self.knows_the_key() => {
                        let hint = self.learn_of_the_key();
                        format!("The {name} shows where the boss key is: {hint}.")
                    }
                    None => {
                        take.gold_gained = OLD_MAP;
                        self.hero.gold += OLD_MAP;
                        format!(
                            "You know all that the {name} shows; its seal is worth {OLD_MAP} gold."
                        )
                    }
                }
            }
            _ => {
                let stacked = self.hero.bag.iter().find(|other| {
                    other.ware == item.ware && what.item_type() == tables::ItemType::Potion
                });
                let is_stacked = stacked.is_some();
                let better = self.hero.pack(item);
                take.equipped = better.then_some(true);
                match is_stacked {
                    _ if better => format!("You pick up the {name} and put it to use at once."),
                    true => format!("You pick up the {name} and put it with the others."),
                    false => format!("You pick up the {name}."),
                }
            }
        };
        take.inventory_count = self.hero.bag.len();
        Report { message, deed: Deed::Take(take) }
    }

    pub(super) fn drink(&mut self, id: ItemId) -> Report {
        let item = ItemShown::of(self.hero.carried(id).expect("it was checked"));
        let drunk = self.swallow(id);
        Report {
            message: drunk.message,
            deed: Deed::Use(Use {
                item,
                player_hp_remaining: self.hero.hp,
                hp_restored: drunk.hp,
                mana_restored: drunk.mana,
                effect: drunk.effect,
                quantity_left: drunk.left,
            }),
        }
    }

    /// Drinks a potion, in peace or not.
    pub(super) fn swallow(&mut self, id: ItemId) -> Drunk {
        let ware = self.hero.carried(id).expect("it was checked").ware;
        let mut drunk =
            Drunk { hp: None, mana: None, effect: None, message: String::new(), left: 0 };
        let name = ware.name;
        drunk.message = match ware.what {
            What::Heal(hp) => {
                let restored = self.hero.heal(hp);
                drunk.hp = Some(restored);
                let cured = self.hero.cure();
                format!("You drink the {name}: {restored} HP restored{cured}.")
            }
            What::Mana(mana) => {
                let restored = self.hero.restore_mana(mana);
                drunk.mana = Some(restored);
                format!("You drink the {name}: {restored} mana restored.")
            }
            What::Strength => {
                self.hero.strength = tables::BOOST_ROUNDS;
                drunk.effect = Some(ware.description);
                format!("You drink the {name}, and your arm feels light.")
            }
            What::Stone => {
                self.hero.stone = tables::BOOST_ROUNDS;
                drunk.effect = Some(ware.description);
                format!("You drink the {name}, and your skin hardens.")
            }
            _ => unreachable!("it was checked"),
        };
        drunk.left = self.hero.spend(id);
        drunk
    }

    pub(super) fn equip(&mut self, id: ItemId) -> Report {
        self.hero.wear(id);
        let item = ItemShown::of(self.hero.carried(id).expect("it was checked"));
        Report {
            message: format!("You change to the {}.", item.name),
            deed: Deed::Equip(Equip {
                item,
                equipped_weapon: self.hero.weapon_shown(),
                equipped_armour: self.hero.armour_shown(),
            }),
        }
    }

    pub(super) fn rest(&mut self) -> Report {
        let hero = &mut self.hero;
        hero.rests -= 1;
        hero.wither = 0;
        let hp_restored = hero.heal(hero.max_hp() / 2);
        let cured = hero.cure();
        let mana_restored = hero.restore_mana(hero.max_mana());
        let left = match hero.rests {
            0 => "You dare not rest again".to_owned(),
            1 => "You can rest once more".to_owned(),
            n => format!("You can rest {n} times more"),
        };
        Report {
            message: format!(
                "You rest: {hp_restored} HP and {mana_restored} mana restored{cured}. {left}."
            ),
            deed: Deed::Rest(Rest {
                hp_restored,
                mana_restored,
                player_hp_remaining: hero.hp,
                rests_left: hero.rests,
            }),
        }
    }

    pub(super) fn search(&mut self, id: FeatureId, turn: u32) -> Report {
        let mut features = self.here().features.iter();
        let feature = *features.find(|feature| feature.id == id).expect("it was checked");
        self.look_behind(feature, turn)
    }

    pub(super) fn cast_in_peace(&mut self, spell: Spell, turn: u32) -> Report {
        self.hero.mana -= spell.mana();
        let mut cast = Cast { spell, mana_left: self.hero.mana, hp_restored: None, revealed: None };
        let message = match spell {
            Spell::Mend => {
                let restored = self.hero.heal(tables::MEND);
                cast.hp_restored = Some(restored);
                let cured = self.hero.cure();
                format!("Your wounds close: {restored} HP restored{cured}.")
            }
            Spell::Reveal => {
                let here = self.world.secret.from == self.at;
                let found = if here { self.uncover(turn) } else { None };
                cast.revealed = Some(found.into_iter().collect());
                match found {
                    Some(found) => format!("A hidden exit shows itself: {}.", self.whither(found)),
                    None => "The light finds every crack, but no hidden exit here.".to_owned(),
                }
            }
            Spell::Firebolt | Spell::Ward => unreachable!("it was checked"),
        };
        Report { message, deed: Deed::Cast(cast) }
    }

    /// Reveals the secret exit, if it is not known yet.
    pub(super) fn uncover(&mut self, turn: u32) -> Option<Revealed> {
        if self.world.secret.revealed {
            return None;
        }
        let secret = self.world.reveal();
        self.note(turn, "Learned of a secret chamber.");
        Some(Revealed::of(&self.world, secret))
    }

    /// Where a hidden exit is, in words.
    pub(super) fn whither(&self, found: Revealed) -> String {
        let direction = found.direction.word();
        format!("{direction} from {}", self.called(self.world.secret.from))
    }
}
