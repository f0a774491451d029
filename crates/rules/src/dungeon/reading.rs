//! What a text means: verbs, ids or names, and what is said when it means nothing here.

use std::fmt::Display;

use super::{
    DEFAULT_NAME, Dungeon,
    check::{When, refusal},
    events::Way,
    moves::{Deal, Move},
    state::State,
    tables::Spell,
    world::{Direction, Item, ItemId, MonsterId, Npc, Role},
};
use crate::{Illegal, wording::quoted};

const VERBS: [(&str, When); 14] = [
    ("go", When::Peace),
    ("attack", When::Combat),
    ("defend", When::Combat),
    ("flee", When::Combat),
    ("apply", When::Combat),
    ("take", When::Peace),
    ("use", When::Peace),
    ("equip", When::Peace),
    ("rest", When::Peace),
    ("search", When::Peace),
    ("save", When::Always),
    ("load", When::Peace),
    ("cast", When::Always),
    ("talk", When::Peace),
];

impl Dungeon {
    /// The move that a text means, if it may be made.
    pub(super) fn read(&self, text: &str) -> Result<Move, Illegal> {
        let state = &self.now;
        state.check_open()?;
        let (verb, rest) = cut(text);
        let known = VERBS.iter().find(|(name, _)| name.eq_ignore_ascii_case(verb));
        let Some(&(verb, when)) = known else {
            let verbs = VERBS.map(|(name, _)| name.to_owned()).to_vec();
            return Err(refusal(
                "InvalidArgument",
                format!("{} is not something to do", quoted(verb)),
                verbs,
            ));
        };
        state.check_when(when)?;
        let mv = match verb {
            "go" => Move::Go(state.read_direction(rest)?),
            "attack" => Move::Attack(state.read_target(rest)?),
            "apply" => Move::Apply(state.read_carried(verb, rest)?),
            "take" => Move::Take(state.read_lying(rest)?),
            "use" => Move::Use(state.read_carried(verb, rest)?),
            "equip" => Move::Equip(state.read_carried(verb, rest)?),
            "search" => state.read_feature(rest)?,
            "save" if rest.is_empty() => Move::Save(DEFAULT_NAME.to_owned()),
            "save" => Move::Save(rest.to_owned()),
            "load" => self.read_checkpoint(rest)?,
            "cast" => state.read_spell(rest)?,
            "talk" => state.read_talk(rest)?,
            alone if !rest.is_empty() => {
                let why = format!("{alone} stands alone; {} says nothing to it", quoted(rest));
                return Err(refusal("InvalidArgument", why, vec![alone.to_owned()]));
            }
            "defend" => Move::Defend,
            "flee" => Move::Flee,
            _ => Move::Rest,
        };
        self.check(&mv)?;
        Ok(mv)
    }

    fn read_checkpoint(&self, text: &str) -> Result<Move, Illegal> {
        let points = || self.checkpoints.iter();
        let found = points()
            .find(|point| point.id.to_string().eq_ignore_ascii_case(text))
            .or_else(|| points().find(|point| point.name.to_lowercase() == text.to_lowercase()));
        found.map(|point| Move::Load(point.id)).ok_or_else(|| {
            let options = points().map(|point| point.id.to_string()).collect();
            let why = match (text, points().next()) {
                (_, None) => "there is no checkpoint yet; saving makes one".to_owned(),
                ("", _) => "say which checkpoint".to_owned(),
                _ => format!("there is no checkpoint {}", quoted(text)),
            };
            refusal("InvalidAction", why, options)
        })
    }
}

impl State {
    fn read_direction(&self, text: &str) -> Result<Direction, Illegal> {
        let fits = |direction: &Direction| {
            let word = direction.word();
            text.eq_ignore_ascii_case(word) || text.eq_ignore_ascii_case(&word[..1])
        };
        Direction::ALL.into_iter().find(fits).ok_or_else(|| {
            let why = format!(
                "{} is not a direction; they are north, south, east and west",
                quoted(text)
            );
            refusal("InvalidArgument", why, self.ways())
        })
    }

    fn read_target(&self, text: &str) -> Result<MonsterId, Illegal> {
        if text.is_empty() {
            return Ok(self.foe().expect("there is combat").id);
        }
        let living = self.here().living().map(|monster| (monster.id, monster.breed.name));
        match find(text, living) {
            Found::One(id) => Ok(id),
            Found::None => Err(self.no_target(text)),
            Found::Many(ids) => Err(refusal(
                "InvalidTarget",
                format!("there are several {}; say which", quoted(text)),
                ids,
            )),
        }
    }

    fn read_lying(&self, text: &str) -> Result<ItemId, Illegal> {
        let items = &self.here().items;
        let found = match (text, &items[..]) {
            ("", [one]) => Found::One(one.id),
            ("", [_, ..]) => Found::Many(items.iter().map(|item| item.id.to_string()).collect()),
            _ => find(text, named(items)),
        };
        match found {
            Found::One(id) => Ok(id),
            Found::None => Err(self.not_lying(text)),
            Found::Many(ids) => {
                Err(refusal("MultipleItems", "there are several things here; say which", ids))
            }
        }
    }

