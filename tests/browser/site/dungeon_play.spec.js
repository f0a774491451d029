// A person plays dungeons on their page, by mouse and by key, to the end.

import { Run } from '../dungeon.js';
import { expect, expectLooks, expectNoSidewaysScroll, keptPass, picture, test } from '../story.js';

const deed = (page, move) => page.locator(`[data-move="${move}"]`);
const stateOf = async (page) => {
  const { origin, pathname } = new URL(page.url());
  return (await fetch(`${origin}/api/dungeons/${pathname.split('/').at(-1)}`)).json();
};

/** Starts a dungeon from home, as a person does. */
async function begin(page, house, { theme, difficulty, hero }) {
  await page.goto(house.url);
  await page.getByRole('button', { name: 'New game' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByTestId('game').selectOption('Dungeon');
  await dialog.getByText(theme).click();
  await dialog.getByText(difficulty, { exact: true }).click();
  await dialog.getByTestId('hero-name').fill(hero);
  await dialog.getByTestId('begin').click();
  await expect(page).toHaveURL(/\/dungeon\/[0-9a-f]{8}$/);
  await expect(page.getByTestId('status')).toHaveText('Exploring the dungeon');
}

/** Opens a dungeon as a person to whom an assistant gave the link. By its seed it is always the same. */
async function open(page, house, choices) {
  const conversationId = `${choices.theme} ${choices.seed}`;
  await house.call('get_current_room', { conversationId, difficulty: 'gentle', hero: 'Mira', ...choices });
  const { facts } = await house.call('get_player_stats', { conversationId });
  await page.goto(facts.playPage.replace(/^.*(?=\/dungeon)/, house.url));
  await expect(page.getByTestId('status')).toHaveText('Exploring the dungeon');
}

/** A careful hero: drinks and rests in time, takes everything, sees everything, then the boss. */
class Careful {
  #been = new Map();

  choose({ actions, room, stats }) {
    const of = (verb) => actions.find((move) => move.startsWith(verb));
    const flask = stats.inventory.find(({ name }) => name.endsWith('Health Potion'));
    const low = 2 * stats.hp < stats.maxHp;
    if (room.monsters.some(({ isAlive }) => isAlive)) {
      const drink = flask && `apply ${flask.id}`;
      return low && actions.includes(drink) ? drink : of('attack');
    }
    const take = of('take');
    if (take) return take;
    if (low && of('rest')) return 'rest';
    this.#been.set(room.roomId, (this.#been.get(room.roomId) ?? 0) + 1);
    const often = ({ roomId, isLocked }) => (this.#been.get(roomId) ?? 0) + (isLocked ? 5 : 0);
    const open = room.exits.filter(({ direction }) => actions.includes(`go ${direction.toLowerCase()}`));
    const [exit] = open.toSorted((a, b) => often(a) - often(b));
    return `go ${exit.direction.toLowerCase()}`;
  }
}

const byMouse = (page, move) => deed(page, move).click();

/** Goes to the button by the tab key alone. */
async function byKey(page, move) {
  const focused = () => page.evaluate(() => document.activeElement?.dataset.move);
  for (let presses = 0; (await focused()) !== move; presses++) {
    expect(presses, `${move} cannot be reached by key`).toBeLessThan(200);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
}

/** Plays on until it is over, with a picture of whatever is new on the way. */
async function playToTheEnd(page, press, look) {
  const hero = new Careful();
  const pictured = new Set();
  for (let turns = 0; turns < 600; turns++) {
    const state = await stateOf(page);
    if (state.status === 'over') return state;
    const sight = state.gameStatus === 'InCombat' ? 'fight' : state.people.length > 0 ? 'person' : 'quiet';
    if (!pictured.has(sight)) {
      pictured.add(sight);
      await expectLooks(page, `dungeon-play-${sight}-${look}`);
    }
    await press(page, hero.choose(state));
    await expect(page.getByTestId('sums')).toContainText(` ${state.turn} turn`);
  }
  throw new Error('it takes too long');
}

for (const [how, press, colorScheme, width, theme] of [
  ['keyboard', byKey, 'light', 1280, 'temple'],
  ['mouse', byMouse, 'dark', 320, 'mine'],
]) {
  const look = `${how}-${colorScheme}-${width}`;
  test.describe(look, () => {
    test.use({ colorScheme, viewport: { width, height: 860 } });

    test(`a whole dungeon by ${how}, ${colorScheme}, ${width} wide`, async ({ page, house }) => {
      test.slow();
      await open(page, house, { theme, seed: look });
      expect(await keptPass(page)).toBeTruthy();
      await expect(page.getByTestId('picture')).toHaveAccessibleName(new RegExp(theme));
      const over = await playToTheEnd(page, press, look);
      await expect(page.getByTestId('status')).toHaveText(over.result);
      await expect(page.getByTestId('hero')).toContainText('Mira');
      await expect(page.getByTestId('score-parts')).toContainText('victory');
      await expect(page.locator('[data-move]')).toHaveCount(0);
      await expectLooks(page, `dungeon-play-over-${look}`);
    });
  });
}

test('the next deed need not wait for the answer to the last', async ({ page, house }) => {
  await open(page, house, { theme: 'crypt', seed: 'the next deed' });
  let release;
  const done = new Promise((resolve) => (release = resolve));
  await page.route('**/play', async (route) => {
    const response = await route.fetch();
    await done;
    await route.fulfill({ response });
  });
  // By the stream the page knows what came of each.
  for (const turn of [1, 2]) {
    const { actions } = await stateOf(page);
    await byMouse(page, actions.find((move) => move.startsWith('go')) ?? actions[0]);
    await expect(page.getByTestId('sums')).toContainText(` ${turn} turn`);
  }
  release();
  // An answer that is still on its way is not cut off.
  await page.unrouteAll({ behavior: 'wait' });
});

test('a run is stepped through with the slider, and played on from its end', async ({ page, house }) => {
  await begin(page, house, { theme: 'The mine', difficulty: 'Standard', hero: 'Tom' });
  expect(await keptPass(page)).toBeTruthy();
  await expect(page.getByTestId('picture')).toHaveAccessibleName('The mine');
  const first = await stateOf(page);
  await byMouse(page, first.actions.find((move) => move.startsWith('go')));
  await expect(page.getByTestId('sums')).toContainText(' 1 turn');
  const here = page.getByTestId('map').locator('.room.here');
  const second = await stateOf(page);
  await expect(here).toHaveAttribute('data-room', second.room.roomId);
  await page.keyboard.press('Home');
  await expect(here).toHaveAttribute('data-room', first.room.roomId);
  // Its name stands above.
  const [name, ...told] = first.room.description.split('. ');
  await expect(page.getByTestId('chamber').getByRole('heading', { name })).toBeVisible();
  await expect(page.getByTestId('chamber').getByText(told.join('. '))).toBeVisible();
  await expect(page.locator('[data-move]'), 'the past cannot be changed').toHaveCount(0);
  await page.keyboard.press('End');
  await expect(here).toHaveAttribute('data-room', second.room.roomId);
  await expect(page.locator('[data-move]').first()).toBeVisible();
});

test('a choice tells its costs, once to those who watch too, and is made', async ({ page, stranger, house }) => {
  await open(page, house, { theme: 'temple', seed: '114', difficulty: 'standard' });
  for (const [turn, verb] of ['go north', 'attack', 'attack'].entries()) {
    const { actions } = await stateOf(page);
    await byMouse(page, actions.find((move) => move.startsWith(verb)));
    await expect(page.getByTestId('sums')).toContainText(` ${turn + 1} turn`);
  }
  await stranger.goto(page.url());
  for (const seen of [stranger, page]) {
    const sluice = seen.getByRole('list', { name: 'Also here' }).getByRole('listitem').filter({ hasText: 'Sluice' });
    await expect(sluice).toHaveCount(1);
    await expect(sluice).toContainText('Wheel: 3 HP: what the water hid, a hidden way');
  }
  await picture(page, 'dungeon-choice-light-1280');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'dungeon-choice-dark-390');
  await page.getByRole('button', { name: 'Choose the Wheel' }).click();
  await expect(page.getByTestId('said')).toContainText('A hidden way: ');
});

test('the map shows stairs, people and things to decide', async ({ page, house }) => {
  const run = await Run.begin(house, 'signs', 'signs for the browser');
  const signs = ({ map }) => new Set(map.rooms.map(({ sign }) => sign));
  const state = await run.until((state) => state.status === 'over' || signs(state).has('person'));
  await page.goto(run.page);
  for (const { roomId, sign } of state.map.rooms.filter(({ sign }) => ['stairs', 'person', 'choice'].includes(sign))) {
    await expect(page.locator(`[data-room="${roomId}"]`)).toHaveAttribute('data-sign', sign);
  }
  await expect(page.locator('[data-sign="stairs"] .sign')).toHaveCount(1);
  await expect(page.locator('[data-move]'), 'who watches cannot play').toHaveCount(0);
});

test.describe('a link with a wrong secret', () => {
  test.use({ expected: /40[34]/ });

  test('is told so, and watches', async ({ page, house }) => {
    const run = await Run.begin(house, 'wrong', 'a wrong secret');
    await page.goto(`${run.page}#${run.id}-0000000000000000`);
    await page.locator('[data-move]').first().click();
    await expect(page.getByTestId('said')).toContainText('You can watch');
    await expect(page.locator('[data-move]')).toHaveCount(0);
  });
});
