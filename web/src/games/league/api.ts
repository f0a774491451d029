// The server's doors for leagues.

import { call } from '../../net/api';
import type { League, MatchLog, MatchDetail, Mine, Round, Summary } from './types';

export const league = {
  all: () => call<Summary[]>('/api/leagues'),
  one: (id: string) => call<League>(`/api/leagues/${id}`),
  /** What is there for a person who shows by her link who she is. */
  mine: (id: string, token: string) => call<Mine>(`/api/leagues/${id}/mine`, { pass: token }),
  /** The same, for one who has just come. */
  come: (id: string, token: string) => call<Mine>(`/api/leagues/${id}/mine`, { pass: token, body: {} }),
  round: (id: string, round: number) => call<Round>(`/api/leagues/${id}/rounds/${round}`),
  match: (id: string, match: string) => call<MatchDetail>(`/api/leagues/${id}/matches/${match}`),
  messages: (id: string, match: string) => call<MatchLog>(`/api/leagues/${id}/matches/${match}/messages`),
};
