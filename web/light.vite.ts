// How the builds stay light: what we use nothing of is left out, and pictures are written as text.

import { readdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin, PluginOption } from 'vite';

/** What every build is made with. `besides` are parts of chessground that it has no use for. */
export function light(...besides: string[]): PluginOption[] {
  return [svelte({ compilerOptions }), chessground(besides), pieces(besides), noElements(), noHydration(), nothingUnasked()];
}

const SHAPES = fileURLToPath(new URL('src/games/chess/board/no-shapes.ts', import.meta.url));

function chessground(besides: string[]): Plugin {
  const unused = ['svg', 'draw', 'autoPieces', 'drop', 'explosion', ...besides].map((name) => `./${name}.js`);
  return {
    name: 'chessground',
    enforce: 'pre',
    resolveId(source, importer) {
      return unused.includes(source) && importer?.includes('chessground') ? SHAPES : null;
    },
  };
}

/**
 * Styles of what we do not show go, and a picture in base64 is a third longer than its text. No shape in them
 * crosses itself, so by which rule they are filled is all the same.
 */
function pieces(besides: string[]): Plugin {
  const unshown = ['coords\\.squares', 'ranks\\.left', 'piece svg', 'cg-auto-pieces', 'cg-shapes', 'cg-custom', ...besides];
  const rule = new RegExp(`[^{}]*(${unshown.join('|')})[^{]*\\{[^}]*\\}`, 'g');
  const picture = /url\(["']?data:image\/svg\+xml;base64,([A-Za-z0-9+/=]+)["']?\)/g;
  const asText = (_: string, packed: string) => {
    const text = Buffer.from(packed, 'base64').toString('utf8').replaceAll(' fill-rule="evenodd"', '');
    return `url("data:image/svg+xml,${text.replaceAll('"', "'").replaceAll('%', '%25').replaceAll('#', '%23')}")`;
  };
  return {
    name: 'pieces',
    transform: (code, id) => (id.endsWith('/board.css') ? code.replace(rule, '').replace(picture, asText) : null),
  };
}

/** Our pages define no elements; Svelte brings the means along all the same. */
function noElements(): Plugin {
  const stub = '\0no-elements';
  return {
    name: 'no-elements',
    enforce: 'pre',
    resolveId: (source) => (source.endsWith('/elements/custom-element.js') ? stub : null),
    load: (id) => (id === stub ? 'export const create_custom_element = undefined;' : null),
  };
}

/** No server writes our pages beforehand, so Svelte never takes up what is there already. */
function noHydration(): Plugin {
  return {
    name: 'no-hydration',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/client/dom/hydration.js')) return null;
      const never = code
        .replace('export let hydrating = false;', 'export const hydrating = false;')
        .replace(/(function set_hydrating\(value\) \{\s*)hydrating = value;/, '$1void value;');
      if (/hydrating = value|let hydrating/.test(never)) this.error('Svelte hydrates in another way now');
      return never;
    },
  };
}

/**
 * What Svelte can do that our pages never ask for: to await in markup, to catch what a component throws, to set
 * single styles (`style:width`) beside a whole `style`, and to make elements that are more than their name (`is`).
 */
const UNASKED: [file: string, code: string, instead: string][] = [
  ['/reactivity/async.js', 'if (async.length === 0 && pending.length === 0) {', 'if (true) {'],
  ['/dom/blocks/boundary.js', 'if (!this.#props.onerror && !this.#props.failed) {', 'if (true) {'],
  ['/dom/blocks/boundary.js', '#handle_error(error) {', '#handle_error(error) { return;'],
  ['/dom/blocks/boundary.js', '\t#update_pending_count(d, batch) {', '#update_pending_count() { return;'],
  ['/dom/blocks/boundary.js', '\tupdate_pending_count(d, batch) {', 'update_pending_count() { return;'],
  ['/dom/blocks/boundary.js', '\tget_effect_pending() {', 'get_effect_pending() { return;'],
  ['/dom/blocks/branches.js', 'var defer = should_defer_append();', 'const defer = false;'],
  ['/dom/blocks/each.js', 'var defer = should_defer_append();', 'const defer = false;'],
  ['/dom/operations.js', 'is ? document.createElement(tag, { is }) :', ''],
  ['/dom/operations.js', 'is ? document.createElementNS(namespace, tag, { is }) :', ''],
  ['/internal/shared/attributes.js', 'if (value) {\n\t\t\t// strip comments', 'if (false) { //'],
  ['/svelte/src/utils.js', '...DOM_BOOLEAN_ATTRIBUTES,', ''],
];

/** An element with a whole style and single ones, which would lose the whole one. */
const ASKED = /<[a-z][^>]*\s(style=[^>]*\sstyle:|style:[^>]*\sstyle=)/;

/** Leaves that out: the build drops what can then no longer be reached. */
function nothingUnasked(): Plugin {
  return {
    name: 'nothing-unasked',
    enforce: 'pre',
    transform(code, id) {
      if (id.endsWith('.svelte') && ASKED.test(code)) this.error('style and style:... are not set together here');
      let left = code;
      for (const [file, unasked, instead] of UNASKED.filter(([file]) => id.endsWith(file))) {
        if (!left.includes(unasked)) this.error(`Svelte says ${unasked} in another way now`);
        left = left.replace(unasked, () => instead);
      }
      return left === code ? null : left;
    },
  };
}

const SOURCE = fileURLToPath(new URL('src/', import.meta.url));
const COMPONENTS = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).sort();

/** Short names for what keeps styles apart: which of our files it is. */
const compilerOptions = {
  discloseVersion: false,
  cssHash: ({ filename }: { filename: string }) =>
    `s${COMPONENTS.indexOf(relative(SOURCE, resolve(filename))).toString(36)}`,
};
