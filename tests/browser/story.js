// What every story starts from: a house, hosts, and a browser whose faults and errands are watched.

import { join } from 'node:path';

import AxeBuilder from '@axe-core/playwright';
import { test as plain, expect } from '@playwright/test';

import { House } from './agon.js';
import { Hosts } from './hosts.js';

export { expect };

export const test = plain.extend({
  /** What else the server is started with. */
  flags: [[], { option: true }],

  house: async ({ flags }, use) => {
    const house = await House.open(flags);
    await use(house);
    await house.close();
  },

  hosts: async ({}, use) => {
    const hosts = await Hosts.open();
    await use(hosts);
    hosts.close();
  },

  /** Which errors and requests to elsewhere a story expects: none, unless it says so. */
  expected: [/^$/, { option: true }],

  // Looked at while the house still stands: what its end does to a page is no fault.
  context: async ({ context, expected, house }, use) => {
    const watch = new Watch(context);
    await use(context);
    watch.expectNothingBut(expected);
  },

  /** Another person's browser. */
  stranger: async ({ browser, expected, house }, use) => {
    const context = await browser.newContext();
    const watch = new Watch(context);
    await use(await context.newPage());
    watch.expectNothingBut(expected);
    await context.close();
  },
});

/** Errors that pages report, and requests that leave this machine. */
class Watch {
  #seen = [];

  constructor(context) {
    context.on('console', (message) => {
      if (message.type() === 'error') this.#seen.push(message.text());
    });
    context.on('weberror', (error) => this.#seen.push(String(error.error())));
    context.on('request', (request) => {
      const url = new URL(request.url());
      const isOutside = url.protocol.startsWith('http') && url.hostname !== '127.0.0.1';
      if (isOutside) this.#seen.push(request.url());
    });
  }

  expectNothingBut(expected) {
    expect(this.#seen.filter((text) => !expected.test(text))).toEqual([]);
  }
}

/** The pass that this browser holds for the game on the page. */
export async function keptPass(page) {
  const id = new URL(page.url()).pathname.split('/').at(-1);
  return page.evaluate((id) => localStorage.getItem(`agon-pass-${id}`), id);
}

/** Looks for what keeps people out. */
export async function expectAccessible(page) {
  // Where there are frames their findings are put together on another page, which takes as long again.
  const isAlone = page.frames().length === 1;
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(isAlone).analyze();
  const grave = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
  const told = grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n')}`);
  expect(told).toEqual([]);
}

/** Looks for what does not fit the width. */
export async function expectNoSidewaysScroll(page) {
  // A phone's innerWidth grows with what does not fit.
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(page.viewportSize().width);
}

/** Looks for empty space that scrolls under the contents. */
export async function expectNoEmptyEnd(page) {
  const [height, contents] = await page.evaluate(() => {
    const { documentElement: page, body } = document;
    return [page.scrollHeight, Math.max(page.clientHeight, Math.ceil(body.getBoundingClientRect().height))];
  });
  expect(height).toBeLessThanOrEqual(contents);
}

/**
 * Declares stories in the two looks: light and wide, dark and narrow. `story` gets the name of the look, for
 * titles and pictures, and its theme. In a chat the host says which theme it is, and the system the other one.
 */
export function inBothLooks(story, { wide = [1280, 860], narrow = [360, 740], inChat = false } = {}) {
  for (const [theme, other, [width, height]] of [['light', 'dark', wide], ['dark', 'light', narrow]]) {
    const look = `${theme}-${width}`;
    const isPhone = !inChat && width < 400;
    test.describe(look, () => {
      const colorScheme = inChat ? other : theme;
      test.use({ colorScheme, viewport: { width, height }, hasTouch: isPhone, isMobile: isPhone });
      story(look, theme);
    });
  }
}

/** Looks for what keeps people out and for what does not fit the width, and keeps a picture. */
export async function expectLooks(page, name) {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await picture(page, name);
}

/** Opens the dialog for a new game from home, and chooses which game. */
export async function newGame(page, house, title) {
  await page.goto(house.url);
  await page.getByTestId('new-game').click();
  const dialog = page.getByRole('dialog');
  if (title) await dialog.getByTestId('game').selectOption(title);
  return dialog;
}

/** Presses Tab until this has the focus. */
export async function tabTo(page, focused) {
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(focused).toHaveCount(1, { timeout: 10 });
  }).toPass();
}

/** Keeps a picture of the page in target/browser, for `make pictures`. */
export async function picture(page, name) {
  if (!process.env.AGON_PICTURES) return;
  const path = join(process.env.HOSTS, '../pictures', `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
}
