// Which pieces have left the board, told from the position alone.

import { readPieces } from './position';
import type { Color, Role } from './types';

const FULL_SET: [Role, number, worth: number][] = [
  ['queen', 1, 9],
  ['rook', 2, 5],
  ['bishop', 2, 3],
  ['knight', 2, 3],
  ['pawn', 8, 1],
];

export interface Captured {
  /** Pieces of this colour that were taken, heaviest first. */
  taken: Record<Color, Role[]>;
  /** How much more White has on the board, in pawns; negative when Black has more. */
  lead: number;
}

export function captured(fen: string): Captured {
  const pieces = [...readPieces(fen).values()];
  const taken: Record<Color, Role[]> = { white: [], black: [] };
  let lead = 0;
  for (const color of ['white', 'black'] as const) {
    let promoted = 0;
    for (const [role, full, worth] of FULL_SET) {
      const standing = pieces.filter((p) => p.color === color && p.role === role).length;
      lead += (color === 'white' ? standing : -standing) * worth;
      // A second queen was a pawn once, so that pawn is not missing.
      promoted += Math.max(0, standing - full);
      const missing = full - standing - (role === 'pawn' ? promoted : 0);
      for (let i = 0; i < missing; i++) taken[color].push(role);
    }
  }
  return { taken, lead };
}
