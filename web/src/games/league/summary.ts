// A league in a list, in words. What its own page says beside that is in `words`.

import type { Progress, Summary } from './types';

export const PHASES = {
  open: 'Open for players',
  running: 'Running',
  finished: 'Finished',
  stopped: 'Stopped',
};

export function count(n: number, noun: string, nouns = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : nouns}`;
}

/** "37 of 120 matches" */
export function progressText({ over, all }: Progress): string {
  return `${over} of ${count(all, 'match', 'matches')}`;
}

/** A card's link, for those who cannot see the card. */
export function cardLabel(league: Summary): string {
  const { phase, matches, result } = league;
  const parts = [PHASES[phase], count(league.players, 'player')];
  if (phase === 'running') parts.push(progressText(matches));
  if (result) parts.push(result);
  else if (league.leader) parts.push(leaderText(league.leader));
  return `League ${league.league_id}: ${parts.join(', ')}`;
}

export function leaderText({ name, points }: { name: string; points: number }): string {
  return `${name} leads with ${count(points, 'point')}`;
}
