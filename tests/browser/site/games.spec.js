// Othello, Hex, Leduc poker and matrix games, each played to its end by a person, and looked at.

import { expect, expectAccessible, expectNoSidewaysScroll, keptPass, picture, test } from '../story.js';
import { Table } from '../table.js';

// The title, what is filled in of the set-up, and the moves there are at least.
const GAMES = [
  ['Othello', {}, 9],
  ['Hex', { size: '5' }, 9],
  ['Leduc poker', { hands: '2' }, 4],
  ['Repeated matrix game', { rounds: '3' }, 6],
];

/** Starts a game with the computer, at its weakest. */
async function begin(page, house, title, setup) {
  await page.goto(house.url);
  await page.getByTestId('new-game').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByTestId('game').selectOption(title);
  await dialog.getByText('The computer').click();
  await dialog.getByRole('slider', { name: 'Level' }).fill('1');
  for (const [key, value] of Object.entries(setup)) await dialog.locator(`[data-setup="${key}"]`).fill(value);
  await dialog.getByRole('button', { name: 'Play' }).click();
  await expect(page).toHaveURL(/\/game\/[0-9a-f]{8}$/);
}

for (const [title, setup, least] of GAMES) {
  test(`a person plays ${title} against the computer with the mouse`, async ({ page, house }) => {
    await begin(page, house, title, setup);
    const table = new Table(page);
    await table.playOut();
    expect(await table.moves.count()).toBeGreaterThanOrEqual(least);
    const { points } = await house.look(await keptPass(page));
    expect(points).toHaveLength(2);
    await page.getByTestId('first').click();
    await page.getByTestId('last').click();
    await expect(table.status).toHaveText(/^You (won|lost): |^Draw/);
  });
}

test('a person plays Hex with the keyboard alone', async ({ page, house }) => {
  await begin(page, house, 'Hex', { size: '5' });
  const table = new Table(page);
  const cell = page.locator('[data-cell]:focus');
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(cell).toHaveCount(1, { timeout: 10 });
  }).toPass();
  const isOver = /^You (won|lost): /;
  for (let turn = 0; turn < 13; turn++) {
    await expect(table.status).toHaveText(new RegExp(`^Your move$|${isOver.source}`));
    if (isOver.test(await table.status.textContent())) break;
    const before = await table.moves.count();
    // Along the rows, until a cell can be played.
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Home']) await page.keyboard.press(key);
    while ((await cell.getAttribute('aria-disabled')) === 'true') {
      const at = await cell.getAttribute('data-name');
      await page.keyboard.press('ArrowRight');
      if ((await cell.getAttribute('data-name')) !== at) continue;
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => table.moves.count()).toBeGreaterThan(before);
  }
  await expect(table.status).toHaveText(isOver);
});

/** Two agents in the middle of a game, with the pass of the first, whose turn it is. */
async function middle(house, game, moves, setup) {
  const { facts } = await house.callAs('Claude', 'createGame', { type: 'agent', game, setup });
  const joined = await house.callAs('Gemini', 'joinGame', { game_id: facts.game_id });
  const passes = [facts.pass, joined.facts.pass];
  for (const [n, move] of moves.split(' ').entries()) await house.play(passes[n % 2], move);
  return { id: facts.game_id, pass: facts.pass };
}

const MIDDLES = [
  ['othello', 'd3 c3 c4 c5 b4 d2 c2 e3 f3 e2 d1 c1', {}],
  ['hex', 'f6 g5 e7 d8 d7 c8 c7 b8 b7 h5 g6 h6', {}],
  ['leduc-poker', 'check bet call', { hands: 3 }],
  ['matrix-game', 'cooperate cooperate cooperate defect defect defect', { rounds: 5 }],
];

for (const colorScheme of ['light', 'dark']) {
  for (const [width, height] of [[1280, 860], [360, 740]]) {
    const look = `${colorScheme}-${width}`;

    test.describe(look, () => {
      const isPhone = width < 400;
      test.use({ colorScheme, viewport: { width, height }, hasTouch: isPhone, isMobile: isPhone });

      test(`the new games, ${look}`, async ({ page, house }) => {
        for (const [kind, moves, setup] of MIDDLES) {
          const { id, pass } = await middle(house, kind, moves, setup);
          await page.goto(house.gamePage(id, pass));
          await page.getByTestId('drawing').waitFor();
          await expectAccessible(page);
          await expectNoSidewaysScroll(page);
          await picture(page, `games-${kind}-${look}`);
          await page.goto('about:blank');
        }
        await page.goto(house.url);
        await expect(page.getByTestId('games').getByTestId('game-card')).toHaveCount(MIDDLES.length - 1);
        await picture(page, `games-dashboard-${look}`);
        await page.getByTestId('new-game').click();
        await page.getByTestId('game').selectOption('Othello');
        await expectAccessible(page);
        await picture(page, `games-new-game-${look}`);
      });
    });
  }
}
