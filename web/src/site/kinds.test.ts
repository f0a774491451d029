import { expect, test } from 'vitest';
import { about as chess } from '../games/chess/about';
import { about as dungeon } from '../games/dungeon/about';
import type { About } from '../parts/kinds';
import { ordered, OWN, USUAL } from './kinds';

test('chess is played where nobody says what', () => {
  expect(USUAL).toBe('chess');
  expect([...OWN.keys()]).toEqual(['chess', 'dungeon']);
});

test('a folder whose name comes first takes nobody\'s place', () => {
  const folders = { backgammon: dungeon, chess: chess as unknown as About, dungeon };
  const found = Object.entries(folders).map(([name, about]) => [`../games/${name}/about.ts`, about]);
  expect([...ordered(Object.fromEntries(found)).keys()]).toEqual(['chess', 'backgammon', 'dungeon']);
});
