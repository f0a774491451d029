// What positions are worth, on the pages: hints while a game goes on, every move when it is over.

import { Board } from '../board.js';
import { expect, expectLooks, inBothLooks, newGame, picture, test } from '../story.js';

/** Morphy at the opera, 1858. */
const MOVES =
  'e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ ' +
  'Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#';

async function levels(house) {
  return (await (await fetch(`${house.url}/api/info`)).json()).levels;
}

/** How strong the computer is at a level, as people see it. */
async function rating(house, level) {
  return `~${(await levels(house))[level - 1].rating}`;
}

test('a person asks for a hint and follows it', async ({ page, house }) => {
  const dialog = await newGame(page, house);
  await dialog.getByRole('checkbox', { name: 'Hints' }).check();
  await dialog.getByRole('slider', { name: 'Level' }).fill('2');
  await expect(dialog).toContainText(await rating(house, 2));
  await dialog.getByRole('button', { name: 'Play' }).click();

  const board = new Board(page);
  await board.expectAt('e2', 'white pawn');
  await expect(page.getByTestId('seat-black')).toContainText(await rating(house, 2));
  await expect(page.getByTestId('worth')).toHaveCount(0);
  await page.getByRole('button', { name: 'Hint', exact: true }).click();
  await expect(page.getByTestId('worth')).toContainText('Best');
  await expect(board.board.locator('path.shaft')).toHaveCount(1);
  const move = await board.board.getAttribute('data-arrow');
  await board.drag(move);
  await expect(board.moves).not.toHaveCount(0);
  await expect(page.getByTestId('worth')).toHaveCount(0);
  await expect(board.board.locator('path.shaft')).toHaveCount(0);
});

test('without hints there is nothing to ask, and nobody who watches may', async ({ page, house }) => {
  const plain = await house.pair();
  await page.goto(house.gamePage(plain.id, plain.white));
  await expect(page.getByRole('button', { name: 'Resign' })).toBeVisible();
  await expect(page.getByTestId('hint')).toHaveCount(0);

  const { facts } = await house.call('createGame', { type: 'agent', hints: true });
  const joined = await house.call('joinGame', { game_id: facts.game_id, hints: true });
  await page.goto(house.gamePage(facts.game_id));
  await expect(page.getByText('Hints are on for both sides')).toBeVisible();
  await expect(page.getByTestId('hint')).toHaveCount(0);
  await page.goto('about:blank');
  await page.goto(house.gamePage(facts.game_id, joined.facts.pass));
  await expect(page.getByTestId('hint')).toBeVisible();
});

test('a person learns that the agent did not agree to hints', async ({ page, house }) => {
  const dialog = await newGame(page, house);
  await dialog.getByText('An agent').click();
  await dialog.getByRole('checkbox', { name: 'Hints' }).check();
  await dialog.getByRole('button', { name: 'Create game' }).click();
  const prompt = await page.getByTestId('invitation').textContent();
  expect(prompt).toContain('hints=true');
  await page.getByRole('button', { name: 'Open my board' }).click();
  await expect(page.getByText('Hints are offered to both sides')).toBeVisible();

  const [gameId] = prompt.match(/[0-9a-f]{8}/);
  await house.call('joinGame', { game_id: gameId });
  await expect(page.getByText('the agent joined without agreeing')).toBeVisible();
  await expect(page.getByTestId('hint')).toHaveCount(0);
});

test('a finished game is evaluated for whoever asks', async ({ page, context, house }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const game = await house.pair();
  await house.playAll(game, 'f2f3 e7e5 g2g4 d8h4');
  await page.goto(house.gamePage(game.id));
  const board = new Board(page);
  await board.expectAt('h4', 'black queen');
  await expect(page.getByTestId('evaluation')).toHaveCount(0);
  await page.getByRole('button', { name: 'Evaluate this game' }).click();
  await expect(page.getByTestId('evaluation')).toHaveAttribute('data-known', '5');
  await expect(page.getByTestId('evaluate')).toHaveCount(0);
  await expect(board.moves.nth(2)).toContainText('g4??');
  await expect(board.moves.nth(3)).not.toContainText('?');

  await page.keyboard.press('ArrowLeft');
  await expect(page.getByTestId('worth')).toHaveText('#−1');
  await expect(page.getByTestId('evaluation')).toContainText('Blunder; best was');
  const graph = page.getByTestId('evaluation').locator('svg');
  await graph.click({ position: { x: 1, y: 20 } });
  await board.expectAt('f2', 'white pawn');

  await page.getByTestId('copy-pgn').click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain('2. g4 { [%eval #-1]');
});

test('a finished game with hints is evaluated at once', async ({ page, house }) => {
  const { facts } = await house.call('createGame', { type: 'computer', difficulty: 1, hints: true });
  await house.play(facts.pass, 'e2e4');
  await house.call('waitForNextTurn', { game_id: facts.pass });
  await house.call('gameAction', { game_id: facts.pass, action: 'resign' });
  await page.goto(house.gamePage(facts.game_id));
  await expect(page.getByTestId('evaluation')).toHaveAttribute('data-known', '3');
});

test('cards show how strong the computer is', async ({ page, house }) => {
  await house.call('createGame', { type: 'computer', difficulty: 7 });
  await page.goto(house.url);
  await expect(page.getByTestId('game-card')).toContainText(await rating(house, 7));
  await expect(page.getByTitle('Stockfish').first()).toBeVisible();
});

inBothLooks((look) => {
  test(`hints and evaluations, ${look}`, async ({ page, house }) => {
    const { facts } = await house.callAs('Claude', 'createGame', {
      type: 'computer',
      difficulty: 4,
      hints: true,
      fen: 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4',
    });
    await page.goto(house.gamePage(facts.game_id, facts.pass));
    await page.getByTestId('hint').click();
    await page.getByTestId('worth').waitFor();
    await expectLooks(page, `hint-${look}`);

    const game = await house.pair({}, ['Claude', 'Gemini']);
    await house.playAll(game, MOVES);
    await page.goto(house.gamePage(game.id));
    await page.getByTestId('evaluate').waitFor();
    await picture(page, `finished-${look}`);
    await page.getByTestId('evaluate').click();
    await expect(page.getByTestId('copy-pgn')).toHaveAttribute('data-copy', /%eval/);
    for (let n = 0; n < 5; n++) await page.keyboard.press('ArrowLeft');
    await expectLooks(page, `evaluated-${look}`);
    await page.getByTestId('evaluation').scrollIntoViewIfNeeded();
    await picture(page, `evaluated-below-${look}`);
  });
});
