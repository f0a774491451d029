// Home: what agon is, a game to look at, one's own games, seats to take, and a list that can be sent.

import { Board } from '../board.js';
import { League } from '../league.js';
import { expect, expectAccessible, expectNoSidewaysScroll, inBothLooks, picture, test } from '../story.js';

const person = (house, game) =>
  fetch(`${house.url}/api/games`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(game),
  }).then((answer) => answer.json());

test('a newcomer is told what agon is, and sees the first game as it is played', async ({ page, house }) => {
  await page.goto(house.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Games for AI agents and people');
  const stage = page.getByTestId('stage');
  await expect(page.getByTestId('empty')).toHaveText('No games yet.');
  await expect(stage).toHaveCount(0);
  await expect(page.getByTestId('game-card')).toHaveCount(0);
  await expectAccessible(page);

  const game = await house.pair({}, ['Claude', 'Gemini']);
  await expect(stage).toContainText('Live now');
  await expect(stage).toContainText('Claude');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByTestId('ways')).toBeVisible();
  await stage.getByRole('link').click();
  await expect(page).toHaveURL(house.gamePage(game.id));
});

test('the list is asked for once', async ({ page, house }) => {
  await house.pair();
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(house.url);
  await expect(page.getByTestId('game-card').first()).toBeVisible();
  await page.waitForLoadState('load');
  // The stream is open, and what follows from that has been asked for.
  await expect.poll(() => asked.includes('/api/events')).toBe(true);
  await house.pair();
  await expect(page.getByTestId('games').getByTestId('game-card')).toHaveCount(2);
  expect(asked.filter((path) => path === '/api/games')).toHaveLength(1);
  expect(asked.filter((path) => path === '/api/leagues')).toHaveLength(1);
});

test('seats last: home lists your games, and any tab opens them', async ({ page, context, house }) => {
  await page.goto(house.url);
  await page.getByTestId('play').click();
  await page.getByTestId('name').fill('Ada');
  await page.getByText('Another person').click();
  await page.getByTestId('create').click();
  await page.getByTestId('open-board').click();
  await expect(page.getByTestId('seat-white')).toContainText('Ada');
  const id = new URL(page.url()).pathname.split('/')[2];

  const tab = await context.newPage();
  await tab.goto(house.url);
  const yours = tab.getByTestId('yours').locator(`[data-game="${id}"]`);
  await expect(yours).toContainText('Your move');
  await expect(tab).toHaveTitle(/^\(1\) /);
  await expect(tab.getByTestId('seats')).toHaveCount(0);
  await yours.getByRole('link').click();
  await new Board(tab).drag('e2e4');
  await expect.poll(async () => (await house.look(id)).history).toEqual(['e4']);
  await tab.goto(house.url);
  await expect(yours).not.toContainText('Your move');
  await tab.getByTestId('new-game').click();
  await expect(tab.getByTestId('name')).toHaveValue('Ada');
});

test('who has played may play the same opponent again, colours changed', async ({ page, stranger, house }) => {
  const white = await person(house, { opponent: 'human', color: 'white', name: 'Ada' });
  await page.goto(house.gamePage(white.game_id, white.pass));
  await stranger.goto(house.gamePage(white.game_id));
  await stranger.getByTestId('name').fill('Grace');
  await stranger.getByTestId('join').click();
  await new Board(stranger).resign();
  await expect(page.getByTestId('status')).toHaveText(/^You won by resignation/i);
  await expect(stranger.getByTestId('status')).toHaveText(/^You lost by resignation/i);
  for (const [tab, name] of [[page, 'Ada'], [stranger, 'Grace']]) {
    await tab.getByTestId('rematch').click();
    await expect(tab).not.toHaveURL(new RegExp(white.game_id));
    await expect(tab.getByTestId(name === 'Ada' ? 'seat-black' : 'seat-white')).toContainText(name);
  }
  expect(page.url()).toBe(stranger.url());
  await new Board(stranger).drag('d2d4');
  await new Board(page).expectAt('d4', 'white pawn');
});

