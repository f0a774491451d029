//! How another engine is told to play as strong as one of our levels: by its skill, by the rating
//! it offers, or by how far it may look.

use std::{ops::RangeInclusive, time::Duration};

use chess_engine::EngineLevel;

/// The most that any move takes; the highest level has nothing but this limit.
pub const THINK: Duration = Duration::from_millis(500);

/// Ratings of Stockfish's `Skill Level`, on the scale of our levels. Those from 0 up are its
/// authors' own; those below are of Fairy-Stockfish, which alone has them, as measured by
/// `make calibrate` or taken between two that were.
const SKILLS: [(i64, u16); 17] = [
    (-9, 260),
    (-8, 295),
    (-7, 327),
    (-6, 425),
    (-5, 522),
    (-4, 770),
    (-3, 1033),
    (-2, 1155),
    (-1, 1276),
    (0, 1320),
    (1, 1468),
    (2, 1608),
    (3, 1742),
    (4, 1923),
    (5, 2204),
    (6, 2363),
    (7, 2500),
];

/// Depth and nodes for engines that offer nothing: about the rating of each level if they are good
/// ones. Some know only one of the two.
const REACH: [(u32, u64); 9] =
    [(1, 10), (1, 20), (1, 50), (1, 100), (1, 150), (2, 300), (3, 800), (4, 2_000), (6, 15_000)];

/// What an engine has announced.
#[derive(Default)]
pub struct Offers {
    skill: Option<RangeInclusive<i64>>,
    elo: Option<RangeInclusive<i64>>,
    /// Whether it plays Chess960.
    pub chess960: bool,
}

/// What to say for a level: options first, then `go`.
#[derive(Debug, PartialEq)]
pub struct Orders {
    pub options: Vec<(&'static str, String)>,
    pub go: String,
}

impl Offers {
    /// Reads an `option` line.
    pub fn learn(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |name: &str| {
            let at = words.iter().rposition(|word| *word == name)?;
            words.get(at + 1)?.parse::<i64>().ok()
        };
        let range = || Some(number("min")?..=number("max")?).filter(|range| !range.is_empty());
        match words[..] {
            ["option", "name", "Skill", "Level", "type", "spin", ..] => self.skill = range(),
            ["option", "name", "UCI_Elo", "type", "spin", ..] => self.elo = range(),
            ["option", "name", "UCI_Chess960", "type", "check", ..] => self.chess960 = true,
            _ => {}
        }
    }

    pub fn orders(&self, level: EngineLevel) -> Orders {
        let time = THINK.as_millis();
        let rating = i64::from(level.rating());
        let reach = REACH.get(usize::from(level.get()) - 1);
        let skill = |skill: i64| vec![("Skill Level", skill.to_string())];
        let limit = |limited: bool| ("UCI_LimitStrength", limited.to_string());
        let (options, go) = match (reach, &self.skill, &self.elo) {
            (None, offered, elo) => {
                let most = offered.iter().flat_map(|offered| skill(*offered.end()));
                (most.chain(elo.iter().map(|_| limit(false))).collect(), String::new())
            }
            (Some(_), Some(offered), _) => {
                let nearest = nearest_skill(rating, offered);
                // More than it looks at before it picks its move; the rest would be for nothing.
                (skill(nearest), format!(" depth {}", (nearest + 2).max(5)))
            }
            (Some(reach), None, Some(elo)) => {
                let asked = rating.clamp(*elo.start(), *elo.end());
                let options = vec![limit(true), ("UCI_Elo", asked.to_string())];
                (options, if asked > rating { looking(*reach) } else { String::new() })
            }
            (Some(reach), None, None) => (Vec::new(), looking(*reach)),
        };
        Orders { options, go: format!("go{go} movetime {time}") }
    }
}

fn looking((depth, nodes): (u32, u64)) -> String {
    format!(" depth {depth} nodes {nodes}")
}

fn nearest_skill(rating: i64, offered: &RangeInclusive<i64>) -> i64 {
    let known = SKILLS.iter().filter(|(skill, _)| offered.contains(skill));
    let nearest = known.min_by_key(|(_, strength)| rating.abs_diff(i64::from(*strength)));
    nearest.map_or(*offered.start(), |(skill, _)| *skill)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offers(lines: &[&str]) -> Offers {
        let mut offers = Offers::default();
        lines.iter().for_each(|line| offers.learn(line));
        offers
    }

    /// What each of the levels but the last is told.
    fn orders(offers: &Offers) -> Vec<String> {
        EngineLevel::ALL[..9]
            .iter()
            .map(|level| {
                let Orders { options, go } = offers.orders(*level);
                let options = options.iter().map(|(name, value)| format!("{name} {value}, "));
                options.chain([go]).collect()
            })
            .collect()
    }

    const STOCKFISH: &str = "option name Skill Level type spin default 20 min 0 max 20";
    const FAIRY: &str = "option name Skill Level type spin default 20 min -20 max 20";
    const ELO: &str = "option name UCI_Elo type spin default 1350 min 1350 max 2850";

    #[test]
    fn a_skill_is_the_nearest_to_the_level() {
        let skills = |offers| {
            let said: Vec<String> = orders(&offers);
            let skill = |text: &String| text.split([' ', ',']).nth(2).map(str::to_owned);
            said.iter().filter_map(skill).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(skills(offers(&[STOCKFISH, ELO])), "0 0 0 0 0 0 2 4 5");
        let fairy = skills(offers(&[FAIRY]));
        assert!(fairy.starts_with("-7 -5 -4 "), "{fairy}");
        assert!(fairy.ends_with(" 2 4 5"), "{fairy}");
    }

    #[test]
    fn without_a_skill_the_rating_is_asked_for_and_below_it_less_is_looked_at() {
        let said = orders(&offers(&[ELO]));
        assert_eq!(
            said[0],
            "UCI_LimitStrength true, UCI_Elo 1350, go depth 1 nodes 10 movetime 500"
        );
        let rating = EngineLevel::ALL[8].rating();
        assert_eq!(said[8], format!("UCI_LimitStrength true, UCI_Elo {rating}, go movetime 500"));
    }

    #[test]
    fn an_engine_that_offers_nothing_may_look_less_far() {
        let said = orders(&offers(&["option name Hash type spin default 16 min 4 max 1024"]));
        assert_eq!(said[0], "go depth 1 nodes 10 movetime 500");
        assert_eq!(said[8], "go depth 6 nodes 15000 movetime 500");
    }

    #[test]
    fn the_highest_level_is_not_held_back() {
        let highest = |offers: Offers| offers.orders(EngineLevel::ALL[9]);
        assert_eq!(highest(Offers::default()).go, "go movetime 500");
        let orders = highest(offers(&[FAIRY, ELO]));
        let options =
            vec![("Skill Level", "20".to_owned()), ("UCI_LimitStrength", "false".to_owned())];
        assert_eq!(orders, Orders { options, go: "go movetime 500".to_owned() });
    }

    #[test]
    fn a_range_that_makes_no_sense_is_no_offer() {
        let odd = "option name Skill Level type spin default 1 min 9 max 3";
        let said = orders(&offers(&[odd, "option name Skill Level", "option"]));
        assert_eq!(said[0], "go depth 1 nodes 10 movetime 500");
        let strange = "option name Skill Level type spin default 1 min 100 max 300";
        assert_eq!(orders(&offers(&[strange]))[0], "Skill Level 100, go depth 102 movetime 500");
    }
}
