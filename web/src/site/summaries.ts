// Games in lists, of any kind.

import type { Color, Summary as ChessSummary } from '../games/chess/types';
import type { Summary as DungeonSummary } from '../games/dungeon/types';
import type { PlainSummary } from '../wire/plain';

export type Summary = ChessSummary | DungeonSummary | PlainSummary;

/** A game in which this browser has a seat. */
export type Mine =
  | (ChessSummary & { you: Color })
  | (DungeonSummary & { you: number })
  | (PlainSummary & { you: number });

export const isDungeon = (game: Summary): game is DungeonSummary => game.kind === 'dungeon';

export const isChess = (game: Summary): game is ChessSummary => 'fen' in game;
export const isPlain = (game: Summary): game is PlainSummary => 'drawing' in game;
