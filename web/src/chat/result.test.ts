import { expect, test } from 'vitest';
import { readResult } from './result';

const facts = { game_id: '3f9a61c2', fen: '8/8/8/8/8/8/8/8 w - - 0 1', turn: 3 };

test('facts and the seat are read from a result', () => {
  const told = readResult({
    structuredContent: facts,
    _meta: { 'agon/board': { pass: '3f9a61c2-8e', you: 'black' } },
  });
  expect(told).toEqual({ facts, seat: { pass: '3f9a61c2-8e', you: 'black' }, error: null });
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
