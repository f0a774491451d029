import { expect, test } from 'vitest';
import { captured } from './captured';
import { agoText, clockText, thinkText } from '../../parts/times';
import { isRunning, thinkTimes, totals } from './clocks';
import { destinations, placementAfter, readPieces, rowsInView } from './position';
import { START_FEN, type Color, type Game, type Summary } from './types';
import { announcement, sanInWords, squareLabel } from './spoken';
import { headline, isForYou, pageTitle, playerName, yourResult } from './words';

test('a position is read from its FEN', () => {
  const pieces = readPieces(START_FEN);
  expect(pieces.size).toBe(32);
  expect(pieces.get('e1')).toEqual({ color: 'white', role: 'king' });
  expect(pieces.get('d8')).toEqual({ color: 'black', role: 'queen' });
  expect(pieces.get('e4')).toBeUndefined();
});

test.each([
  ['a pawn steps', START_FEN, 'e2e4', 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR'],
  ['castling short', 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1', 'e1g1', 'r3k2r/8/8/8/8/8/8/R4RK1'],
  ['castling long', 'r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1', 'e8c8', '2kr3r/8/8/8/8/8/8/R3K2R'],
  ['en passant', '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1', 'e5d6', '4k3/8/3P4/8/8/8/8/4K3'],
  ['promotion', '4k3/P7/8/8/8/8/8/4K3 w - - 0 1', 'a7a8n', 'N3k3/8/8/8/8/8/8/4K3'],
])('%s is shown before the server answers', (_, fen, uci, expected) => {
  expect(placementAfter(fen, uci).split(' ')[0]).toBe(expected);
});

test('four promotions to one square are one destination', () => {
  const dests = destinations(['a7a8q', 'a7a8r', 'a7a8b', 'a7a8n', 'e1e2', 'e1d1']);
  expect(dests).toEqual(
    new Map([
      ['a7', ['a8']],
      ['e1', ['e2', 'd1']],
    ]),
  );
});

test('black looks from the other side', () => {
  expect(rowsInView('white')[0]?.[0]).toBe('a8');
  expect(rowsInView('black')[0]?.[0]).toBe('h1');
});

test('captured pieces are those that are missing, not those that promoted', () => {
  expect(captured(START_FEN)).toEqual({ taken: { white: [], black: [] }, lead: 0 });
  const twoQueens = captured('rnb1kbnr/1ppppppp/8/8/8/8/1PPPPPPP/QNBQKBNR w - - 0 1');
  expect(twoQueens.taken).toEqual({ white: ['rook'], black: ['queen', 'pawn'] });
  expect(twoQueens.lead).toBe(13);
});

test.each([
  ['e4', 'e4'],
  ['Nxf7+', 'knight takes f7, check'],
  ['exd6', 'e takes d6'],
  ['R1a3', 'rook 1 a3'],
  ['O-O', 'castles short'],
  ['O-O-O+', 'castles long, check'],
  ['a8=Q#', 'a8 promotes to queen, checkmate'],
])('%s is spoken as "%s"', (san, words) => {
  expect(sanInWords(san)).toBe(words);
});

test('labels and announcements name what matters', () => {
  expect(squareLabel('e2', { color: 'white', role: 'pawn' }, true)).toBe(
    'e2, white pawn, selected',
  );
  expect(squareLabel('e4', undefined, false)).toBe('e4');
  expect(announcement(1, 'Nf3', 'black')).toBe('White: knight f3.');
  expect(announcement(0, '', 'white')).toBe('');
});

const game = {
  white: 'agent X',
  black: 'computer, level 5',
  status: 'live',
  result: null,
  to_move: 'white',
  free_seat: false,
  asleep: false,
  start_fen: START_FEN,
  created_at: 1000,
  white_since: 1000,
  black_since: 1000,
  history: [{ at: 3000 }, { at: 3500 }],
} as unknown as Game;

test('thinking time is counted per move and per side', () => {
  expect(thinkTimes(game)).toEqual([2000, 500]);
  expect(totals(game, 10_500)).toEqual({ white: 9000, black: 500 });
});

test.each([
  ['a free seat, or a link nobody has opened', { black_since: null }, [3000], [0], 0],
  ['an opponent who comes late', { black_since: 8000 }, [], [], 2500],
  ['an opponent who comes after the first move', { black_since: 8000 }, [3000], [0], 2500],
  ['a game that sleeps', { asleep: true }, [3000, 3500], [2000, 500], 2500],
])('nobody is charged for %s', (_, change, played, times, total) => {
  const waiting = { ...game, ...change, history: played.map((at) => ({ at })) } as Game;
  expect(thinkTimes(waiting)).toEqual(times);
  const { white, black } = totals(waiting, 10_500);
  expect(white + black).toBe(total);
});

test('who has moved is there, whatever became of the link', () => {
  const history = [3000, 3500, 4000].map((at) => ({ at }));
  expect(thinkTimes({ ...game, black_since: null, history } as Game)).toEqual([0, 0, 500]);
});

test('moves that a game began with took nobody any time here', () => {
  const history = [{}, {}, { at: 3000 }];
  expect(thinkTimes({ ...game, history } as Game)).toEqual([undefined, undefined, 2000]);
  const begun = { ...game, history: [{}, {}] } as Game;
  expect(isRunning({ ...begun, white_since: null })).toBe(false);
  expect(totals({ ...begun, black_since: 8000 }, 10_500)).toEqual({ white: 2500, black: 0 });
});

test('the clock of an unopened link stands still', () => {
  expect(isRunning({ ...game, history: [], white_since: null } as Game)).toBe(false);
  expect(isRunning(game)).toBe(true);
});

test.each([
  [clockText(7_000), '0:07'],
  [clockText(3_753_000), '1:02:33'],
  [clockText(300_000_000), '3 days'],
  [thinkText(430), '0.4s'],
  [thinkText(12_300), '12s'],
  [thinkText(200_000), '3:20'],
  [agoText(20_000), 'just now'],
  [agoText(90 * 60_000), '1 h ago'],
])('%s reads %s', (text, expected) => {
  expect(text).toBe(expected);
});

test('what was never on the board was not taken', () => {
  const start = '8/P6k/8/8/8/8/8/K2R4 w - - 0 1';
  expect(captured(start, start).taken).toEqual({ white: [], black: [] });
  const later = captured('Q7/7k/8/8/8/8/8/K7 b - - 0 1', start);
  expect(later).toEqual({ taken: { white: ['rook'], black: [] }, lead: 9 });
});

test.each([
  [{}, 'white', 'Your move', true],
  [{}, 'black', 'White is thinking', false],
  [{ draw_offered_by: 'black' }, null, 'Black offers a draw', false],
  [{ draw_offered_by: 'black' }, 'white', 'Black offers a draw', true],
  [{ draw_offered_by: 'black' }, 'black', 'You offered a draw', false],
  [{ draw_offered_by: 'white' }, 'white', 'Your move', true],
  [{ takeback_asked_by: 'white' }, null, 'White asks for a takeback', false],
  [{ takeback_asked_by: 'white' }, 'black', 'White asks for a takeback', true],
  [{ takeback_asked_by: 'black' }, 'black', 'You asked for a takeback', false],
  [{ draw_offered_by: 'white', takeback_asked_by: 'black' }, 'white', 'Black asks for a takeback', true],
  [{ asleep: true }, null, 'Asleep, White to move', false],
  [{ asleep: true }, 'white', 'Asleep, your move', true],
  [{ free_seat: true, black_kind: 'human' }, null, 'Waiting for an opponent', false],
  [{ free_seat: true, white_kind: 'human' }, null, 'White to move', false],
  [{ free_seat: true, white_kind: 'human' }, 'white', 'Send the link to your opponent', true],
  [{ result: 'Black wins by Checkmate', status: 'over' }, null, 'Black wins by checkmate', false],
] as [Partial<Game>, Color | null, string, boolean][])('%j is told to %s as "%s"', (change, you, line, waits) => {
  const standing = { ...game, ...change };
  expect(headline(standing, you, true)).toBe(line);
  expect(isForYou(standing, you)).toBe(waits);
  expect(pageTitle(standing, you, true)).toBe(`${waits ? '(1) ' : ''}${line} – agent X vs computer, level 5 – agon`);
});

test('where guests may not play there is no link to send', () => {
  expect(headline({ ...game, free_seat: true, white_kind: 'human' }, 'white', false)).toBe('Waiting for an opponent');
});

test.each([
  ['White wins by Checkmate', 'white', 'You won by checkmate'],
  ['White wins by Checkmate', 'black', 'You lost by checkmate'],
  ['Draw by stalemate', 'black', 'Draw by stalemate'],
] as const)('%s, told to %s', (result, you, told) => {
  expect(yourResult(result, you)).toBe(told);
});

test.each([
  ['agent', 'agent Claude', 'Claude'],
  ['agent', 'agent', 'agent'],
  ['computer', 'computer, level 3', 'Level 3'],
  ['human', 'agent Smith', 'agent Smith'],
] as const)('%s %s is called %s', (white_kind, white, name) => {
  expect(playerName({ white, white_kind } as Summary, 'white')).toBe(name);
});
