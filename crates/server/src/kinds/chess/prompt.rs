//! The prompt that sets a model up for chess.

use crate::mcp::prompts::{Blank, OfferedPrompt};

pub static PLAY_CHESS: OfferedPrompt = OfferedPrompt {
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
