// The server's doors for what all games share. A refusal is an Error whose message is a sentence to show.

import type {
  Called,
  GameQuery,
  Joining,
  LinkOpening,
  Listening,
  MovePosted,
  NewGame,
  Passes,
  SeatTaken,
  ServerFacts,
} from '../wire/app';
import type { PlainStep } from '../wire/plain';

/** The server heard us and said no. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** The server was not reached, or did not speak our language. */
export class Unreachable extends Error {
  constructor() {
    super('The server cannot be reached.');
  }
}

/** How far the server's clock is ahead of ours, in milliseconds. */
export let clockAhead = 0;

export const api = {
  info: () => call<ServerFacts>('/api/info'),
  games: <S>(query: GameQuery) => call<S[]>(listed(query)),
  /** With when that was true, from which the stream of news takes up, and where it goes on. */
  list: async <S>(query: GameQuery) => {
    const answer = await ask(listed(query));
    const moment = answer.headers.get('x-agon-moment') ?? '';
    const next = answer.headers.get('x-agon-next') ?? '';
    return { moment, next, games: (await answer.json()) as S[] };
  },
  callers: () => call<Called[]>('/api/callers'),
  /** The games in which this browser has a seat. */
  mine: <M>(passes: string[]) => call<M[]>('/api/games/mine', { body: { passes } satisfies Passes }),
  rematch: (id: string, pass: string) => call<SeatTaken>(`/api/games/${id}/rematch`, { pass, body: {} }),
  create: (game: NewGame) => call<SeatTaken>('/api/games', { body: game }),
  game: <G>(id: string, pass?: string | null) => call<G>(`/api/games/${id}`, { pass }),
  /** How it looked after a turn, to those who had the same eyes then. */
  step: (id: string, turn: number, pass?: string | null) =>
    call<PlainStep>(`/api/games/${id}/turns/${turn}`, { pass }),
  /** Whether the agents there will notice what the person plays. */
  listening: (id: string, pass: string) => call<Listening>(`/api/games/${id}/listening`, { pass }),
  /** Trades a link's code for the seat; whoever is first gets it, and gets it again. */
  open: (id: string, code: string, key: string, name: string) =>
    call<SeatTaken>(`/api/games/${id}/open`, { body: { code, key, name } satisfies LinkOpening }),
  rename: <G>(id: string, pass: string, name: string) =>
    call<G>(`/api/games/${id}/name`, { pass, body: { name } satisfies Joining }),
  join: (id: string, name: string) =>
    call<SeatTaken>(`/api/games/${id}/join`, { body: { name } satisfies Joining }),
  play: <G>(id: string, pass: string, deed: MovePosted) =>
    call<G>(`/api/games/${id}/play`, { pass, body: deed }),
};

function listed(query: GameQuery): string {
  const filled = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return `/api/games?${new URLSearchParams(filled as [string, string][])}`;
}

interface Sent {
  pass?: string | null;
  body?: object;
}

export async function call<T>(path: string, sent?: Sent): Promise<T> {
  const answer = await ask(path, sent);
  try {
    return (await answer.json()) as T;
  } catch {
    throw new Unreachable();
  }
}

export async function ask(path: string, sent: Sent = {}): Promise<Response> {
  const headers = new Headers();
  if (sent.pass) headers.set('Authorization', `Bearer ${sent.pass}`);
  if (sent.body) headers.set('Content-Type', 'application/json');
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: sent.body ? 'POST' : 'GET',
      headers,
      body: sent.body && JSON.stringify(sent.body),
      signal: AbortSignal.timeout(20_000),
    });
  } catch {
    throw new Unreachable();
  }
  if (!answer.ok) throw await refusal(answer);
  noteClock(answer.headers.get('Date'));
  return answer;
}

async function refusal(answer: Response): Promise<Error> {
  try {
    const { error } = (await answer.json()) as { error?: unknown };
    const text = typeof error === 'string' ? error : `The server answered ${answer.status}.`;
    return new Refused(text, answer.status);
  } catch {
    return new Unreachable();
  }
}

// The header counts whole seconds, so smaller differences are noise.
function noteClock(date: string | null) {
  const ahead = date ? Date.parse(date) - Date.now() : 0;
  clockAhead = Math.abs(ahead) > 3000 ? ahead : 0;
}
