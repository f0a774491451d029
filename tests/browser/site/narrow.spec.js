// The pages on a phone, by touch: nothing is wider than the screen, and a thumb reaches what it needs.

import { Board } from '../board.js';
import { League } from '../league.js';
import { expect, expectAccessible, expectNoSidewaysScroll, picture, test } from '../story.js';

const LONG = 'Experimental-Client-With-A-Long-Name-40c';
const [WIDTH, HEIGHT] = [320, 568];

test.use({ viewport: { width: WIDTH, height: HEIGHT }, hasTouch: true, isMobile: true });

/** Looks for what a finger would miss. */
async function expectRoomForFingers(page, within = 'body') {
  const small = await page.locator(within).evaluate((root) => {
    const touched = [...root.querySelectorAll('button, a.button, a.meeting, summary, label:has(input), input.field, .skip')];
    const boxes = touched.filter((it) => it.checkVisibility() && !it.closest('[role="grid"], .squares'));
    return boxes
      .map((it) => [it.getBoundingClientRect(), it.outerHTML.slice(0, 80)])
      .filter(([{ width, height }]) => Math.min(width, height) > 0 && Math.min(width, height) < 43.5)
      .map(([{ width, height }, html]) => `${width} x ${height}: ${html}`);
  });
  expect(small).toEqual([]);
}

/** Looks for text that is cut. */
async function expectWhole(texts) {
  const cut = await texts.evaluateAll((all) => all.filter((text) => text.scrollWidth > text.clientWidth).map((text) => text.textContent));
  expect(cut).toEqual([]);
}

/** Where something ends, and where it begins. */
const edges = async (locator) => {
  const { y, height } = await locator.boundingBox();
  return [y, y + height];
};

test('whatever the names, the whole board is on the screen', async ({ page, house }) => {
  const game = await house.pair({}, [LONG, LONG]);
  await house.playAll(game, 'e2e4 d7d5 e4d5');
  await page.goto(house.gamePage(game.id, game.black));
  await new Board(page).expectAt('d5', 'white pawn');
  const board = await page.getByTestId('board').boundingBox();
  expect(board.x).toBeGreaterThanOrEqual(0);
  expect(board.x + board.width).toBeLessThanOrEqual(WIDTH);
  await page.getByRole('button', { name: 'Take back' }).tap();
  await page.getByRole('button', { name: 'Takeback asked' }).waitFor();
  const resign = await page.getByTestId('resign').boundingBox();
  expect(resign.x + resign.width).toBeLessThanOrEqual(WIDTH - 12);
  await expectNoSidewaysScroll(page);
  await expectRoomForFingers(page);
  await page.goto(house.url);
  await page.getByTestId('game-card').first().waitFor();
  await expectNoSidewaysScroll(page);
  await expectRoomForFingers(page);
  for (const dialog of ['new-game', 'connect']) {
    await page.getByTestId(dialog).tap();
    await page.getByRole('dialog').waitFor();
    await expectNoSidewaysScroll(page);
    await expectRoomForFingers(page, 'dialog');
    if (dialog === 'new-game') await expect(page.getByTestId('create')).toBeInViewport({ ratio: 1 });
    await page.getByRole('button', { name: 'Close' }).tap();
  }
});

test.describe('a game that cannot be', () => {
  test.use({ expected: /400|422/ });

  test('is refused in sight of the button', async ({ page, house }) => {
    await page.goto(house.url);
    await page.getByTestId('new-game').tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByTestId('game').selectOption('Hex');
    await dialog.locator('[data-setup="size"]').fill('99');
    await dialog.evaluate((dialog) => dialog.scrollTo(0, 0));
    await dialog.getByTestId('create').tap();
    const refusal = dialog.getByRole('alert');
    await expect(refusal).toContainText('not 99');
    await expect(refusal).toBeInViewport({ ratio: 1 });
    expect((await edges(refusal))[1]).toBeLessThanOrEqual((await edges(dialog.getByTestId('create')))[0]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, 'refused-dark-320');
    await dialog.getByTestId('game').selectOption('Dungeon');
    await expect(dialog.getByTestId('begin')).toBeInViewport({ ratio: 1 });
    await picture(page, 'begin-dungeon-dark-320');
  });
});

