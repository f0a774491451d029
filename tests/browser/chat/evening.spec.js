// The first evening, in a host with MCP Apps: on the chat board, then in the browser, then in a new
// chat that has lost everything the first one knew.

import { Board } from '../board.js';
import { expect, test } from '../story.js';

const IN_CHAT = [
  ['e2e4', 'e7e5'],
  ['g1f3', 'b8c6'],
  ['f1b5', 'a7a6'],
];
const IN_BROWSER = [
  ['b5a4', 'g8f6'],
  ['e1g1', 'f8e7'],
];
const HISTORY = 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7'.split(' ');

test('a game goes from a chat to a page to a new chat', async ({ page, context, house, hosts }) => {
  const args = { type: 'human', color: 'black' };
  const mcp = `${house.mcp}?key=a-random-word-of-this-host`;
  const chat = await context.newPage();
  await chat.goto(hosts.page('apps', house, 'createGame', args, { mcp, takes: 'message,openLinks' }));
  const chatBoard = new Board(chat.frameLocator('iframe'));
  await chatBoard.expectAt('e2', 'white pawn');
  const pass = await chat.evaluate(() => window.result.structuredContent.pass);
  const heard = (kind) => chat.evaluate((kind) => window.heard[kind], kind);

  /** The model of this chat waits for the person's move, and replies. */
  const reply = async (move) => {
    const call = (name, more) => {
      const params = { name, arguments: { game_id: pass, ...more } };
      return chat.evaluate((params) => window.client.callTool(params), params);
    };
    const { structuredContent } = await call('waitForNextTurn');
    expect(structuredContent.status).toBe('your_turn');
    const { isError, content } = await call('finishTurn', { move });
    expect(isError, content[0].text).toBeFalsy();
  };

  for (const [n, [move, answer]] of IN_CHAT.entries()) {
    await chatBoard.drag(move);
    await chatBoard.confirm.click();
    await expect.poll(async () => (await heard('messages')).length).toBe(n + 1);
    await reply(answer);
    await expect(chatBoard.moves).toHaveCount(2 * n + 2);
  }

  await chatBoard.root.getByTestId('open-page').click();
  await expect.poll(async () => (await heard('opened')).length).toBe(1);
  await page.goto((await heard('opened'))[0].url);
  const board = new Board(page);
  for (const [n, [move, answer]] of IN_BROWSER.entries()) {
    await expect(board.moves).toHaveCount(6 + 2 * n);
    await board.drag(move);
    await reply(answer);
  }
  await expect(board.moves).toHaveCount(10);
  await chat.close();

  const tomorrow = await house.connect('tomorrow', mcp);
  const ask = async (name, args) => {
    const { structuredContent } = await tomorrow.callTool({ name, arguments: args });
    return structuredContent;
  };
  const { games } = await ask('listGames', {});
  const found = games.find((game) => pass.startsWith(game.game_id));
  expect(found).toMatchObject({ game: 'chess', you: 'black', to_move: 'white' });
  expect(found.pass).toBe(pass);

  await page.reload();
  await board.drag('d2d3');
  const turn = await ask('waitForNextTurn', { game_id: found.pass });
  expect(turn.status).toBe('your_turn');
  await ask('finishTurn', { game_id: found.pass, move: 'd7d6' });
  await board.expectAt('d6', 'black pawn');
  expect((await house.look(found.pass)).history).toEqual([...HISTORY, 'd3', 'd6']);
});
