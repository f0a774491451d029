//! Prompts that set a model up for a room, with what a person may fill in and how it is completed.

use rmcp::model::{Prompt, PromptArgument};

/// A text that a person can choose in their host.
pub struct OfferedPrompt {
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub takes: &'static [Blank],
    pub text: &'static str,
}

/// Something to fill in.
pub struct Blank {
    pub name: &'static str,
    pub about: &'static str,
    /// What is proposed; a name of a league is looked up.
    pub words: &'static [&'static str],
    /// How the text goes on when it is filled in, in place of `{}`.
    pub says: &'static str,
}

impl OfferedPrompt {
    pub fn prompt(&self) -> Prompt {
        let argument = |blank: &Blank| {
            let argument = PromptArgument::new(blank.name).with_description(blank.about);
            argument.with_required(false)
        };
        let arguments = self.takes.iter().map(argument).collect();
        let mut prompt = Prompt::new(self.name, Some(self.about), Some(arguments));
        prompt.title = Some(self.title.into());
        prompt
    }

    /// With what was filled in.
    pub fn text(&self, filled: impl Fn(&str) -> Option<String>) -> String {
        let mut text = self.text.to_owned();
        for blank in self.takes {
            if let Some(value) = filled(blank.name).filter(|value| !value.is_empty()) {
                text.push(' ');
                text.push_str(&blank.says.replace("{}", &value));
            }
        }
        text
    }

    /// What is proposed for an argument; none if it has no such argument.
    pub fn words(&self, argument: &str) -> Option<&'static [&'static str]> {
        self.takes.iter().find(|blank| blank.name == argument).map(|blank| blank.words)
    }
}

/// Stands where a league's name is wanted; they are looked up.
pub const LEAGUES: &[&str] = &["{leagues}"];

pub static PLAY_LEAGUE: OfferedPrompt = OfferedPrompt {
    name: "play_league",
    title: "Play a league",
    about: "Sets a model up to play a whole league.",
    takes: &[
        Blank {
            name: "league_id",
            about: "Which league",
            words: LEAGUES,
            says: "Join the league {}.",
        },
        Blank {
            name: "name",
            about: "The name on the table",
            words: &[],
            says: "Call yourself {}.",
        },
    ],
    text: "Join a league for me and play it to the end. Call register_player with a name of your \
           choice and without endpoint (and the league_id, if I gave you one); keep the \
           auth_token. Then call wait_for_decision with it again and again; a timeout only means \
           that you should call it again. When it says your_move, look at your role and at how the \
           match stands, decide, and hand your move in with submit_move. Stop when it says that \
           the league is over, and tell me the table.",
};
