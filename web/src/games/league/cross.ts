// Everyone against everyone: what each player scored against each other.

import type { League, Match } from './types';
import { matchLabel, namesOf, scoreOf, scoreText } from './words';

/** More players than this make a table that nobody can read. */
export const MOST = 30;
/** Up to this many, a cell has room for the score. */
const ROOMY = 12;

export type Tone = 'win' | 'draw' | 'loss' | 'running' | 'waiting';

/** One match, seen from the player in whose row it stands. */
export interface Meeting {
  match_id: string;
  tone: Tone;
  text: string;
  label: string;
}

export interface CrossRow {
  player_id: string;
  name: string;
  points: number;
  /** For each player in the order of the rows; nothing against oneself. */
  cells: (Meeting[] | null)[];
}

export interface Cross {
  rows: CrossRow[];
  /** Scores, or only points. */
  roomy: boolean;
  forfeits: boolean;
}

/** The table in the order of the standings; nothing if it would be too large or too small. */
export function crossTable(league: Pick<League, 'players' | 'standings' | 'rounds' | 'game'>): Cross | null {
  const { players, standings, rounds, game } = league;
  if (players.length < 2 || players.length > MOST) return null;
  const names = namesOf(players);
  const roomy = players.length <= ROOMY;
  const met = new Map<string, Meeting[]>();
  let forfeits = false;
  for (const match of rounds.flatMap(({ matches }) => matches ?? [])) {
    const label = matchLabel(match, game, names);
    forfeits ||= (match.result?.forfeits.length ?? 0) > 0;
    for (const [me, other] of [
      [match.player_a, match.player_b],
      [match.player_b, match.player_a],
    ] as const) {
      const key = `${me} ${other}`;
      const seen = { match_id: match.match_id, tone: tone(match, me), text: text(match, me, game, roomy), label };
      met.set(key, [...(met.get(key) ?? []), seen]);
    }
  }
  const ids = standings.map(({ player_id }) => player_id);
  const rows = standings.map(({ player_id, points }) => ({
    player_id,
    name: names.get(player_id) ?? player_id,
    points,
    cells: ids.map((other) => (other === player_id ? null : (met.get(`${player_id} ${other}`) ?? []))),
  }));
  return { rows, roomy, forfeits };
}

function tone({ state, result }: Match, me: string): Tone {
  if (!result) return state === 'running' ? 'running' : 'waiting';
  if (result.winner) return result.winner === me ? 'win' : 'loss';
  return result.forfeits.length > 0 ? 'loss' : 'draw';
}

function text(match: Match, me: string, game: League['game'], roomy: boolean): string {
  const { result, match_points, player_a } = match;
  if (!result) return match.state === 'running' ? '…' : '·';
  const points = match_points?.[me === player_a ? 0 : 1] ?? 0;
  if (result.forfeits.length > 0) return `${points}f`;
  const score = scoreOf(match, game, me);
  return roomy && game === 'even-odd' && score ? scoreText(score) : `${points}`;
}
