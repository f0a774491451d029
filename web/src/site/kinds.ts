// Kinds that have pages of their own, found by their folders. Whatever shows their games is in `cards`:
// dialogs that name them need none of it.

import type { About } from '../parts/kinds';

const found = import.meta.glob<About>('../games/*/about.ts', { eager: true, import: 'about' });

const nameIn = (path: string) => path.split('/')[2]!;

/** By their names; the first is played when nobody says what. */
export const OWN = new Map(Object.entries(found).map(([path, about]) => [nameIn(path), about]));
