// The card that shows a game in a list: its kind's own, where its folder has one.

import type { Component } from 'svelte';
import type { Mine, Summary } from './summaries';

interface Props {
  game: Summary;
  /** Our seat, where we have one. */
  you?: Mine['you'];
  /** Whether a free seat is offered to whoever looks. */
  isOffered?: boolean;
}

const found = import.meta.glob<{ default: Component<Props> }>('../games/*/Card.svelte', { eager: true });

export function cardOf(kind: string): Component<Props> {
  const card = found[`../games/${kind}/Card.svelte`] ?? found['../games/plain/Card.svelte'];
  return card!.default;
}
