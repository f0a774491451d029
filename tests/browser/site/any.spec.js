// Games that draw themselves, in the browser.

import {
  expect,
  expectAccessible,
  expectLooks,
  expectNoSidewaysScroll,
  inBothLooks,
  keptPass,
  newGame,
  picture,
  test,
} from '../story.js';
import { Table } from '../table.js';

/** Two agents at a game of any kind, with the pass of each in the order of their seats. */
async function pair(house, game, setup = {}) {
  const { facts } = await house.callAs('Claude', 'createGame', { type: 'agent', game, setup });
  const joined = await house.callAs('Gemini', 'joinGame', { game_id: facts.game_id });
  return { id: facts.game_id, passes: [facts.pass, joined.facts.pass] };
}

test('a person loses connect four to the computer, steps through it, and plays again', async ({ page, house }) => {
  const dialog = await newGame(page, house, 'Connect four');
  await dialog.getByText('The computer').click();
  await dialog.getByText('Yellow', { exact: true }).click();
  await dialog.getByRole('slider', { name: 'Level' }).press('End');
  await dialog.getByRole('button', { name: 'Play' }).click();
  await expect(page).toHaveURL(/\/game\/[0-9a-f]{8}$/);

  const table = new Table(page);
  await table.playOut();
  await expect(table.status).toHaveText('You lost: Red wins with four in a row');
  await expect(page.getByTestId('seat-Red')).toContainText('won');
  const { view, points } = await house.look(await keptPass(page));
  expect(points).toEqual([1, -1]);
  const pieces = view.board.join('').replaceAll('.', '').length;
  await expect(table.pieces).toHaveCount(pieces);
  await expect(table.moves).toHaveCount(pieces);

  await table.stepThrough(page.keyboard);
  await table.moves.nth(2).click();
  await expect(table.pieces).toHaveCount(3);
  await page.getByTestId('last').click();
  await expect(table.pieces).toHaveCount(pieces);

  // Once more, from the other side.
  const before = page.url();
  await page.getByTestId('rematch').click();
  await expect.poll(() => page.url()).not.toBe(before);
  await expect(page.getByTestId('seat-Red')).toContainText('you');
  await page.goto(house.url);
  await expect(page.getByTestId('yours').locator('[data-kind="connect-four"]')).toHaveCount(2);
});

test.describe('a link', () => {
  // Browsers report refusals.
  test.use({ expected: /409/ });

  test('a person gives up a game of Hex, having been asked once more, and who comes late by the link sees it', async ({ page, stranger, house }) => {
    const { facts, link } = await house.call('createGame', { type: 'human', game: 'hex' });
    await page.goto(link);
    await expect(page.getByTestId('seat-White').locator('.mark')).toBeVisible();
    await stranger.goto(link);
    await expect(stranger.getByTestId('seatless')).toBeVisible();
    await page.getByTestId('resign').click();
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await page.getByTestId('resign').click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Yes, resign' }).click();
    await expect(new Table(page).status).toHaveText(/^You lost: .*resign/);
    await expect(new Table(stranger).status).toHaveText(/resign/);
    await expect(page.getByTestId('resign')).toHaveCount(0);
    expect((await house.look(facts.pass)).status).toBe('over');
  });
});

test('nobody sees a card that is not theirs', async ({ page, stranger, house }) => {
  const { id, passes } = await pair(house, 'kuhn-poker', { hands: 1 });
  await page.goto(house.gamePage(id, passes[0]));
  await stranger.goto(house.gamePage(id));
  const [mine, theirs] = [new Table(page), new Table(stranger)];
  await expect(mine.cards.nth(0)).toHaveText(/^[JQK]$/);
  for (const hidden of [mine.cards.nth(1), theirs.cards.nth(0), theirs.cards.nth(1)]) {
    await expect(hidden).toHaveText('face down');
  }
  await page.getByTestId('choices').getByRole('button', { name: 'bet' }).click();
  await expect(mine.moves).toHaveCount(1);
  await house.play(passes[1], 'bet');
  // What the cards were is told at the end, and only then: not when one looks back.
  await expect(theirs.cards.nth(1)).toHaveText(/^[JQK]$/);
  await stranger.getByTestId('first').click();
  await expect(theirs.cards.nth(1)).toHaveText('face down');
  await page.getByTestId('first').click();
  await expect(mine.cards.nth(0)).toHaveText(/^[JQK]$/);
  await expect(mine.cards.nth(1)).toHaveText('face down');
});

test('practice is marked on its page, in lists and on the page of its league', async ({ page, house }) => {
  await house.command('league', 'create', 'drill', '--seed', '7', '--url', house.url);
  const games = [await pair(house, 'nim', { seed: 7 }), await pair(house, 'chess', { seed: 7 })];
  const [{ game_id }] = await house.ask('/api/leagues');
  for (const address of [...games.map(({ id }) => house.gamePage(id)), `${house.url}/league/${game_id}`]) {
    await page.goto(address);
    await expect(page.getByTestId('practice')).toHaveText('Practice: a player chose the seed, so it is not rated.');
  }
  await pair(house, 'nim');
  await page.goto(house.url);
  const cards = page.getByTestId('games').getByTestId('game-card');
  await expect(cards).toHaveCount(3);
  await expect(cards.filter({ hasText: 'Practice, not rated' })).toHaveCount(2);
});

