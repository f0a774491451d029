//! docs/class.md, followed word by word by a teacher and three students.

use std::{fs, process::Stdio};

use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

use crate::house::{AGON, House};

const DOCUMENT: &str = include_str!("../../../../../docs/class.md");
/// Not the name or the address that a server answers to anyway.
const HERE: &str = "127.0.0.2:0";

/// The commands of the document, in order.
fn commands() -> Vec<&'static str> {
    let mut inside = false;
    let lines = DOCUMENT.lines().map(str::trim).filter(|line| {
        let is_fence = line.starts_with("```");
        inside = if is_fence { *line == "```sh" } else { inside };
        inside && !is_fence && !line.starts_with('#') && !line.is_empty()
    });
    lines.collect()
}

async fn prints(mut command: Command, line: &str) -> String {
    let output = command.output().await.expect("bash runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// A command from the table of what may go wrong, about a match or player that is there.
fn remedy(begins: &str) -> String {
    let mut quoted = DOCUMENT.split('`').filter(|text| text.starts_with(begins));
    let command = quoted.next().unwrap_or_else(|| panic!("{begins} is not in the document"));
    command.replace("R3M2", "R1M1").replace("P07", "P04")
}

struct Lesson {
    house: House,
    folder: TempDir,
}

impl Lesson {
    fn shell(&self, line: &str) -> Command {
        let line = line
            .replace("10.1.0.5:8000", &self.house.address)
            .replace("agon ", &format!("{AGON} --no-browser "));
        let mut command = Command::new("bash");
        command.args(["-c", &line]).current_dir(&self.folder).kill_on_drop(true);
        command.env_remove("AGON_STORE").env("HOME", self.folder.path());
        command
    }

    /// What a command of the teacher's prints, on the machine that has the store.
    async fn run(&self, line: &str) -> String {
        let mut command = self.shell(line);
        command.env("AGON_STORE", self.house.store());
        prints(command, line).await
    }

    /// What a command of a student's prints.
    async fn student(&self, line: &str) -> String {
        prints(self.shell(line), line).await
    }

    /// Starts a student's agent, and waits for the line with which it says that it is in.
    async fn join(&self, line: &str, says: &str) -> (Child, String) {
        let mut child = self.shell(&format!("exec {line} 2>&1"));
        let mut child = child.stdout(Stdio::piped()).spawn().expect("bash runs");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let mut all = String::new();
        while !all.contains(says) {
            let line = lines.next_line().await.expect("it speaks");
            all += &line.unwrap_or_else(|| panic!("{says:?} is not in: {all}"));
        }
        // What it prints is read, so that it never waits for us.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        (child, all)
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).expect(name)
    }
}

#[tokio::test]
async fn a_class_follows_the_document_word_by_word() {
    let mut lines = commands().into_iter();
    let mut next = |begins: &str| {
        let line = lines.next().unwrap_or_default();
        assert!(line.starts_with(begins), "{line} comes before {begins}");
        line
    };
    let serve = next("agon serve --listen 10.1.0.5:8000 ").replace("10.1.0.0/16", "127.0.0.0/8");
    let house = House::at(HERE, &serve.split(' ').skip(4).collect::<Vec<_>>()).await;
    let lesson = Lesson { house, folder: tempfile::tempdir().expect("a folder") };
    let roster = lesson.folder.path().join("roster.csv");
    fs::write(roster, "Name\nAnna\nBen\n\"Lee, Kim\"\n").expect("a roster");
    lesson.run(next("agon league create")).await;
    lesson.run(next("agon league codes")).await;
    let links = lesson.file("links.csv");
    assert!(links.contains("#name=Lee%2C+Kim&token=SECRET&invite=lee-kim-"), "{links}");
    let codes: Vec<_> = links.lines().skip(1).map(|row| row.rsplit(',').nth(2).unwrap()).collect();

    let starter = next("curl -O http://10.1.0.5:8000/player.py && python3 player.py --name Ben ");
    let (fetch, starter) = starter.split_once(" && ").unwrap();
    lesson.student(fetch).await;
    let own = next("agon player --name Ben ");
    let of = |line: &str, name: &str, code: &str| {
        let line = line.replace("ben-0123456789abcdef", code).replace(" --port 8101", "");
        line.replace(" --name Ben", name) + " --port 0"
    };
    // Whatever a student calls itself or does not, the roster has its name.
    let anna = lesson.join(&of(starter, "", codes[0]), "listening on ").await;
    let _ben = lesson.join(&of(starter, " --name Ben", codes[1]), "registered as P02").await;
    let _kim = lesson.join(&of(own, " --name Kim", codes[2]), "player Kim is P03").await;
    let (_, here) = anna.1.rsplit_once("listening on ").expect("it says where");
    // Other tests may want the ports where a league usually is.
    for (practice, more) in [("agon league check", " --port 0"), ("agon league run", "")] {
        let line = next(practice).replace("http://localhost:8101/mcp", here) + more;
        lesson.student(&line).await;
    }
    let joined = lesson.run(next("agon league codes")).await;
    for (row, id) in joined.lines().skip(1).zip(["P01", "P02", "P03"]) {
        assert!(row.ends_with(&format!(",{id}")), "{joined}");
    }
    for begins in ["agon league add", "agon league revoke P07", "agon league remove P07"] {
        lesson.run(&remedy(begins).replace("10.1.0.23:8101", "127.0.0.1:9")).await;
    }
    lesson.run(next("agon league start")).await;
    let table = lesson.run(next("agon league watch")).await;
    assert!(["Anna", "Ben", "Lee, Kim"].iter().all(|name| table.contains(name)), "{table}");
    assert!(lesson.run(&remedy("agon league log")).await.contains("MOVE_RESPONSE"));
    let night = next("0 3 * * * agon league repeat").trim_start_matches("0 3 * * * ");
    lesson.run(night).await;
    lesson.run("agon league watch class").await;
    lesson.run(next("agon league export")).await;
    let results = lesson.file("results.csv");
    assert!(results.contains("class.2") && results.contains(",P03,\"Lee, Kim\","), "{results}");
    for row in results.lines().skip(1) {
        assert!(row.contains(",done,") && row.ends_with(','), "nobody forfeits: {row}");
    }
    let standings = lesson.run(next("agon league standings")).await;
    assert!(standings.contains("\"display_name\":\"Anna\""), "{standings}");
}
