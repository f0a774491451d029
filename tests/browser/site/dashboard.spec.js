// The dashboard: all games at a glance.

import { expect, test } from '../story.js';

test('a newcomer is told what to do', async ({ page, house }) => {
  await page.goto(house.url);
  await expect(page.getByText(`${house.url}/mcp`).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'New game' }).first()).toBeVisible();
});

test('games are found by search, filter and page', async ({ page, house }) => {
  const finished = await house.pair();
  await house.playAll(finished, 'f2f3 e7e5 g2g4 d8h4');
  const created = [];
  for (let n = 0; n < 60; n++) created.push(await house.pair());

  await page.goto(house.url);
  const cards = page.locator('a[href^="/game/"]');
  await expect(cards.first()).toBeVisible();
  const card = (game) => page.locator(`a[href="/game/${game.id}"]`);
  await expect(card(created[59])).toBeVisible();
  await expect(card(created[0])).toHaveCount(0);

  await page.getByRole('searchbox').fill(created[0].id);
  await expect(card(created[0])).toBeVisible();
  await expect(card(created[59])).toHaveCount(0);
  await page.getByRole('searchbox').fill('');

  await page.getByRole('button', { name: /more/i }).click();
  await expect(card(created[0])).toBeVisible();
});

test('a card follows its game', async ({ page, house }) => {
  await page.goto(house.url);
  const game = await house.pair();
  await expect(page.locator(`a[href="/game/${game.id}"]`)).toBeVisible();
});

test('a prompt to join is copied for an agent', async ({ page, context, house }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { facts } = await house.call('createGame', { type: 'agent' });
  await page.goto(house.url);
  await page.getByRole('button', { name: 'Copy join prompt' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain(facts.game_id);
});
