// What a tool answered, read with care: hosts pass results on in more than one wrapping.

import type { Color, Facts } from '../chess/types';

export interface ToolResult {
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export interface Told {
  facts: Facts | null;
  /** The seat this board plays for, where the result names one. */
  seat: { pass: string; you?: Color } | null;
  /** What was refused, as a sentence for the person. */
  error: string | null;
}

export function readResult(answer: unknown): Told {
  const result = unwrap(answer);
  const facts = isFacts(result.structuredContent) ? result.structuredContent : null;
  const named = result._meta?.['agon/board'] as { pass?: string; you?: Color } | undefined;
  const pass = named?.pass ?? facts?.pass;
  const text = result.content?.find((block) => block.type === 'text')?.text;
  return {
    facts,
    seat: pass ? { pass, you: named?.you } : null,
    error: facts?.error ?? (result.isError ? (text ?? 'That was refused.') : null),
  };
}

function unwrap(answer: unknown): ToolResult {
  if (typeof answer !== 'object' || answer === null) return {};
  const wrapped = (answer as { result?: unknown }).result;
  return 'structuredContent' in answer || !wrapped ? (answer as ToolResult) : unwrap(wrapped);
}

function isFacts(value: unknown): value is Facts {
  const facts = value as Partial<Facts> | null | undefined;
  return typeof facts?.fen === 'string' && typeof facts.turn === 'number';
}