test('an offer is answered under the thumb, beside the board', async ({ page, house }) => {
  const game = await house.pair();
  await house.playAll(game, 'e2e4');
  await page.goto(house.gamePage(game.id, game.black));
  const [draw, resign] = [page.getByRole('button', { name: 'Offer draw' }), page.getByTestId('resign')];
  await resign.waitFor();
  // What is measured may still be on its way to its place.
  const settled = (look) => expect(look).toPass();
  await settled(async () => {
    expect((await draw.boundingBox()).y, 'one row').toBe((await resign.boundingBox()).y);
  });
  await house.call('gameAction', { game_id: game.white, action: 'offerDraw' });
  await expect(page.getByTestId('status')).toHaveText('White offers a draw');
  const accept = page.getByRole('button', { name: 'Accept draw' });
  for (const seen of [accept, page.getByTestId('status')]) {
    await expect(seen).toBeInViewport({ ratio: 1 });
  }
  const [asked, board] = [page.getByTestId('asked'), page.getByTestId('board')];
  await settled(async () => {
    const [below, above] = [await asked.boundingBox(), await board.boundingBox()];
    expect(below.y, 'the board is not covered').toBeGreaterThanOrEqual(above.y + above.height);
    const status = await page.getByTestId('status').boundingBox();
    expect(below.y, 'nor is what stands in the headline').toBeGreaterThanOrEqual(status.y + status.height);
    expect(below.y, 'a thumb reaches it').toBeGreaterThan(HEIGHT * 0.6);
  });
  await expectAccessible(page);
  await picture(page, 'offer-light-320');
  await accept.tap();
  await expect(page.getByTestId('status')).toContainText('Draw');
  await expect(page.getByTestId('rematch')).toBeInViewport({ ratio: 1 });
});

test('a move is made by touch', async ({ page, house }) => {
  const game = await house.pair();
  await page.goto(house.gamePage(game.id, game.white));
  const board = new Board(page);
  await board.expectAt('e2', 'white pawn');
  await board.tap('e2e4');
  await board.expectAt('e4', 'white pawn');
  // It stands there before the server has it.
  await expect.poll(async () => (await house.look(game.id)).history).toEqual(['e4']);
});

test('a draw that can be claimed is told with its reason, and takes nothing away', async ({ page, house }) => {
  const game = await house.pair();
  await house.playAll(game, 'g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8');
  await page.goto(house.gamePage(game.id, game.white));
  const claim = page.getByTestId('claim');
  for (const seen of [claim.getByText(/threefold|repetition/i), page.getByTestId('resign')]) {
    await expect(seen).toBeInViewport({ ratio: 1 });
  }
  const bar = page.locator('.deeds');
  expect((await edges(bar))[0]).toBeGreaterThanOrEqual((await edges(page.getByTestId('board')))[1]);
  await picture(page, 'claim-light-320');
  await claim.getByRole('button').tap();
  await expect(page.getByTestId('status')).toContainText('Draw');
});

test('on no phone does what can be done cover the board, held upright or on its side', async ({ page, house }) => {
  const game = await house.pair();
  await house.playAll(game, 'e2e4');
  await page.goto(house.gamePage(game.id, game.black));
  const [board, resign] = [page.getByTestId('board'), page.getByTestId('resign')];
  await resign.waitFor();
  for (const [width, height] of [[320, 480], [360, 640], [568, 320], [640, 360], [844, 390]]) {
    await page.setViewportSize({ width, height });
    await board.evaluate((board) => board.scrollIntoView({ block: 'center' }));
    await picture(page, `small-${width}x${height}`);
    await expect(async () => {
      const [a, b] = [await board.boundingBox(), await resign.boundingBox()];
      const told = `${width} by ${height}: ${JSON.stringify([a, b])}`;
      expect(b.x >= a.x + a.width || b.y >= a.y + a.height, told).toBe(true);
      expect(a.height, `the whole board is on the screen, ${told}`).toBeLessThanOrEqual(height);
      expect(a.height, `and is large enough, ${told}`).toBeGreaterThan(Math.min(width, height) * 0.65);
    }, 'once it has settled').toPass();
    await expectNoSidewaysScroll(page);
  }
});

