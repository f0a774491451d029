import { expect, test } from 'vitest';
import type { PlainSummary } from '../../wire/plain';
import { freeSeats, statusLine } from './words';

/** So many seats, the first of which are taken. */
function game(seats: number, taken: number, more: Partial<PlainSummary & { points: number[] | null }> = {}) {
  const seat = (_: unknown, i: number) => {
    const kind = i < taken ? ('human' as const) : null;
    return { name: `Player ${i + 1}`, player: 'somebody', kind };
  };
  const summary: PlainSummary = {
    game_id: '3f9a61c2',
    kind: 'any',
    title: 'Any',
    seats: Array.from({ length: seats }, seat),
    status: 'live',
    asleep: false,
    free_seat: taken < seats,
    due: [0],
    result: null,
    winner: null,
    turn: 1,
    created_at: 0,
    moved_at: null,
    last_at: 0,
    drawing: [],
  };
  return { ...summary, ...more };
}

const over = (points: number[] | undefined, winner: number | null, seats = 4) =>
  game(seats, seats, { status: 'over', winner, result: 'so it ended', points });

test.each([
  ['the winner', [0, 1, -1, 0], 1, 1, 'You won: so it ended'],
  ['the loser', [0, 1, -1, 0], 1, 2, 'You lost: so it ended'],
  ['who is between', [0, 1, -1, 0], 1, 3, 'so it ended'],
  ['who looks on', [0, 1, -1, 0], 1, null, 'so it ended'],
  ['a list, which has no points,', undefined, 1, 3, 'so it ended'],
  ['a draw', [0, 0, 0, 0], null, 3, 'so it ended'],
])('of four, %s is told no more than is so', (_, points, winner, you, said) => {
  expect(statusLine(over(points, winner), you)).toBe(said);
});

test('of two, who has not won has lost', () => {
  expect(statusLine(over(undefined, 0, 2), 1)).toBe('You lost: so it ended');
});

test('who waits for others is told how many', () => {
  expect(statusLine(game(2, 1, { due: [1] }), 0)).toBe('Waiting for an opponent');
  expect(statusLine(game(4, 1, { due: [1] }), 0)).toBe('Waiting for others');
  expect(statusLine(game(4, 2, { due: [1] }), 0)).toBe('Waiting for Player 2');
  expect(freeSeats(game(4, 2))).toEqual(['Player 3', 'Player 4']);
});
