//! What a text means: verbs, ids or names, and what is said when it means nothing here.

use std::fmt::Display;

use super::{
    DEFAULT_NAME, Dungeon,
    check::{Obstacle, When, refusal},
    events::Way,
    moves::{Deal, Move, Wish},
    state::State,
    tables::Spell,
    world::{Direction, Feature, Find, Item, ItemId, MonsterId, Npc, Role},
};
use crate::{Illegal, wording::quoted};

const VERBS: [&str; 14] = [
    "go", "attack", "defend", "flee", "apply", "take", "use", "equip", "rest", "search", "save",
    "load", "cast", "talk",
];

impl Wish {
    fn read(text: &str) -> Result<Wish, Illegal> {
        let (verb, rest) = cut(text);
        let known = VERBS.into_iter().find(|name| name.eq_ignore_ascii_case(verb));
        let Some(verb) = known else {
            let why = format!("{} is not something to do", quoted(verb));
            return Err(refusal(Obstacle::InvalidArgument, why, VERBS.map(str::to_owned).to_vec()));
        };
        let thing = || Some(rest).filter(|rest| !rest.is_empty()).map(str::to_owned);
        Ok(match verb {
            "go" => Wish::Go(Direction::read(rest)?),
            "attack" => Wish::Attack(thing()),
            "apply" => Wish::Apply(thing()),
            "take" => Wish::Take(thing()),
            "use" => Wish::Use(thing()),
            "equip" => Wish::Equip(thing()),
            "search" => Wish::Search(rest.to_owned(), None),
            "save" => Wish::Save(thing()),
            "load" => Wish::Load(rest.to_owned()),
            "cast" => Wish::Cast(rest.to_owned(), None),
            "talk" => Wish::Talk { whom: None, choice: rest.to_owned() },
            alone if !rest.is_empty() => {
                let why = format!("{alone} stands alone; {} says nothing to it", quoted(rest));
                return Err(refusal(Obstacle::InvalidArgument, why, vec![alone.to_owned()]));
            }
            "defend" => Wish::Defend,
            "flee" => Wish::Flee,
            _ => Wish::Rest,
        })
    }

    /// When any move that this can mean can be made.
    fn when(&self) -> When {
        match self {
            Wish::Attack(_) | Wish::Defend | Wish::Flee | Wish::Apply(_) => When::Combat,
            Wish::Save(_) | Wish::Cast(..) => When::Always,
            _ => When::Peace,
        }
    }
}

impl Direction {
    /// In any case, and its first letter will do.
    pub fn named(text: &str) -> Option<Direction> {
        let fits = |direction: &Direction| {
            let word = direction.word();
            text.eq_ignore_ascii_case(word) || text.eq_ignore_ascii_case(&word[..1])
        };
        Direction::ALL.into_iter().find(fits)
    }

    fn read(text: &str) -> Result<Direction, Illegal> {
        Direction::named(text).ok_or_else(|| {
            let ways = Direction::ALL.map(|direction| direction.name().to_owned());
            let why = format!(
                "{} is not a direction; they are north, south, east and west",
                quoted(text)
            );
            refusal(Obstacle::InvalidArgument, why, ways.to_vec())
        })
    }
}

impl Dungeon {
    /// The move that a text means, if it may be made.
    pub(super) fn read(&self, text: &str) -> Result<Move, Illegal> {
        self.now.check_open()?;
        self.find(&Wish::read(text)?)
    }

