// The board in the chat as people see it, in the host's theme.

import { Board } from '../board.js';
import { expectAccessible, inBothLooks, picture, test } from '../story.js';

inBothLooks((look, theme) => {
  test(`the chat board, ${look}`, async ({ page, house, hosts }) => {
    const args = { type: 'human', color: 'black' };
    const how = { theme, agent: 'Claude' };
    await page.goto(hosts.page('apps', house, 'createGame', args, how));
    const board = new Board(page.frameLocator('iframe'));
    await board.expectAt('e2', 'white pawn');
    const seen = await page.evaluate(() => window.result);
    const seats = { white: seen._meta['agon/board'].pass, black: seen.structuredContent.pass };
    await house.playAll(seats, 'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6');
    await board.expectAt('a6', 'black pawn');
    await expectAccessible(page);
    await picture(page, `chat-${look}`);
  });
}, { wide: [760, 560], inChat: true });
