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
    const touched = [...root.querySelectorAll('button, a.button, summary, input:not([type=radio], [type=checkbox])')];
    const boxes = touched.filter((it) => it.checkVisibility() && !it.closest('[role="grid"], .moves, .squares'));
    return boxes
      .map((it) => [it.getBoundingClientRect().height, it.outerHTML.slice(0, 80)])
      .filter(([height]) => height > 0 && height < 43.5);
  });
  expect(small).toEqual([]);
}

test('whatever the names, the whole board is on the screen', async ({ page, house }) => {
  const game = await house.pair({}, [LONG, LONG]);
  await house.playAll(game, 'e2e4 d7d5 e4d5');
  await page.goto(house.gamePage(game.id, game.black));
  await new Board(page).expectAt('d5', 'white pawn');
  const board = await page.getByTestId('board').boundingBox();
  expect(board.x).toBeGreaterThanOrEqual(0);
  expect(board.x + board.width).toBeLessThanOrEqual(WIDTH);
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
    await page.getByRole('button', { name: 'Close' }).tap();
  }
});

test('an offer is answered under the thumb, beside the board', async ({ page, house }) => {
  const game = await house.pair();
  await house.playAll(game, 'e2e4');
  await page.goto(house.gamePage(game.id, game.black));
  await page.getByTestId('resign').waitFor();
  await house.call('gameAction', { game_id: game.white, action: 'offerDraw' });
  await expect(page.getByTestId('status')).toHaveText('White offers a draw');
  const accept = page.getByRole('button', { name: 'Accept' });
  for (const seen of [accept, page.getByTestId('status')]) {
    await expect(seen).toBeInViewport({ ratio: 1 });
  }
  const [asked, board] = [page.getByTestId('asked'), page.getByTestId('board')];
  const [below, above] = [await asked.boundingBox(), await board.boundingBox()];
  expect(below.y, 'the board is not covered').toBeGreaterThanOrEqual(above.y + above.height);
  expect(below.y, 'a thumb reaches it').toBeGreaterThan(HEIGHT * 0.6);
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
  expect((await house.look(game.id)).history).toEqual(['e4']);
});

for (const colorScheme of ['light', 'dark']) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test(`every page fits a phone, ${colorScheme}`, async ({ page, house }) => {
      const game = await house.pair({}, [LONG, 'Gemini']);
      await house.playAll(game, 'e2e4 c7c5 g1f3 d7d6');
      const league = await League.open(house, 'cup', [LONG, 'Beta', 'Gamma']);
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
        await expectAccessible(page);
        await picture(page, `phone-${name}-${colorScheme}-320`);
      }
    });
  });
}
