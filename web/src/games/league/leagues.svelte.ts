// The leagues on the dashboard.

import { league as api } from './api';
import type { Summary } from './types';

export class Leagues {
  list = $state.raw<Summary[]>([]);

  async load() {
    // The dashboard says by its games that the server cannot be reached.
    this.list = await api.all().catch(() => this.list);
  }

  heard(league: Summary) {
    const at = this.list.findIndex(({ game_id }) => game_id === league.game_id);
    this.list = at < 0 ? [league, ...this.list] : this.list.with(at, league);
  }
}

export function isLive({ phase }: Summary): boolean {
  return phase === 'open' || phase === 'running';
}

/** Those still to be decided first, then the newest. */
export function inOrder(leagues: Summary[], text: string): Summary[] {
  const wanted = words(text);
  const found = leagues.filter(({ league_id, game_id, leader }) => {
    const said = words(`${league_id} ${game_id} ${leader?.name ?? ''}`);
    return wanted.every((beginning) => said.some((word) => word.startsWith(beginning)));
  });
  const rank = ({ phase }: Summary) => (phase === 'running' ? 0 : phase === 'open' ? 1 : 2);
  return found.toSorted((a, b) => rank(a) - rank(b) || b.created_at - a.created_at);
}

/** As the server takes a text apart that is searched for. */
function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
