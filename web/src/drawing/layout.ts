// How a drawing is laid out, to look at as to play on.

import type { Cell, Grid, Numbers, Part } from '../wire/drawing';

/** Parts of one sort that follow each other stand together. */
export function grouped(drawing: Part[]): Part[][] {
  const groups: Part[][] = [];
  for (const part of drawing) {
    const last = groups.at(-1);
    if (last?.[0]?.part === part.part) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

export function rowsOf({ cells, columns }: Grid): Cell[][] {
  const rows: Cell[][] = [];
  for (let at = 0; at < cells.length; at += columns) rows.push(cells.slice(at, at + columns));
  return rows;
}

/** As its style calls it. Stones on squares lie on cloth. */
export function groundOf({ ground, cells }: Grid): string {
  const isCloth = ground === 'squares' && cells.some(({ mark }) => mark?.shape === 'stone');
  return isCloth ? 'on-squares on-cloth' : `on-${ground}`;
}

/** Of squares that are light and dark in turn, the bottom left one is dark. */
export function isDark({ cells, columns }: Grid, at: number): boolean {
  const [row, column] = [Math.floor(at / columns), at % columns];
  return (cells.length / columns - row + column) % 2 === 1;
}

/** Of a table there is room in a list for so many rows, or columns. */
const LATEST = 4;

/** Its latest rows; where it is too wide, the latest cells as one row, each under its head. */
export function latest({ head, rows }: Numbers): Numbers {
  if (head.length <= LATEST) return { head, rows: rows.slice(-LATEST) };
  const cells = rows.flatMap((row) => row.map((text, c) => ({ text, head: head[c] ?? '' }))).slice(-LATEST);
  return { head: cells.map(({ head }) => head), rows: [cells.map(({ text }) => text)] };
}
