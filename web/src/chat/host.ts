// The chat host behind the frame, and how to speak to it.

import type { ToolResult } from './result';

export type Tool = 'finishTurn' | 'waitForNextTurn' | 'getGame' | 'gameAction';

export interface Host {
  call(tool: Tool, args: Record<string, unknown>): Promise<ToolResult>;
  /** Tells the model in passing what happened on the board. */
  tellModel(text: string): void;
  /** Says it to the model in the person's name, so that it goes on; false where that cannot be. */
  sayToModel(text: string): Promise<boolean>;
  /** Whether it opens links; elsewhere an ordinary one has to do. */
  opensLinks(): boolean;
  /** Opens an address in the browser, and says whether it did. */
  openLink(url: string): Promise<boolean>;
}

/** The host did not answer in time, or answered that it could not ask the server. */
export class NoAnswer extends Error {}

// A wait is answered within 30 seconds; anything else at once.
export function patience(tool: Tool): number {
  return tool === 'waitForNextTurn' ? 45_000 : 20_000;
}

export function post(message: object) {
  // The frame cannot know its host's origin, and nothing said here is more than the host gave us.
  window.parent.postMessage(message, '*');
}

export function onHostMessage(heard: (message: Record<string, unknown>) => void) {
  addEventListener('message', (event) => {
    const fromHost = event.source === window.parent;
    if (fromHost && typeof event.data === 'object' && event.data !== null) heard(event.data);
  });
}
