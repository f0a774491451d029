// More than two at one table, in the browser.

import { expect, expectLooks, inBothLooks, newGame, test } from '../story.js';
import { Table } from '../table.js';

const DICE = 5;
const HIDDEN = Array(DICE).fill('face down');

/** The dice of each player, as they are seen. */
async function seenDice(page) {
  const hands = await page.getByTestId('drawing').locator('figure').all();
  const dice = await Promise.all(hands.map((hand) => hand.getByTestId('card').allTextContents()));
  return dice.map((hand) => hand.map((die) => die.trim()));
}

/** Whatever the others do: bids first, and says liar when it is our turn again. */
async function playOut(table, isOver) {
  const bids = table.choices.filter({ hasNotText: 'liar' });
  const liar = table.choices.filter({ hasText: 'liar' });
  await bids.first().click();
  await expect(liar.or(isOver)).toBeVisible();
  if (await liar.isVisible()) await liar.click();
  await expect(isOver).toBeVisible();
}

inBothLooks((look) => {
  test(`a person plays liar's dice against three computers, ${look}`, async ({ page, house }) => {
    const dialog = await newGame(page, house, "Liar's dice");
    const players = dialog.getByRole('group', { name: 'Players' });
    const seats = dialog.getByRole('group', { name: 'You play' });
    await expect(players.getByRole('radio', { name: '2' })).toBeChecked();
    await expect(seats.getByRole('radio')).toHaveCount(3);
    await players.getByText('4', { exact: true }).click();
    await expect(seats.getByRole('radio')).toHaveCount(5);
    await seats.getByText('Player 1', { exact: true }).click();
    await dialog.getByText('Computers', { exact: true }).click();
    await expectLooks(page, `many-new-game-${look}`);
    await dialog.getByRole('button', { name: 'Play' }).click();
    await expect(page).toHaveURL(/\/game\/[0-9a-f]{8}$/);

    const table = new Table(page);
    await table.expectTurn(0);
    for (const seat of [2, 3, 4]) await expect(page.getByTestId(`seat-Player ${seat}`)).toContainText('Level');
    await expect(page.getByTestId('seat-Player 1')).toContainText('you');
    const [own] = await seenDice(page);
    expect(own.join('')).toMatch(/^[1-6]{5}$/);
    expect(await seenDice(page)).toEqual([own, HIDDEN, HIDDEN, HIDDEN]);
    await expectLooks(page, `many-table-${look}`);

    await playOut(table, page.getByTestId('rematch'));
    const [, winner, loser] = (await table.status.textContent()).match(/(Player \d) wins and (Player \d) loses/);
    const told = winner === 'Player 1' ? /^You won: / : loser === 'Player 1' ? /^You lost: / : /^Player \d wins/;
    await expect(table.status).toHaveText(told);
    await expect(page.getByTestId(`seat-${winner}`)).toContainText('won');
    await expect.poll(async () => (await seenDice(page)).flat().join('')).toMatch(/^[1-6]{20}$/);
    await expectLooks(page, `many-over-${look}`);

    // Who looks back sees what was seen.
    const all = await seenDice(page);
    await page.getByTestId('first').click();
    await expect.poll(() => seenDice(page)).toEqual([own, HIDDEN, HIDDEN, HIDDEN]);
    await page.keyboard.press('End');
    await expect.poll(() => seenDice(page)).toEqual(all);

    await page.goto(house.url);
    const card = page.getByTestId('yours').getByTestId('game-card');
    for (const seat of [1, 2, 3, 4]) await expect(card).toContainText(`Player ${seat}`);
    await expectLooks(page, `many-dashboard-${look}`);
  });
});
