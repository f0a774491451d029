// People watch a league being played.

import { League } from '../league.js';
import { expect, expectLooks, inBothLooks, test } from '../story.js';

const THREE = ['Alpha', 'Beta', 'Gamma'];

const standing = (page, player) => page.getByTestId('standings').locator(`[data-player="${player}"]`);
const points = (page, player) => standing(page, player).locator('.points');
const scheduled = (page, match) => page.getByTestId('schedule').locator(`[data-match="${match}"]`);
const running = (page, match) => page.getByTestId('running').locator(`[data-match="${match}"]`);
const rounds = (page) => page.getByTestId('match-rounds').locator('[data-round]');
const deeds = (page) => page.getByTestId('round-now').locator('[data-deed]');

test('an open league says how to join, and shows who comes', async ({ page, house }) => {
  const league = await League.open(house, 'friday', ['Alpha']);
  await page.goto(league.page);
  await expect(page.getByTestId('league-name')).toHaveText('friday');
  await expect(page.getByTestId('phase')).toHaveText('Open for players');
  await expect(page.getByTestId('player-command')).toHaveText(
    `agon player --name Alpha --strategy random --port 8101 --manager ${house.mcp} --league friday`,
  );
  await expect(page.getByTestId('starter-command')).toHaveText(
    `curl -O ${new URL('/player.py', house.mcp)} && ` +
      `python3 player.py --name Ada --manager ${house.mcp} --league friday`,
  );
  await page.getByTestId('copy-starter-command').click();
  await expect(page.getByTestId('copy-starter-command')).toContainText('Copied');
  await expect(page.getByTestId('join-prompt')).toHaveText('Join the league friday with agon.');
  await expect(page.getByTestId('start-command')).toHaveText('agon league start friday');
  await expect(page.getByTestId('players').locator('[data-player]')).toHaveCount(1);

  await league.join('Beta');
  await expect(page.getByTestId('players')).toContainText('Beta');
  await expect(page.getByTestId('status')).toHaveText('2 players so far');
  await league.start();
  await expect(page.getByTestId('phase')).toHaveText('Running');
  await expect(page.getByTestId('progress')).toHaveText('0 of 1 match');
  await expect(page.getByTestId('join')).toHaveCount(0);
});

test('a spectator sees moves, rounds and standings change without a reload', async ({ page, house }) => {
  const league = await League.open(house, 'watched', THREE);
  await league.start();
  await page.goto(league.page);
  await page.evaluate(() => (window.opened = true));
  await expect(page.getByTestId('status')).toHaveText('Round 1 of 3');
  await expect(page.getByTestId('bye')).toContainText('rests in this round');
  await expect(running(page, 'R1M1')).toBeVisible();

  await scheduled(page, 'R1M1').click();
  await expect(page).toHaveURL(`${league.page}#R1M1`);
  await expect(page.getByTestId('match-status')).toHaveText('Being played');
  await expect(deeds(page)).toHaveText(['thinking…', 'thinking…']);

  const { player_a, player_b } = await league.match('R1M1');
  await league.answer(player_a, 4);
  await expect(deeds(page)).toHaveText(['sealed', 'thinking…']);
  await expect(rounds(page)).toHaveCount(0);
  await league.answer(player_b, 5);
  await expect(rounds(page)).toHaveCount(1);
  await expect(rounds(page).locator('.number')).toHaveText(['4', '5']);
  await expect(rounds(page)).toContainText('9, odd');

  await league.playMatch('R1M1');
  await expect(page.getByTestId('match-status')).toContainText('wins 3–0');
  await expect(rounds(page)).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(league.page);
  await expect(page.getByTestId('progress')).toHaveText('1 of 3 matches');
  await expect(points(page, player_a)).toHaveText('3');
  await expect(points(page, player_b)).toHaveText('0');
  expect(await page.evaluate(() => window.opened), 'the page was not loaded anew').toBe(true);
});

