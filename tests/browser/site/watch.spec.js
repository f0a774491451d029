// People watch games in the browser.

import { readFile } from 'node:fs/promises';

import { Board } from '../board.js';
import { expect, expectAccessible, expectNoEmptyEnd, test } from '../story.js';

test('a spectator follows a game and steps back through its moves', async ({ page, house }) => {
  const game = await house.pair();
  await house.playAll(game, 'e2e4 e7e5');
  await page.goto(house.gamePage(game.id));
  const board = new Board(page);
  await board.expectAt('e5', 'black pawn');
  await house.play(game.white, 'g1f3');
  await board.expectAt('f3', 'white knight');

  await page.keyboard.press('ArrowLeft');
  await board.expectAt('g1', 'white knight');
  await page.keyboard.press('Home');
  await board.expectAt('e2', 'white pawn');
  await page.keyboard.press('ArrowRight');
  await board.expectAt('e4', 'white pawn');
  await page.keyboard.press('End');
  await board.expectAt('f3', 'white knight');
  await house.play(game.black, 'b8c6');
  await board.expectAt('c6', 'black knight');
});

test('what the players ask each other is told to all', async ({ page, house }) => {
  const game = await house.pair();
  await house.playAll(game, 'e2e4');
  const ask = (pass, action) => house.call('gameAction', { game_id: pass, action });
  await page.goto(house.gamePage(game.id));
  const status = page.getByTestId('status');
  await ask(game.white, 'takeback');
  await expect(status).toHaveText('White asks for a takeback');
  await page.goto('about:blank');
  await page.goto(house.gamePage(game.id, game.white));
  await expect(status).toHaveText('You asked for a takeback');
  await expect(page).toHaveTitle(/^You asked for a takeback/);
  await ask(game.black, 'declineTakeback');
  await ask(game.black, 'offerDraw');
  await expect(status).toHaveText('Black offers a draw');
  await expect(page).toHaveTitle(/^\(1\) Black offers a draw/);
});

test('what was said of a move is read beside it when the game is over', async ({ page, house }) => {
  const game = await house.pair();
  const comment = 'It opens lines for the bishop and the queen. '.repeat(11).trim();
  await house.call('finishTurn', { game_id: game.white, move: 'I play e4', comment });
  await page.goto(house.gamePage(game.id));
  await new Board(page).expectAt('e4', 'white pawn');
  await expect(page.getByTestId('tries')).toHaveText('White: 1 read loosely.');
  await expect(page.getByTestId('comment')).toHaveCount(0);
  await house.call('gameAction', { game_id: game.black, action: 'resign' });
  await expect(page.getByTestId('comment')).toContainText(comment);
  await expect(page.getByTestId('comment').locator('figcaption')).toBeInViewport();
  await expectAccessible(page);
  await page.keyboard.press('Home');
  await expect(page.getByTestId('comment')).toHaveCount(0);
});

test('position and moves can be copied and taken away', async ({ page, context, house }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const game = await house.pair();
  await house.playAll(game, 'e2e4');
  await page.goto(house.gamePage(game.id));
  await expect(page.getByTestId('fen')).toHaveValue(/4P3/);
  for (const [kind, part] of [
    ['fen', '8/8/4P3/8'],
    ['pgn', '1. e4 *'],
  ]) {
    await page.getByTestId(`copy-${kind}`).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain(part);
    const saving = page.waitForEvent('download');
    await page.getByTestId(`download-${kind}`).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe(`agon-${game.id}.${kind}`);
    expect(await readFile(await saved.path(), 'utf8')).toContain(part);
  }
});

test.describe('when the server is killed', () => {
  test.use({ expected: /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/ });

  test('the page goes on by itself once it is back', async ({ page, house }) => {
    const game = await house.pair();
    await page.goto(house.gamePage(game.id, game.white));
    const board = new Board(page);
    await board.drag('e2e4');
    await expect.poll(async () => (await house.look(game.id)).history).toEqual(['e4']);
    await house.play(game.black, 'e7e5');
    await board.expectAt('e5', 'black pawn');

    await house.kill();
    await expect(page.getByTestId('server-gone')).toBeVisible();
    await house.start();
    await expect(page.getByTestId('connection')).toHaveText('live');
    await board.drag('g1f3');
    await expect.poll(async () => (await house.look(game.id)).history).toEqual(['e4', 'e5', 'Nf3']);
    await house.play(game.black, 'b8c6');
    await board.expectAt('c6', 'black knight');
  });
});

test('a game of three hundred moves is shown', async ({ page, house }) => {
  const game = await house.pair();
  await house.wander(game, 600);
  const { history } = await house.look(game.id);
  await page.goto(house.gamePage(game.id));
  const board = new Board(page);
  await expect(board.moves).toHaveCount(600);
  await expect(board.moves.last()).toContainText(history.at(-1));
  await expect(board.moves.last()).toBeInViewport();
  await page.keyboard.press('Home');
  await board.expectAt('e2', 'white pawn');
  await board.expectAt('g8', 'black knight');
});

test('long games that are over do not scroll past their end', async ({ page, house }) => {
  const chess = await house.pair();
  await house.wander(chess, 200);
  await house.call('gameAction', { game_id: chess.white, action: 'resign' });
  const hex = await house.pair({ game: 'hex' });
  // Row by row: the chain of the first player is whole in the last row.
  const cells = [...Array(121).keys()].map((n) => `${'abcdefghijk'[n % 11]}${Math.floor(n / 11) + 1}`);
  await house.playAll(hex, cells.slice(0, 111).join(' '));
  for (const { id } of [chess, hex]) {
    expect((await house.look(id)).status).toBe('over');
    await page.goto(house.gamePage(id));
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expect(page.getByTestId('connection')).toHaveText('finished');
      await expectNoEmptyEnd(page);
    }
  }
});
