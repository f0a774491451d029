// What positions are worth, in signs and words. The judging is the server's.

import type { Evaluation, Judged, Mark } from './types';

export const MARK_SIGNS: Record<Mark, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };

/** "+0.35", "−1.20", "#3" where White mates, "#−3" where Black does. */
export function worthText({ pawns, mate_in }: Evaluation): string {
  if (mate_in === 0) return 'mate';
  if (mate_in !== undefined) return `#${signed(mate_in, '', 0)}`;
  return signed(pawns ?? 0, pawns === 0 ? '' : '+', 2);
}

/** "White is ahead by 0.35 pawns", "Black mates in 3". */
export function worthInWords({ pawns = 0, mate_in }: Evaluation): string {
  if (mate_in === 0) return 'Checkmate';
  if (mate_in) return `${mate_in > 0 ? 'White' : 'Black'} mates in ${Math.abs(mate_in)}`;
  if (pawns === 0) return 'Both sides are equal';
  return `${pawns > 0 ? 'White' : 'Black'} is ahead by ${Math.abs(pawns).toFixed(2)} pawns`;
}

/** What is to be said of a move: "Blunder; best was Nf3". */
export function verdictText(before: Judged | undefined, after: Judged): string {
  if (!after.mark) return '';
  const best = before?.best_line[0];
  const name = after.mark[0]!.toUpperCase() + after.mark.slice(1);
  return best ? `${name}; best was ${best.san}` : name;
}

export interface Point {
  x: number;
  y: number;
}

/** A picture's size, and how much of its edge stays free. */
export interface Frame {
  width: number;
  height: number;
  edge: number;
}

/** Where each of `of` positions lies: from left to right, White's win at the top. */
export function curve(chances: number[], of: number, { width, height, edge }: Frame): Point[] {
  const step = of > 1 ? (width - 2 * edge) / (of - 1) : 0;
  const depth = height - 2 * edge;
  return chances.map((chance, n) => ({ x: edge + n * step, y: edge + ((1 - chance) / 2) * depth }));
}

/** Which of the positions lies nearest to `x`. */
export function nearest(x: number, of: number, { width, edge }: Frame): number {
  const at = Math.round(((x - edge) / Math.max(1, width - 2 * edge)) * (of - 1));
  return Math.max(0, Math.min(of - 1, at));
}

function signed(value: number, plus: string, digits: number): string {
  return `${value < 0 ? '−' : plus}${Math.abs(value).toFixed(digits)}`;
}
