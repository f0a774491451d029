// A game read from its SANs: how it stood after each of them.
//
// SAN names a piece and where it goes, and takes it for granted that one only can go there; so how pieces go
// is known here, and whether a move is legal is not.

import { colorToMove, ROLES } from './notation';
import { FILES, placementAfter, readPieces, type Pieces } from './position';
import { opposite, type Color, type Piece } from './types';

export interface Stood {
  fen: string;
  /** The move that led there, and whether it gave check. */
  uci?: string;
  check: boolean;
}

/** At the beginning and after each move; as far as they can be read. */
export function replayed(start: string, sans: string[]): Stood[] {
  const stood: Stood[] = [{ fen: start, check: false }];
  for (const san of sans) {
    const { fen } = stood.at(-1)!;
    const uci = readSan(fen, san);
    if (!uci) break;
    stood.push({ fen: placementAfter(fen, uci), uci: castled(san, uci), check: /[+#]/.test(san) });
  }
  return stood;
}

/** Where the king goes that castles; any other move as it is. */
function castled(san: string, uci: string): string {
  return san.startsWith('O') ? `${uci.slice(0, 2)}${san.startsWith('O-O-O') ? 'c' : 'g'}${uci[1]}` : uci;
}

/** The move in UCI; whoever castles takes their own rook. */
function readSan(fen: string, san: string): string | undefined {
  const pieces = readPieces(fen);
  const color = colorToMove(fen);
  const own = [...pieces].filter(([, piece]) => piece.color === color);
  if (san.startsWith('O')) {
    const king = own.find(([, { role }]) => role === 'king')?.[0] ?? '';
    const isLong = san.startsWith('O-O-O');
    const rooks = own.flatMap(([at, { role }]) => (role === 'rook' && at[1] === king[1] && at < king === isLong ? at : []));
    const rook = rooks.sort().at(isLong ? 0 : -1);
    return rook && king + rook;
  }
  const [, letter = '', named = '', rank = '', to, promotion = ''] =
    /^([NBRQK]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([NBRQ]))?/.exec(san) ?? [];
  if (!to) return undefined;
  // A pawn that takes says from which file.
  const file = named || (letter ? '' : to[0]!);
  const could = own.flatMap(([at, piece]) => {
    const isMeant = piece.role === ROLES[letter.toLowerCase() || 'p'] && at[0]!.includes(file) && at[1]!.includes(rank);
    return isMeant && reaches(pieces, at, to, piece) ? at + to + promotion.toLowerCase() : [];
  });
  // Of two, one is pinned.
  return could.length > 1 ? could.find((uci) => isSafe(placementAfter(fen, uci), color)) : could[0];
}

/** Whether a side's king is attacked by nobody. */
function isSafe(fen: string, color: Color): boolean {
  const pieces = readPieces(fen);
  const king = [...pieces].find(([, piece]) => piece.role === 'king' && piece.color === color)?.[0];
  return !king || ![...pieces].some(([at, piece]) => piece.color === opposite(color) && reaches(pieces, at, king, piece));
}

/** Whether a piece goes that way, with nothing between. A pawn goes straight ahead, and aslant where it takes. */
function reaches(pieces: Pieces, from: string, to: string, { role, color }: Piece): boolean {
  const [x, y] = [FILES.indexOf(to[0]!) - FILES.indexOf(from[0]!), Number(to[1]) - Number(from[1])];
  const [wide, far] = [Math.abs(x), Math.abs(y)];
  if (role === 'knight') return wide * far === 2;
  if (role === 'king') return Math.max(wide, far) === 1;
  if (role === 'pawn') {
    const ahead = color === 'white' ? y : -y;
    if (wide > 0) return wide === 1 && ahead === 1;
    if (ahead < 1 || ahead > 2 || pieces.has(to)) return false;
  }
  const isStraight = wide === 0 || far === 0;
  const goes = isStraight ? role !== 'bishop' : wide === far && role !== 'rook';
  const steps = Array.from({ length: Math.max(wide, far) - 1 }, (_, i) => i + 1);
  const at = (step: number) =>
    `${FILES[FILES.indexOf(from[0]!) + Math.sign(x) * step]}${Number(from[1]) + Math.sign(y) * step}`;
  return goes && steps.every((step) => !pieces.has(at(step)));
}
