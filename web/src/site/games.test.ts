import { expect, test } from 'vitest';
import type { Listed } from '../parts/kinds';
import { matches } from './games.svelte';

const chess = { kind: 'chess', game_id: '3f9a61c2', status: 'live', white: 'agent Claude', black: 'You' } as unknown as Listed;
const dungeon = { kind: 'dungeon', game_id: 'd00d1234', status: 'over' } as unknown as Listed;
const sleeping = { ...chess, game_id: '00000001', asleep: true } as unknown as Listed;

test.each([
  ['live', 'any', '', [chess]],
  ['over', 'any', '', [dungeon]],
  ['all', 'any', '', [chess, dungeon, sleeping]],
  ['all', 'chess', '', [chess, sleeping]],
  ['all', 'dungeon', '', [dungeon]],
  ['live', 'dungeon', '', []],
  ['all', 'any', ' claude', []],
] as const)('%s games of kind %s that stir while "%s" is searched for', (filter, kind, text, expected) => {
  const wish = { filter, kind, text };
  expect([chess, dungeon, sleeping].filter((game) => matches(game, wish))).toEqual(expected);
});
