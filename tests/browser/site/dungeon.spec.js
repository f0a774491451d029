// People watch a dungeon being explored.

import { Run } from '../dungeon.js';
import { expect, expectLooks, expectNoEmptyEnd, inBothLooks, test } from '../story.js';

const SEED = 'a story for the browser';

/** The chamber on the map that the hero is in. */
const here = (page) => page.getByTestId('map').locator('.room.here');
const entries = (page) => page.getByTestId('log').locator('[data-turn]');

test('a spectator sees map, log and wounds change without a reload', async ({ page, house }) => {
  const run = await Run.begin(house, 'watched', SEED);
  const first = (await run.room()).roomId;
  await page.goto(run.page);
  await expect(page.getByTestId('status')).toHaveText('Exploring the dungeon');
  await expect(here(page)).toHaveAttribute('data-room', first);
  await expect(entries(page)).toHaveCount(0);
  await page.evaluate(() => (window.opened = true));

  const moved = await run.until(({ room }) => room.roomId !== first);
  await expect(here(page)).toHaveAttribute('data-room', moved.room.roomId);
  await expect(entries(page)).toHaveCount(moved.log.length);
  await expect(entries(page).first()).toContainText(moved.log.at(-1).report.message);
  await expect(page.getByTestId('announcer')).toHaveText(moved.log.at(-1).report.message);

  const hurt = await run.until(({ stats, status }) => stats.hp < stats.maxHp || status === 'over');
  const { hp, maxHp } = hurt.stats;
  await expect(page.getByTestId('hp')).toHaveText(`${hp} / ${maxHp}`);
  const { rolls } = hurt.log.at(-1).report;
  await expect(entries(page).first().getByTestId('roll')).toHaveCount(rolls.length);
  const die = entries(page).first().getByRole('img', { name: `rolls ${rolls[0].die}` });
  await expect(die.first()).toBeVisible();
  expect(await page.evaluate(() => window.opened), 'the page was not loaded anew').toBe(true);
});

test('an ended run tells its story and shows its seed', async ({ page, house }) => {
  const run = await Run.begin(house, 'ended', SEED);
  await page.goto(run.page);
  const promised = await page.getByTestId('seed-hash').textContent();
  await expect(page.getByTestId('seed')).toHaveCount(0);

  const over = await run.until(({ status }) => status === 'over');
  await expect(page.getByTestId('status')).toHaveText(over.result);
  await expect(page.getByTestId('connection')).toHaveText('finished');
  await expect(page.getByTestId('score')).toContainText(`${over.score} point`);
  await expect(page.getByTestId('chronicle')).toContainText(over.chronicle.at(-1).text);
  await expect(page.getByTestId('seed')).toHaveText(over.seed);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoEmptyEnd(page);
  await expect(page.getByTestId('seed-hash')).toHaveText(promised);
  await expect(page.getByTestId('hash-agrees')).toBeVisible();
  await expect(page.getByTestId('verify-command')).toHaveText(`agon verify ${run.id}`);
});

test('the map can be read as text', async ({ page, house }) => {
  const run = await Run.begin(house, 'read', SEED);
  await page.goto(run.page);
  await page.getByText('Map as text').click();
  const { map } = await run.state();
  await expect(page.getByTestId('map-text')).toHaveText(map.text);
});

test('runs are on the dashboard beside games of chess', async ({ page, house }) => {
  const card = (id) => page.locator(`[data-testid="game-card"][data-game="${id}"]`);
  const game = await house.pair();
  await page.goto(house.url);
  await expect(card(game.id)).toBeVisible();
  const run = await Run.begin(house, 'listed', SEED);
  await expect(card(run.id)).toContainText('Exploring');
  const fight = await run.until(({ gameStatus }) => gameStatus === 'InCombat');
  await expect(card(run.id)).toContainText('In combat');
  await expect(card(run.id)).toContainText(`${fight.stats.hp}/${fight.stats.maxHp}`);

  await page.getByRole('button', { name: 'Chess' }).click();
  await expect(card(run.id)).toHaveCount(0);
  await expect(card(game.id)).toBeVisible();
  await page.getByRole('button', { name: 'Dungeon' }).click();
  await expect(card(game.id)).toHaveCount(0);
  await page.getByRole('link', { name: run.id }).click();
  await expect(page).toHaveURL(run.page);
  await expect(page.getByTestId('status')).toContainText('In combat with');
});

test.describe('when there is no such run', () => {
  test.use({ expected: /404/ });

  test('the page says so', async ({ page, house }) => {
    await page.goto(`${house.url}/dungeon/00000000`);
    await expect(page.getByRole('heading', { name: 'There is no dungeon 00000000' })).toBeVisible();
  });
});

test.describe('when the server is killed', () => {
  test.use({ expected: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/ });

  test('the page goes on by itself once it is back', async ({ page, house }) => {
    const run = await Run.begin(house, 'killed', SEED);
    await run.step();
    await page.goto(run.page);
    await expect(page.getByTestId('connection')).toHaveText('live');
    await house.kill();
    await expect(page.getByTestId('server-gone')).toBeVisible();
    await house.start();
    await expect(page.getByTestId('connection')).toHaveText('live');
    await run.step();
    await expect(entries(page)).toHaveCount((await run.state()).log.length);
  });
});

inBothLooks((look) => {
  test(`the dungeon, ${look}`, async ({ page, house }) => {
    const run = await Run.begin(house, look, SEED);
    for (const [stage, isReached] of [
      ['begun', () => true],
      ['fought', ({ log }) => log.some(({ report }) => report.rolls?.length)],
      ['over', ({ status }) => status === 'over'],
    ]) {
      const { log } = await run.until(isReached);
      await page.goto(run.page);
      await expect(entries(page)).toHaveCount(Math.min(log.length, 60));
      await expectLooks(page, `dungeon-${stage}-${look}`);
    }
    await page.goto(house.url);
    await page.getByRole('button', { name: 'Finished' }).click();
    await expect(page.getByTestId('game-card')).toHaveCount(1);
    await expectLooks(page, `dungeon-card-${look}`);
  });
});