test('a free seat is taken under the thumb', async ({ page, house }) => {
  const { facts } = await house.call('createGame', { type: 'agent', color: 'white' });
  await page.goto(house.gamePage(facts.game_id));
  const join = page.getByTestId('join');
  await expect(join).toBeInViewport({ ratio: 1 });
  expect((await edges(join))[0]).toBeGreaterThanOrEqual((await edges(page.getByTestId('board')))[1]);
  await expectAccessible(page);
  await picture(page, 'free-light-320');
  await join.tap();
  await expect(page.getByTestId('resign')).toBeInViewport({ ratio: 1 });
});

test.describe('offline', () => {
  test.use({ expected: /ERR_INTERNET_DISCONNECTED/ });

  test('home says so wherever one is', async ({ page, context, house }) => {
    await house.pair();
    await page.goto(house.url);
    await expect(page.getByTestId('stage')).toContainText('Live now');
    await context.setOffline(true);
    await expect(page.getByTestId('server-gone')).toBeInViewport();
    await expect(page.getByTestId('stage')).not.toContainText('Live now');
    await picture(page, 'offline-light-320');
    await page.evaluate(() => scrollTo(0, 500));
    await expect(page.getByTestId('server-gone')).toBeInViewport();
    // What a button opens is not there either; after an upgrade it is gone for good.
    await page.getByTestId('new-game').tap();
    await expect(page.getByTestId('stale')).toBeInViewport();
    await picture(page, 'stale-light-320');
    await context.setOffline(false);
    await expect(page.getByTestId('server-gone')).toHaveCount(0);
    await page.getByRole('button', { name: 'Reload' }).tap();
    await page.getByTestId('new-game').tap();
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});

test('squares are of whole pixels', async ({ page, house }) => {
  const { id } = await house.pair();
  await page.goto(house.gamePage(id));
  for (const width of [320, 333, 360, 375, 393, 412]) {
    await page.setViewportSize({ width, height: 740 });
    const side = async () => (await page.locator('cg-board').boundingBox()).width;
    await expect.poll(async () => (await side()) % 8, `${width} wide`).toBe(0);
    expect(await side()).toBeGreaterThan(width - 36);
  }
});

test('every page fits a phone', async ({ page, house }) => {
  const game = await house.pair({}, [LONG, 'Gemini']);
  await house.playAll(game, 'e2e4 c7c5 g1f3 d7d6');
  const league = await League.open(house, 'cup', [LONG, 'Beta', 'Gamma']);
  await league.start();
  await league.playMatch('R1M1');
  await house.call('get_current_room', { conversationId: 'a walk' });
  const dungeons = await (await fetch(`${house.url}/api/games?kind=dungeon`)).json();
  const pages = {
    home: ['/', 'games'],
    game: [`/game/${game.id}`, 'board'],
    played: [`/game/${game.id}#${game.white}`, 'resign'],
    connect: ['/connect', 'copy-address'],
    league: [`/league/${league.id}`, 'connection'],
    dungeon: [`/dungeon/${dungeons[0].game_id}`, 'connection'],
  };
  for (const [name, [path, testid]] of Object.entries(pages)) {
    await page.goto('about:blank');
    await page.goto(house.url + path);
    await page.getByTestId(testid).first().waitFor();
    await expectNoSidewaysScroll(page);
    await expectRoomForFingers(page);
    if (name === 'league') await expectWhole(page.getByTestId('cross').locator('.name'));
    await picture(page, `phone-${name}-light-320`);
  }
});
