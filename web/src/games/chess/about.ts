// What the site is told of chess.

import type { About } from '../../parts/kinds';
import type { Color, Summary } from './types';
import { isYourTurn } from './words';

export const about: About<Summary, Color> = {
  title: 'Chess',
  isUsual: true,
  none: {
    live: 'Nobody is playing chess right now.',
    over: 'No game of chess has ended yet.',
    all: 'No chess yet.',
  },
  prompt: 'Play chess against the computer with the agon tools.',
  isYourTurn,
};
