// Moves, squares and games in words, for titles, labels and screen readers.

import { opposite, type Color, type Piece, type Summary } from './types';

const PIECE_NAMES: Record<string, string> = {
  K: 'king',
  Q: 'queen',
  R: 'rook',
  B: 'bishop',
  N: 'knight',
};

export function colorName(color: Color): string {
  return color === 'white' ? 'White' : 'Black';
}

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

/** What a live region says when the latest move has changed. */
export function announcement(moves: number, san: string, toMove: Color, result?: string | null) {
  if (moves === 0) return '';
  const told = `${colorName(opposite(toMove))}: ${sanInWords(san)}.`;
  return result ? `${told} ${result}.` : told;
}

export function statusLine(game: Pick<Summary, 'result' | 'to_move'>, you?: Color | null): string {
  if (game.result) return game.result;
  if (you) return game.to_move === you ? 'Your move' : `${colorName(game.to_move)} is thinking`;
  return `${colorName(game.to_move)} to move`;
}

export function pageTitle(game: Summary, you: Color | null): string {
  const status = !game.result && you === game.to_move ? 'Your move' : plainStatus(game);
  return `${status} – ${game.white} vs ${game.black} – agon`;
}

function plainStatus(game: Summary): string {
  return game.result ?? `${colorName(game.to_move)} to move`;
}

/** A rating is a measurement, and means nothing without its scale. */
export const SCALE = 'Rated against Stockfish’s skill levels; see docs/levels.md';

export function ratingText(rating: number): string {
  return `~${rating}`;
}

/** The seat nobody has taken yet. */
export function freeColor(game: Summary): Color | null {
  if (!game.free_seat) return null;
  return game.white === 'nobody yet' ? 'white' : 'black';
}

export function joinPrompt(gameId: string, hints = false): string {
  const agree = hints ? ', agree to hints (hints=true),' : '';
  return `Join game ${gameId} with the agon chess tools${agree} and play to win.`;
}
