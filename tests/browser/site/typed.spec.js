// A move that a person typed into the chat and the agent relayed, on the game's page.

import { Board } from '../board.js';
import { expect, expectLooks, inBothLooks, picture, test } from '../story.js';

const NOT_MINE = { name: 'That was not my move: take it back' };

test('a relayed move is marked, and can be taken back', async ({ page, stranger, house }) => {
  const game = await house.inviting();
  await page.goto(game.link);
  const board = new Board(page);
  await board.expectAt('e2', 'white pawn');
  await stranger.goto(house.gamePage(game.id));
  await house.relay(game.black, 'e2e4');
  await board.expectAt('e4', 'white pawn');
  await expect(page.getByTestId('relayed')).toContainText('e4');
  await expect(page.getByTestId('typed')).toHaveCount(1);
  // Who watches sees the mark, and has nothing to take back.
  await expect(stranger.getByTestId('typed')).toHaveCount(1);
  await expect(stranger.getByTestId('relayed')).toHaveCount(0);
  await expect(page.getByTestId('typed').locator('title')).toHaveText(/typed in the chat/);

  await page.getByRole('button', NOT_MINE).click();
  await board.expectAt('e2', 'white pawn');
  await expect(page.getByTestId('relayed')).toHaveCount(0);
  await expect(board.moves).toHaveCount(0);
  expect((await house.look(game.id)).history).toEqual([]);

  await board.drag('d2d4');
  await expect.poll(async () => (await house.look(game.id)).history).toEqual(['d4']);
  await expect(page.getByTestId('typed')).toHaveCount(0);
});

test('a person is told while the model does not listen', async ({ page, house }) => {
  const game = await house.inviting();
  // Nobody has called the server that is started again.
  await house.kill();
  await house.start();
  await page.goto(game.link);
  await expect(page.getByTestId('not-listening')).toContainText('write in the chat');
});

inBothLooks((look) => {
  test(`a relayed move, ${look}`, async ({ page, house }) => {
    const game = await house.inviting();
    await page.goto(game.link);
    for (const [move, reply] of [['e2e4', 'e7e5'], ['g1f3', 'b8c6']]) {
      await house.relay(game.black, move);
      await house.play(game.black, reply);
    }
    // A move that was answered stays.
    await expect(page.getByRole('button', NOT_MINE)).toHaveCount(0);
    await house.relay(game.black, 'f1b5');
    await new Board(page).expectAt('b5', 'white bishop');
    await expect(page.getByTestId('typed')).toHaveCount(3);
    await expectLooks(page, `relayed-${look}`);
    await page.getByTestId('moves').scrollIntoViewIfNeeded();
    await picture(page, `relayed-moves-${look}`);
  });
}, { narrow: [320, 640] });
