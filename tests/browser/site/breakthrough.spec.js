// A game in which pieces move, in the browser.

import { expect, expectLooks, inBothLooks, keptPass, newGame, picture, test } from '../story.js';
import { Table } from '../table.js';

/** A person at a board against the computer, with the seat and the set-up asked for. */
async function sitDown(page, house, seat, setup = {}) {
  const args = { type: 'computer', game: 'breakthrough', difficulty: 1, seat, setup };
  const { facts } = await house.call('createGame', args);
  await page.goto(house.gamePage(facts.game_id, facts.pass));
  const table = new Table(page);
  await expect(table.status).toHaveText('Your move');
  return table;
}

test('a person plays Breakthrough by drag, by clicks and by keys, to its end', async ({ page, house }) => {
  const dialog = await newGame(page, house, 'Breakthrough');
  await dialog.getByText('The computer').click();
  await dialog.getByText('White', { exact: true }).click();
  await dialog.getByRole('slider', { name: 'Level' }).press('Home');
  await dialog.getByRole('button', { name: 'Play' }).click();
  const table = new Table(page);
  await table.expectTurn(0);
  await expect(table.pieces).toHaveCount(32);
  // Nothing is offered but on the board.
  await expect(page.getByTestId('choices')).toHaveCount(0);

  await table.drag(page, 'd2', 'd3', async () => {
    await expect(table.cell('d2')).toHaveAttribute('aria-label', 'd2, White, picked up');
    await expect(table.ends).toHaveCount(3);
    await picture(page, 'breakthrough-drag');
  });
  await table.expectAt('d3', 'White');
  await table.expectAt('d2', null);
  await table.expectTurn(2);

  await table.cell('e2').click();
  await expect(table.picked).toHaveAttribute('data-name', 'e2');
  // Another that is clicked is picked up instead, and the same once more is let go.
  await table.cell('f2').click();
  await expect(table.picked).toHaveAttribute('data-name', 'f2');
  await table.cell('f2').click();
  await expect(table.picked).toHaveCount(0);
  await table.step('e2', 'f3');
  await table.expectAt('f3', 'White');
  await table.expectTurn(4);

  // What is dropped where it cannot go lies where it was.
  await table.drag(page, 'b2', 'b5');
  await expect(table.picked).toHaveCount(0);
  await table.expectAt('b2', 'White');
  await table.expectTurn(4);

  await table.cell('a1').focus();
  for (const key of ['ArrowRight', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await expect(page.getByTestId('picked')).toHaveText('b2 picked up, goes to a3, b3, c3. Escape lets it go.');
  await page.keyboard.press('Escape');
  await expect(table.picked).toHaveCount(0);
  for (const key of ['Enter', 'ArrowUp']) await page.keyboard.press(key);
  await expect(page.locator(':focus')).toHaveAttribute('aria-label', 'b3, empty, plays b2b3');
  await page.keyboard.press('Enter');
  await table.expectAt('b3', 'White');
  await table.expectTurn(6);
  const { history } = await house.look(await keptPass(page));
  expect(history.filter(({ by }) => by === 'White').map(({ move }) => move)).toEqual(['d2d3', 'e2f3', 'b2b3']);

  await table.playOut();
  await expect(table.status).toHaveText(/^You (won|lost): (White|Black) wins by /);
  await page.getByTestId('first').click();
  await expect(table.pieces).toHaveCount(32);
  await expect(table.playable).toHaveCount(0);
});

test('whoever plays Black in Breakthrough sees the board from their own side', async ({ page, stranger, house }) => {
  const table = await sitDown(page, house, 'Black');
  await expect(table.grid.locator('[data-cell="0"]')).toHaveAttribute('data-name', 'h1');
  await table.drag(page, 'c7', 'd6');
  await table.expectAt('d6', 'Black');
  // Others see it as White does.
  await stranger.goto(page.url().split('#')[0]);
  const watched = new Table(stranger);
  await watched.expectAt('d6', 'Black');
  await expect(watched.grid.locator('[data-cell="0"]')).toHaveAttribute('data-name', 'a8');
  await expect(watched.playable).toHaveCount(0);
});

inBothLooks((look) => {
  test(`Breakthrough, ${look}`, async ({ page, house }) => {
    const game = await house.pair({ game: 'breakthrough' });
    await house.playAll(game, 'd2d3 e7e6 d3d4 e6e5 b2b3 c7c6');
    await page.goto(house.gamePage(game.id, game.white));
    const table = new Table(page);
    await table.cell('d4').click();
    await expect(table.ends).toHaveCount(3);
    await expectLooks(page, `breakthrough-${look}`);
    await page.goto(house.url);
    await page.getByTestId('drawing').first().waitFor();
    await picture(page, `breakthrough-list-${look}`);
  });
});

test.describe('by finger', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('a person plays Breakthrough on a phone, by drag and by taps', async ({ page, house }) => {
    const table = await sitDown(page, house, 'White');
    await touchDrag(page, table, 'c2', 'c3');
    await table.expectTurn(2);
    await table.cell('f2').tap();
    await table.cell('f3').tap();
    await table.expectTurn(4);
    // A finger that begins on an empty square scrolls the page.
    await touchDrag(page, table, 'd6', 'd4');
    await table.expectTurn(4);
  });

  test('a finger confirms a move of Breakthrough on twelve columns', async ({ page, house }) => {
    const table = await sitDown(page, house, 'White', { columns: 12, rows: 6 });
    await table.cell('c2').tap();
    await table.cell('c3').tap();
    await page.getByTestId('confirm').tap();
    await table.expectAt('c3', 'White');
  });
});

/** A finger that goes from square to square. */
async function touchDrag(page, table, from, to) {
  const finger = await page.context().newCDPSession(page);
  const middle = async (name) => {
    const { x, y, width, height } = await table.cell(name).boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const [start, end] = [await middle(from), await middle(to)];
  const touch = (type, ...touchPoints) => finger.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', start);
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await touch('touchMove', { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part });
  }
  await touch('touchEnd');
}
