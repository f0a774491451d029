// What a screen reader says on the page of a game: each thing that others did or that came to light, once.

import { expect, test } from '../story.js';
import { Table } from '../table.js';

/** A person at a game of two, whose opponent is an agent: the table, the agent's pass, and what is said from now on. */
async function listen(page, house, setup) {
  const { table, agent } = await Table.byLink(page, house, setup);
  // A region that is live says what comes into it.
  await page.getByTestId('announcer').evaluate((region) => {
    window.heard = [];
    const hear = (changes) => window.heard.push(...changes.flatMap(({ addedNodes }) => [...addedNodes].map((node) => node.textContent)));
    new MutationObserver(hear).observe(region, { childList: true, subtree: true, characterData: true });
  });
  const heard = async () => (await page.evaluate(() => window.heard)).filter((text) => text.trim());
  return { table, agent, heard };
}

const choose = (page, name) => page.getByTestId('choices').getByRole('button', { name, exact: true }).click();

test('who seals last hears what the other has sealed', async ({ page, house }) => {
  const setup = { game: 'even-odd', seat: 'Odd', setup: { rounds_to_win: 2 } };
  const { table, agent, heard } = await listen(page, house, setup);
  await house.play(agent, '4');
  await choose(page, '2');
  await table.expectTurn(2);
  await expect.poll(heard).toEqual(['Odd: 4.', 'Even: 2.']);
  // Once more the same, and it is heard once more.
  await choose(page, '2');
  await expect(table.moves).toHaveCount(3);
  await house.play(agent, '4');
  const end = 'Even wins 0-2';
  await expect(table.status).toHaveText(`You won: ${end}`);
  await expect.poll(heard).toEqual(['Odd: 4.', 'Even: 2.', 'Even: 2.', 'Odd: 4.', `${end}.`]);
});

test('cards that are shown and pots that are won are heard', async ({ page, house }) => {
  const { table, agent, heard } = await listen(page, house, { game: 'kuhn-poker', seat: 'Player 2', setup: { hands: 2 } });
  await choose(page, 'pass');
  await expect(table.moves).toHaveCount(1);
  await house.play(agent, 'pass');
  // The second hand is begun by the other.
  await house.play(agent, 'pass');
  await table.expectTurn(3);
  const shown = /^Cards: Player 1 [JQK], Player 2 [JQK]\. Player [12] wins the pot of 2\.$/;
  const said = ['Player 1: pass.', 'Player 2: pass.', expect.stringMatching(shown), 'Player 2: pass.'];
  await expect.poll(heard).toEqual(said);
});
