// The chat board: one file, board.html, with script and style inside it.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { light } from './light.vite.ts';

/** The name of an error is enough. */
const SVELTE_ERRORS = 'https://svelte.dev/e/';
const MOST_BYTES = 150_000;
const MOST_PACKED_BYTES = 60_000;

export default defineConfig({
  publicDir: false,
  plugins: [light('premove'), oneFile('src/chat/board.html')],
  build: {
    outDir: '../crates/server/pages/chat',
    emptyOutDir: true,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: 'src/pages/chat.ts',
      output: { format: 'iife', codeSplitting: false },
    },
  },
});

function oneFile(template: string): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      let script = '';
      let style = '';
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code;
        else if (name.endsWith('.css')) style += file.source;
        delete bundle[name];
      }
      // An end tag inside a string would close our own element.
      const source = readFileSync(template, 'utf8')
        .replace('/* style */', () => tightened(style.trim()).replaceAll('</style', '<\\/style'))
        .replace('/* script */', () => script.trim().replaceAll(SVELTE_ERRORS, '').replaceAll('</script', '<\\/script'));
      const [weight, packed] = [Buffer.byteLength(source), gzipSync(source).length];
      if (weight > MOST_BYTES || packed > MOST_PACKED_BYTES) {
        this.error(`board.html is too heavy for a chat: ${weight} bytes, ${packed} packed`);
      }
      this.emitFile({ type: 'asset', fileName: 'board.html', source });
    },
  };
}

/** What is nested or listed needs no room around its signs. */
function tightened(css: string): string {
  return css.replace(/& (?=\.)/g, '').replace(/, | \/ /g, (sign) => sign.trim());
}
