// The dashboard: all games at a glance.

import { Board } from '../board.js';
import { expect, test } from '../story.js';

/** The card of a game in the list. */
const card = (page, gameId) => page.getByTestId('games').locator(`[data-game="${gameId}"]`);

test('games are found by search, filter and page', async ({ page, house }) => {
  const finished = await house.pair({}, ['Claude', 'Gemini']);
  await house.playAll(finished, 'f2f3 e7e5 g2g4 d8h4');
  const live = [];
  for (let n = 0; n < 60; n++) live.push((await house.pair()).id);
  const [oldest, newest] = [live[0], live[59]];

  await page.goto(house.url);
  await expect(card(page, newest)).toBeVisible();
  await expect(card(page, oldest)).toHaveCount(0);

  const search = page.getByRole('searchbox');
  await search.fill(oldest);
  await expect(card(page, oldest)).toBeVisible();
  await expect(card(page, newest)).toHaveCount(0);
  await search.fill('');
  await expect(card(page, newest)).toBeVisible();

  await page.getByRole('button', { name: 'More games' }).click();
  await expect(card(page, oldest)).toBeVisible();
  await expect(page.getByTestId('game-card')).toHaveCount(60);
  await expect(card(page, finished.id)).toHaveCount(0);

  await page.getByRole('button', { name: 'Finished' }).click();
  await expect(card(page, finished.id)).toContainText('Black wins by checkmate');
  await expect(page.getByTestId('game-card')).toHaveCount(1);
  await page.getByRole('button', { name: 'All' }).click();
  await expect(card(page, newest)).toBeVisible();
  await search.fill('gemini');
  await expect(page.getByTestId('game-card')).toHaveCount(1);
  await expect(card(page, finished.id)).toContainText('Gemini');
});

test.describe('cut off for a while', () => {
  test.use({ expected: /ERR_INTERNET_DISCONNECTED/ });

  test('no card is lost, and the order is right', async ({ page, context, house }) => {
    const games = [];
    for (let n = 0; n < 55; n++) games.push(await house.pair());
    // The list goes by the last move, not by when a game began.
    for (const game of games.toReversed()) await house.play(game.white, 'e2e4');
    await page.goto(house.url);
    await page.getByTestId('more').click();
    const cards = page.getByTestId('games').getByTestId('game-card');
    await expect(cards).toHaveCount(55);

    await page.evaluate(() => scrollTo(0, 0));
    await context.setOffline(true);
    await expect(page.getByTestId('server-gone')).toBeInViewport();
    const added = await house.pair();
    const caughtUp = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/games');
    await context.setOffline(false);
    await (await caughtUp).finished();
    await expect(page.getByTestId('server-gone')).toHaveCount(0);
    await expect(cards.first()).toHaveAttribute('data-game', added.id);
    // If the stream has not told of the new one before, the last has made room for it.
    await expect(async () => {
      if (await page.getByTestId('more').isVisible()) await page.getByTestId('more').click();
      expect(await cards.count()).toBe(56);
    }).toPass({ timeout: 60_000 });
    await expect(cards.last()).toHaveAttribute('data-game', games[54].id);
  });
});

test('the dashboard follows what is played', async ({ page, house }) => {
  await page.goto(house.url);
  await expect(page.getByTestId('empty')).toBeVisible();
  const game = await house.pair();
  await expect(card(page, game.id)).toContainText('White to move');
  await house.play(game.white, 'e2e4');
  await expect(card(page, game.id)).toContainText('Black to move');

  await card(page, game.id).getByRole('link', { name: game.id }).click();
  await expect(page).toHaveURL(house.gamePage(game.id));
  await new Board(page).expectAt('e4', 'white pawn');
});

test('a prompt to join is copied for an agent', async ({ page, context, house }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { facts } = await house.call('createGame', { type: 'agent' });
  await page.goto(house.url);
  await page.getByTestId('games').getByRole('button', { name: 'Copy join prompt' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain(facts.game_id);
});
