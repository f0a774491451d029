// What the server says, as it says it. Times are milliseconds since 1970.

import type { PlayerKind } from '../../parts/names';

export type Color = 'white' | 'black';
export type Role = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';
export interface Piece {
  color: Color;
  role: Role;
}

export interface Move {
  uci: string;
  san: string;
}

/** One game on the dashboard. */
export interface Summary {
  game_id: string;
  kind: 'chess';
  white: string;
  black: string;
  /** Who plays; nobody while the seat is free. */
  white_kind?: PlayerKind | null;
  black_kind?: PlayerKind | null;
  /** Of the computer, on the scale of docs/levels.md. */
  white_rating: number | null;
  black_rating: number | null;
  hints: Hints;
  free_seat: boolean;
  status: 'live' | 'over';
  /** Nobody has touched it for a day; it wakes with the next move. */
  asleep: boolean;
  result: string | null;
  winner: Color | 'none' | null;
  to_move: Color;
  moves: number;
  fen: string;
  last_move: string | null;
  created_at: number;
  moved_at: number | null;
  /** When somebody last moved or sat down; lists go by it. */
  last_at: number;
}

/** One game in full, for the game page. */
export interface Game extends Summary {
  you: Color | null;
  turn: number;
  check: boolean;
  /** When each took their seat; nobody has while it is free, or its link is unopened. */
  white_since: number | null;
  black_since: number | null;
  opening?: { eco: string; name: string };
  start_fen: string;
  history: PlayedMove[];
  legal_moves: Move[];
  draw_offered_by: Color | null;
  /** How the last offer was answered, while that is news. */
  draw_declined?: string;
  takeback_asked_by: Color | null;
  claimable_draw: string | null;
  /** Whether the agent may play a move that the person typed into the chat. */
  typed_moves?: boolean;
  /** The league that it is a match of. */
  league?: string;
  pgn: string;
  tries?: Tried[];
}

/** How often a side's moves were refused, or found in a text that was none. */
export interface Tried {
  by: Color;
  refused: number;
  loose: number;
}

/** Whether those who play may ask what the position is worth. */
export type Hints = 'off' | 'offered' | 'declined' | 'on';

/** What a position is worth, seen by White, and how it should go on. */
export interface Evaluation {
  pawns?: number;
  /** Moves until mate by force; negative if Black mates. */
  mate_in?: number;
  best_line: Move[];
}

/** How bad a move was. */
export type Mark = 'inaccuracy' | 'mistake' | 'blunder';

/** A position of a finished game, and what is to be said of the move that led there. */
export interface Judged extends Evaluation {
  /** What White may hope for, from -1 to 1. */
  chance: number;
  mark: Mark | null;
}

export interface PlayedMove extends Move {
  fen: string;
  at: number;
  /** Typed into the chat, and played for the person by the agent. */
  relayed?: boolean;
  /** What the player says of it; somebody's words. */
  comment?: string;
}

/** One game as the MCP tools tell it, for the board in the chat. */
export interface Facts {
  game_id: string;
  pass?: string;
  status: 'your_turn' | 'waiting' | 'asked' | 'timeout' | 'over' | 'watching';
  error?: string;
  you?: Color;
  white: string;
  black: string;
  turn: number;
  to_move: Color;
  fen: string;
  last_move?: Move;
  history: string[];
  check: boolean;
  legal_moves: Move[];
  draw_offered_by?: Color;
  takeback_asked_by?: Color;
  claimable_draw?: string;
  /** Whether the last move was typed into the chat, and played for the person by the agent. */
  relayed?: boolean;
  /** Whether the person may still say that it was not theirs. */
  can_take_back?: boolean;
  result?: string;
  winner?: Color | 'none';
  hints?: Hints;
  evaluation?: Evaluation;
}

/** What a seated player may do besides moving. */
export type Action =
  | 'resign'
  | 'offerDraw'
  | 'acceptDraw'
  | 'declineDraw'
  | 'claimDraw'
  | 'takeback'
  | 'declineTakeback';

export const START_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export function opposite(color: Color): Color {
  return color === 'white' ? 'black' : 'white';
}