test('what a move brought to light stands with it, and at the end what its player says of it', async ({ page, house }) => {
  const { id, passes } = await pair(house, 'kuhn-poker', { hands: 2 });
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(house.gamePage(id));
  const moves = page.getByTestId('moves');
  const comments = moves.getByTestId('comment');
  await house.play(passes[0], 'bet', `<b>${'long'.repeat(60)}</b>`);
  await house.play(passes[1], 'bet');
  const told = /^Cards: Player 1 [JQK], Player 2 [JQK]\. Player \d wins the pot of 4\.$/;
  await expect(moves.getByTestId('revealed')).toHaveText([told]);
  await expect(page.getByTestId('announcer').getByText('Cards: ')).toHaveCount(1);
  await expect(comments).toHaveCount(0);
  await house.play(passes[1], 'bet', 'You never have it.');
  await house.play(passes[0], 'bet');
  await expect(moves.getByTestId('revealed')).toHaveText([told, told]);
  await expect(comments).toHaveText([/^<b>(long)+<\/b>$/, 'You never have it.']);
  await expect(moves.getByRole('listitem').nth(2)).toContainText('You never have it.');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test('two people play by a link, and what is sealed stays so', async ({ page, stranger, house }) => {
  const dialog = await newGame(page, house, 'Even or odd');
  await dialog.getByText('Another person').click();
  await dialog.locator('[data-setup="rounds_to_win"]').fill('1');
  await dialog.getByRole('button', { name: 'Create game' }).click();
  await expect(dialog.getByRole('button', { name: 'Open my board' })).toBeFocused();
  const link = await dialog.getByTestId('invitation').textContent();
  await dialog.getByRole('button', { name: 'Open my board' }).click();
  await stranger.goto(link);
  await stranger.getByRole('button', { name: 'Play as Even' }).click();

  const [mine, theirs] = [new Table(page), new Table(stranger)];
  await expect(theirs.status).toHaveText('Your move');
  await page.getByTestId('choices').getByRole('button', { name: '3' }).click();
  await expect(mine.status).toHaveText('Waiting for Even');
  // Sealed: the other sees that a move is in, and not which.
  await expect(theirs.status).toHaveText('Your move');
  await expect(theirs.moves).toHaveCount(0);
  await stranger.getByTestId('choices').getByRole('button', { name: '2' }).click();
  await expect(mine.status).toHaveText(/^You won: Odd wins/);
  await expect(theirs.status).toHaveText(/^You lost: /);
});

test('a game is set up in words, and what is left as usual is not told', async ({ page, house }) => {
  await page.goto(house.url);
  const begin = async (title, choose) => {
    await page.getByTestId('new-game').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByTestId('game').selectOption(title);
    await choose(dialog);
    await dialog.getByRole('button', { name: 'Play' }).click();
    await expect(page).toHaveURL(/\/game\/[0-9a-f]{8}$/);
    await page.getByTestId('drawing').waitFor();
  };
  await begin('Hex', async (dialog) => {
    await expect(dialog.getByLabel('Size')).toHaveAttribute('placeholder', '11');
    await dialog.getByLabel('Swap').check();
  });
  await expect(page.getByTestId('setup')).toHaveText('Set-up: swap true.');
  await begin("Liar's dice", async () => {});
  await expect(page.getByRole('heading', { name: "Liar's dice" })).toBeVisible();
  await expect(page.getByTestId('setup')).toHaveCount(0);
});

test.describe('by touch', () => {
  test.use({ hasTouch: true });

  test('a finger is shown what it would take, and takes it by another tap', async ({ page, house }) => {
    const { id, passes } = await pair(house, 'nim');
    await page.goto(house.gamePage(id, passes[0]));
    const table = new Table(page);
    await page.getByRole('button', { name: 'heap 1: 1:3' }).tap();
    await page.getByRole('button', { name: 'heap 2: 2:4' }).tap();
    await expect(page.getByTestId('confirm')).toHaveText('Play 2:4');
    await expect(page.getByTestId('tracks').locator('.aimed')).toHaveCount(4);
    await expect(table.moves).toHaveCount(0);
    await page.getByTestId('confirm').tap();
    await expect(table.moves).toHaveText([/2:4/]);
    await house.play(passes[1], '3:7');
    await table.expectTurn(2);
    await expect(page.getByTestId('confirm')).toHaveCount(0);
    const last = page.getByRole('button', { name: 'heap 2: 2:1' });
    await last.tap();
    await last.tap();
    await expect(table.moves).toHaveCount(3);
  });
});

inBothLooks((look, theme) => {
  test(`every game, ${look}`, async ({ page, house }) => {
    const kinds = await house.kinds();
    for (const kind of kinds) {
      await test.step(kind.title, async () => {
        const game = await house.gather(kind);
        await page.goto(house.gamePage(game.id, game.due));
        await page.getByTestId('drawing').waitFor();
        await expectLooks(page, `any-${kind.game}-${look}`);
        await page.goto('about:blank');
      });
    }
    const listed = await house.ask('/api/games?status=live');
    await page.goto(house.url);
    await expect(page.getByTestId('games').getByTestId('game-card')).toHaveCount(listed.length);
    await expectLooks(page, `any-dashboard-${look}`);
    await page.getByTestId('other-kinds').selectOption('Gomoku');
    await expect(page.getByTestId('games').getByTestId('game-card')).toHaveCount(1);
    await page.getByTestId('new-game').click();
    for (const { game, title } of kinds) {
      await page.getByTestId('game').selectOption(title);
      // Its colours are those of the dialog for chess, which looks.spec.js sees in the dark.
      if (theme === 'light') await expectAccessible(page);
      await picture(page, `any-new-${game}-${look}`);
    }
  });
}, { narrow: [320, 568] });
