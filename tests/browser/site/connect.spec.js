// How an agent is connected: what each program must be told, and that it has arrived.

import { expect, expectAccessible, inBothLooks, picture, test } from '../story.js';

const opened = (page, host) => page.locator(`[data-host="${host}"]`);

test('every program is told what it needs, and a light says that it has called', async ({ page, house }) => {
  await page.goto(`${house.url}/connect`);
  await expect(page.locator('[data-host]')).toHaveCount(9);
  for (const host of ['claude-desktop', 'vscode', 'cursor', 'gemini', 'codex', 'chatgpt', 'python', 'curl']) {
    await opened(page, host).locator('summary').click();
    await expect(opened(page, host).locator('pre')).toContainText(house.mcp);
  }
  const link = await opened(page, 'vscode').locator('a').getAttribute('href');
  expect(decodeURIComponent(link)).toContain(`"url":"${house.mcp}?key=`);
  await expect(page.getByRole('status').filter({ hasText: 'has called' })).toHaveCount(0);
  await house.connect('claude-code').then((client) => client.listTools());
  await expect(opened(page, 'claude-code')).toContainText('has called, just now');
  await expect(opened(page, 'gemini')).not.toContainText('has called');
  await expect(opened(page, 'curl')).not.toContainText('has called');
  await house.connect('an agent of my own').then((client) => client.listTools());
  await expect(opened(page, 'curl')).toContainText('has called');
});

test.describe('after an upgrade', () => {
  test.use({ expected: /404/ });

  test('a page whose files are gone says so, as often as one taps', async ({ page, house }) => {
    await page.goto(house.url);
    await page.route('**/*Connect*.js', (route) => route.fulfill({ status: 404 }));
    const [connect, stale] = [page.getByTestId('connect'), page.getByTestId('stale')];
    await connect.click();
    await expect(stale.getByRole('button', { name: 'Reload' })).toBeVisible();
    // It leaves the header free; a second tap says it again, for those who only hear it.
    const told = await stale.elementHandle();
    await connect.click();
    await expect.poll(() => told.evaluate((it) => it.isConnected)).toBe(false);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await picture(page, 'stale-dark-1280');
    await stale.getByRole('button', { name: 'Dismiss' }).click();
    await expect(stale).toHaveCount(0);
  });
});

test.describe('behind a proxy, with a token', () => {
  test.use({ flags: ['--url', 'https://games.example', '--token', 'a long random word'] });

  test('the address people really use is told, and the line for the token', async ({ page, house }) => {
    await page.goto(house.url);
    await page.getByTestId('connect').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByTestId('token')).toBeVisible();
    const line =
      /^claude mcp add --transport http agon "https:\/\/games.example\/mcp\?key=[0-9a-f]{32}" --header "Authorization: Bearer TOKEN"$/;
    await expect(opened(dialog, 'claude-code').locator('pre')).toHaveText(line);
    await expect(page.getByText('a long random word')).toHaveCount(0);
    // A link that adds the server by itself would add the placeholder with it.
    await opened(dialog, 'vscode').locator('summary').click();
    await expect(opened(dialog, 'vscode').locator('pre')).toContainText('Bearer TOKEN');
    await expect(dialog.locator('a[href^="vscode:"], a[href^="cursor:"]')).toHaveCount(0);
    await expect(page.getByTestId('ways')).toContainText('--manager https://games.example/mcp');
  });
});

inBothLooks((look) => {
  test(`the page, ${look}`, async ({ page, house }) => {
    await house.connect('gemini-cli-mcp-client').then((client) => client.listTools());
    await page.goto(`${house.url}/connect`);
    await expect(opened(page, 'gemini')).toContainText('has called');
    await opened(page, 'vscode').locator('summary').click();
    await expectAccessible(page);
    await picture(page, `connect-${look}`);
  });
}, { narrow: [768, 1024] });