test('a league that is over has a champion and every result', async ({ page, house }) => {
  const league = await League.open(house, 'ended', THREE);
  await league.start();
  await page.goto(league.page);
  const { result, champions, standings } = await league.playAll();
  await expect(page.getByTestId('status')).toHaveText(result);
  await expect(page.getByTestId('connection')).toHaveText('finished');
  await expect(page.getByTestId('progress')).toHaveText('3 of 3 matches');
  for (const { player_id, display_name } of standings) {
    const isChampion = champions.includes(player_id);
    await expect(standing(page, player_id).getByText('champion')).toHaveCount(isChampion ? 1 : 0);
    if (isChampion) await expect(page.getByTestId('champion')).toContainText(display_name);
  }
  const results = page.getByTestId('cross').getByRole('link');
  await expect(results).toHaveCount(6);
  await results.first().click();
  await expect(page.getByTestId('match-status')).toContainText('wins 3–0');
});

test('leagues are on the dashboard, and go on there', async ({ page, house }) => {
  await page.goto(house.url);
  await expect(page.getByTestId('empty')).toBeVisible();
  await expect(page.getByTestId('leagues')).toHaveCount(0);
  const league = await League.open(house, 'listed', THREE);
  const card = page.locator(`[data-testid="league-card"][data-league="${league.id}"]`);
  await expect(card).toContainText('3 players so far');
  await league.start();
  await expect(card).toContainText('0 of 3 matches');
  await league.playMatch('R1M1');
  await expect(card).toContainText('leads with 3 points');
  await card.getByRole('link').click();
  await expect(page).toHaveURL(league.page);
  await expect(page.getByTestId('progress')).toHaveText('1 of 3 matches');
});

test.describe('when there is no such league', () => {
  test.use({ expected: /404/ });

  test('the page says so', async ({ page, house }) => {
    await page.goto(`${house.url}/league/00000000`);
    await expect(page.getByRole('heading', { name: 'There is no league 00000000' })).toBeVisible();
  });

  test('nor such a match, its dialog says so', async ({ page, house }) => {
    const league = await League.open(house, 'short', THREE);
    await league.start();
    await page.goto(`${league.page}#R9M9`);
    await expect(page.getByTestId('match-refused')).toBeVisible();
  });
});

test.describe('when the server is killed', () => {
  test.use({ expected: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/ });

  test('the page goes on by itself once it is back', async ({ page, house }) => {
    const league = await League.open(house, 'killed', THREE);
    await league.start();
    await league.playRound('R1M1');
    await page.goto(league.page);
    await expect(page.getByTestId('connection')).toHaveText('live');
    await house.kill();
    await expect(page.getByTestId('server-gone')).toBeVisible();
    await house.start();
    await expect(page.getByTestId('connection')).toHaveText('live');
    await league.playMatch('R1M1');
    await expect(page.getByTestId('progress')).toHaveText('1 of 3 matches');
  });
});

inBothLooks((look) => {
  test(`the league, ${look}`, async ({ page, house }) => {
    const keep = async (stage) => {
      await expectLooks(page, `league-${stage}-${look}`);
    };
    const league = await League.open(house, `look-${look}`, [...THREE, 'Delta', 'Epsilon']);
    await page.goto(league.page);
    await expect(page.getByTestId('players').locator('[data-player]')).toHaveCount(5);
    await keep('open');

    await league.start();
    await league.playMatch('R1M1');
    await expect(page.getByTestId('progress')).toHaveText('1 of 10 matches');
    await expect(running(page, 'R1M2').locator('[data-deed="thinking"]')).toHaveCount(2);
    await keep('running');
    await league.playRound('R1M2');
    await page.goto(`${league.page}#R1M2`);
    await expect(rounds(page)).toHaveCount(1);
    await keep('match');

    await page.goto(house.url);
    await expect(page.getByTestId('league-card')).toHaveCount(1);
    await keep('card');
    const { result } = await league.playAll();
    await page.goto(league.page);
    await expect(page.getByTestId('status')).toHaveText(result);
    await keep('over');
  });
});
