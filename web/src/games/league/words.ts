// Leagues, standings and matches, in words.

import { count, leaderText } from './summary';
import type { League, Match, MatchDetail, Player, Round, Standing } from './types';

export type Names = ReadonlyMap<string, string>;

export function namesOf(players: Pick<Player, 'player_id' | 'name'>[]): Names {
  return new Map(players.map(({ player_id, name }) => [player_id, name]));
}

export function nameOf(id: string, names: Names): string {
  return names.get(id) ?? id;
}

export function list(parts: string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** The first round that is not complete. Players may be ahead of it. */
export function currentRound(rounds: Round[]): Round | undefined {
  return rounds.find(({ completed }) => !completed);
}

/** How the league stands or ended, in one line. */
export function statusLine(league: Pick<League, 'phase' | 'paused' | 'result' | 'rounds' | 'players'>): string {
  const { phase, paused, result, rounds, players } = league;
  if (paused) return 'Paused';
  if (phase === 'open') {
    return players.length === 0 ? 'Nobody has joined yet' : `${count(players.length, 'player')} so far`;
  }
  if (phase === 'running') {
    const now = currentRound(rounds);
    return now ? `Round ${now.round_id} of ${rounds.length}` : 'Running';
  }
  return result ?? (phase === 'stopped' ? 'The league was stopped' : 'The league is over');
}

export function pageTitle(league: League): string {
  const { phase, matches } = league;
  const now = phase === 'running' ? `${matches.over}/${matches.all}` : statusLine(league);
  return `${now} – ${league.league_id} – agon`;
}

/** What is played, and how. */
export function termsOf(league: League): string[] {
  const { game, title, setup_text, format, rounds_to_win, max_rounds, time_limit_seconds } = league;
  const all = format === 'round_robin' ? 'once' : 'twice';
  const own: Record<string, string> = {
    'even-odd': `Even-odd, first to ${rounds_to_win} of ${max_rounds} rounds`,
    parity: 'Parity, one draw a match',
  };
  const played = own[game] ?? title ?? game;
  return [
    played,
    ...(setup_text ? [`set-up: ${setup_text}`] : []),
    `everyone meets everyone ${all}`,
    `${limitText(time_limit_seconds)} a move`,
  ];
}

/** "30 s", "10 min", "24 h". */
export function limitText(seconds: number): string {
  const units: [number, string][] = [
    [3600, 'h'],
    [60, 'min'],
  ];
  const [size, unit] = units.find(([size]) => seconds >= size && seconds % size === 0) ?? [1, 's'];
  return `${seconds / size} ${unit}`;
}

/** How somebody plays, beside its name. */
export function playsHow({ computer, person, dialect, reachable }: Player): string {
  if (computer) return 'is the computer';
  if (person) return 'plays at a board';
  if (dialect === 'uci') return 'is an engine';
  return reachable ? 'has a port of its own' : 'plays by tools';
}

/** "=2" where the rank is shared. */
export function rankText(row: Standing, rows: Standing[]): string {
  const shared = rows.filter(({ rank }) => rank === row.rank).length > 1;
  return `${shared ? '=' : ''}${row.rank}`;
}

/** Why a player stands below another with as many points; nothing where points say it. */
export function tieNote(row: Standing, above: Standing | undefined): string {
  if (!above || row.points !== above.points || row.played + above.played === 0) return '';
  switch (row.decided_by) {
    case 'lot':
      return `level with ${above.display_name}, listed by lot`;
    case 'wins':
    case 'head-to-head':
    case 'Sonneborn-Berger':
    case 'round difference':
      return `behind ${above.display_name} on ${row.decided_by}`;
    default:
      return '';
  }
}

/** "+4", "−2", "0" */
export function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0';
}

export function ratingText({ rating, deviation }: Pick<Standing, 'rating' | 'deviation'>): string {
  if (rating === null) return '';
  return deviation === null ? `${Math.round(rating)}` : `${Math.round(rating)} ±${Math.round(deviation)}`;
}

/** What two players scored, the first named first: rounds, or points where rounds say nothing. */
export function scoreOf(match: Match, game: League['game'], first = match.player_a): [number, number] | null {
  const { result, match_points, player_a, player_b } = match;
  if (!result) return null;
  const byRounds = game === 'even-odd' && result.forfeits.length === 0;
  const rounds: [number, number] = [result.scores[player_a] ?? 0, result.scores[player_b] ?? 0];
  const [a, b] = byRounds ? rounds : (match_points ?? rounds);
  return first === player_a ? [a, b] : [b, a];
}

export function scoreText(score: [number, number]): string {
  return score.join('–');
}

