// Made from the server's own types by `make docs`; not to be edited.

import type { PlayerKind } from './plain';

export type Action = 'resign' | 'offerDraw' | 'acceptDraw' | 'declineDraw' | 'claimDraw' | 'takeback' | 'declineTakeback';

export type ChessBoard = { 
/**
 * Opens the seat that the board plays for.
 */
pass: string, you: Color, 
/**
 * Everything about the game, where the model is told less.
 */
facts?: ChessFacts, 
/**
 * The game's address in the browser.
 */
page?: string, };

export type ChessFacts = { game_id: string, 
/**
 * Your secret: send it as game_id.
 */
pass?: string, 
/**
 * Which one it is.
 */
game: string, status: Status, 
/**
 * Why the call was refused.
 */
error?: string, 
/**
 * white or black
 */
you?: Color, 
/**
 * Who plays, in words.
 */
white?: string, black?: string, 
/**
 * A player chose the seed, so the game is rated nowhere.
 */
practice?: boolean, 
/**
 * The number of the turn to be played next.
 */
turn: number, 
/**
 * What the other did since your own last turn.
 */
since?: Array<TurnFacts>, to_move?: Color, fen: string, last_move?: MoveFacts, 
/**
 * The agent played the last move for the person, who told it.
 */
relayed?: boolean, 
/**
 * It can be taken back without asking.
 */
can_take_back?: boolean, 
/**
 * In SAN.
 */
history?: Array<string>, check?: boolean, legal_moves?: Array<MoveFacts>, 
/**
 * Half-moves since the last capture or pawn move.
 */
halfmove_clock?: number, 
/**
 * How often this position has stood on the board.
 */
repetitions?: number, draw_offered_by?: Color, takeback_asked_by?: Color, 
/**
 * Why the last offer came to nothing, until whoever made it has heard it and plays on.
 */
draw_declined?: string, 
/**
 * The same of a takeback.
 */
takeback_declined?: string, 
/**
 * What was said of the last move, where that is heard at once.
 */
comment?: string, 
/**
 * By which rule a draw can be claimed.
 */
claimable_draw?: string, 
/**
 * How the game ended.
 */
result?: string, 
/**
 * white, black or none
 */
winner?: Color | 'none', 
/**
 * White's and Black's, once it is over.
 */
points?: Array<number>, 
/**
 * The SHA-256 of the seed, where the start was drawn.
 */
seed_hash?: string, 
/**
 * What the start was drawn by, once the game is over.
 */
seed?: string, 
/**
 * The SHA-256 of the number the computer's choices come from, where it plays.
 */
luck_hash?: string, 
/**
 * That number, once the game is over.
 */
luck?: string, 
/**
 * on, offered or declined
 */
hints?: Hints, next_action: string, };

export type Color = 'white' | 'black';

export type CommentFacts = { turn: number, by: Color, comment: string, };

export type Evals = { from: number, 
/**
 * How many positions there are in all.
 */
of: number, evals: Array<Judged>, };

export type Evaluation = { 
/**
 * White's lead.
 */
pawns?: number, 
/**
 * Moves until mate by force; negative if Black mates.
 */
mate_in?: number, best_line: Array<MoveFacts>, };

export type Hint = { 
/**
 * The turn it is for.
 */
turn: number, 
/**
 * White's lead.
 */
pawns?: number, 
/**
 * Moves until mate by force; negative if Black mates.
 */
mate_in?: number, best_line: Array<MoveFacts>, };

export type Hints = 'off' | 'offered' | 'declined' | 'on';

export type Judged = { 
/**
 * What White may hope for, from -1 to 1.
 */
chance: number, 
/**
 * What is to be said of the move that led here.
 */
mark: 'inaccuracy' | 'mistake' | 'blunder' | null, 
/**
 * White's lead.
 */
pawns?: number, 
/**
 * Moves until mate by force; negative if Black mates.
 */
mate_in?: number, best_line: Array<MoveFacts>, };

export type MoveFacts = { uci: string, san: string, };

export type OpeningFacts = { eco: string, name: string, };

export type PlayedMove = { uci: string, san: string, 
/**
 * After the move.
 */
fen: string, 
/**
 * Left out of moves that the game began with.
 */
at?: number, 
/**
 * Typed in the chat by the person, and played by the agent.
 */
relayed?: boolean, 
/**
 * What the player says of it.
 */
comment?: string, };

