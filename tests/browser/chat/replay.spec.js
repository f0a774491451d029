// A game of chess on the board in the chat is stepped through there.

import { Board } from '../board.js';
import { expect, expectAccessible, inBothLooks, picture, test } from '../story.js';

const step = (board, name) => board.root.getByRole('group', { name: 'Replay' }).getByRole('button', { name });

inBothLooks((look, theme) => {
  test(`a person steps through a game of chess, and plays on, ${look}`, async ({ page, house, hosts }) => {
    const game = await house.inviting({ color: 'white' });
    // The agent's is white here; the person's pass comes with the answer.
    const agent = game.black;
    await page.goto(hosts.page('apps', house, 'finishTurn', { game_id: agent, move: 'e2e4' }, { theme }));
    const board = new Board(page.frameLocator('iframe'));
    const sent = async (move, san) => {
      await board.input.fill(move);
      await board.input.press('Enter');
      await expect(board.moves.last()).toContainText(san);
    };
    await sent('a7a6', 'a6');
    await house.play(agent, 'e4e5');
    await board.expectAt('e5', 'white pawn');
    await sent('d7d5', 'd5');
    await house.play(agent, 'e5d6');
    await board.expectAt('d5', null);
    await expect(board.status).toHaveText(/^Your move/);

    await step(board, 'First move (Home)').click();
    await board.expectAt('e2', 'white pawn');
    await board.expectAt('d6', null);
    await expect(step(board, 'Step back (left arrow)')).toBeDisabled();
    for (const [square, piece] of [['e4', 'white pawn'], ['a6', 'black pawn'], ['e5', 'white pawn'], ['d5', 'black pawn']]) {
      await step(board, 'Step forward (right arrow)').click();
      await board.expectAt(square, piece);
    }
    await expect(board.moves.nth(3)).toHaveAttribute('aria-current', 'step');
    await expectAccessible(page);
    await picture(page, `chat-chess-back-${look}`);

    // By key, and by a click on a move.
    await page.keyboard.press('ArrowLeft');
    await board.expectAt('d5', null);
    await board.expectAt('d7', 'black pawn');
    await page.keyboard.press('Home');
    await board.expectAt('e2', 'white pawn');
    await board.moves.nth(1).click();
    await board.expectAt('a6', 'black pawn');
    await board.expectAt('e4', 'white pawn');
    await page.keyboard.press('End');
    await board.expectAt('d6', 'white pawn');
    await expect(step(board, 'Latest move (End)')).toBeDisabled();

    // Who looks back and then plays is in the present again.
    await page.keyboard.press('Home');
    await board.expectAt('e2', 'white pawn');
    await sent('e7d6', 'exd6');
    await board.expectAt('d6', 'black pawn');
  });
}, { wide: [760, 560], inChat: true });

test('a game that began elsewhere is stepped through from there', async ({ page, house, hosts }) => {
  const { facts } = await house.call('createGame', { type: 'agent', fen: 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' });
  const joined = await house.call('joinGame', { game_id: facts.game_id });
  const game = { white: facts.pass, black: joined.facts.pass };
  await house.playAll(game, 'e1g1 e8c8');
  await page.goto(hosts.page('apps', house, 'finishTurn', { game_id: game.white, move: 'a1a8' }));
  const board = new Board(page.frameLocator('iframe'));
  await board.expectAt('a8', 'white rook');
  await step(board, 'First move (Home)').click();
  await board.expectAt('e1', 'white king');
  await board.expectAt('h1', 'white rook');
  await step(board, 'Step forward (right arrow)').click();
  await board.expectAt('g1', 'white king');
  await board.expectAt('f1', 'white rook');
  await step(board, 'Step forward (right arrow)').click();
  await board.expectAt('c8', 'black king');
  await board.expectAt('d8', 'black rook');
  await expect(board.board.locator('square.check:visible')).toHaveCount(0);
  await step(board, 'Latest move (End)').click();
  await expect(board.board.locator('square.check:visible')).toHaveCount(1);
});
