// Kinds that have pages of their own, found by their folders. Whatever shows their games is in `cards`:
// dialogs that name them need none of it.

import type { About } from '../parts/kinds';

const nameIn = (path: string) => path.split('/')[2]!;

/** What was found in folders, by their names: the usual one first, and the others in the order of their names. */
export function ordered(found: Record<string, About>): Map<string, About> {
  const named = Object.entries(found).map(([path, about]) => [nameIn(path), about] as const);
  return new Map(named.sort(([, a], [, b]) => Number(b.isUsual ?? false) - Number(a.isUsual ?? false)));
}

export const OWN = ordered(import.meta.glob<About>('../games/*/about.ts', { eager: true, import: 'about' }));

/** The kind that is played when nobody says what. */
export const USUAL = OWN.keys().next().value ?? '';
