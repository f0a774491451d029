import { expect, test } from 'vitest';
import { readResult } from './result';

const lean = { game_id: '3f9a61c2', fen: '8/8/8/8/8/8/8/8 w - - 0 1', turn: 3 };
const facts = {
  ...lean,
  white: 'human',
  black: 'Claude',
  to_move: 'white',
  history: ['e4'],
  check: true,
  legal_moves: [{ uci: 'e7e5', san: 'e5' }],
};

test('facts and the seat are read from a result', () => {
  const told = readResult({
    structuredContent: facts,
    _meta: { 'agon/board': { pass: '3f9a61c2-8e', you: 'black' } },
  });
  const seat = { pass: '3f9a61c2-8e', you: 'black' };
  expect(told).toEqual({ facts, plain: null, seat, page: null, error: null });
});

test('what is said to the board alone goes before what is said to the model', () => {
  const page = 'http://127.0.0.1:8000/game/3f9a61c2';
  const told = readResult({
    structuredContent: { ...lean, error: 'e7e6 is not legal here.' },
    _meta: { 'agon/board': { pass: '3f9a61c2-8e', facts, page } },
  });
  expect(told.facts).toEqual(facts);
  expect(told.page).toBe(page);
  expect(told.error).toBe('e7e6 is not legal here.');
});

test('lean facts are enough to show the position', () => {
  const fen = '8/8/8/8/8/8/8/8 b - - 0 1';
  const told = readResult({ structuredContent: { ...lean, fen } });
  expect(told.facts).toMatchObject({ fen, to_move: 'black', history: [], legal_moves: [] });
});

test('an address that is none is not linked to', () => {
  const page = 'javascript:alert(1)';
  expect(readResult({ _meta: { 'agon/board': { pass: '3f9a61c2-8e', page } } }).page).toBeNull();
});

test('the board’s own seat goes before the pass in the facts', () => {
  const told = readResult({
    structuredContent: { ...facts, pass: 'agents' },
    _meta: { 'agon/board': { pass: 'persons' } },
  });
  expect(told.seat?.pass).toBe('persons');
});

test('a result inside a JSON-RPC answer is found', () => {
  expect(readResult({ jsonrpc: '2.0', result: { structuredContent: facts } }).facts).toEqual(facts);
});

test.each([
  [{ isError: true, content: [{ type: 'text', text: 'Invalid move: e2e5' }] }, 'Invalid move: e2e5'],
  [{ isError: true, structuredContent: { ...facts, error: 'no' } }, 'no'],
  [{ isError: true }, 'That was refused.'],
  [{ content: [{ type: 'text', text: 'fine' }] }, null],
  [undefined, null],
  ['text', null],
])('what was refused is read from %j', (answer, error) => {
  expect(readResult(answer).error).toBe(error);
});
