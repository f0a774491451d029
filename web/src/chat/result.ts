// What a tool answered, read with care: hosts pass results on in more than one wrapping.

import type { PlainBoard } from '../wire/plain';

export interface ToolResult {
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** What every kind's facts may say besides. */
interface Said {
  pass?: string;
  error?: string;
}

/** What a result says to the board alone, whichever kind it is of; models do not see it. */
export type ForBoard = Partial<Omit<PlainBoard, 'facts'>> & {
  /** What the seat that it plays for is called, where its kind says that here. */
  you?: string;
  /** For its kind to read. */
  facts?: unknown;
};

export interface Told {
  board: ForBoard;
  /** The game: what the board is told of it goes before what the model is. */
  games: unknown[];
  /** The board's address in the browser. */
  page: string | null;
  /** What was refused, as a sentence for the person. */
  error: string | null;
}

export function readResult(answer: unknown): Told {
  const result = unwrap(answer);
  const board = (result._meta?.['agon/board'] ?? {}) as ForBoard;
  const games = [board.facts, result.structuredContent];
  const said = (games as (Said | null | undefined)[]).find((facts) => facts?.error)?.error;
  const text = result.content?.find((block) => block.type === 'text')?.text;
  const refused = result.isError ? (text ?? 'That was refused.') : null;
  return { board, games, page: readAddress(board.page), error: said ?? refused };
}

function unwrap(answer: unknown): ToolResult {
  if (typeof answer !== 'object' || answer === null) return {};
  const wrapped = (answer as { result?: unknown }).result;
  return 'structuredContent' in answer || !wrapped ? (answer as ToolResult) : unwrap(wrapped);
}

function readAddress(value: unknown): string | null {
  return typeof value === 'string' && /^https?:/.test(value) ? value : null;
}
