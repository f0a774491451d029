//! A class: a list of names becomes a list of codes and links, one for each.

use std::{collections::HashSet, io::Read, path::Path};

use anyhow::{Context, Result, ensure};
use rules::league::View;
use serde::Serialize;

use super::printing::csv;
use crate::league::play::{leagues::Leagues, registration::series_of};

/// A class is smaller.
const MOST_STUDENTS: usize = 1000;
const LONGEST_TAG: usize = 40;

/// A name of the roster, and what its bearer joins with.
#[derive(Serialize)]
pub struct Student {
    name: String,
    code: String,
    link: String,
}

pub fn as_csv(students: &[Student]) -> String {
    let line =
        |student: &Student| format!("{},{},{}\n", csv(&student.name), student.code, student.link);
    "name,code,link\n".to_owned() + &students.iter().map(line).collect::<String>()
}

/// The roster with a code and a link for each name. The same roster gives the same codes.
pub fn codes(leagues: &Leagues, view: &View, roster: &Path, page: &str) -> Result<Vec<Student>> {
    let names = names(&read(roster)?);
    ensure!(names.len() <= MOST_STUDENTS, "a roster has {MOST_STUDENTS} names at most");
    let mut students = Vec::new();
    let mut seen = HashSet::new();
    for name in names {
        let tag = tag(&name);
        ensure!(!tag.is_empty(), "{name:?} has no letters to make a code of");
        ensure!(
            seen.insert(tag.clone()),
            "two students would have the code of {name:?}; number them"
        );
        let code = leagues.code_for(series_of(&view.setup().name), &tag);
        let link = format!("{page}#invite={code}");
        students.push(Student { name, code, link });
    }
    Ok(students)
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
