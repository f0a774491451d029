import { expect, test, vi } from 'vitest';
import { NoAnswer, type Host, type Tool } from '../../chat/host';
import type { ChatKind } from '../../chat/kinds';
import type { ToolResult } from '../../chat/result';
import { Table } from '../../chat/table.svelte';
import { chat, readFacts } from './chat';
import type { ChessInChat } from './in-chat.svelte';
import type { ChessBoard } from '../../wire/chess';
import type { Facts } from './types';

const PASS = '3f9a61c2-8e04b7d15ac96f20';
const START: Facts = {
  game_id: '3f9a61c2',
  game: 'chess',
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

function seated() {
  const table = new Table([chat as unknown as ChatKind]);
  table.pass = PASS;
  const takes = (facts: Facts) => table.take({ structuredContent: facts });
  takes(START);
  return { table, game: table.game as ChessInChat, takes };
}

/** A host that answers one tool as told, is otherwise busy for ever, and takes messages or not. */
function host(
  answer: () => Promise<ToolResult>,
  answered: Tool = 'finishTurn',
  takesMessages = true,
) {
  const calls: [Tool, Record<string, unknown>][] = [];
  const said: string[] = [];
  const told: string[] = [];
  const speaks: Host = {
    tellModel: (text) => void told.push(text),
    async sayToModel(text) {
      if (takesMessages) said.push(text);
      return takesMessages;
    },
    opensLinks: () => false,
    openLink: async () => false,
    call(tool, args) {
      calls.push([tool, args]);
      return tool === answered ? answer() : new Promise(() => {});
    },
  };
  return { speaks, calls, said, told };
}

test('a move confirmed before the host is known is sent once it is', async () => {
  const { table, game } = seated();
  game.draft = 'e2e4';
  const done = game.confirm();
  const { speaks, calls } = host(async () => ({ structuredContent: PLAYED }));
  table.attach(speaks);
  await done;
  expect(calls).toContainEqual([
    'finishTurn',
    { game_id: PASS, move: 'e2e4', claim_win: false, turn: 1 },
  ]);
  expect([game.draft, table.yourMove, table.notice]).toEqual(['', false, '']);
});

test('a refused move goes back to its square, with the reason', async () => {
  const { table, game } = seated();
  table.attach(host(async () => ({ isError: true, structuredContent: { ...START, error: 'no mate' } })).speaks);
  game.draft = 'e2e4';
  game.claim = true;
  await game.confirm();
  expect([game.draft, table.notice, table.yourMove]).toEqual(['', 'no mate', true]);
});

test('a move that did not arrive is kept', async () => {
  const { table, game } = seated();
  table.attach(host(() => Promise.reject(new NoAnswer('fetch failed'))).speaks);
  game.draft = 'e2e4';
  await game.confirm();
  expect(game.draft).toBe('e2e4');
  expect(table.serverGone).toBe(true);
  expect(table.notice).toContain('fetch failed');
});

test('older news than what is known is dropped', () => {
  const { game, takes } = seated();
  takes(PLAYED);
  takes(START);
  expect(game.facts?.turn).toBe(2);
});

test('a board out of sight asks for nothing', async () => {
  const { table } = seated();
  table.look(false);
  const { speaks, calls } = host(async () => ({}));
  table.attach(speaks);
  await Promise.resolve();
  expect(calls).toEqual([]);
  table.look(true);
  await vi.waitFor(() => expect(calls).toEqual([['getGame', { game_id: PASS }]]));
});

test('a hint stays until the position changes', async () => {
  const { table, game, takes } = seated();
  const evaluation = { pawns: 0.3, best_line: [{ uci: 'e2e4', san: 'e4' }] };
  const { speaks, calls } = host(async () => ({ structuredContent: { ...START, evaluation } }), 'getGame');
  table.attach(speaks);
  await game.askHint();
  expect(calls).toContainEqual(['getGame', { game_id: PASS, hint: true }]);
  expect(game.hint).toEqual(evaluation);
  takes(START);
  expect(game.hint).toEqual(evaluation);
  takes(PLAYED);
  expect(game.hint).toBeNull();
});

test('a hint that is refused says why', async () => {
  const { table, game } = seated();
  const no = { isError: true, structuredContent: { ...START, error: 'Hints are off.' } };
  table.attach(host(async () => no, 'getGame').speaks);
  await game.askHint();
  expect([game.hint, table.notice]).toEqual([null, 'Hints are off.']);
});

test('after a move the model is asked to go on, once and without the pass', async () => {
  const { table, game, takes } = seated();
  const { speaks, said, told } = host(async () => ({ structuredContent: PLAYED }));
  table.attach(speaks);
  game.draft = 'e2e4';
  await game.confirm();
  takes(PLAYED);
  expect(said).toEqual(['I played e2e4 (e4) in game 3f9a61c2. Go on: call waitForNextTurn.']);
  expect(told).toEqual([]);
});

test('a host that takes no messages is told in passing', async () => {
  const { table, game } = seated();
  const played = async () => ({ structuredContent: PLAYED });
  const { speaks, said, told } = host(played, 'finishTurn', false);
  table.attach(speaks);
  game.draft = 'e2e4';
  await game.confirm();
  await vi.waitFor(() => expect(told).toHaveLength(1));
  expect(told[0]).toContain('White played e2e4 (e4) in game 3f9a61c2. Black is to move');
  expect(said).toEqual([]);
});

test('the move that ends the game asks for nothing', async () => {
  const { table, game } = seated();
  const over: Facts = { ...PLAYED, status: 'over', result: 'White wins by Checkmate' };
  const { speaks, said } = host(async () => ({ structuredContent: over }));
  table.attach(speaks);
  game.draft = 'e2e4';
  await game.confirm();
  expect(said).toEqual([
    'I played e2e4 (e4) in game 3f9a61c2. The game is over: White wins by Checkmate.',
  ]);
});

test('the model hears nothing of a move that was refused', async () => {
  const { table, game, takes } = seated();
  const error = { ...START, error: 'no mate' };
  const { speaks, said, told } = host(async () => ({ isError: true, structuredContent: error }));
  table.attach(speaks);
  game.draft = 'e2e4';
  await game.confirm();
  takes(START);
  expect([said, told]).toEqual([[], []]);
});

const LAST = { uci: 'e2e4', san: 'e4' };
test.each<[string, Facts, number]>([
  ['was played after all', { ...PLAYED, last_move: LAST }, 1],
  ['was answered already', { ...START, turn: 3, last_move: { uci: 'e7e5', san: 'e5' } }, 0],
  ['is still missing', START, 0],
])('a move whose answer was lost and that %s', async (_, facts, messages) => {
  const { table, game, takes } = seated();
  const { speaks, said, told } = host(() => Promise.reject(new NoAnswer()));
  table.attach(speaks);
  game.draft = 'e2e4';
  await game.confirm();
  expect(said).toEqual([]);
  takes(facts);
  takes(facts);
  expect(said).toHaveLength(messages);
  expect(told).toEqual([]);
});

test('a relayed move that is taken back is told to the model', async () => {
  const { table, game, takes } = seated();
  takes({ ...PLAYED, last_move: LAST, relayed: true, can_take_back: true });
  const back = { ...START, turn: 3 };
  const { speaks, calls, told } = host(async () => ({ structuredContent: back }), 'gameAction');
  table.attach(speaks);
  await game.takeBack();
  expect(calls).toContainEqual(['gameAction', { game_id: PASS, action: 'takeback', turn: 2 }]);
  expect(game.facts).toEqual(back);
  expect(told).toEqual([expect.stringContaining('took back e4 (e2e4)')]);
});

test('a relayed move that can no longer be taken back says so', async () => {
  const { table, game, takes } = seated();
  takes({ ...PLAYED, last_move: LAST, relayed: true, can_take_back: true });
  const facts = { ...START, turn: 3, error: 'It was answered.' };
  const late = { isError: true, structuredContent: facts };
  const { speaks, told } = host(async () => late, 'gameAction');
  table.attach(speaks);
  await game.takeBack();
  expect([table.notice, told]).toEqual(['It was answered.', []]);
});

test('a board whose pass has ended watches, and says why', async () => {
  const { table, game } = seated();
  const { speaks } = host(async () => ({}));
  const bare = 'watched';
  speaks.call = async (tool, { game_id }) => {
    if (game_id === PASS) return { isError: true, content: [{ type: 'text', text: 'no seat' }] };
    // The facts are of the agent, in whose chat the board is.
    return tool === 'getGame' ? { structuredContent: { ...START, fen: bare, pass: 'agents' } } : {};
  };
  table.attach(speaks);
  await vi.waitFor(() => expect(table.notice).toContain('newer link'));
  expect([table.pass, game.facts?.fen, table.serverGone]).toEqual([null, bare, false]);
  table.stop();
});

test('a board whose pass has ended is given the new one in the agent’s chat', async () => {
  const { table } = seated();
  const NEW = '3f9a61c2-0123456789abcdef';
  const { speaks } = host(async () => ({}));
  speaks.call = async (_, { game_id }) => {
    if (game_id === PASS) return { isError: true, content: [{ type: 'text', text: 'no seat' }] };
    const board: ChessBoard = { pass: NEW, you: 'white' };
    return { structuredContent: START, _meta: { 'agon/board': board } };
  };
  table.attach(speaks);
  await vi.waitFor(() => expect(table.notice).toContain('new link'));
  expect([table.pass, table.yourMove]).toEqual([NEW, true]);
  table.stop();
});

test('an address that opens the seat is not given up for one that shows the game', () => {
  const { table } = seated();
  const board: ChessBoard = { pass: PASS, you: 'white' };
  const told = (page: string) => ({ _meta: { 'agon/board': { ...board, page } satisfies ChessBoard } });
  const bare = 'http://127.0.0.1/game/3f9a61c2';
  const link = `${bare}#open=8e04`;
  table.take(told(bare));
  expect(table.page).toBe(bare);
  table.take(told(link));
  table.take(told(bare));
  expect(table.page).toBe(link);
});

test('lean facts are enough to show the position', () => {
  const fen = '8/8/8/8/8/8/8/8 b - - 0 1';
  const facts = readFacts({ game_id: '3f9a61c2', fen, turn: 3 });
  expect(facts).toMatchObject({ fen, to_move: 'black', history: [], legal_moves: [] });
  expect(readFacts({ ...facts, fen: undefined })).toBeNull();
});

test('the board’s own seat goes before the pass in the facts', () => {
  const { table } = seated();
  table.take({ structuredContent: { ...START, pass: 'agents' } });
  expect(table.pass).toBe('agents');
  table.take({ structuredContent: { ...START, pass: 'agents' }, _meta: { 'agon/board': { pass: 'persons' } } });
  expect(table.pass).toBe('persons');
});