    /// The move that grants a wish, if it may be made.
    pub fn find(&self, wish: &Wish) -> Result<Move, Illegal> {
        let state = &self.now;
        state.check_open()?;
        state.check_when(wish.when())?;
        let mv = match wish {
            Wish::Go(direction) => Move::Go(*direction),
            Wish::Attack(target) => Move::Attack(state.read_target(said(target))?),
            Wish::Defend => Move::Defend,
            Wish::Flee => Move::Flee,
            Wish::Apply(item) => Move::Apply(state.read_carried("apply", said(item))?),
            Wish::Take(item) => Move::Take(state.read_lying(said(item))?),
            Wish::Use(item) => Move::Use(state.read_carried("use", said(item))?),
            Wish::Equip(item) => Move::Equip(state.read_carried("equip", said(item))?),
            Wish::Rest => Move::Rest,
            Wish::Search(feature, choice) => state.read_feature(feature, choice.as_deref())?,
            Wish::Save(name) => Move::Save(name.clone().unwrap_or_else(|| DEFAULT_NAME.to_owned())),
            Wish::Load(checkpoint) => self.read_checkpoint(checkpoint)?,
            Wish::Cast(spell, target) => state.read_spell(spell, target.as_deref())?,
            Wish::Talk { whom, choice } => state.read_talk(whom.as_deref(), choice)?,
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
            refusal(Obstacle::InvalidAction, why, options)
        })
    }
}

