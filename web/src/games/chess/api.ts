// The server's doors for chess alone.

import { ask, call } from '../../net/api';
import type { Evals, Hint } from '../../wire/chess';

export const chess = {
  hint: (id: string, pass: string) => call<Hint>(`/api/games/${id}/hint`, { pass }),
  evals: (id: string, from: number) => call<Evals>(`/api/games/${id}/evals?from=${from}`),
  evaluatedPgn: (id: string) => ask(`/api/games/${id}/pgn?evals=1`).then((answer) => answer.text()),
};
