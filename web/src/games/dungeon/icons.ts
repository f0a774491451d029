// Small drawings in a square of 24, as strokes.

import { CELL } from './plan';

const SWORD = 'M19 5 9 15M19 5h-4M19 5v4M6 12l6 6M8 16l-4 4';
const FLASK = 'M10 4h4M11 4v5l-5 8a2 2 0 0 0 2 3h8a2 2 0 0 0 2-3l-5-8V4M8 15h8';
const SHIELD = 'M12 4l7 2.5v5c0 4-3 7-7 8.5-4-1.5-7-4.5-7-8.5v-5z';
const MARK = 'M7 4h10v16l-5-4-5 4z';

export const ICONS: Record<string, string> = {
  // Chambers
  Combat: 'M5 5l11 11M19 5 8 16M14 18l4-4M6 14l4 4M16 16l3.5 3.5M8 16l-3.5 3.5',
  Treasure: 'M4 11h16v8H4zM4 11c0-3 1.5-5 4-5h8c2.5 0 4 2 4 5M12 9.5v4',
  Boss: 'M4 8l4.5 4L12 5l3.5 7L20 8l-1.5 10.5h-13z',
  Secret: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6zM12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  lock: 'M7 11h10v8H7zM9 11V8.5a3 3 0 0 1 6 0V11',
  hero: 'M12 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM6 19.5c0-3.5 2.5-6 6-6s6 2.5 6 6z',
  // Things
  Weapon: SWORD,
  Armor: SHIELD,
  Potion: FLASK,
  Scroll: 'M7 4h10a2 2 0 0 1 2 2v2h-4M15 6v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-1h8M7 4a2 2 0 0 0-2 2v11',
  Gem: 'M7 5h10l4 5-9 10L3 10zM3 10h18M9.5 10 12 19l2.5-9',
  key: 'M8 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11.5 11.5 20 5M17 7.5l2.5 3',
  coins: 'M4 8c0-2 3.5-3 8-3s8 1 8 3-3.5 3-8 3-8-1-8-3zM4 8v8c0 2 3.5 3 8 3s8-1 8-3V8M4 12c0 2 3.5 3 8 3s8-1 8-3',
  person: 'M12 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM6 19.5c0-3.5 2.5-6 6-6s6 2.5 6 6',
  odd: 'M12 4v3M12 17v3M4 12h3M17 12h3M12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  // Signs on the map
  stairs: 'M4 19h4v-4h4v-4h4V7h4',
  choice: 'M12 4 3 20h18zM12 10v4.5M12 17v.5',
  // Ways
  North: 'M12 20V5M6 11l6-6 6 6',
  South: 'M12 4v15M6 13l6 6 6-6',
  East: 'M4 12h15M13 6l6 6-6 6',
  West: 'M20 12H5M11 6l-6 6 6 6',
  // Deeds
  attack: SWORD,
  defend: SHIELD,
  flee: 'M4 12h13M12 7l5 5-5 5M20 5v14',
  apply: FLASK,
  use: FLASK,
  take: 'M6 9h12l1 11H5zM9 9V8a3 3 0 0 1 6 0v1',
  equip: SHIELD,
  rest: 'M18.5 14.5A7.5 7.5 0 0 1 9.5 5.5a7.5 7.5 0 1 0 9 9z',
  search: 'M10.5 5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM14.5 14.5 20 20',
  save: MARK,
  load: MARK,
  cast: 'M12 4l2 6 6 2-6 2-2 6-2-6-6-2 6-2z',
  talk: 'M5 6h14v10h-8l-4 4v-4H5z',
};

/** The icon of a move as the log writes it. */
export function actionIcon(action: string): string {
  const [verb, what] = action.split(' ');
  return verb === 'go' && what ? what[0]!.toUpperCase() + what.slice(1) : verb!;
}

/** The icon of a thing by its type; a key is told by its name. */
export function thingIcon(type: string, name: string): string {
  if (/\bkey\b/i.test(name)) return 'key';
  return type === 'Treasure' ? 'Gem' : type;
}

/** Puts an icon with its middle there, on a map's drawing. */
export function iconAt(x: number, y: number, size = CELL * 0.34): string {
  return `translate(${x - size / 2} ${y - size / 2}) scale(${size / 24})`;
}
