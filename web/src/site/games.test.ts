import { expect, test, vi } from 'vitest';
import type { Listed } from '../parts/kinds';
import { Games, matches } from './games.svelte';

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

test('an answer about the end of the list that comes late leaves a newer question alone', async () => {
  const answers: ((answer: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise((answer) => answers.push(answer)));
  const games = new Games('');
  const loaded = games.load();
  answers[0]!(Response.json([chess], { headers: { 'x-agon-next': 'before=1' } }));
  await loaded;
  const more = games.loadMore();
  void games.load();
  answers[1]!(Response.json({ error: 'too late' }, { status: 400 }));
  await more;
  expect([games.busy, games.failed]).toEqual([true, '']);
});
