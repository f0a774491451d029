// What the server says, as it says it. Times are milliseconds since 1970.

import type { Color, Judged, SeenFacts } from '../../wire/chess';

export type { Action, Color, Evaluation, Hints, Judged, PlayedMove, Summary, Tried } from '../../wire/chess';
export type { MoveFacts as Move, Whole as Game } from '../../wire/chess';

export type Role = 'pawn' | 'knight' | 'bishop' | 'rook' | 'queen' | 'king';
export interface Piece {
  color: Color;
  role: Role;
}

/** One game as the MCP tools tell it, for the board in the chat; what a lean answer leaves out is filled in. */
export type Facts = Omit<SeenFacts, 'next_action'> & Required<Pick<SeenFacts, Whole>>;
type Whole = 'white' | 'black' | 'to_move' | 'history' | 'check' | 'legal_moves';

/** How bad a move was. */
export type Mark = NonNullable<Judged['mark']>;

export const START_FEN = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export function opposite(color: Color): Color {
  return color === 'white' ? 'black' : 'white';
}
