// A person plays in the browser.

import { Board } from '../board.js';
import { expect, test } from '../story.js';

/** After so many moves the person resigns: the story is about playing, not about winning. */
const PATIENCE = 40;

test('a person plays a whole game against the computer', async ({ page, house }) => {
  await page.goto(house.url);
  await page.getByRole('button', { name: 'New game' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /computer/i }).check();
  await dialog.getByRole('slider').fill('1');
  await dialog.getByRole('button', { name: /start|play|create/i }).click();
  await expect(page).toHaveURL(/\/game\/[0-9a-f]{8}#/);

  const pass = new URL(page.url()).hash.slice(1);
  const board = new Board(page);
  let game = await house.look(pass);
  for (let turn = 0; turn < PATIENCE && game.status !== 'over'; turn++) {
    const move = best(game.legal_moves).uci;
    await board.drag(move);
    if (move[4]) await board.promote(move[4]);
    const moved = async () => (game = await house.look(pass)).history.length;
    const both = game.history.length + 2;
    await expect.poll(async () => (await moved()) >= both || game.status === 'over').toBe(true);
    // The person waits until the reply is to be seen, too.
    const { uci } = game.last_move;
    await expect(board.last).toHaveCount(2);
    await expect.poll(() => board.at(uci.slice(2, 4))).not.toBe(null);
  }
  if (game.status !== 'over') await board.resign();
  await expect(board.root.getByText(/wins by|draw/i).first()).toBeVisible();
  expect((await house.look(pass)).status).toBe('over');
});

/** A mate, or a capture, or whatever comes first. */
function best(moves) {
  const like = (pattern) => moves.find(({ san }) => pattern.test(san));
  return like(/#/) ?? like(/x/) ?? like(/=Q/) ?? moves[Math.floor(moves.length / 2)];
}

test('a pawn promotes to what the person chooses', async ({ page, house }) => {
  const game = await house.pair({ fen: '8/P6k/8/8/8/8/8/K7 w - - 0 1' });
  await page.goto(house.gamePage(game.id, game.white));
  const board = new Board(page);
  await board.expectAt('a7', 'white pawn');
  await board.drag('a7a8');
  await board.promote('n');
  await board.expectAt('a8', 'white knight');
  expect((await house.look(game.id)).history).toEqual(['a8=N']);
});

test('two people play each other', async ({ page, stranger, house }) => {
  await page.goto(house.url);
  await page.getByRole('button', { name: 'New game' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: /person|friend|human/i }).check();
  await dialog.getByRole('button', { name: /start|play|create/i }).click();
  await expect(page).toHaveURL(/\/game\/[0-9a-f]{8}#/);

  const link = page.url().split('#')[0];
  await stranger.goto(link);
  await stranger.getByRole('button', { name: /^play/i }).click();
  await expect(stranger).toHaveURL(/#[0-9a-f]{8}-/);

  const [mine, theirs] = [new Board(page), new Board(stranger)];
  for (const [n, move] of ['f2f3', 'e7e5', 'g2g4', 'd8h4'].entries()) {
    const [mover, other] = n % 2 ? [theirs, mine] : [mine, theirs];
    await mover.drag(move);
    const piece = await mover.at(move.slice(2, 4));
    await other.expectAt(move.slice(2, 4), piece);
  }
  for (const board of [mine, theirs]) {
    await expect(board.root.getByText('Black wins by Checkmate').first()).toBeVisible();
  }
});
