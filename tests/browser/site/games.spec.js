// Every game that draws itself, played to its end by a person.

import { expect, expectNoEmptyEnd, keptPass, newGame, tabTo, test } from '../story.js';
import { Table } from '../table.js';

// What makes a game short, where that can be set up.
const SHORT = { size: '5', hands: '2', rounds: '3', rounds_to_win: '1' };

/** Starts a game with the computer, at its weakest. */
async function begin(page, house, title, setup) {
  const dialog = await newGame(page, house, title);
  await dialog.getByText('The computer').click();
  const level = dialog.getByRole('slider', { name: 'Level' });
  if (await level.count()) await level.fill('1');
  for (const [key, value] of Object.entries(setup)) await dialog.locator(`[data-setup="${key}"]`).fill(value);
  await dialog.getByRole('button', { name: 'Play' }).click();
  await expect(page).toHaveURL(/\/game\/[0-9a-f]{8}$/);
}

test('a person plays every game against the computer with the mouse', async ({ page, house }) => {
  for (const { title, setup, usual } of await house.kinds()) {
    await test.step(title, async () => {
      const short = Object.entries(SHORT).filter(([key]) => setup.some(({ name }) => name === key));
      await begin(page, house, title, Object.fromEntries(short));
      const table = new Table(page);
      await table.playOut();
      expect(await table.moves.count()).toBeGreaterThan(1);
      const { points } = await house.look(await keptPass(page));
      expect(points).toHaveLength(usual);
      await page.getByTestId('first').click();
      await page.getByTestId('last').click();
      await expect(table.status).toHaveText(/^You (won|lost): |^Draw/);
      const wide = page.viewportSize();
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoEmptyEnd(page);
      await page.setViewportSize(wide);
    });
  }
});

test('a person plays Hex with the keyboard alone', async ({ page, house }) => {
  await begin(page, house, 'Hex', { size: '5' });
  const table = new Table(page);
  const cell = page.locator('[data-cell]:focus');
  await tabTo(page, cell);
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