    fn read_carried(&self, verb: &str, text: &str) -> Result<ItemId, Illegal> {
        if text.is_empty() {
            return Err(refusal("InvalidArgument", format!("say what to {verb}"), self.usable()));
        }
        match find(text, named(&self.hero.bag)) {
            Found::One(id) => Ok(id),
            Found::None => Err(self.not_carried(text)),
            Found::Many(ids) => Err(refusal(
                "MultipleItems",
                format!("you carry several {}; say which", quoted(text)),
                ids,
            )),
        }
    }

    fn read_feature(&self, text: &str) -> Result<Move, Illegal> {
        let features = || self.here().features.iter().map(|feature| (feature.id, feature.name));
        match find(text, features()) {
            Found::One(id) => Ok(Move::Search(id)),
            _ => {
                let options: Vec<_> = features().map(|(id, _)| id.to_string()).collect();
                let why = match options.is_empty() {
                    true => "there is nothing odd to search here".to_owned(),
                    false => format!("{} is not what is odd here", quoted(text)),
                };
                Err(refusal("InvalidAction", why, options))
            }
        }
    }

    fn read_spell(&self, text: &str) -> Result<Move, Illegal> {
        let (word, target) = cut(text);
        let named = |spell: &Spell| spell.name().eq_ignore_ascii_case(word);
        let Some(spell) = Spell::ALL.into_iter().find(named) else {
            let spells = Spell::ALL.map(|spell| spell.name().to_owned()).to_vec();
            let why = format!("you know no spell {}", quoted(word));
            return Err(refusal("InvalidAction", why, spells));
        };
        let target = match spell {
            Spell::Firebolt => {
                self.check_when(When::Combat)?;
                Some(self.read_target(target)?)
            }
            _ if target.is_empty() => None,
            _ => {
                let why = format!("{} is cast at nobody", spell.name());
                return Err(refusal("InvalidTarget", why, Vec::new()));
            }
        };
        Ok(Move::Cast(spell, target))
    }

    fn read_talk(&self, text: &str) -> Result<Move, Illegal> {
        let npc = self.here().person().ok_or_else(|| self.nobody())?;
        let whom = [npc.id.to_string(), npc.name.to_owned()];
        let deal = match whom.iter().find_map(|name| behind(text, name)) {
            Some(wish) => self.read_deal(npc, wish)?,
            // There is nobody else who could be meant.
            None => self.read_deal(npc, text).map_err(|_| {
                let why = format!("only the {} is here to talk to", npc.name);
                refusal("InvalidAction", why, vec![npc.id.to_string()])
            })?,
        };
        Ok(Move::Talk(npc.id, deal))
    }

    fn read_deal(&self, npc: &Npc, wish: &str) -> Result<Deal, Illegal> {
        let Npc { name, role, ref stock, .. } = *npc;
        let (word, rest) = cut(wish);
        let unclear = || {
            let why = match wish {
                "" => format!("say what you want of the {name}"),
                _ => format!("{} is nothing that the {name} can do for you", quoted(wish)),
            };
            refusal("InvalidAction", why, self.possible_deals())
        };
        let among = |items: &[Item]| match find(rest, named(items)) {
            Found::One(id) => Ok(id),
            _ => Err(unclear()),
        };
        let ways = self.open_event().into_iter().flat_map(|event| event.ways).enumerate();
        let mut chosen = ways.filter(|(_, way)| way.word.eq_ignore_ascii_case(word));
        match word.to_ascii_lowercase().as_str() {
            _ if rest.is_empty() && role == Role::Stranger => match chosen.next() {
                Some((way, Way { word, .. })) => Ok(Deal::Choose { way, word }),
                None => Err(unclear()),
            },
            "buy" => Ok(Deal::Buy(among(stock)?)),
            "sell" => Ok(Deal::Sell(among(&self.hero.bag)?)),
            "give" if rest.is_empty() => Ok(Deal::Give),
            "heal" if rest.is_empty() => Ok(Deal::Heal),
            "key" if rest.is_empty() => Ok(Deal::Key),
            "secret" if rest.is_empty() => Ok(Deal::Secret),
            _ => Err(unclear()),
        }
    }
}

enum Found<T> {
    One(T),
    None,
    Many(Vec<String>),
}

/// What goes by this id, or else by this name.
fn find<'a, T: Copy + Display>(text: &str, things: impl Iterator<Item = (T, &'a str)>) -> Found<T> {
    let things: Vec<_> = things.collect();
    if let Some((id, _)) = things.iter().find(|(id, _)| id.to_string().eq_ignore_ascii_case(text)) {
        return Found::One(*id);
    }
    let same: Vec<T> = things
        .into_iter()
        .filter(|(_, name)| name.eq_ignore_ascii_case(text))
        .map(|(id, _)| id)
        .collect();
    match same[..] {
        [] => Found::None,
        [one] => Found::One(one),
        _ => Found::Many(same.iter().map(T::to_string).collect()),
    }
}

fn named(items: &[Item]) -> impl Iterator<Item = (ItemId, &'static str)> + '_ {
    items.iter().map(|item| (item.id, item.ware.name))
}

/// The first word and the rest of the line.
fn cut(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((first, rest)) => (first, rest.trim_start()),
        None => (text, ""),
    }
}

/// What follows `name`, if the text begins with it.
fn behind<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (start, rest) = (text.get(..name.len())?, &text[name.len()..]);
    let whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (whole && start.eq_ignore_ascii_case(name)).then(|| rest.trim_start())
}
