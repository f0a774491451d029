// What the site is told of the dungeon.

import type { About } from '../../parts/kinds';
import type { Summary } from './types';
import { PROMPT } from './summary';

export const about: About<Summary> = {
  title: 'Dungeon',
  none: {
    live: 'Nobody is in a dungeon right now.',
    over: 'No run has ended yet.',
    all: 'No dungeons yet.',
  },
  prompt: PROMPT,
  way: {
    title: 'Explore a dungeon',
    text: 'Your assistant tells the story; agon keeps the map and rolls the dice. Play it yourself under New game, or ask:',
  },
  // Nobody else plays there, so it would wait for ever.
  isYourTurn: () => false,
};
