import { describe, expect, test } from 'vitest';
import type { Part } from '../wire/drawing';
import { endsOf, Picked } from './picked.svelte';
import { grouped, latest } from './layout';
import { cellLabel, choices, pickedLabel, pieces, walked } from './words';

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

describe('of a table there stands in a list', () => {
  const names = (n: number) => Array.from({ length: n }, (_, i) => `P${i + 1}`);
  const rows = (n: number) => Array.from({ length: n }, (_, i) => [`${i}a`, `${i}b`]);

  test('its last rows', () => {
    expect(latest({ head: names(2), rows: rows(6) })).toEqual({ head: names(2), rows: rows(6).slice(2) });
  });

  test('where it is wide, what came last, under the names of those whose it is', () => {
    const wide = { head: names(6), rows: [['a', 'b', 'c', 'd', 'e', 'f'], ['g', 'h']] };
    expect(latest(wide)).toEqual({ head: ['P5', 'P6', 'P1', 'P2'], rows: [['e', 'f', 'g', 'h']] });
  });
});

test('each seat’s piece is known before one lies on the board', () => {
  const empty = { ...GRID, cells: [], shapes: ['cross' as const, 'ring' as const] };
  expect(pieces([empty])).toEqual([{ seat: 0, shape: 'cross' }, { seat: 1, shape: 'ring' }]);
});

/** A board of three, from the first of which one goes to both others. */
const MOVED: Part = {
  part: 'grid',
  ground: 'checkered',
  columns: 3,
  cells: [
    {
      name: 'a1',
      mark: { seat: 0, shape: 'pawn' },
      drags: [
        { to: 1, move: 'a1b1' },
        { to: 2, move: 'a1c1' },
      ],
    },
    { name: 'b1', mark: { seat: 1, shape: 'pawn' } },
    { name: 'c1', drags: [{ to: 1, move: 'c1b1' }] },
  ],
  column_labels: [],
  row_labels: [],
};

describe('a piece that is moved', () => {
  const click = { detail: 1 } as MouseEvent;
  const pointer = (clientX: number, more: object = {}) => {
    const currentTarget = { setPointerCapture: () => undefined };
    return { pointerId: 1, button: 0, buttons: 1, clientX, clientY: 0, currentTarget, ...more } as unknown as PointerEvent;
  };

  test('is picked up by a click and put down by another', () => {
    const picked = new Picked(() => MOVED.cells);
    expect([picked.click(0, click), picked.at, [...picked.ends.keys()]]).toEqual([undefined, 0, [1, 2]]);
    expect(picked.click(2, click)).toBe('a1c1');
    picked.letGo();
    expect([picked.at, picked.ends.size]).toEqual([undefined, 0]);
  });

  test.each([
    ['where it is', 0, undefined],
    ['where nothing can be put down', 1, undefined],
  ])('is let go by a click %s', (_, at, held) => {
    const cells = MOVED.cells.map((cell, i) => (i === 0 ? { ...cell, drags: [{ to: 2, move: 'a1c1' }] } : cell));
    const picked = new Picked(() => cells);
    picked.click(0, click);
    expect([picked.click(at, click), picked.at]).toEqual([undefined, held]);
  });

  test('is picked up by the press, and let go by a click once more', () => {
    const picked = new Picked(() => MOVED.cells);
    for (const held of [0, undefined, 0]) {
      picked.press(0, pointer(10));
      expect(picked.at).toBe(0);
      expect([picked.click(0, click), picked.at]).toEqual([undefined, held]);
    }
  });

  test('gives way to another that is clicked', () => {
    const cells = MOVED.cells.map((cell, i) => (i === 0 ? { ...cell, drags: [{ to: 1, move: 'a1b1' }] } : cell));
    const picked = new Picked(() => cells);
    picked.click(0, click);
    expect([picked.click(2, click), picked.at]).toEqual([undefined, 2]);
  });

  test.each([
    ['where it can go', 1, 'a1b1', 0],
    ['beside the board', undefined, undefined, undefined],
    ['where it was', 0, undefined, 0],
  ])('is dragged and dropped %s', (_, at, move, held) => {
    const picked = new Picked(() => MOVED.cells);
    picked.press(0, pointer(10));
    expect(picked.drag(pointer(12))).toBe(false);
    expect([picked.drag(pointer(40)), picked.dragged]).toEqual([true, { x: 40, y: 0 }]);
    expect([picked.drop(at), picked.at, picked.dragged]).toEqual([move, held, null]);
    // What browsers call a click at the end of a drag is none; Enter is one.
    expect([picked.click(2, click), picked.at]).toEqual([undefined, held]);
  });

  test('stays where it is without a press, or when the button was let go elsewhere', () => {
    const picked = new Picked(() => MOVED.cells);
    expect(picked.drag(pointer(40))).toBe(false);
    picked.press(0, pointer(10, { button: 2 }));
    expect(picked.drag(pointer(40))).toBe(false);
    picked.press(0, pointer(10));
    expect(picked.drag(pointer(40, { buttons: 0 }))).toBe(false);
    expect(picked.drag(pointer(80))).toBe(false);
  });

  test('is told to those who hear it', () => {
    const said = (at: number, move?: string, isPicked?: boolean) => cellLabel(MOVED.cells[at]!, ['White', 'Black'], move, isPicked);
    expect(said(0)).toBe('a1, White, can be moved');
    expect(said(0, undefined, true)).toBe('a1, White, picked up');
    expect(said(1, 'a1b1')).toBe('b1, Black, plays a1b1');
    expect(pickedLabel(MOVED.cells, 0)).toBe('a1 picked up, goes to b1, c1. Escape lets it go.');
    expect(pickedLabel(MOVED.cells, undefined)).toBe('');
  });

  test('is offered on the board alone, which knows where a move leads', () => {
    expect(choices(['a1b1', 'a1c1', 'c1b1', 'pass'], [MOVED]).moves).toEqual(['pass']);
    expect(endsOf('c1b1', MOVED.cells)).toEqual({ from: 2, to: 1 });
    expect(endsOf('b1a1', MOVED.cells)).toBeNull();
  });
});
