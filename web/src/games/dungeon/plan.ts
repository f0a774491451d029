// Where chambers and passages lie on the drawing of a map. North is up.

import type { Direction, MapRoom } from './types';

/** The distance from chamber to chamber, and a chamber's side. */
export const CELL = 100;
export const SIDE = 66;
const MARGIN = 15;
/** Passages reach so far into their chambers that they open the walls. */
const REACH = SIDE / 2 - 2;

export interface Placed extends MapRoom {
  /** Its middle. */
  cx: number;
  cy: number;
}

export interface Passage {
  key: string;
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  locked: boolean;
  /** Both its ends have been entered. */
  walked: boolean;
}

export interface Plan {
  rooms: Placed[];
  passages: Passage[];
  box: Box;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const STEPS: Record<Direction, [number, number]> = {
  North: [0, -1],
  South: [0, 1],
  East: [1, 0],
  West: [-1, 0],
};

/** Draws at least so many cells, so that the first chamber does not fill the page. */
export function plan(rooms: MapRoom[], columns = 5, rows = 4): Plan {
  const placed = rooms.map((room) => ({ ...room, cx: room.x * CELL, cy: room.y * CELL }));
  return { rooms: placed, passages: passages(placed), box: box(placed, columns, rows) };
}

function passages(rooms: Placed[]): Passage[] {
  const known = new Map(rooms.map((room) => [room.roomId, room]));
  const found = new Map<string, Passage>();
  for (const room of rooms) {
    for (const exit of room.exits ?? []) {
      const key = [room.roomId, exit.roomId].sort().join(' ');
      const before = found.get(key);
      if (before) {
        before.locked ||= exit.isLocked;
        continue;
      }
      const [dx, dy] = STEPS[exit.direction];
      const there = known.get(exit.roomId);
      const end = there ?? { cx: room.cx + dx * CELL, cy: room.cy + dy * CELL };
      found.set(key, {
        key,
        x1: room.cx + dx * REACH,
        y1: room.cy + dy * REACH,
        x2: end.cx - dx * REACH,
        y2: end.cy - dy * REACH,
        locked: exit.isLocked,
        walked: room.state === 'visited' && there?.state === 'visited',
      });
    }
  }
  return [...found.values()];
}

function box(rooms: Placed[], columns: number, rows: number): Box {
  const [x, width] = span(rooms.map((room) => room.cx), columns);
  const [y, height] = span(rooms.map((room) => room.cy), rows);
  return { x, y, width, height };
}

function span(middles: number[], cells: number): [from: number, length: number] {
  const low = Math.min(...middles, middles[0] ?? 0);
  const high = Math.max(...middles, middles[0] ?? 0);
  const length = Math.max(high - low + CELL, cells * CELL);
  return [(low + high - length) / 2 - MARGIN, length + 2 * MARGIN];
}
