// Hints on the board in the chat.

import { Board } from '../board.js';
import { expect, expectAccessible, picture, test } from '../story.js';

test('a person is shown the best move where the game has hints', async ({ page, house, hosts }) => {
  const args = { type: 'human', color: 'black', hints: true };
  await page.goto(hosts.page('apps', house, 'createGame', args, { theme: 'light', agent: 'Claude' }));
  const frame = page.frameLocator('iframe');
  const board = new Board(frame);
  await board.expectAt('e2', 'white pawn');
  await frame.getByTestId('hint').click();
  await expect(frame.getByTestId('worth')).toContainText('Best');
  await expect(board.board.locator('path.shaft')).toHaveCount(1);
  await expectAccessible(page);
  await picture(page, 'chat-hint');
  await board.drag('e2e4');
  await board.confirm.click();
  await board.expectAt('e4', 'white pawn');
  await expect(frame.getByTestId('worth')).toHaveCount(0);
});
