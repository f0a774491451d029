// A position read from FEN: where the pieces stand and how a square is called.
//
// Which moves are legal is the server's to say; nothing here knows the rules.

import { colorToMove, ROLES, splitUci } from './notation';
import { opposite, type Color, type Piece } from './types';

const LETTERS = Object.fromEntries(Object.entries(ROLES).map(([letter, role]) => [role, letter]));
export const FILES = 'abcdefgh';

export type Pieces = Map<string, Piece>;

export function readPieces(fen: string): Pieces {
  const pieces: Pieces = new Map();
  const rows = (fen.split(' ')[0] ?? '').split('/');
  rows.forEach((row, down) => {
    let file = 0;
    for (const sign of row) {
      const role = ROLES[sign.toLowerCase()];
      if (!role) file += Number(sign);
      else {
        const color = sign === sign.toUpperCase() ? 'white' : 'black';
        pieces.set(`${FILES[file++]}${8 - down}`, { color, role });
      }
    }
  });
  return pieces;
}

export function fullmoveNumber(fen: string): number {
  return Number(fen.split(' ')[5]) || 1;
}

/** The FEN of the pieces after a legal move, to show it before the server has answered. */
export function placementAfter(fen: string, uci: string): string {
  const pieces = readPieces(fen);
  const [from, to, promotion] = splitUci(uci);
  const piece = pieces.get(from);
  if (!piece) return fen;
  const takesEnPassant = piece.role === 'pawn' && from[0] !== to[0] && !pieces.has(to);
  if (takesEnPassant) pieces.delete(`${to[0]}${from[1]}`);
  // In chess960 whoever castles takes their own rook.
  const takesOwn = pieces.get(to)?.color === piece.color;
  const castles = piece.role === 'king' && (takesOwn || (from[0] === 'e' && (to[0] === 'g' || to[0] === 'c')));
  pieces.delete(from);
  if (castles) {
    const isShort = from < to;
    const corner = takesOwn ? to : `${isShort ? 'h' : 'a'}${to[1]}`;
    const rook = pieces.get(corner);
    pieces.delete(corner);
    pieces.set(`${isShort ? 'g' : 'c'}${to[1]}`, piece);
    if (rook) pieces.set(`${isShort ? 'f' : 'd'}${to[1]}`, rook);
  } else pieces.set(to, promotion ? { ...piece, role: promotion } : piece);
  const side = opposite(colorToMove(fen)) === 'white' ? 'w' : 'b';
  return `${writePieces(pieces)} ${side} - - 0 1`;
}

/** For every square with a legal move: where its piece may go. */
export function destinations(legal: string[]): Map<string, string[]> {
  const dests = new Map<string, string[]>();
  for (const uci of legal) {
    const [from, to] = splitUci(uci);
    const known = dests.get(from);
    if (!known) dests.set(from, [to]);
    else if (!known.includes(to)) known.push(to);
  }
  return dests;
}

/** The squares row by row as the eye meets them, from the top left corner. */
export function rowsInView(orientation: Color): string[][] {
  const ranks = [8, 7, 6, 5, 4, 3, 2, 1];
  const files = [...FILES];
  if (orientation === 'black') {
    ranks.reverse();
    files.reverse();
  }
  return ranks.map((rank) => files.map((file) => `${file}${rank}`));
}

function writePieces(pieces: Pieces): string {
  return rowsInView('white')
    .map((row) => {
      const signs = row.map((square) => {
        const piece = pieces.get(square);
        if (!piece) return '1';
        const letter = LETTERS[piece.role] ?? '';
        return piece.color === 'white' ? letter.toUpperCase() : letter;
      });
      return signs.join('').replace(/1+/g, (gap) => String(gap.length));
    })
    .join('/');
}
