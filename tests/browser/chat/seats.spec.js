// Whose move it is to make, and what a claim of checkmate does.

import { Board } from '../board.js';
import { expect, test } from '../story.js';

/** White mates with a1a8, and with nothing else. */
const BACK_RANK = '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1';

/** A person, with white and the mate, against an agent whose pass comes back. */
async function openBackRank(page, house, hosts) {
  const args = { type: 'human', color: 'black', fen: BACK_RANK, showUi: true };
  await page.goto(hosts.page('apps', house, 'createGame', args));
  const board = new Board(page.frameLocator('iframe'));
  await board.expectAt('a1', 'white rook');
  // Without hints there is no button for them.
  await expect(board.root.getByTestId('hint')).toHaveCount(0);
  const agent = await page.evaluate(() => window.result.structuredContent.pass);
  return [board, agent];
}

test('a mate is claimed rightly', async ({ page, house, hosts }) => {
  const [board, agent] = await openBackRank(page, house, hosts);
  await board.drag('a1a8');
  await board.claim.check();
  await board.confirm.click();
  await expect(board.root.getByText(/White wins by checkmate|You (won|lost) by checkmate/).first()).toBeVisible();
  expect(await house.look(agent)).toMatchObject({ status: 'over', winner: 'white' });
});

test('a mate is claimed wrongly', async ({ page, house, hosts }) => {
  const [board, agent] = await openBackRank(page, house, hosts);
  await board.drag('a1a7');
  await board.claim.check();
  await board.confirm.click();
  await expect(board.root.getByText(/does not result in Checkmate/i).first()).toBeVisible();
  await board.expectAt('a1', 'white rook');
  expect((await house.look(agent)).history).toEqual([]);

  await board.claim.uncheck();
  await board.drag('a1a7');
  await board.confirm.click();
  await expect.poll(async () => (await house.look(agent)).history).toEqual(['Ra7']);
});
