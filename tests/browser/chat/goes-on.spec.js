// After a person's move on the chat board the model goes on by itself; and what was typed instead.

import { Board } from '../board.js';
import { expect, expectAccessible, inBothLooks, picture, test } from '../story.js';

const PERSON_WHITE = { type: 'human', color: 'black' };

/** The chat that began a game, and the person's board in it. */
async function openChat(page, house, hosts, takes, more = {}) {
  const args = { ...PERSON_WHITE, ...more.args };
  await page.goto(hosts.page('apps', house, 'createGame', args, { takes, ...more.look }));
  const board = new Board(page.frameLocator('iframe'));
  await board.expectAt('e2', 'white pawn');
  const agent = await page.evaluate(() => window.result.structuredContent.pass);
  return { board, agent };
}

function heard(page, kind) {
  return page.evaluate((kind) => window.heard[kind], kind);
}

/** What a model does with a message: it calls a tool at the host's own connection. */
function callTool(page, name, args) {
  const call = { name, arguments: args };
  return page.evaluate((call) => window.client.callTool(call), call);
}

test('the model is asked to go on after each move, and does', async ({ page, house, hosts }) => {
  const { board, agent } = await openChat(page, house, hosts, 'message,updateModelContext');
  const game = agent.split('-')[0];
  const moves = [
    ['e2e4', 'e4', 'e7e5', ['e5', 'black pawn']],
    ['g1f3', 'Nf3', 'b8c6', ['c6', 'black knight']],
  ];
  for (const [n, [move, san, reply, [square, piece]]] of moves.entries()) {
    await board.drag(move);
    await board.confirm.click();
    await expect.poll(async () => (await heard(page, 'messages')).length).toBe(n + 1);
    const message = (await heard(page, 'messages'))[n];
    const [{ text }] = message.content;
    expect(message).toEqual({ role: 'user', content: [{ type: 'text', text }] });
    for (const part of [move, san, game, 'waitForNextTurn']) expect(text).toContain(part);
    expect(text, 'no pass').not.toMatch(/[0-9a-f]{8}-/);

    const turn = await callTool(page, 'waitForNextTurn', { game_id: agent });
    expect(turn.structuredContent.status).toBe('your_turn');
    await callTool(page, 'finishTurn', { game_id: agent, move: reply });
    await board.expectAt(square, piece);
  }
  expect((await heard(page, 'messages')).length).toBe(2);
  expect(await heard(page, 'context')).toEqual([]);
});

test('a host that takes no messages is told in passing', async ({ page, house, hosts }) => {
  const { board } = await openChat(page, house, hosts, 'updateModelContext');
  await board.drag('e2e4');
  await board.confirm.click();
  await expect.poll(async () => (await heard(page, 'context')).length).toBe(1);
  expect((await heard(page, 'context'))[0].content[0].text).toContain('White played e2e4 (e4)');
  expect(await heard(page, 'messages')).toEqual([]);
});

test('nothing is said of a move that did not happen', async ({ page, house, hosts }) => {
  const { board } = await openChat(page, house, hosts, 'message,updateModelContext');
  await board.drag('e2e4');
  await board.claim.check();
  await board.confirm.click();
  await expect(board.root.getByTestId('refusal')).toContainText(/does not result in Checkmate/i);
  await board.drag('e2e4');
  await board.claim.uncheck();
  await board.confirm.click();
  await expect.poll(async () => (await heard(page, 'messages')).length).toBe(1);
  expect(await heard(page, 'context')).toEqual([]);
});

test('the host opens the board in the browser', async ({ page, context, house, hosts }) => {
  const { board } = await openChat(page, house, hosts, 'openLinks');
  await board.root.getByTestId('open-page').click();
  const link = { url: expect.stringContaining('#open=') };
  await expect.poll(() => heard(page, 'opened')).toEqual([link]);
  const [{ url }] = await heard(page, 'opened');
  const tab = await context.newPage();
  await tab.goto(url);
  await new Board(tab).drag('e2e4');
  await board.expectAt('e4', 'white pawn');
});

test('where the host opens no links, an ordinary one is there', async ({ page, house, hosts }) => {
  const { board } = await openChat(page, house, hosts, '');
  const link = board.root.getByTestId('open-page');
  await expect(link).toHaveAttribute('href', /\/game\/[0-9a-f]{8}#open=[0-9a-f]{16}$/);
  await expect(link).toHaveAttribute('target', '_blank');
});

test('a move the agent relayed is taken back on the chat board', async ({ page, house, hosts }) => {
  const { board, agent } = await openChat(page, house, hosts, 'message,updateModelContext');
  await callTool(page, 'finishTurn', { game_id: agent, move: 'e2e4', by: 'human' });
  await board.expectAt('e4', 'white pawn');
  await expect(board.root.getByTestId('typed')).toHaveCount(1);
  await board.root.getByRole('button', { name: /not my move/ }).click();
  await board.expectAt('e2', 'white pawn');
  await expect(board.root.getByTestId('relayed')).toHaveCount(0);
  expect((await house.look(agent)).history).toEqual([]);
  await expect.poll(async () => (await heard(page, 'context')).length).toBe(1);
  expect((await heard(page, 'context'))[0].content[0].text).toContain('took back e4');

  await callTool(page, 'finishTurn', { game_id: agent, move: 'd2d4', by: 'human' });
  await expect(board.root.getByTestId('relayed')).toContainText('d4');
  await callTool(page, 'finishTurn', { game_id: agent, move: 'd7d5' });
  await board.expectAt('d5', 'black pawn');
  await expect(board.root.getByTestId('relayed')).toHaveCount(0);
});

test('a lean answer carries all the board needs', async ({ page, house, hosts }) => {
  const args = { board: 'fen' };
  const { board, agent } = await openChat(page, house, hosts, 'message', { args });
  await board.drag('e2e4');
  await board.confirm.click();
  await expect(board.moves).toContainText(['e4']);
  await callTool(page, 'finishTurn', { game_id: agent, move: 'e7e5' });
  await expect(board.moves).toContainText(['e4', 'e5']);
});

test('a board whose seat has a newer link goes on with it', async ({ page, house, hosts }) => {
  const { board, agent } = await openChat(page, house, hosts, 'message');
  await callTool(page, 'gameAction', { game_id: agent, action: 'newLink' });
  await expect(board.root.getByTestId('refusal')).toContainText('There is a new link');
  await expect(board.root.getByTestId('server-gone')).toHaveCount(0);
  await board.drag('e2e4');
  await board.confirm.click();
  await expect.poll(async () => (await house.look(agent)).history).toEqual(['e4']);
  await expect.poll(async () => (await heard(page, 'messages')).length).toBe(1);
});

inBothLooks((look, theme) => {
  test(`a relayed move in the chat, ${look}`, async ({ page, house, hosts }) => {
    const { board, agent } = await openChat(page, house, hosts, '', { look: { theme, agent: 'Claude' } });
    await callTool(page, 'finishTurn', { game_id: agent, move: 'e2e4', by: 'human' });
    await expect(board.root.getByTestId('relayed')).toBeVisible();
    await expectAccessible(page);
    await picture(page, `chat-relayed-${look}`);
  });
}, { wide: [760, 560], narrow: [320, 740], inChat: true });
