// The pages as people see them, light and dark, wide and narrow.

import { Board } from '../board.js';
import {
  expect,
  expectAccessible,
  expectLooks,
  expectNoSidewaysScroll,
  inBothLooks,
  picture,
  test,
} from '../story.js';

const GAMES = [
  ['Claude', 'Gemini', 'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6'],
  ['GPT', 'Claude', 'd2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5'],
  ['Goose', 'GPT', 'f2f3 e7e5 g2g4 d8h4'],
  ['Gemini', 'Mistral', 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7'],
];

/** Games at various stages, so that there is something to see. */
async function furnish(house) {
  const games = [];
  for (const [white, black, moves] of GAMES) {
    const game = await house.pair({}, [white, black]);
    await house.playAll(game, moves);
    games.push(game);
  }
  await house.callAs('Claude', 'createGame', { type: 'agent' });
  await house.callAs('Qwen', 'createGame', { type: 'computer', difficulty: 3 });
  return games;
}

inBothLooks((look) => {
  test(`the dashboard, ${look}`, async ({ page, house }) => {
    await page.goto(house.url);
    await page.getByTestId('empty').waitFor();
    await expectAccessible(page);
    await picture(page, `dashboard-empty-${look}`);
    await furnish(house);
    await page.reload();
    await expect(page.getByTestId('games').getByTestId('game-card')).toHaveCount(5);
    await expectLooks(page, `dashboard-${look}`);
    await page.getByTestId('new-game').click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await picture(page, `new-game-${look}`);
  });

  test(`the game page, ${look}`, async ({ page, house }) => {
    const [game] = await furnish(house);
    for (const [who, pass] of [['watched', undefined], ['played', game.white]]) {
      await page.goto(house.gamePage(game.id, pass));
      await new Board(page).expectAt('a6', 'black pawn');
      await expectLooks(page, `game-${who}-${look}`);
      // A tablet, held upright.
      await page.setViewportSize({ width: 768, height: 1024 });
      await expectNoSidewaysScroll(page);
      await page.goto('about:blank');
    }
  });
}, { narrow: [320, 568] });
