// How games of each kind are shown in lists and large: as its folder has it, or else the plain way.

import type { Component } from 'svelte';
import type { Listed, Mine } from '../parts/kinds';

interface CardProps {
  game: Listed;
  /** Our seat, where we have one. */
  you?: Mine['you'];
  /** Whether a free seat is offered to whoever looks. */
  isOffered?: boolean;
}

interface StageProps {
  game: Listed;
  /** The heading: "Live now". */
  title: string;
  isLive: boolean;
}

const cards = import.meta.glob<Component<CardProps>>('../games/*/Card.svelte', { eager: true, import: 'default' });
const stages = import.meta.glob<Component<StageProps>>('../games/*/Stage.svelte', { eager: true, import: 'default' });

/** The card that shows a game in a list. */
export function cardOf(kind: string): Component<CardProps> {
  return cards[`../games/${kind}/Card.svelte`] ?? cards['../games/plain/Card.svelte']!;
}

/** The component that shows a game large, if its kind has one. */
export function stageOf(kind: string): Component<StageProps> | undefined {
  return stages[`../games/${kind}/Stage.svelte`];
}