export type SeenFacts = { evaluation?: Evaluation, pgn?: string, 
/**
 * What the game is called so far.
 */
opening?: OpeningFacts, 
/**
 * What players say of their moves.
 */
comments?: Array<CommentFacts>, 
/**
 * How often a side's moves were refused, or found in a text that was none.
 */
tries?: Array<Tried>, game_id: string, 
/**
 * Your secret: send it as game_id.
 */
pass?: string, 
/**
 * Which one it is.
 */
game: string, status: Status, 
/**
 * Why the call was refused.
 */
error?: string, 
/**
 * white or black
 */
you?: Color, 
/**
 * Who plays, in words.
 */
white?: string, black?: string, 
/**
 * A player chose the seed, so the game is rated nowhere.
 */
practice?: boolean, 
/**
 * The number of the turn to be played next.
 */
turn: number, 
/**
 * What the other did since your own last turn.
 */
since?: Array<TurnFacts>, to_move?: Color, fen: string, last_move?: MoveFacts, 
/**
 * The agent played the last move for the person, who told it.
 */
relayed?: boolean, 
/**
 * It can be taken back without asking.
 */
can_take_back?: boolean, 
/**
 * In SAN.
 */
history?: Array<string>, check?: boolean, legal_moves?: Array<MoveFacts>, 
/**
 * Half-moves since the last capture or pawn move.
 */
halfmove_clock?: number, 
/**
 * How often this position has stood on the board.
 */
repetitions?: number, draw_offered_by?: Color, takeback_asked_by?: Color, 
/**
 * Why the last offer came to nothing, until whoever made it has heard it and plays on.
 */
draw_declined?: string, 
/**
 * The same of a takeback.
 */
takeback_declined?: string, 
/**
 * What was said of the last move, where that is heard at once.
 */
comment?: string, 
/**
 * By which rule a draw can be claimed.
 */
claimable_draw?: string, 
/**
 * How the game ended.
 */
result?: string, 
/**
 * white, black or none
 */
winner?: Color | 'none', 
/**
 * White's and Black's, once it is over.
 */
points?: Array<number>, 
/**
 * The SHA-256 of the seed, where the start was drawn.
 */
seed_hash?: string, 
/**
 * What the start was drawn by, once the game is over.
 */
seed?: string, 
/**
 * The SHA-256 of the number the computer's choices come from, where it plays.
 */
luck_hash?: string, 
/**
 * That number, once the game is over.
 */
luck?: string, 
/**
 * on, offered or declined
 */
hints?: Hints, next_action: string, };

export type Status = "your_turn" | "waiting" | "asked" | "timeout" | "over" | "watching";

export type Summary = { game_id: string, kind: 'chess', white: string, black: string, 
/**
 * Nothing while the seat is free.
 */
white_kind: PlayerKind | null, black_kind: PlayerKind | null, 
/**
 * Of the computer; see docs/levels.md.
 */
white_rating: number | null, black_rating: number | null, 
/**
 * on, off, offered or declined
 */
hints: Hints, 
/**
 * A player chose the seed, so the game is rated nowhere.
 */
practice?: boolean, 
/**
 * Whether somebody may still join.
 */
free_seat: boolean, status: 'live' | 'over', 
/**
 * Nobody has touched it for a day; it wakes with the next move.
 */
asleep: boolean, result: string | null, winner: Color | 'none' | null, to_move: Color, moves: number, fen: string, last_move: string | null, created_at: number, moved_at: number | null, 
/**
 * When somebody last moved or sat down; lists go by it.
 */
last_at: number, };

export type Tried = { by: Color, refused: number, loose: number, };

export type TurnFacts = { turn: number, by: string, move: string, };

export type Whole = { you: Color | null, 
/**
 * The league that it is a match of.
 */
league?: string, 
/**
 * The number of the turn to be played next.
 */
turn: number, check: boolean, 
/**
 * When each took their seat; a person with a link does so by opening it.
 */
white_since: number | null, black_since: number | null, 
/**
 * What the game is called so far.
 */
opening?: OpeningFacts, start_fen: string, history: Array<PlayedMove>, legal_moves: Array<MoveFacts>, draw_offered_by: Color | null, 
/**
 * Why the last offer came to nothing, until whoever made it has heard it and plays on.
 */
draw_declined?: string, takeback_asked_by: Color | null, claimable_draw: string | null, 
/**
 * The last move was relayed for you and can be taken back without asking.
 */
can_take_back: boolean, pgn: string, tries?: Array<Tried>, game_id: string, kind: 'chess', white: string, black: string, 
/**
 * Nothing while the seat is free.
 */
white_kind: PlayerKind | null, black_kind: PlayerKind | null, 
/**
 * Of the computer; see docs/levels.md.
 */
white_rating: number | null, black_rating: number | null, 
/**
 * on, off, offered or declined
 */
hints: Hints, 
/**
 * A player chose the seed, so the game is rated nowhere.
 */
practice?: boolean, 
/**
 * Whether somebody may still join.
 */
free_seat: boolean, status: 'live' | 'over', 
/**
 * Nobody has touched it for a day; it wakes with the next move.
 */
asleep: boolean, result: string | null, winner: Color | 'none' | null, to_move: Color, moves: number, fen: string, last_move: string | null, created_at: number, moved_at: number | null, 
/**
 * When somebody last moved or sat down; lists go by it.
 */
last_at: number, };
