//! Prompts that set a model up for a room, with what a person may fill in and how it is completed.

use rmcp::model::{Prompt, PromptArgument};

use super::Room;

/// A text that a person can choose in their host.
pub struct Offered {
    pub name: &'static str,
    title: &'static str,
    about: &'static str,
    takes: &'static [Blank],
    text: &'static str,
}

/// Something to fill in.
struct Blank {
    name: &'static str,
    about: &'static str,
    /// What is proposed; a name of a league is looked up.
    words: &'static [&'static str],
    /// How the text goes on when it is filled in, in place of `{}`.
    says: &'static str,
}

impl Room {
    pub fn prompt(self) -> Option<&'static Offered> {
        match self {
            Room::Chess => Some(&PLAY_CHESS),
            Room::Dungeon => Some(&RUN_DUNGEON),
            Room::League => Some(&PLAY_LEAGUE),
            Room::Games | Room::Referee => None,
        }
    }
}

impl Offered {
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

const PLAY_CHESS: Offered = Offered {
    name: "play_chess",
    title: "Play chess",
    about: "Sets a model up to play a game of chess well and to the end.",
    takes: &[
        Blank {
            name: "opponent",
            about: "Whom to play: computer, human (me, at a board) or agent",
            words: &["computer", "human", "agent"],
            says: "Create the game with type=\"{}\".",
        },
        Blank {
            name: "color",
            about: "The model's colour",
            words: &["white", "black"],
            says: "Play with color=\"{}\".",
        },
        Blank {
            name: "level",
            about: "The computer's level, 1 to 10",
            words: &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
            says: "Set difficulty={}.",
        },
    ],
    text: "Play a game of chess against me or whom I name, with the chess tools, to the end, and \
           try to win. If we may have a game to go on with, look for it with listGames first. \
           Otherwise start with createGame, or joinGame if I give you a game id. Before each move \
           read the FEN and the legal moves in the last answer; look for checks, captures and \
           threats of both sides, then choose one move from the list and send it with finishTurn. \
           Never play from memory: the server's board is the truth. After your move call \
           waitForNextTurn until it is your turn again; a timeout only means that you should call \
           it again. If I tell you my own move, send it with by=\"human\". Tell me in one sentence \
           why you played what you played. Stop when an answer says that the game is over.",
};

const PLAY_LEAGUE: Offered = Offered {
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
           that you should call it again. When it says your_move, look at your role, the scores \
           and the earlier rounds, decide, and hand your move in with submit_move. Stop when it \
           says that the league is over, and tell me the table.",
};

const RUN_DUNGEON: Offered = Offered {
    name: "run_dungeon",
    title: "Run a dungeon",
    about: "Sets a model up as the game master of a dungeon.",
    takes: &[Blank {
        name: "seed",
        about: "A number or word; the same one makes the same dungeon again",
        words: &[],
        says: "Send seed=\"{}\" with the first call.",
    }],
    text: "Be the game master of a dungeon for me. The server holds the truth: rooms, monsters, \
           dice, wounds and gold. You describe it and give it voices, and never invent a room, an \
           exit, a creature, an item or a number that no answer contained.\n\n\
           First call listGames: if an adventure of mine is open, ask whether we go on with it, and \
           send its pass as conversationId. Otherwise make up one conversationId (a UUID is best). \
           Send the same one with every call; the game is kept under it. Begin with \
           get_current_room and get_player_stats. Then, each time: tell me in two \
           or three sentences what I see, name the exits and what stands out, and ask what I do. \
           Turn my words into exactly one tool call; availableActions lists what is possible. Look \
           at success before you tell the outcome; if it is false, tell me why and what I could do \
           instead. In a fight let me decide round by round, and tell the dice as they fell. When \
           you are unsure, look again instead of remembering. If an answer was lost, repeat the \
           call with the same requestId; it will not happen twice.\n\n\
           The goal is the boss behind the locked door; death is final. When gameStatus says \
           Victory or Dead, call get_player_stats once more and tell me my score and the chronicle \
           of the run.",
};
