// Games that draw themselves, on the board in the chat.

import { expect, expectAccessible, inBothLooks, picture, test } from '../story.js';
import { Table } from '../table.js';

test('a person loses connect four in the chat, and steps through it there and in the browser', async ({ page, context, house, hosts }) => {
  const args = { type: 'computer', game: 'connect-four', difficulty: 10, seat: 'Yellow' };
  const chat = await context.newPage();
  // Where every game is at home the page goes by its own name.
  const mcp = `${house.url}/games/mcp`;
  await chat.goto(hosts.page('apps', house, 'createGame', args, { mcp, takes: 'message,openLinks' }));
  const table = new Table(chat.frameLocator('iframe'));
  await expect(table.status).toHaveText('Your move');
  await picture(chat, 'any-chat');
  await table.playOut();
  await expect(table.status).toHaveText('You lost: Red wins with four in a row');
  const pieces = await table.pieces.count();
  await expect(table.moves).toHaveCount(pieces);
  await picture(chat, 'any-chat-over');
  await table.stepThrough(chat.keyboard);
  await chat.keyboard.press('ArrowLeft');
  await expect(table.pieces).toHaveCount(pieces - 1);
  await expectAccessible(chat);
  await picture(chat, 'any-chat-back');

  const { structuredContent } = await chat.evaluate(() => window.result);
  await page.goto(house.gamePage(structuredContent.game_id));
  const watched = new Table(page);
  await expect(watched.pieces).toHaveCount(pieces);
  await page.getByTestId('first').click();
  await expect(watched.pieces).toHaveCount(0);
  await page.getByTestId('forward').click();
  await expect(watched.pieces).toHaveCount(1);
});

test('a person gives up a game of Nim in the chat', async ({ page, house, hosts }) => {
  const args = { type: 'computer', game: 'nim', difficulty: 1 };
  await page.goto(hosts.page('apps', house, 'createGame', args, { takes: 'message' }));
  const frame = page.frameLocator('iframe');
  await frame.getByTestId('resign').click();
  await frame.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(new Table(frame).status).toHaveText(/^You lost: .*resign/);
  await expect(frame.getByTestId('resign')).toHaveCount(0);
});

test('an agent and its person play a game with secrets in one chat', async ({ page, house, hosts }) => {
  const args = { type: 'human', game: 'kuhn-poker', seat: 'Player 2', setup: { hands: 1 } };
  await page.goto(hosts.page('apps', house, 'createGame', args, { takes: 'message' }));
  const table = new Table(page.frameLocator('iframe'));
  await expect(table.status).toHaveText('Your move');
  await expect(table.cards.nth(0)).toHaveText(/^[JQK]$/);
  await expect(table.cards.nth(1)).toHaveText('face down');
  await expect(table.root.getByText('Set-up: hands 1.')).toBeVisible();
  await table.root.getByTestId('choices').getByRole('button', { name: 'bet' }).click();
  await expect.poll(() => page.evaluate(() => window.heard.messages.length)).toBe(1);
  const { pass } = await page.evaluate(() => window.result.structuredContent);
  await house.play(pass, 'pass');
  await expect(table.status).toHaveText(/^You won: /);
});

inBothLooks((look, theme) => {
  test(`every game in the chat, ${look}`, async ({ page, house, hosts }) => {
    for (const { game, title } of await house.kinds()) {
      await test.step(title, async () => {
        const args = { type: 'computer', game, difficulty: 1 };
        await page.goto(hosts.page('apps', house, 'createGame', args, { theme }));
        const table = new Table(page.frameLocator('iframe'));
        await expect(table.status).toHaveText('Your move');
        await table.playFirst();
        await expect(table.moves.first()).toBeVisible();
        await expectAccessible(page);
        await picture(page, `any-chat-${game}-${look}`);
      });
    }
  });
}, { wide: [760, 560], inChat: true });
