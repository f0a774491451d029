// The site: dashboard and game page, as files with hashed names under dist/site.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: 'dist/site',
    // The icon stays a file: browsers ask for it apart from the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
