// The board in the chat, in three hosts: a move that a person makes there arrives, and the reply is
// shown.

import { Board } from '../board.js';
import { Inspector } from '../hosts.js';
import { expect, picture, test } from '../story.js';

/** A person plays black against an agent, who has opened with e2e4 in this host's chat. */
async function playInChat(house, agent, view) {
  const board = new Board(view);
  await board.expectAt('e4', 'white pawn');
  await board.drag('e7e5');
  await board.confirm.click();
  await expect.poll(async () => (await house.look(agent)).history).toEqual(['e4', 'e5']);

  await house.play(agent, 'g1f3');
  await board.expectAt('f3', 'white knight');
  await board.input.fill('b8c6');
  await board.input.press('Enter');
  await expect.poll(async () => (await house.look(agent)).history.at(-1)).toBe('Nc6');
  await house.play(agent, 'f1b5');
  await board.expectAt('b5', 'white bishop');
}

/** Hosts without MCP Apps show the board where it is asked for. */
async function opening(house, options) {
  const { facts } = await house.call('createGame', { type: 'human', ...options });
  return [facts.pass, { game_id: facts.pass, move: 'e2e4' }];
}

for (const era of ['legacy', 'auto']) {
  test(`a person plays in an AppBridge host (${era})`, async ({ page, house, hosts }) => {
    const [agent, move] = await opening(house);
    await page.goto(hosts.page('apps', house, 'finishTurn', move, { era }));
    await playInChat(house, agent, page.frameLocator('iframe'));
    const result = await page.evaluate(() => window.result);
    expect(result.content.every((block) => block.type === 'text')).toBe(true);
  });
}

test.describe('the MCP Inspector', () => {
  // It wants its letters from elsewhere, and does without.
  test.use({ expected: /fonts\.googleapis\.com/, viewport: { width: 1600, height: 1200 } });

  test('a person plays in it', async ({ page, house }) => {
    await page.route('https://fonts.googleapis.com/**', (route) => route.fulfill({ body: '' }));
    const inspector = await Inspector.open();
    try {
      const [agent, move] = await opening(house);
      await page.goto(inspector.page(house, 'finishTurn', move));
      await page.getByRole('button', { name: 'Open App' }).click();
      await playInChat(house, agent, page.frameLocator('iframe').frameLocator('iframe'));
      await picture(page, 'inspector');
      await page.close();
    } finally {
      await inspector.close();
    }
  });
});

test('a host that listens to messages hears exactly the move', async ({ page, house, hosts }) => {
  const [agent, move] = await opening(house, { showUi: true });
  await page.goto(hosts.page('raw', house, 'finishTurn', move));
  const board = new Board(page.frameLocator('iframe'));
  await board.expectAt('e4', 'white pawn');
  await picture(page, 'board-in-answer');
  await board.dragOff('e7');
  await expect(board.input).toHaveValue('');
  await board.click('g8f6');
  await expect(board.input).toHaveValue('g8f6');
  await board.drag('e7e5');
  await expect(board.input).toHaveValue('e7e5');
  await board.confirm.click();

  const heard = () => page.evaluate(() => window.messages.filter(({ type }) => type === 'action'));
  const pass = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{16}$/);
  const payload = { game_id: pass, move: 'e7e5', claim_win: false };
  await expect.poll(heard).toEqual([{ type: 'action', action: 'finishTurn', payload }]);
  expect((await heard())[0].payload.game_id).not.toBe(agent);
  await expect.poll(async () => (await house.look(agent)).history).toEqual(['e4', 'e5']);
});

test.describe('when the server is killed', () => {
  test.use({ expected: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/ });

  test('the board says so, and goes on once it is back', async ({ page, house, hosts }) => {
    const [agent, move] = await opening(house);
    await page.goto(hosts.page('apps', house, 'finishTurn', move));
    const board = new Board(page.frameLocator('iframe'));
    await board.drag('e7e5');
    await house.kill();
    await board.confirm.click();
    await expect(board.root.getByTestId('server-gone')).toBeVisible();
    await house.start();
    await board.confirm.click();
    await expect.poll(async () => (await house.look(agent)).history).toEqual(['e4', 'e5']);
    await house.play(agent, 'g1f3');
    await board.expectAt('f3', 'white knight');
    await expect(board.root.getByTestId('server-gone')).toHaveCount(0);
  });
});
