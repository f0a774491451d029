import { describe, expect, test } from 'vitest';
import type { Part } from '../wire/drawing';
import { cellLabel, choices, grouped, pieces, walked } from './words';

const GRID: Part = {
  part: 'grid',
  ground: 'holes',
  columns: 2,
  cells: [
    { name: 'a2', move: '1' },
    { name: 'b2', move: '2' },
    { name: 'a1', mark: { seat: 1, shape: 'disc' }, bright: true },
    { name: 'b1', move: '2' },
  ],
  column_labels: ['1', '2'],
  row_labels: [],
};

describe('a square', () => {
  test.each([
    [0, 'a2, empty, plays 1'],
    [2, 'a1, Yellow, marked'],
  ])('says what it is: %i', (at, said) => {
    expect(cellLabel(GRID.cells[at]!, ['Red', 'Yellow'])).toBe(said);
  });
});

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowRight', 1, 1],
  ['ArrowDown', 1, 3],
  ['ArrowDown', 3, 3],
  ['ArrowUp', 0, 0],
  ['End', 2, 3],
  ['x', 0, null],
])('%s leads from %i to %o', (key, from, to) => {
  expect(walked(key, from, 2, 4)).toBe(to);
});

test('what no click plays is offered apart, and ranges are read', () => {
  const offers = ['1', '2', 'pass', 'bid 0..40', '-3..3'];
  expect(choices(offers, [GRID])).toEqual({
    moves: ['pass'],
    ranges: [
      { text: 'bid 0..40', word: 'bid ', from: 0, to: 40 },
      { text: '-3..3', word: '', from: -3, to: 3 },
    ],
  });
});

test('stones of a row are clicks too', () => {
  const heap: Part = { part: 'track', title: 'heap 1', filled: 2, places: 3, moves: ['1:2', '1:1'] };
  expect(choices(['1:1', '1:2'], [heap]).moves).toEqual([]);
});

test('parts of one sort stand together', () => {
  const hand: Part = { part: 'hand', title: 'Player 1', cards: [null] };
  expect(grouped([hand, hand, GRID]).map((parts) => parts.length)).toEqual([2, 1]);
});

test('what a seat plays with is learnt from the drawing', () => {
  expect(pieces([GRID], 2)).toEqual([undefined, { seat: 1, shape: 'disc' }]);
});
