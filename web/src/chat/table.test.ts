import { expect, test, vi } from 'vitest';
import type { Facts } from '../chess/types';
import { NoAnswer, type Host, type Tool } from './host';
import type { ToolResult } from './result';
import { Table } from './table.svelte';

const PASS = '3f9a61c2-8e04b7d15ac96f20';
const START: Facts = {
  game_id: '3f9a61c2',
  status: 'your_turn',
  you: 'white',
  white: 'human',
  black: 'agent',
  turn: 1,
  to_move: 'white',
  fen: 'start',
  history: [],
  check: false,
  legal_moves: [{ uci: 'e2e4', san: 'e4' }],
};
const PLAYED: Facts = { ...START, status: 'waiting', turn: 2, to_move: 'black', fen: 'played' };

function seated(): Table {
  const table = new Table();
  table.pass = PASS;
  table.takeFacts(START);
  return table;
}

/** A host that answers one tool as told, and is otherwise busy for ever. */
function host(answer: () => Promise<ToolResult | null>, answered: Tool = 'finishTurn') {
  const calls: [Tool, Record<string, unknown>][] = [];
  const speaks: Host = {
    mayPoll: true,
    answers: () => true,
    tellModel: () => undefined,
    call(tool, args) {
      calls.push([tool, args]);
      return tool === answered ? answer() : new Promise(() => {});
    },
  };
  return { speaks, calls };
}

test('a move confirmed before the host is known is sent once it is', async () => {
  const table = seated();
  table.draft = 'e2e4';
  const done = table.confirm();
  const { speaks, calls } = host(async () => ({ structuredContent: PLAYED }));
  table.attach(speaks);
  await done;
  expect(calls).toContainEqual([
    'finishTurn',
    { game_id: PASS, move: 'e2e4', claim_win: false, turn: 1 },
  ]);
  expect([table.draft, table.yourMove, table.notice]).toEqual(['', false, '']);
});

test('a refused move goes back to its square, with the reason', async () => {
  const table = seated();
  table.attach(host(async () => ({ isError: true, structuredContent: { ...START, error: 'no mate' } })).speaks);
  table.draft = 'e2e4';
  table.claim = true;
  await table.confirm();
  expect([table.draft, table.notice, table.yourMove]).toEqual(['', 'no mate', true]);
});

test('a move that did not arrive is kept', async () => {
  const table = seated();
  table.attach(host(() => Promise.reject(new NoAnswer('fetch failed'))).speaks);
  table.draft = 'e2e4';
  await table.confirm();
  expect(table.draft).toBe('e2e4');
  expect(table.serverGone).toBe(true);
  expect(table.notice).toContain('fetch failed');
});

test('a silent host is believed, and the person is told', async () => {
  const table = seated();
  table.attach(host(async () => null).speaks);
  table.draft = 'e2e4';
  await table.confirm();
  expect(table.sent).toBe('e2e4');
  expect(table.notice).toContain('Sent to the chat');
});

test('older news than what is known is dropped', () => {
  const table = seated();
  table.takeFacts(PLAYED);
  table.takeFacts(START);
  expect(table.facts?.turn).toBe(2);
});

test('a board out of sight asks for nothing', async () => {
  const table = seated();
  table.look(false);
  const { speaks, calls } = host(async () => null);
  table.attach(speaks);
  await Promise.resolve();
  expect(calls).toEqual([]);
  table.look(true);
  await vi.waitFor(() => expect(calls).toEqual([['getGame', { game_id: PASS }]]));
});

test('a hint stays until the position changes', async () => {
  const table = seated();
  const evaluation = { pawns: 0.3, best_line: [{ uci: 'e2e4', san: 'e4' }] };
  const { speaks, calls } = host(async () => ({ structuredContent: { ...START, evaluation } }), 'getGame');
  table.attach(speaks);
  await table.askHint();
  expect(calls).toContainEqual(['getGame', { game_id: PASS, hint: true }]);
  expect(table.hint).toEqual(evaluation);
  table.takeFacts(START);
  expect(table.hint).toEqual(evaluation);
  table.takeFacts(PLAYED);
  expect(table.hint).toBeNull();
});

test('a hint that is refused says why', async () => {
  const table = seated();
  const no = { isError: true, structuredContent: { ...START, error: 'Hints are off.' } };
  table.attach(host(async () => no, 'getGame').speaks);
  await table.askHint();
  expect([table.hint, table.notice]).toEqual([null, 'Hints are off.']);
});
