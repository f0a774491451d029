// A person plays in the browser.

import { Board } from '../board.js';
import { expect, keptPass, newGame, tabTo, test } from '../story.js';

/** A game's address without the pass, which the page keeps elsewhere. */
const BARE = /\/game\/[0-9a-f]{8}$/;

/** After so many moves the person resigns: the story is about playing, not about winning. */
const PATIENCE = 40;

test('a person plays a whole game against the computer', async ({ page, house }) => {
  const dialog = await newGame(page, house);
  await dialog.getByText('The computer').click();
  await dialog.getByRole('slider', { name: 'Level' }).fill('1');
  await dialog.getByRole('button', { name: 'Play' }).click();
  await expect(page).toHaveURL(BARE);

  const pass = await keptPass(page);
  const board = new Board(page);
  let game = await house.look(pass);
  for (let turn = 0; turn < PATIENCE && game.status !== 'over'; turn++) {
    const move = best(game.legal_moves).uci;
    await board.drag(move);
    if (move[4]) await board.promote(move[4]);
    const moved = async () => (game = await house.look(pass)).history.length;
    const both = game.history.length + 2;
    await expect.poll(async () => (await moved()) >= both || game.status === 'over').toBe(true);
    // The reply must be seen before the next move can be made.
    await expect(board.moves).toHaveCount(game.history.length);
  }
  if (game.status !== 'over') await board.resign();
  await expect.poll(async () => (game = await house.look(pass)).status).toBe('over');
  await expect(board.status).toHaveText(/^You (won|lost) by|^Draw/);
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
  await expect.poll(async () => (await house.look(game.id)).history).toEqual(['a8=N']);
});

test('two people play each other', async ({ page, stranger, house }) => {
  const dialog = await newGame(page, house);
  await dialog.getByText('Another person').click();
  await dialog.getByRole('button', { name: 'Create game' }).click();
  const link = await dialog.getByTestId('invitation').textContent();
  await dialog.getByRole('button', { name: 'Open my board' }).click();
  await expect(page).toHaveURL(BARE);

  await stranger.goto(link);
  await stranger.getByRole('button', { name: 'Play black' }).click();
  await expect.poll(() => keptPass(stranger)).toMatch(/^[0-9a-f]{8}-/);

  const [mine, theirs] = [new Board(page), new Board(stranger)];
  for (const [move, piece] of [
    ['f2f3', 'white pawn'],
    ['e7e5', 'black pawn'],
    ['g2g4', 'white pawn'],
    ['d8h4', 'black queen'],
  ]) {
    const [mover, other] = piece.startsWith('white') ? [mine, theirs] : [theirs, mine];
    await mover.drag(move);
    await other.expectAt(move.slice(2, 4), piece);
  }
  await expect(mine.status).toHaveText('You lost by checkmate');
  await expect(theirs.status).toHaveText('You won by checkmate');
});

test('a move chosen in advance is played when it is time', async ({ page, house }) => {
  const game = await house.pair();
  await page.goto(house.gamePage(game.id, game.black));
  const board = new Board(page);
  await board.expectAt('e7', 'black pawn');
  await board.drag('e7e5', 'premove-dest');
  await expect(board.squares.locator('square.current-premove:visible')).toHaveCount(2);
  expect((await house.look(game.id)).history).toEqual([]);
  await house.play(game.white, 'e2e4');
  await board.expectAt('e5', 'black pawn');
  await expect.poll(async () => (await house.look(game.id)).history).toEqual(['e4', 'e5']);

  // What has become impossible is forgotten.
  await board.drag('e5e4', 'premove-dest');
  await house.play(game.white, 'g1f3');
  await board.expectAt('f3', 'white knight');
  await expect(board.squares.locator('square.current-premove:visible')).toHaveCount(0);
  expect((await house.look(game.id)).history).toEqual(['e4', 'e5', 'Nf3']);
});

test('an agent is invited with a prompt', async ({ page, house }) => {
  const dialog = await newGame(page, house);
  await dialog.getByText('An agent').click();
  await dialog.getByText('Black', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Create game' }).click();
  const prompt = await page.getByTestId('invitation').textContent();
  await page.getByRole('button', { name: 'Open my board' }).click();
  await expect(page).toHaveURL(BARE);

  const [gameId] = prompt.match(/[0-9a-f]{8}/);
  const { facts } = await house.call('joinGame', { game_id: gameId });
  await house.play(facts.pass, 'e2e4');
  const board = new Board(page);
  await board.expectAt('e4', 'white pawn');
  await board.click('e7e5');
  await expect.poll(async () => (await house.look(gameId)).history).toEqual(['e4', 'e5']);
});

test('a move is made with the keyboard alone', async ({ page, house }) => {
  const game = await house.pair();
  await page.goto(house.gamePage(game.id, game.white));
  const board = new Board(page);
  await board.expectAt('e2', 'white pawn');
  const square = page.locator('[data-square]:focus');
  await tabTo(page, square);
  await expect(square).toHaveAttribute('aria-label', 'e2, white pawn');
  for (const key of ['Enter', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await board.expectAt('e4', 'white pawn');
  // The board shows a move before the server has accepted it.
  await expect.poll(async () => (await house.look(game.id)).history).toEqual(['e4']);

  await house.play(game.black, 'g8f6');
  await expect(page.getByTestId('announcer')).toHaveText('Black: knight f6.');
});
