// Which pieces have left the board since the game began.

import { readPieces } from './position';
import { START_FEN, type Color, type Role } from './types';

const WORTH: [Role, worth: number][] = [
  ['queen', 9],
  ['rook', 5],
  ['bishop', 3],
  ['knight', 3],
  ['pawn', 1],
];

export interface Captured {
  /** Pieces of this colour that were taken, heaviest first. */
  taken: Record<Color, Role[]>;
  /** How much more White has on the board, in pawns; negative when Black has more. */
  lead: number;
}

export function captured(fen: string, startFen = START_FEN): Captured {
  const [pieces, before] = [fen, startFen].map((text) => [...readPieces(text).values()]);
  const count = (of: typeof pieces, color: Color, role: Role) =>
    (of ?? []).filter((piece) => piece.color === color && piece.role === role).length;
  const taken: Record<Color, Role[]> = { white: [], black: [] };
  let lead = 0;
  for (const color of ['white', 'black'] as const) {
    let promoted = 0;
    for (const [role, worth] of WORTH) {
      const full = count(before, color, role);
      const standing = count(pieces, color, role);
      lead += (color === 'white' ? standing : -standing) * worth;
      // A second queen was a pawn once, so that pawn is not missing.
      promoted += Math.max(0, standing - full);
      const missing = full - standing - (role === 'pawn' ? promoted : 0);
      for (let i = 0; i < missing; i++) taken[color].push(role);
    }
  }
  return { taken, lead };
}
