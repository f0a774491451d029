// What a drawing says to those who hear it, and where keys lead on it.

import type { Cell, Mark, Part } from '../wire/drawing';

/** "d1, Red, marked"; "c3, empty, plays c3"; "a2, White, can be moved". */
export function cellLabel(cell: Cell, seats: string[], move = cell.move, isPicked = false): string {
  const said = [cell.name, cell.mark ? (seats[cell.mark.seat] ?? 'taken') : 'empty'];
  if (cell.bright) said.push('marked');
  if (isPicked) said.push('picked up');
  else if (move) said.push(`plays ${move}`);
  else if (cell.drags) said.push('can be moved');
  return said.filter(Boolean).join(', ');
}

/** What is said when a piece is picked up: "a2 picked up, goes to a3, b3. Escape lets it go." */
export function pickedLabel(cells: Cell[], at: number | undefined): string {
  const cell = at === undefined ? undefined : cells[at];
  const ends = cell?.drags?.map(({ to }) => cells[to]?.name).join(', ');
  return cell && ends ? `${cell.name} picked up, goes to ${ends}. Escape lets it go.` : '';
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

/** What is played by a click on a cell, or by a drag from it. */
export function movesOf({ move, drags = [] }: Cell): string[] {
  const dragged = drags.map((drag) => drag.move);
  return move === undefined ? dragged : [move, ...dragged];
}

/** The moves that a click or a drag somewhere on the drawing makes. */
export function clickable(drawing: Part[]): Set<string> {
  const moves = drawing.flatMap((part) => {
    if (part.part === 'grid') return part.cells.flatMap(movesOf);
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

/** What each seat plays with, where there is a board. */
export function pieces(drawing: Part[]): Mark[] {
  const shapes = drawing.flatMap((part) => (part.part === 'grid' && part.shapes) || []);
  return shapes.map((shape, seat) => ({ seat, shape }));
}