test('a seat is taken from home', async ({ page, house }) => {
  const { facts } = await house.callAs('Qwen', 'createGame', { type: 'agent' });
  await page.goto(house.url);
  await page.getByTestId('seats').locator(`[data-game="${facts.game_id}"]`).getByRole('link', { name: 'Play black' }).click();
  await page.getByTestId('join').click();
  await expect(page.getByTestId('seat-black')).toContainText('you');
});

test('filters, search and the shown move are in the address, and leagues obey', async ({ page, house }) => {
  const over = await house.pair({}, ['Claude', 'Gemini']);
  await house.playAll(over, 'f2f3 e7e5 g2g4 d8h4');
  await house.pair();
  await League.open(house, 'cup', ['Alpha', 'Beta']);
  await page.goto(house.url);
  await expect(page.getByTestId('league-card')).toHaveCount(1);
  await page.getByRole('button', { name: 'Finished' }).click();
  await expect(page.getByTestId('league-card')).toHaveCount(0);
  await page.getByRole('button', { name: 'Leagues' }).click();
  await expect(page.getByTestId('empty')).toContainText('No league has ended yet.');
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(page.getByTestId('league-card')).toHaveCount(1);
  await expect(page.getByTestId('games')).toHaveCount(0);
  await page.getByTestId('search').fill('nothing');
  await expect(page.getByTestId('empty')).toContainText('No league matches “nothing”.');
  await page.getByTestId('search').fill('cup');
  await expect(page.getByTestId('league-card')).toHaveCount(1);
  await page.getByTestId('search').fill('');
  await page.getByRole('button', { name: 'Chess' }).click();
  await expect(page.getByTestId('league-card')).toHaveCount(0);
  await page.getByTestId('search').fill('gemini');
  await expect(page).toHaveURL(`${house.url}/?show=all&kind=chess&q=gemini`);
  await page.reload();
  const cards = page.getByTestId('games').getByTestId('game-card');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('Black wins by checkmate');

  await page.goto(house.gamePage(over.id));
  const board = new Board(page);
  await board.expectAt('h4', 'black queen');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(`${house.gamePage(over.id)}?move=1`);
  await page.reload();
  await board.expectAt('f3', 'white pawn');
  await board.expectAt('g2', 'white pawn');
});

test('who looks at other games still sees one that is played on the stage, at any width', async ({ page, house }) => {
  await house.pair({}, ['Claude', 'Gemini']);
  const over = await house.pair({}, ['Qwen', 'Llama']);
  await house.playAll(over, 'f2f3 e7e5 g2g4 d8h4');
  for (const address of ['/?show=over', '/?kind=league']) {
    await page.goto(`${house.url}${address}`);
    await expect(page.getByTestId('stage')).toContainText('Live now');
    await expect(page.getByTestId('stage')).toContainText('Claude');
  }
  for (const width of [831, 835, 900, 1000, 1098]) {
    await page.setViewportSize({ width, height: 860 });
    await expectNoSidewaysScroll(page);
  }
});

inBothLooks((look) => {
  test(`home with games of one's own, ${look}`, async ({ page, house }) => {
    const mine = await person(house, { opponent: 'agent', name: 'Ada' });
    const game = await house.pair({}, ['Claude', 'Gemini']);
    await house.playAll(game, 'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6');
    await house.callAs('Qwen', 'createGame', { type: 'agent' });
    await page.goto(house.gamePage(mine.game_id, mine.pass));
    // The address is bare once the seat is kept.
    await expect(page).toHaveURL(house.gamePage(mine.game_id));
    await page.goto(house.url);
    await page.getByTestId('yours').waitFor();
    await page.getByTestId('seats').waitFor();
    await expectAccessible(page);
    await picture(page, `home-${look}`);
  });
}, { narrow: [768, 1024] });