impl State {
    fn read_target(&self, text: &str) -> Result<MonsterId, Illegal> {
        if text.is_empty() {
            return Ok(self.foe().expect("there is combat").id);
        }
        let living = self.here().living().map(|monster| (monster.id, monster.breed.name));
        match find(text, living) {
            Found::One(id) => Ok(id),
            Found::None => Err(self.no_target(text)),
            Found::Many(ids) => Err(refusal(
                Obstacle::InvalidTarget,
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
            Found::Many(ids) => Err(refusal(
                Obstacle::MultipleItems,
                "there are several things here; say which",
                ids,
            )),
        }
    }

    fn read_carried(&self, verb: &str, text: &str) -> Result<ItemId, Illegal> {
        if text.is_empty() {
            return Err(refusal(
                Obstacle::InvalidArgument,
                format!("say what to {verb}"),
                self.usable(),
            ));
        }
        match find(text, named(&self.hero.bag)) {
            Found::One(id) => Ok(id),
            Found::None => Err(self.not_carried(text)),
            Found::Many(ids) => Err(refusal(
                Obstacle::MultipleItems,
                format!("you carry several {}; say which", quoted(text)),
                ids,
            )),
        }
    }

    /// What is searched: a feature by its id or name, then perhaps a choice. A choice alone is enough
    /// too, as only one thing in a room has any.
    fn read_feature(&self, text: &str, choice: Option<&str>) -> Result<Move, Illegal> {
        let features = &self.here().features;
        let named = features.iter().find_map(|feature| {
            let names = [feature.id.to_string(), feature.name.to_owned()];
            let rest = names.iter().find_map(|name| behind(text, name))?;
            Some((feature, rest))
        });
        let part = || {
            let thing = features.iter().find(|feature| matches!(feature.finds, Find::Choice))?;
            self.read_way(text).map(|_| (thing, ""))
        };
        match named.or_else(part) {
            Some((&Feature { id: feature, finds: Find::Choice, .. }, rest)) => {
                let choice = choice.unwrap_or(rest);
                let (way, word) = self.read_way(choice).ok_or_else(|| self.no_such_way(choice))?;
                Ok(Move::Touch { feature, way, word })
            }
            Some((feature, "")) if choice.is_none() => Ok(Move::Search(feature.id)),
            Some((feature, "")) => {
                let why =
                    format!("the {} has nothing to choose; leave the choice out", feature.name);
                Err(refusal(Obstacle::InvalidArgument, why, vec![feature.id.to_string()]))
            }
            _ => {
                let options: Vec<_> =
                    features.iter().map(|feature| feature.id.to_string()).collect();
                let why = if options.is_empty() {
                    "there is nothing odd to search here".to_owned()
                } else {
                    format!("{} is not what is odd here", quoted(text))
                };
                Err(refusal(Obstacle::InvalidAction, why, options))
            }
        }
    }

    /// The way of the open choice that goes by this word, or by what is told of it.
    fn read_way(&self, text: &str) -> Option<(usize, &'static str)> {
        let mut ways = self.open_event()?.ways.iter().enumerate();
        let (way, Way { word, .. }) = ways.find(|(_, way)| {
            let what = self.what_of(way);
            let answer = what.rsplit_once(": ").map_or(&*what, |(_, answer)| answer);
            [way.word, &what, answer]
                .iter()
                .any(|known| bare(known).eq_ignore_ascii_case(bare(text)))
        })?;
        Some((way, word))
    }

    fn read_spell(&self, text: &str, target: Option<&str>) -> Result<Move, Illegal> {
        let spelled = |spell: Spell| Some((spell, spelled(text, spell.name())?));
        let Some((spell, behind)) = Spell::ALL.into_iter().find_map(spelled) else {
            let spells = Spell::ALL.map(|spell| spell.name().to_owned()).to_vec();
            let why = format!("you know no spell {}", quoted(text));
            return Err(refusal(Obstacle::InvalidAction, why, spells));
        };
        let target = target.unwrap_or(behind);
        let target = match spell {
            Spell::Firebolt => {
                self.check_when(When::Combat)?;
                Some(self.read_target(target)?)
            }
            _ if target.is_empty() => None,
            _ => {
                let why = format!("{} is cast at nobody", spell.name());
                return Err(refusal(Obstacle::InvalidTarget, why, Vec::new()));
            }
        };
        Ok(Move::Cast(spell, target))
    }

    fn read_talk(&self, whom: Option<&str>, choice: &str) -> Result<Move, Illegal> {
        let npc = self.here().person().ok_or_else(|| self.nobody())?;
        let names = [npc.id.to_string(), npc.name.to_owned()];
        let nobody_else = || {
            let why = format!("only the {} is here to talk to", npc.name);
            refusal(Obstacle::InvalidAction, why, vec![npc.id.to_string()])
        };
        let deal = match whom {
            Some(whom) if names.iter().any(|name| name.eq_ignore_ascii_case(whom)) => {
                self.read_deal(npc, choice)?
            }
            Some(_) => return Err(nobody_else()),
            None => match names.iter().find_map(|name| behind(choice, name)) {
                Some(wish) => self.read_deal(npc, wish)?,
                // There is nobody else who could be meant.
                None => self.read_deal(npc, choice).map_err(|_| nobody_else())?,
            },
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
            refusal(Obstacle::InvalidAction, why, self.possible_deals())
        };
        let among = |items: &[Item]| match find(rest, named(items)) {
            Found::One(id) => Ok(id),
            _ => Err(unclear()),
        };
        match word.to_ascii_lowercase().as_str() {
            _ if role == Role::Stranger => {
                let (way, word) = self.read_way(wish).ok_or_else(unclear)?;
                Ok(Deal::Choose { way, word })
            }
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

/// What was named; nothing, where nothing was.
fn said(thing: &Option<String>) -> &str {
    thing.as_deref().unwrap_or_default()
}

/// The first word and the rest of the line.
fn cut(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((first, rest)) => (first, rest.trim_start()),
        None => (text, ""),
    }
}

/// The text without a leading article and without closing punctuation.
fn bare(text: &str) -> &str {
    let text = text.trim().trim_end_matches(['.', '!', '?']);
    let (first, rest) = cut(text);
    let is_article = ["a", "an", "the"].iter().any(|word| first.eq_ignore_ascii_case(word));
    if is_article && !rest.is_empty() { rest } else { text }
}

/// What follows `name`, if the text begins with it in one word or in several.
fn spelled<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = text;
    for letter in name.chars() {
        rest = rest.trim_start_matches([' ', '-', '_']);
        let first = rest.chars().next().filter(|first| first.eq_ignore_ascii_case(&letter))?;
        rest = &rest[first.len_utf8()..];
    }
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

/// What follows `name`, if the text begins with it.
fn behind<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (start, rest) = (text.get(..name.len())?, &text[name.len()..]);
    let whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (whole && start.eq_ignore_ascii_case(name)).then(|| rest.trim_start())
}
