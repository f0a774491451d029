// What pages must never give away.

import { Board } from '../board.js';
import { expect, test } from '../story.js';

test('a pass is in no address that is sent', async ({ page, context, house }) => {
  const sent = [];
  context.on('request', (request) => sent.push(request));
  const game = await house.pair();
  await page.goto(house.gamePage(game.id, game.white));
  await new Board(page).drag('e2e4');
  await expect.poll(async () => (await house.look(game.id)).history).toEqual(['e4']);
  await page.reload();
  await new Board(page).expectAt('e4', 'white pawn');
  await page.getByRole('link', { name: /agon/i }).first().click();
  await expect(page).toHaveURL(`${house.url}/`);

  const secret = game.white.split('-')[1];
  let shown = 0;
  for (const request of sent) {
    // A browser keeps what follows # to itself.
    expect(request.url().split('#')[0]).not.toContain(secret);
    const { authorization = '', ...headers } = await request.allHeaders();
    expect(JSON.stringify(headers)).not.toContain(secret);
    if (authorization.includes(secret)) shown += 1;
  }
  expect(shown, 'requests that show the pass where it belongs').toBeGreaterThan(0);
});
