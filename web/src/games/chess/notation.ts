// What FEN and UCI say at a glance. Where the pieces stand is in `position`.

import type { Color, Role } from './types';

export const ROLES: Record<string, Role> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

export function colorToMove(fen: string): Color {
  return fen.split(' ')[1] === 'b' ? 'black' : 'white';
}

export function splitUci(uci: string): [from: string, to: string, promotion: Role | undefined] {
  return [uci.slice(0, 2), uci.slice(2, 4), ROLES[uci.slice(4, 5)]];
}
