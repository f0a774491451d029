// Moves and squares in words, for labels and screen readers.

import { opposite, type Color, type Piece, type Tried } from './types';
import { colorName } from './words';

const PIECE_NAMES: Record<string, string> = {
  K: 'king',
  Q: 'queen',
  R: 'rook',
  B: 'bishop',
  N: 'knight',
};

export function squareLabel(square: string, piece: Piece | undefined, selected: boolean): string {
  const parts = [square];
  if (piece) parts.push(`${piece.color} ${piece.role}`);
  if (selected) parts.push('selected');
  return parts.join(', ');
}

/** "Nxf7+" becomes "knight takes f7, check". */
export function sanInWords(san: string): string {
  const ending = san.includes('#') ? ', checkmate' : san.includes('+') ? ', check' : '';
  const core = san.replace(/[+#!?]+$/, '');
  if (/^[O0]-[O0]-[O0]$/.test(core)) return `castles long${ending}`;
  if (/^[O0]-[O0]$/.test(core)) return `castles short${ending}`;
  const parts = /^([KQRBN])?([a-h]?[1-8]?)(x?)([a-h][1-8])(?:=([QRBN]))?$/.exec(core);
  if (!parts) return san;
  const [, letter, origin, takes, target, promotion] = parts;
  const words = [letter ? PIECE_NAMES[letter] : '', origin, takes ? 'takes' : '', target];
  if (promotion) words.push(`promotes to ${PIECE_NAMES[promotion]}`);
  return words.filter(Boolean).join(' ') + ending;
}

/** "White: 2 moves refused, 1 read loosely." */
export function triesInWords({ by, refused, loose }: Tried): string {
  const told = [
    refused && `${refused} ${refused === 1 ? 'move' : 'moves'} refused`,
    loose && `${loose} read loosely`,
  ];
  return `${colorName(by)}: ${told.filter(Boolean).join(', ')}.`;
}

/** What a live region says when the latest move has changed. */
export function announcement(moves: number, san: string, toMove: Color, result?: string | null) {
  if (moves === 0) return '';
  const told = `${colorName(opposite(toMove))}: ${sanInWords(san)}.`;
  return result ? `${told} ${result}.` : told;
}
