// What a tool answered, read with care: hosts pass results on in more than one wrapping.

import type { Color, Facts } from '../games/chess/types';
import type { ChessBoard } from '../wire/chess';
import type { PlainBoard, PlainGame, PlainStep } from '../wire/plain';

/** What a result says to the board alone; models do not see it. */
type ForBoard = { [Said in keyof ChessBoard | keyof PlainBoard]?: unknown } & Partial<Pick<ChessBoard, 'pass' | 'you'>>;

export interface ToolResult {
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export interface Told {
  facts: Facts | null;
  /** A game of any other kind. */
  plain: PlainGame | null;
  /** How that looked after the turn that was asked for. */
  step?: PlainStep;
  /** The seat this board plays for, where the result names one. */
  seat: { pass: string; you?: Color } | null;
  /** The board's address in the browser. */
  page: string | null;
  /** What was refused, as a sentence for the person. */
  error: string | null;
}

export function readResult(answer: unknown): Told {
  const result = unwrap(answer);
  const board = result._meta?.['agon/board'] as ForBoard | undefined;
  const toModel = readFacts(result.structuredContent);
  const facts = readFacts(board?.facts) ?? toModel;
  const said = result.structuredContent as { pass?: string; error?: string } | null | undefined;
  const pass = board?.pass ?? facts?.pass;
  const text = result.content?.find((block) => block.type === 'text')?.text;
  const refused = result.isError ? (text ?? 'That was refused.') : null;
  return {
    facts,
    plain: readPlain(board?.facts),
    step: board?.step as PlainStep | undefined,
    seat: pass ? { pass, you: board?.you } : null,
    page: readAddress(board?.page),
    error: facts?.error ?? said?.error ?? refused,
  };
}

function unwrap(answer: unknown): ToolResult {
  if (typeof answer !== 'object' || answer === null) return {};
  const wrapped = (answer as { result?: unknown }).result;
  return 'structuredContent' in answer || !wrapped ? (answer as ToolResult) : unwrap(wrapped);
}

function readFacts(value: unknown): Facts | null {
  const facts = value as Facts | null | undefined;
  if (typeof facts?.fen !== 'string' || typeof facts.turn !== 'number') return null;
  return { ...leftOut(facts.fen), ...facts };
}

function readPlain(value: unknown): PlainGame | null {
  const game = value as PlainGame | null | undefined;
  const isGame = Array.isArray(game?.drawing) && Array.isArray(game.seats);
  return isGame && typeof game.turn === 'number' ? game : null;
}

/** What models are told may be lean. */
function leftOut(fen: string) {
  const to_move: Color = fen.split(' ')[1] === 'b' ? 'black' : 'white';
  return { white: '…', black: '…', to_move, history: [], check: false, legal_moves: [] };
}

export function readAddress(value: unknown): string | null {
  return typeof value === 'string' && /^https?:/.test(value) ? value : null;
}
