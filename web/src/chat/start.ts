// The board inside a chat host: finds out which dialect the host speaks, then shows the game.

import '../tokens.css';
import './chat.css';
import { mount } from 'svelte';
import type { FilledBoard } from '../wire/plain';
import { connectApps } from './apps';
import Chat from './Chat.svelte';
import { onHostMessage, post } from './host';
import type { ChatKind } from './kinds';
import { connectLegacy } from './legacy';
import type { ForBoard } from './result';
import { reportSize } from './size';
import { Table } from './table.svelte';
import { applyContext } from './theme';

const APPS_ANSWER_MS = 1_500;

/** Shows the game that the host hands over, whichever of these kinds it is of. */
export function start(kinds: ChatKind[]) {
  const table = new Table(kinds);
  readEmbeddedState(table);
  mount(Chat, { target: document.getElementById('app')!, props: { table } });

  let speaksApps = false;
  post({ type: 'ui-lifecycle-iframe-ready' });
  // Old hosts need the size before we know that they are old.
  reportSize((width, height) => {
    if (!speaksApps) post({ type: 'ui-size-change', payload: { width, height } });
  });
  void connectApps({
    onresult(result) {
      const error = table.take(result);
      // What the agent was refused is no news for the person, unless it is all there is.
      if (!table.game && error) table.notice = error;
    },
    oncancelled: (reason) => (table.notice = `The chat cancelled this call. ${reason}`.trim()),
    oncontext: applyContext,
    onteardown: () => table.stop(),
  }).then(
    (host) => {
      // An answer that comes late is still an answer: this dialect is the better one.
      speaksApps = true;
      table.attach(host);
    },
    // A host that refuses speaks one of the older dialects.
    () => {},
  );
  setTimeout(() => {
    if (!speaksApps && table.game) table.attach(connectLegacy());
  }, APPS_ANSWER_MS);

  onHostMessage((message) => {
    if (message.type !== 'ui-lifecycle-iframe-render-data') return;
    const payload = message.payload as { renderData?: { theme?: 'light' | 'dark' } } | undefined;
    applyContext({ theme: payload?.renderData?.theme });
  });
  new IntersectionObserver((entries) => table.look(entries.at(-1)!.isIntersecting)).observe(
    document.body,
  );
  addEventListener('online', () => table.look(true));
}

function readEmbeddedState(table: Table) {
  const text = document.getElementById('agon-state')?.textContent ?? 'null';
  const filled = JSON.parse(text) as FilledBoard<unknown> | null;
  if (!filled?.facts) return;
  const board: ForBoard = { pass: filled.game_id, facts: filled.facts };
  table.take({ _meta: { 'agon/board': board } });
}
