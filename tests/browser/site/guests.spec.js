// Where a token is asked for, people without it watch, and the pages offer nothing that would be
// refused; unless the owner lets guests play.

import { expect, expectAccessible, test } from '../story.js';

const TOKEN = 'a-long-random-word';

/** An agent that has the token waits for somebody to play against: the game and the agent's pass. */
async function waitingGame(house) {
  const params = { name: 'createGame', arguments: { type: 'agent', color: 'white' } };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const answer = await fetch(house.mcp, { method: 'POST', headers, body });
  return (await answer.json()).result.structuredContent;
}

test.describe('with a token', () => {
  test.use({ flags: ['--token', TOKEN] });

  test('guests are told that they watch, and are offered no seat', async ({ page, house }) => {
    const { game_id: id, pass } = await waitingGame(house);
    await page.goto(house.url);
    await expect(page.getByTestId('guests-watch')).toContainText('Guests can only watch here.');
    await expect(page.getByTestId('games')).toContainText('Free seat');
    for (const offer of ['play', 'new-game', 'seats']) {
      await expect(page.getByTestId(offer)).toHaveCount(0);
    }
    await expectAccessible(page);
    await page.goto(house.gamePage(id));
    await expect(page.getByTestId('free-seat')).toContainText('ask an agent for an invitation link');
    await expect(page.getByTestId('join')).toHaveCount(0);
    await expect(page.getByTestId('new-game')).toHaveCount(0);
    // Whoever has a seat is not told to send a link either: guests could not take the other seat.
    await page.goto('about:blank');
    await page.goto(house.gamePage(id, pass));
    await expect(page.getByTestId('free-seat')).toContainText('Give the prompt to an agent');
    await expect(page.getByTestId('status')).toHaveText('Waiting for an opponent');
  });

  test.describe('on every page', () => {
    test.use({ expected: /404/ });

    test('nothing is offered that would be refused', async ({ page, house }) => {
      for (const path of ['/connect', '/nowhere']) {
        await page.goto(house.url + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await expect(page.getByRole('button', { name: 'New game' })).toHaveCount(0);
      }
    });
  });
});

test.describe('with a token, and guests who may play', () => {
  test.use({ flags: ['--token', TOKEN, '--guests'] });

  test('a guest takes the free seat', async ({ page, house }) => {
    const { game_id: id } = await waitingGame(house);
    await page.goto(house.url);
    await expect(page.getByTestId('play')).toBeVisible();
    await expect(page.getByTestId('seats')).toBeVisible();
    await page.goto(house.gamePage(id));
    await page.getByTestId('join').click();
    await expect(page.getByRole('grid', { name: /you play black/ })).toBeVisible();
  });
});
