// A person's link seats whoever opens it first, and their browser remembers.

import { Board } from '../board.js';
import {
  expect,
  expectAccessible,
  expectLooks,
  inBothLooks,
  keptPass,
  picture,
  test,
} from '../story.js';

/** Waits until the page lets this person play white. */
async function expectSeat(page) {
  await expect(page.getByRole('grid', { name: /you play white/ })).toBeVisible();
}

/** Waits until the page says why there is no seat, and lets this person watch. */
async function expectSeatless(page, reason) {
  await expect(page.getByTestId('seatless')).toContainText(reason);
  await expect(page.getByTestId('seatless')).toContainText(/ask your agent/i);
  await expect(page.getByRole('grid', { name: /seen from white/ })).toBeVisible();
}

async function newLink(house, game) {
  const { link } = await house.call('gameAction', { game_id: game.black, action: 'newLink' });
  expect(link).not.toBe(game.link);
  return link;
}

test('a seat is kept before the game can be followed', async ({ page, house }) => {
  const { id, white } = await house.pair();
  const told = [];
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/games/${id}/events`)) told.push('followed');
  });
  await page.route(`**/api/games/${id}`, async (route) => {
    const response = await route.fetch();
    told.push('answered');
    await route.fulfill({ response });
  });
  await page.goto(house.gamePage(id, white));
  await expect.poll(() => told).toEqual(['answered', 'followed']);
});

test('whoever opens a link first plays, in any tab and again', async ({ page, context, house }) => {
  const game = await house.inviting();
  const sent = [];
  context.on('request', (request) => sent.push(request.url()));
  await page.goto(game.link);
  await expectSeat(page);
  await expect(page).toHaveURL(house.gamePage(game.id));
  await new Board(page).drag('e2e4');
  await expect.poll(async () => (await house.look(game.id)).history).toEqual(['e4']);

  await page.reload();
  await expectSeat(page);
  await house.play(game.black, 'e7e5');
  for (const address of [game.link, house.gamePage(game.id)]) {
    const tab = await context.newPage();
    await tab.goto(address);
    await expectSeat(tab);
    await tab.close();
  }
  const other = await context.newPage();
  await other.goto(game.link);
  await new Board(other).drag('g1f3');
  await new Board(page).expectAt('f3', 'white knight');
  const code = game.link.split('open=')[1];
  expect(sent.filter((url) => url.split('#')[0].includes(code))).toEqual([]);
});

test('no clock runs for a link that nobody has opened, and whoever opens it is called by name', async ({
  page,
  stranger,
  house,
}) => {
  const game = await house.inviting();
  await stranger.goto(house.gamePage(game.id));
  const clock = stranger.getByTestId('clock-white');
  await expect(clock).toContainText('thought');
  await page.goto(game.link);
  await expectSeat(page);
  await expect(clock).toContainText('thinking');
  await expectAccessible(page);
  await picture(page, 'link-nameless-light-1280');
  await page.getByTestId('name').fill('Ada');
  await page.getByTestId('rename').click();
  await expect(page.getByTestId('rename')).toHaveCount(0);
  await expect(stranger.getByTestId('seat-white')).toContainText('Ada');

  // A name is given once.
  const another = await house.inviting();
  await page.goto(another.link);
  await expect(page.getByTestId('seat-white')).toContainText('Ada');
  await expect(page.getByTestId('rename')).toHaveCount(0);
});

test('nobody is waited for at a free seat', async ({ page, house }) => {
  const { facts } = await house.call('createGame', { type: 'agent', color: 'black' });
  await page.goto(house.gamePage(facts.game_id));
  await expect(page.getByTestId('status')).toHaveText('Waiting for an opponent');
  for (const color of ['white', 'black']) {
    await expect(page.getByTestId(`clock-${color}`)).toContainText('thought');
  }
  await house.call('joinGame', { game_id: facts.game_id });
  await expect(page.getByTestId('clock-white')).toContainText('thinking');
});

test('a link pasted over the game on the page opens it', async ({ page, house }) => {
  const game = await house.inviting();
  await page.goto(house.gamePage(game.id));
  await expect(page.getByRole('grid', { name: /seen from white/ })).toBeVisible();
  await page.goto(game.link);
  await expectSeat(page);
});

test.describe('a link that gives no seat', () => {
  // Browsers report every refusal.
  test.use({ expected: /status of 40[39]/ });

  test('two tabs that open one at once both play', async ({ page, context, house }) => {
    const game = await house.inviting();
    const other = await context.newPage();
    await Promise.all([page.goto(game.link), other.goto(game.link)]);
    await Promise.all([expectSeat(page), expectSeat(other)]);
  });

  test('somebody who comes second is told so and watches', async ({ page, stranger, house }) => {
    const game = await house.inviting();
    await page.goto(game.link);
    await expectSeat(page);
    await stranger.goto(game.link);
    await expectSeatless(stranger, /opened this link already/);
    await new Board(page).drag('e2e4');
    await new Board(stranger).expectAt('e4', 'white pawn');
    await stranger.getByRole('button', { name: 'Watch' }).click();
    await expect(stranger.getByTestId('seatless')).toHaveCount(0);
    expect(await keptPass(stranger)).toBeNull();
  });

  test('a new link ends the old one and its seat', async ({ page, stranger, house }) => {
    const game = await house.inviting();
    await page.goto(game.link);
    await expectSeat(page);
    const link = await newLink(house, game);
    await stranger.goto(link);
    await expectSeat(stranger);

    // The page learns of it when it plays: what it sends is refused, and nothing is played.
    await new Board(page).drag('e2e4');
    await expectSeatless(page, 'no longer valid');
    expect((await house.look(game.id)).history).toEqual([]);
    expect(await keptPass(page)).toBeNull();
    await page.goto('about:blank');
    await page.goto(game.link);
    await expectSeatless(page, /opens no seat/);
    await new Board(stranger).drag('d2d4');
    await new Board(page).expectAt('d4', 'white pawn');
  });

  test('a browser that held the old seat takes the new link', async ({ page, context, house }) => {
    const game = await house.inviting();
    await page.goto(game.link);
    await expectSeat(page);
    const old = await keptPass(page);
    const tab = await context.newPage();
    await tab.goto(await newLink(house, game));
    await expectSeat(tab);
    expect(await keptPass(tab)).not.toBe(old);
    await expect(tab.getByTestId('seatless')).toHaveCount(0);

    // The first tab finds what the second has.
    await new Board(page).drag('e2e4');
    await expect(page.getByTestId('refusal')).toContainText('Try again');
    await expectSeat(page);
    await new Board(page).drag('e2e4');
    await new Board(tab).expectAt('e4', 'white pawn');
  });

  inBothLooks((look) => {
    test(`a link that was opened before, ${look}`, async ({ page, stranger, house }) => {
      const game = await house.inviting();
      await stranger.goto(game.link);
      await expectSeat(stranger);
      await page.goto(game.link);
      await expectSeatless(page, /opened this link already/);
      await expectLooks(page, `link-used-${look}`);
    });
  }, { narrow: [320, 640] });
});
