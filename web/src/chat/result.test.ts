import { expect, test } from 'vitest';
import { readResult } from './result';

const lean = { game_id: '3f9a61c2', turn: 3 };
const facts = { ...lean, history: ['e4'] };

test('what is said to the board alone goes before what is said to the model', () => {
  const page = 'http://127.0.0.1:8000/game/3f9a61c2';
  const said = { ...lean, error: 'e7e6 is not legal here.' };
  const board = { pass: '3f9a61c2-8e', you: 'black', facts, page };
  const told = readResult({ structuredContent: said, _meta: { 'agon/board': board } });
  expect(told).toEqual({ board, games: [facts, said], page, error: 'e7e6 is not legal here.' });
});

test('an address that is none is not linked to', () => {
  const page = 'javascript:alert(1)';
  expect(readResult({ _meta: { 'agon/board': { pass: '3f9a61c2-8e', page } } }).page).toBeNull();
});

test('a result inside a JSON-RPC answer is found', () => {
  const told = readResult({ jsonrpc: '2.0', result: { structuredContent: facts } });
  expect(told.games).toEqual([undefined, facts]);
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
