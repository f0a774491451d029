import { defineConfig } from '@playwright/test';

const target = new URL('../../target/browser/', import.meta.url).pathname;

export default defineConfig({
  testDir: '.',
  testMatch: '{site,chat}/*.spec.js',
  outputDir: `${target}results`,
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // Long: what holds is waited for, and a busy machine takes its time.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['html', { open: 'never', outputFolder: `${target}report` }]],
  use: {
    actionTimeout: 60_000,
    viewport: { width: 1280, height: 860 },
    colorScheme: 'light',
    // Pieces are where they are at once: a drag need not chase them.
    contextOptions: { reducedMotion: 'reduce' },
    trace: { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      executablePath: '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
