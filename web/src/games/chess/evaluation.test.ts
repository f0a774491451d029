import { expect, test } from 'vitest';
import { curve, nearest, verdictText, worthInWords, worthText } from './evaluation';
import type { Judged } from './types';

const judged = (more: Partial<Judged>): Judged => ({ best_line: [], chance: 0, mark: null, ...more });

test.each([
  [{ pawns: 0.35 }, '+0.35', 'White is ahead by 0.35 pawns'],
  [{ pawns: -1.2 }, '−1.20', 'Black is ahead by 1.20 pawns'],
  [{ pawns: 0 }, '0.00', 'Both sides are equal'],
  [{ mate_in: 3 }, '#3', 'White mates in 3'],
  [{ mate_in: -2 }, '#−2', 'Black mates in 2'],
  [{ mate_in: 0 }, 'mate', 'Checkmate'],
])('%j is written %s and spoken "%s"', (worth, text, words) => {
  const evaluation = { ...worth, best_line: [] };
  expect(worthText(evaluation)).toBe(text);
  expect(worthInWords(evaluation)).toBe(words);
});

test('a bad move is named, with what would have been best', () => {
  const before = judged({ best_line: [{ uci: 'g1f3', san: 'Nf3' }] });
  expect(verdictText(before, judged({ mark: 'blunder' }))).toBe('Blunder; best was Nf3');
  expect(verdictText(undefined, judged({ mark: 'mistake' }))).toBe('Mistake');
  expect(verdictText(before, judged({}))).toBe('');
});

test('the curve runs over the whole width, as far as it is known', () => {
  expect(curve([0, 1, -1], 5, { width: 210, height: 60, edge: 5 })).toEqual([
    { x: 5, y: 30 },
    { x: 55, y: 5 },
    { x: 105, y: 55 },
  ]);
  expect(curve([0.5], 1, { width: 200, height: 40, edge: 0 })).toEqual([{ x: 0, y: 10 }]);
});

test.each([
  [-5, 0],
  [0, 0],
  [79, 1],
  [81, 2],
  [500, 4],
])('a click at %d finds position %d', (x, ply) => {
  expect(nearest(x, 5, { width: 210, height: 60, edge: 5 })).toBe(ply);
});
