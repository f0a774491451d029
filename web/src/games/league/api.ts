// The server's doors for leagues.

import { call } from '../../net/api';
import type { League, Letters, MatchDetail, Round, Summary } from './types';

export const league = {
  all: () => call<Summary[]>('/api/leagues'),
  one: (id: string) => call<League>(`/api/leagues/${id}`),
  round: (id: string, round: number) => call<Round>(`/api/leagues/${id}/rounds/${round}`),
  match: (id: string, match: string) => call<MatchDetail>(`/api/leagues/${id}/matches/${match}`),
  messages: (id: string, match: string) => call<Letters>(`/api/leagues/${id}/matches/${match}/messages`),
};
