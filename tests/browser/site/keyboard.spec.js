// Whole games from the keyboard alone: whoever has the focus keeps it, whatever comes and goes under it.

import { expect, keptPass, picture, tabTo, test } from '../story.js';
import { Table } from '../table.js';

/** Goes on with Tab until something in there has the focus. */
async function tabInto(page, place) {
  const focused = place.locator(':focus');
  await tabTo(page, focused);
  return focused;
}

test('a person plays Nim to its end from the keyboard', async ({ page, house }) => {
  const setup = { game: 'nim', seat: 'Player 2', setup: { heaps: [3, 2, 1] } };
  const { table, agent } = await Table.byLink(page, house, setup);
  const focused = await tabInto(page, page.getByTestId('tracks'));
  await expect(focused).toHaveAccessibleName('heap 1: 1:3');
  await page.keyboard.press('ArrowRight');
  await expect(focused).toHaveAccessibleName('heap 1: 1:2');
  await page.keyboard.press('Enter');
  await expect(table.status).toHaveText('Waiting for Player 2');
  // What was under the focus is gone, and the focus is not.
  await expect(focused).toHaveAccessibleName('heap 1, empty');
  await expect(focused).toHaveAttribute('aria-disabled', 'true');
  await picture(page, 'keyboard-nim-waiting');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowLeft');
  await expect(focused).toHaveAccessibleName('heap 1, 1 of 1');
  await house.play(agent, '2:1');
  await table.expectTurn(2);
  await expect(focused).toHaveAccessibleName('heap 1: 1:1');
  await picture(page, 'keyboard-nim');

  await page.keyboard.press('Enter');
  await expect(table.status).toHaveText('Waiting for Player 2');
  await expect(focused).toHaveAccessibleName('heap 1, empty');
  await page.keyboard.press('Tab');
  await expect(focused).toHaveAccessibleName('heap 2, 1 of 1');
  // What lies under the focus is taken by the other.
  await house.play(agent, '2:1');
  await table.expectTurn(4);
  await expect(focused).toHaveAccessibleName('heap 2, empty');
  await page.keyboard.press('Tab');
  await expect(focused).toHaveAccessibleName('heap 3: 3:1');
  await page.keyboard.press('Enter');
  await expect(table.status).toHaveText(/^You won: /);
  await expect(focused).toHaveAccessibleName('heap 3, empty');
});

test('a person plays Kuhn poker to its end from the keyboard, and again', async ({ page, house }) => {
  const setup = { game: 'kuhn-poker', seat: 'Player 2', setup: { hands: 3 } };
  const { table, agent } = await Table.byLink(page, house, setup);
  const own = await keptPass(page);
  const choices = page.getByTestId('choices');
  const focused = await tabInto(page, choices);
  await page.keyboard.press('Tab');
  await expect(focused).toHaveText('bet');
  for (let turn = 0; ; turn++) {
    const { status } = await house.look(own);
    if (status === 'over') break;
    if (status === 'your_turn') {
      await table.expectTurn(turn);
      await expect(focused).toHaveText('bet');
      await expect(focused).toHaveAttribute('aria-disabled', 'false');
      await page.keyboard.press('Enter');
      await expect(table.moves).toHaveCount(turn + 1);
    } else {
      await expect(focused).toHaveAttribute('aria-disabled', 'true');
      await picture(page, 'keyboard-kuhn-waiting');
      await house.play(agent, 'pass');
    }
  }
  await expect(page.getByTestId('rematch')).toBeFocused();
  await picture(page, 'keyboard-kuhn-over');
  const before = page.url();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url()).not.toBe(before);
});

test('whoever types a number has the focus when it is their turn again', async ({ page, house }) => {
  const setup = { game: 'even-odd', seat: 'Even', setup: { rounds_to_win: 2 } };
  const { table, agent } = await Table.byLink(page, house, setup);
  const focused = await tabInto(page, page.getByTestId('choices'));
  const first = await focused.textContent();
  await page.keyboard.press('Enter');
  await expect(table.status).toHaveText('Waiting for Even');
  await expect(focused).toHaveText(first);
  await house.play(agent, '2');
  await table.expectTurn(2);
  await expect(focused).toHaveText(first);
});

test('whoever bids at dice stays with the number, however the bids stand by then', async ({ page, house }) => {
  const { table, agent } = await Table.byLink(page, house, { game: 'liars-dice', seat: 'Player 2' });
  const focused = await tabInto(page, page.getByTestId('choices'));
  for (let face = 0; face < 6; face++) await page.keyboard.press('Tab');
  await expect(focused).toHaveAccessibleName('fours x 1 to 10');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(table.moves).toHaveText([/fours x 2/]);
  await house.play(agent, 'twos x 4');
  await table.expectTurn(2);
  await expect(focused).toHaveAccessibleName('fours x 4 to 10');
  await expect(focused).toHaveValue('4');
  await page.keyboard.press('Tab');
  await expect(focused).toHaveAccessibleName('Play fours x');
  await page.keyboard.press('Enter');
  await expect(table.moves.nth(2)).toHaveText(/fours x 4/);
});

test('whoever ends a game, by a move or by giving up, is where another begins', async ({ page, house }) => {
  const { table, agent } = await Table.byLink(page, house, { game: 'liars-dice', seat: 'Player 2' });
  await tabInto(page, page.getByTestId('choices'));
  await page.keyboard.press('Enter');
  await expect(table.moves).toHaveCount(1);
  await house.play(agent, 'twos x 10');
  await table.expectTurn(2);
  await table.choices.filter({ hasText: 'liar' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rematch')).toBeFocused();

  await Table.byLink(page, house, { game: 'hex', seat: 'White' });
  await page.getByTestId('resign').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Yes, resign' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rematch')).toBeFocused();
});
