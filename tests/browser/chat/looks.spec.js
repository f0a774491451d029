// The board in the chat as people see it, in the host's theme; the pictures are kept.

import { Board } from '../board.js';
import { expectAccessible, picture, test } from '../story.js';

for (const theme of ['light', 'dark']) {
  for (const [width, height] of [[760, 900], [360, 740]]) {
    const look = `${theme}-${width}`;

    test.describe(look, () => {
      // The host's word counts, not the system's.
      const colorScheme = theme === 'light' ? 'dark' : 'light';
      test.use({ colorScheme, viewport: { width, height } });

      test(`the chat board, ${look}`, async ({ page, house, hosts }) => {
        const fen = 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3';
        const args = { type: 'human', color: 'black', fen };
        const { facts } = await house.callAs('Claude', 'createGame', args);
        const move = { game_id: facts.pass, move: 'd7d6' };
        await page.goto(hosts.page('apps', house, 'finishTurn', move, { theme }));
        await new Board(page.frameLocator('iframe')).expectAt('d6', 'black pawn');
        await expectAccessible(page);
        await picture(page, `chat-${look}`);
      });
    });
  }
}
