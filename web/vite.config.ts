// The site: one small page for each thing that has an address, as files with hashed names, each of
// them packed as well, so that the server need not. They are built to where the program is built from.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { light } from './light.vite.ts';

const pages = readdirSync('pages').map((file) => join('pages', file));

export default defineConfig({
  plugins: [light(), framed('frame.html'), packed()],
  build: {
    outDir: '../crates/server/pages/site',
    emptyOutDir: true,
    // The icon stays a file: browsers ask for it apart from the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    // On a slow line every request costs more than what it brings, and browsers make six at once: what pages share is
    // one style and few scripts, for home has no table, few pages have a board, and dialogs come when they are asked for.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: pages,
      output: {
        codeSplitting: {
          groups: [
            { name: 'style', test: /^(?!.*(HowToConnect|Dialog)).*\.css/, minShareCount: 2 },
            { name: 'shared', test: /^(?!.*(chessground|games.chess|parts.table|HowToConnect|hosts\.ts|Dialog))/, minShareCount: 2 },
            { name: 'chess', test: /chessground|games.chess/, minShareCount: 2 },
            { name: 'table', test: /parts.table/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});

/** Puts what differs from page to page into what they share. */
function framed(frame: string): Plugin {
  const transform = (page: string) => readFileSync(frame, 'utf8').replace('<!-- page -->', () => page);
  return { name: 'framed', transformIndexHtml: { order: 'pre', handler: transform } };
}

function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle)) {
        const file = join(dir, name);
        const plain = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(plain));
        writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }));
      }
    },
  };
}
