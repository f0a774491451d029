// The board inside a chat host: shows the game that the host hands over.

import '../tokens.css';
import './chat.css';
import { mount } from 'svelte';
import { connectApps } from './apps';
import Chat from './Chat.svelte';
import type { ChatKind } from './kinds';
import { Table } from './table.svelte';
import { applyContext } from './theme';

/** Shows the game that the host hands over, whichever of these kinds it is of. */
export function start(kinds: ChatKind[]) {
  const table = new Table(kinds);
  mount(Chat, { target: document.getElementById('app')!, props: { table } });

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
    (host) => table.attach(host),
    // A host that refuses has nothing to show.
    () => {},
  );
  new IntersectionObserver((entries) => table.look(entries.at(-1)!.isIntersecting)).observe(
    document.body,
  );
  addEventListener('online', () => table.look(true));
}