/** Who gave the match away, in words; nothing if nobody did. */
export function forfeitText({ result }: Pick<Match, 'result'>, names: Names): string {
  if (!result || result.forfeits.length === 0) return '';
  if (result.forfeits.length > 1) return 'Both forfeited, no points';
  return `${nameOf(result.forfeits[0]!, names)} forfeited`;
}

/** How the match stands or ended. */
export function matchText(match: Match, game: League['game'], names: Names): string {
  const { state, result } = match;
  if (!result) return state === 'running' ? 'Being played' : 'Not played';
  const forfeit = forfeitText(match, names);
  const score = scoreText(scoreOf(match, game, result.winner ?? match.player_a)!);
  if (forfeit) return result.winner ? `${nameOf(result.winner, names)} wins, ${forfeit}` : forfeit;
  const inRounds = game === 'even-odd';
  if (!result.winner) return inRounds ? `A draw, ${score}` : 'A draw';
  return inRounds ? `${nameOf(result.winner, names)} wins ${score}` : `${nameOf(result.winner, names)} wins`;
}

/** A match's link, for those who cannot see its row. */
export function matchLabel(match: Match, game: League['game'], names: Names): string {
  const { match_id, player_a, player_b } = match;
  const who = `${nameOf(player_a, names)} against ${nameOf(player_b, names)}`;
  return `${match_id}, ${who}: ${matchText(match, game, names)}`;
}

/** What the page knows of a move that is being made. */
export type Deed = 'thinking' | 'sealed' | 'waiting';

/** What a player of a running match does. Between rounds nobody is asked. */
export function deedOf(player: string, { thinking = [], roles }: Pick<MatchDetail, 'thinking' | 'roles'>): Deed {
  if (thinking.length === 0) return 'waiting';
  // Where players move in turn, nothing is sealed.
  const other = roles ? 'waiting' : 'sealed';
  return thinking.includes(player) ? 'thinking' : other;
}

/** Rounds won so far. */
export function tally({ rounds = [], player_a, player_b }: MatchDetail): [number, number] {
  const won = (id: string) => rounds.filter(({ round_winner }) => round_winner === id).length;
  return [won(player_a), won(player_b)];
}

/** What to call out when the league has gone on; not every match, for they may be many. */
export function announcement(before: League, now: League): string {
  if (now.phase !== before.phase) {
    return now.phase === 'running' ? 'The league has started.' : statusLine(now);
  }
  if (now.phase === 'open') {
    const joined = now.players.slice(before.players.length).map(({ name }) => name);
    return joined.length === 0 ? '' : `${list(joined)} joined.`;
  }
  const complete = (league: League) => league.rounds.filter((round) => round.completed).length;
  const first = now.standings[0];
  if (complete(now) === complete(before) || !first) return '';
  const name = { name: first.display_name, points: first.points };
  return `${complete(now)} of ${count(now.rounds.length, 'round')} complete. ${leaderText(name)}.`;
}

export function prompt(league: string): string {
  return `Join the league ${league} with agon.`;
}

/** What a student's link brings along: `agon league codes` makes it. */
export interface Invited {
  name?: string;
  invite?: string;
  token?: string;
}

export function invitedBy(hash: string): Invited {
  return Object.fromEntries(new URLSearchParams(hash.slice(1)));
}

type Joined = Pick<League, 'game' | 'league_id' | 'by_code'>;

/** What a player is started with, whoever wrote it. */
function joining(origin: string, league?: Joined, { invite, token }: Invited = {}): string {
  const flags: [string, string | false | undefined][] = [
    ['manager', `${origin}/mcp`],
    ['game', league && league.game !== 'even-odd' && league.game !== 'parity' && league.game],
    ['league', league?.league_id],
    ['invite', invite ?? (league?.by_code && 'CODE')],
    ['token', token],
  ];
  return flags.flatMap(([name, value]) => (value ? [` --${name} ${shellWord(value)}`] : [])).join('');
}

export function playerCommand(origin: string, league?: Joined, invited: Invited = {}): string {
  const name = shellWord(invited.name ?? 'Alpha');
  return `agon player --name ${name} --strategy random --port 8101${joining(origin, league, invited)}`;
}

/** Fetches the player to start from, and starts it. */
export function starterCommand(origin: string, league: Joined, invited: Invited = {}): string {
  const protocol = league.game === 'parity' ? ' --protocol league.v2' : '';
  const name = shellWord(invited.name ?? 'Ada');
  const start = `python3 player.py --name ${name}${protocol}${joining(origin, league, invited)}`;
  return `curl -O ${origin}/player.py && ${start}`;
}

export function startCommand(league: string): string {
  return `agon league start ${shellWord(league)}`;
}

function shellWord(text: string): string {
  return /^[\w.:@%+=/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
