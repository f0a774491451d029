// Hosts from before MCP Apps: mcp-ui's `tool` messages, and the raw `action` of the first hosts.

import { NoAnswer, onHostMessage, patience, post, type Host } from './host';
import type { ToolResult } from './result';

// A host that only knows raw actions never answers; a person should not wait long to learn that.
const FIRST_ANSWER_MS = 8_000;

interface Response {
  response?: unknown;
  error?: unknown;
  messageId?: string;
}

export function connectLegacy(): Host {
  const waiting = new Map<string, (response: Response) => void>();
  let lastId = 0;
  let answered = false;

  onHostMessage((message) => {
    if (message.type !== 'ui-message-response') return;
    const payload = (message.payload ?? {}) as Response;
    const id = String(message.messageId ?? payload.messageId);
    answered ||= waiting.has(id);
    waiting.get(id)?.(payload);
    waiting.delete(id);
  });

  function ask(type: string, payload: object, within: number): Promise<Response | null> {
    const messageId = `agon-${++lastId}`;
    return new Promise((done) => {
      waiting.set(messageId, done);
      setTimeout(() => waiting.delete(messageId) && done(null), within);
      post({ type, messageId, payload });
    });
  }

  async function did(type: string, payload: object): Promise<boolean> {
    const reply = await ask(type, payload, FIRST_ANSWER_MS);
    return !!reply && !reply.error;
  }

  return {
    mayPoll: false,
    answers: () => answered,
    async call(tool, args) {
      if (tool === 'finishTurn') {
        const { game_id, move, claim_win } = args;
        post({ type: 'action', action: 'finishTurn', payload: { game_id, move, claim_win } });
      }
      const within = answered ? patience(tool) : FIRST_ANSWER_MS;
      const reply = await ask('tool', { toolName: tool, params: args }, within);
      if (reply?.error) throw new NoAnswer(errorText(reply.error));
      if (!reply && answered) throw new NoAnswer();
      return (reply?.response as ToolResult | undefined) ?? null;
    },
    tellModel: () => undefined,
    sayToModel: async (prompt) => answered && did('prompt', { prompt }),
    opensLinks: () => answered,
    openLink: (url) => did('link', { url }),
  };
}

function errorText(error: unknown): string {
  const message = typeof error === 'object' ? (error as { message?: string }).message : error;
  return typeof message === 'string' ? message : '';
}
