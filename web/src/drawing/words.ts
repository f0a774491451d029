// What a drawing says to those who hear it, and where keys lead on it.

import type { Cell, Grid, Mark, Part } from '../wire/drawing';

/** "d1, Red, last move"; "c3, empty, plays c3". */
export function cellLabel(cell: Cell, seats: string[]): string {
  const said = [cell.name, cell.mark ? (seats[cell.mark.seat] ?? 'taken') : 'empty'];
  if (cell.bright) said.push('marked');
  if (cell.move) said.push(`plays ${cell.move}`);
  return said.filter(Boolean).join(', ');
}

export function rowsOf({ cells, columns }: Grid): Cell[][] {
  const rows: Cell[][] = [];
  for (let at = 0; at < cells.length; at += columns) rows.push(cells.slice(at, at + columns));
  return rows;
}

/** Where a key leads from a square; null if it leads nowhere. */
export function walked(key: string, at: number, columns: number, cells: number): number | null {
  const column = at % columns;
  const steps: Record<string, number> = {
    ArrowUp: -columns,
    ArrowDown: columns,
    ArrowLeft: column > 0 ? -1 : 0,
    ArrowRight: column < columns - 1 ? 1 : 0,
    Home: -column,
    End: columns - 1 - column,
  };
  const step = steps[key];
  if (step === undefined) return null;
  const next = at + step;
  return next >= 0 && next < cells ? next : at;
}

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

/** The moves that a click somewhere on the drawing makes. */
export function clickable(drawing: Part[]): Set<string> {
  const moves = drawing.flatMap((part) => {
    if (part.part === 'grid') return part.cells.map(({ move }) => move);
    return part.part === 'track' ? part.moves : [];
  });
  return new Set(moves.filter((move): move is string => typeof move === 'string'));
}

/** What may be played, other than by a click: single moves, and ranges of numbers. */
export interface Choices {
  moves: string[];
  ranges: Range[];
}
/** `bid 0..40` is one word and two ends. */
export interface Range {
  text: string;
  word: string;
  from: number;
  to: number;
}

export function choices(offers: string[], drawing: Part[]): Choices {
  const clicks = clickable(drawing);
  const left = offers.filter((offer) => !clicks.has(offer));
  const ranges = left.flatMap((text) => readRange(text) ?? []);
  const isRange = new Set(ranges.map(({ text }) => text));
  return { moves: left.filter((text) => !isRange.has(text)), ranges };
}

function readRange(text: string): Range | null {
  const [, word, from, to] = /^(.*?)(-?\d+)\.\.(-?\d+)$/.exec(text) ?? [];
  if (word === undefined) return null;
  return { text, word, from: Number(from), to: Number(to) };
}

/** What each seat plays with, as far as the drawing shows it. */
export function pieces(drawing: Part[], seats: number): (Mark | undefined)[] {
  const marks = drawing.flatMap((part) =>
    part.part === 'grid' ? part.cells.flatMap(({ mark }) => mark ?? []) : [],
  );
  return Array.from({ length: seats }, (_, seat) => marks.find((mark) => mark.seat === seat));
}
