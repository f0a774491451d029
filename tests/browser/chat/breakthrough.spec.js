// A game in which pieces move, on the board in the chat.

import { expect, picture, test } from '../story.js';
import { Table } from '../table.js';

test('a person plays Breakthrough in the chat by drag, by clicks and by keys', async ({ page, house, hosts }) => {
  const args = { type: 'computer', game: 'breakthrough', difficulty: 1, seat: 'Black' };
  await page.goto(hosts.page('apps', house, 'createGame', args, { takes: 'message' }));
  const table = new Table(page.frameLocator('iframe'));
  await table.expectTurn(1);

  await table.drag(page, 'd7', 'd6', () => picture(page, 'breakthrough-chat-drag'));
  await table.expectAt('d6', 'Black');
  await table.expectTurn(3);

  await table.step('e7', 'f6');
  await table.expectAt('f6', 'Black');
  await table.expectTurn(5);

  // From Black's side the board is turned: what lies ahead is up.
  await table.cell('b7').focus();
  await page.keyboard.press('Enter');
  await expect(table.picked).toHaveAttribute('data-name', 'b7');
  await picture(page, 'breakthrough-chat');
  for (const key of ['ArrowUp', 'Enter']) await page.keyboard.press(key);
  await table.expectAt('b6', 'Black');
  await table.expectTurn(7);

  const { game_id } = await page.evaluate(() => window.result.structuredContent);
  const { history } = await house.look(game_id);
  expect(history.filter(({ by }) => by === 'Black').map(({ move }) => move)).toEqual(['d7d6', 'e7f6', 'b7b6']);
});
