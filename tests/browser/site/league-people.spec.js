// People in a league: each comes by a link, finds the match that is theirs, and plays it at the board.

import { Board } from '../board.js';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../story.js';
import { Table } from '../table.js';

/** A league with people in it, as `{page, name, links}`. */
async function invite(house, name, people, ...args) {
  const create = ['league', 'create', name, '--people', people, '--url', house.url, '--json'];
  const { game_id, people: invited } = JSON.parse(await house.command(...create, ...args));
  return { name, page: `${house.url}/league/${game_id}`, links: invited.map(({ link }) => link) };
}

/** Goes from the league's page to the board of the match. */
async function sitDown(page) {
  await page.getByTestId('my-board').click();
  await expect(page).toHaveURL(/\/game\/[0-9a-f]{8}$/);
  return new Table(page);
}

test('two people find their match by their links, and play it', async ({ page, stranger, house }) => {
  const cup = await invite(house, 'evening', 'Anna,Ben', '--game', 'tic-tac-toe');
  await page.goto(cup.links[0]);
  const mine = page.getByTestId('mine');
  await expect(mine).toContainText('You play as Anna');
  await expect(mine).toContainText('has not begun');
  // The secret is in no address, and is remembered.
  await expect(page).toHaveURL(cup.page);
  await expect(page.getByTestId('players')).toContainText('plays at a board');
  await expect(page.getByTestId('terms')).toContainText('10 min a move');

  await stranger.goto(cup.page);
  await expect(stranger.getByTestId('players')).toContainText('Anna');
  await expect(stranger.getByTestId('mine')).toHaveCount(0);
  await stranger.goto(cup.links[1]);
  await expect(stranger.getByTestId('mine')).toContainText('You play as Ben');

  await house.command('league', 'start', cup.name);
  await expect(mine).toContainText('Your match against Ben');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const boards = [await sitDown(page), await sitDown(stranger)];
  // Whoever is X begins.
  const begins = await page.getByTestId('seat-X').textContent();
  if (!/you/.test(begins)) boards.reverse();
  for (const [n, square] of ['b2', 'a1', 'a3', 'c1', 'b1', 'b3', 'c2', 'a2', 'c3'].entries()) {
    const board = boards[n % 2];
    await expect(board.status).toHaveText('Your move');
    await board.cell(square).click();
    await board.expectAt(square, 'XO'[n % 2]);
  }
  await expect(boards[0].status).toHaveText(/^Draw/);
  // Who meets whom is for the league to say.
  await expect(page.getByTestId('rematch')).toHaveCount(0);
  await page.getByTestId('of-league').getByRole('link').click();
  await expect(page).toHaveURL(cup.page);
  await expect(mine).toContainText('The league is over');
  await expect(page.getByTestId('progress')).toHaveText('1 of 1 match');
});

test('a person plays chess in a league against the computer', async ({ page, house }) => {
  const cup = await invite(house, 'masters', 'Anna', '--game', 'chess', '--computer', '1');
  await page.goto(cup.links[0]);
  await expect(page.getByTestId('players')).toContainText('is the computer');
  await expect(page.getByTestId('player-command')).toContainText('--game chess --league masters');
  await house.command('league', 'start', cup.name);
  await expect(page.getByTestId('terms')).toContainText('Chess');
  await sitDown(page);
  const board = page.getByRole('grid', { name: /you play (white|black)/ });
  await expect(board).toBeVisible();
  const isWhite = /white/.test(await board.getAttribute('aria-label'));
  if (isWhite) await new Board(page).drag('e2e4');
  const id = new URL(page.url()).pathname.split('/').at(-1);
  await expect.poll(async () => (await house.look(id)).history.length).toBe(isWhite ? 2 : 1);
  await page.getByTestId('resign').click();
  await page.getByRole('button', { name: 'Yes, resign' }).click();
  await expect(page.getByTestId('status')).toContainText('resign');
  await expect(page.getByTestId('rematch')).toHaveCount(0);
  await page.getByTestId('of-league').getByRole('link').click();
  await expect(page.getByTestId('champion')).toContainText('Computer, level 1');
  await page.getByTestId('cross').getByRole('link').first().click();
  await expect(page.getByTestId('match-ended')).not.toBeEmpty();
  await page.getByTestId('match-board').click();
  await expect(page).toHaveURL(new RegExp(`/game/${id}$`));
});

test.describe('a link', () => {
  // Browsers report what they were refused.
  test.use({ expected: /403/ });

  test('that was taken back opens nothing', async ({ page, house }) => {
    const cup = await invite(house, 'taken', 'Anna,Ben', '--game', 'nim');
    await house.command('league', 'revoke', 'P01', cup.name);
    await page.goto(cup.links[0]);
    await expect(page.getByTestId('not-mine')).toContainText('Ask whoever runs the league');
    await page.reload();
    await expect(page.getByTestId('players')).toContainText('Ben');
    await expect(page.getByTestId('not-mine')).toHaveCount(0);
  });
});
