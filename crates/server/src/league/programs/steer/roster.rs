//! A class: a list of names becomes a list of codes and links, one for each.

use std::{collections::BTreeMap, io::Read, path::Path};

use anyhow::{Context, Result, ensure};
use reqwest::Url;
use rules::league::{Event, Phase, PlayerId, View};
use serde::Serialize;

use super::printing::csv;
use crate::{
    hall::Game,
    league::play::{leagues::Leagues, registration::series_of},
};

/// A class is smaller.
const MOST_STUDENTS: usize = 1000;
const LONGEST_TAG: usize = 40;

/// A name of the roster, and what its bearer joins with.
#[derive(Serialize)]
pub struct Student {
    name: String,
    code: String,
    link: String,
    /// Once the student has joined.
    player: Option<PlayerId>,
}

pub fn as_csv(students: &[Student]) -> String {
    let line = |Student { name, code, link, player }: &Student| {
        let player = player.map_or(String::new(), |id| id.to_string());
        format!("{},{code},{link},{player}\n", csv(name))
    };
    "name,code,link,player\n".to_owned() + &students.iter().map(line).collect::<String>()
}

/// The roster with a code and a link for each name, and who has joined. The same roster gives the same
/// codes. A player who joins with a code gets the name on the roster.
pub async fn codes(
    leagues: &Leagues,
    league: &Game,
    view: &View,
    roster: &Path,
    page: &str,
    token: Option<&str>,
) -> Result<Vec<Student>> {
    let names = names(&read(roster)?);
    ensure!(names.len() <= MOST_STUDENTS, "a roster has {MOST_STUDENTS} names at most");
    let mut tags = BTreeMap::new();
    for name in &names {
        let tag = tag(name);
        ensure!(!tag.is_empty(), "{name:?} has no letters to make a code of");
        let twice = tags.insert(tag, name).is_some();
        ensure!(!twice, "two students would have the code of {name:?}; number them");
    }
    let is_over = matches!(view.phase(), Phase::Finished | Phase::Stopped);
    let known: Vec<_> = view.students().collect();
    let new = |(tag, name): &(&String, &&String)| !known.contains(&(tag.as_str(), name.as_str()));
    for (tag, name) in tags.iter().filter(new).filter(|_| !is_over) {
        let (student, name) = (tag.clone(), (*name).clone());
        leagues.tell(league, &Event::Enlist { student, name }).await?;
    }
    let students = names.into_iter().map(|name| {
        let tag = tag(&name);
        let code = leagues.code_for(series_of(&view.setup().name), &tag);
        let link = link(page, &name, &code, token);
        let joined = |player: &rules::league::PlayerView| {
            player.student == Some(tag.as_str()) && !player.removed
        };
        let player = view.players().find(joined).map(|player| player.player_id);
        Student { name, code, link, player }
    });
    Ok(students.collect())
}

/// The page with all that a student's command needs. What follows the # is sent to nobody.
fn link(page: &str, name: &str, code: &str, token: Option<&str>) -> String {
    let all = [("name", Some(name)), ("token", token), ("invite", Some(code))];
    let given = all.into_iter().filter_map(|(key, value)| Some((key, value?)));
    let query = Url::parse_with_params("http://localhost", given).expect("it is a URL");
    format!("{page}#{}", query.query().unwrap_or_default())
}

fn read(roster: &Path) -> Result<String> {
    let mut text = String::new();
    if roster == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).context("stdin cannot be read")?;
    } else {
        text = std::fs::read_to_string(roster)
            .with_context(|| format!("{} cannot be read", roster.display()))?;
    }
    Ok(text)
}

/// The first column, without a heading.
fn names(text: &str) -> Vec<String> {
    let first = |line: &str| {
        let line = line.trim().trim_start_matches('\u{feff}');
        let cell = match line.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => line.split([',', ';', '\t']).next(),
        };
        cell.unwrap_or_default().trim().to_owned()
    };
    let is_heading = |cell: &str| ["name", "student", "students"].contains(&&*cell.to_lowercase());
    let cells = text.lines().map(first).filter(|cell| !cell.is_empty());
    cells.enumerate().filter(|(n, cell)| *n > 0 || !is_heading(cell)).map(|(_, c)| c).collect()
}

/// What stands for a name in its code.
fn tag(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
    let tag: String = name.to_lowercase().chars().map(plain).take(LONGEST_TAG).collect();
    tag.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_the_first_column() {
        let text = "Name,Group\nAnna Weiß,1\n\"Lee, Kim\",2\n\nBo;x\n";
        assert_eq!(names(text), ["Anna Weiß", "Lee, Kim", "Bo"]);
        assert_eq!(tag("Lee, Kim"), "lee-kim");
    }
}
