import { expect, test } from 'vitest';
import type { PlainGame, PlainSummary, PlainTurn } from '../../wire/plain';
import { askedBy, freeSeats, headline, newsOf, pageTitle } from './words';

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
  expect(headline(over(points, winner), you, true)).toBe(said);
});

test('of two, who has not won has lost', () => {
  expect(headline(over(undefined, 0, 2), 1, true)).toBe('You lost: so it ended');
});

test.each([
  [2, 1, 0, null, true, 'Player 1 to move'],
  [2, 1, 1, null, true, 'Waiting for an opponent'],
  [4, 1, 1, null, true, 'Waiting for others'],
  [2, 1, 0, 0, true, 'Send the link to your opponent'],
  [4, 2, 1, 0, true, 'Send the link to the other players'],
  [2, 1, 0, 0, false, 'Waiting for an opponent'],
  [4, 2, 1, 0, false, 'Waiting for others'],
  [2, 2, 0, 0, true, 'Your move'],
  [2, 2, 1, 0, true, 'Waiting for Player 2'],
])('%i seats, %i taken, seat %i due: seat %s, guests play %s, reads "%s"', (seats, taken, due, you, guests, said) => {
  const waiting = game(seats, taken, { due: [due] });
  expect(headline(waiting, you, guests)).toBe(said);
  expect(pageTitle(waiting, you, guests)).toContain(said);
});

test('a free seat is called by its name', () => {
  expect(freeSeats(game(4, 2))).toEqual(['Player 3', 'Player 4']);
});

/** These turns, each a seat and its move, and what is said of them to `you`. */
function heard(you: number | null, turns: (Pick<PlainTurn, 'seat' | 'move'> & Partial<PlainTurn>)[], result: string | null = null) {
  const history = turns.map((turn, i) => ({ turn: i + 1, at: 0, ...turn }));
  const played: PlainGame = {
    ...game(2, 2, { result }),
    you,
    points: null,
    history,
    text: '',
    legal_moves: [],
    actions: [],
    rules: '',
    moves: '',
  };
  return newsOf(played, you).map(({ text }) => text);
}

test('what all others did since is told, and not only what was last', () => {
  const turns = [0, 1, 2, 3].map((seat) => ({ seat: seat % 2 ? 1 : 0, move: `m${seat}` }));
  expect(heard(0, turns.slice(0, 2))).toEqual(['Player 1: m0.', 'Player 2: m1.']);
  expect(heard(1, turns)).toEqual(['Player 2: m3.']);
  expect(heard(null, turns)).toEqual(['Player 2: m3.']);
  expect(heard(1, turns.slice(0, 1))).toEqual(['Player 1: m0.']);
});

test('who seals last hears what the other has sealed before', () => {
  const turns = [
    { seat: 0, move: '3' },
    { seat: 1, move: '2', round: 1 },
  ];
  for (const you of [0, 1, null]) expect(heard(you, turns)).toEqual(['Player 1: 3.', 'Player 2: 2.']);
});

test('what came to light is told, and how it ended', () => {
  const turns = [
    { seat: 0, move: 'bet' },
    { seat: 1, move: 'bet', revealed: 'Cards: Player 1 Q, Player 2 K. Player 2 wins the pot of 4.' },
  ];
  const told = ['Player 2: bet.', turns[1]!.revealed, 'Player 2 wins.'];
  expect(heard(1, turns, 'Player 2 wins')).toEqual(told);
});

test('the same twice running is two things that happened', () => {
  const history = [1, 2].map((turn) => ({ turn, seat: 1, move: 'pass', at: 0 }));
  const played = { ...game(2, 2), history } as unknown as PlainGame;
  const news = newsOf(played, 0);
  expect(new Set(news.map(({ text }) => text)).size).toBe(1);
  expect(new Set(news.map(({ key }) => key)).size).toBe(2);
});

test.each([
  ['rounds_to_win', 'who has won so many has won; 3', 'Rounds to win', 'who has won so many has won', '3', false],
  ['swap', 'true: White may take the first stone over; false', 'Swap', 'White may take the first stone over', 'false', true],
  ['heaps', 'numbers of stones; from 1 to 20; [3, 5, 7]', 'Heaps', 'numbers of stones; from 1 to 20', '[3, 5, 7]', false],
  ['size', 'as you like', 'Size', 'as you like', '', false],
])('a person is asked in words for %s', (name, about, title, hint, usual, isTruth) => {
  expect(askedBy({ name, about })).toEqual({ name, title, hint, usual, isTruth });
});
