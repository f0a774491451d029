// The games in which this browser has a seat.

import { isYourTurn } from '../games/plain/words';
import { api } from '../net/api';
import { forgetPass, keptPasses } from '../net/passes';
import type { Listed, Mine } from '../parts/kinds';
import type { PlainSummary } from '../wire/plain';
import { OWN } from './kinds';

const FINISHED_SHOWN = 4;
const ALL_ASKED = 100;
/** After that a finished game is no longer one of yours; its page stays. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export class YourGames {
  list = $state.raw<Mine[]>([]);
  readonly turns = $derived(this.list.filter(waitsForYou).length);

  async load() {
    const passes = [...keptPasses()].slice(-ALL_ASKED);
    if (passes.length === 0) return;
    const games = await api.mine<Mine>(passes.map(([, pass]) => pass)).catch(() => null);
    if (!games) return;
    const kept = new Map(passes);
    const isOld = (game: Mine) => game.status === 'over' && Date.now() - played(game) > KEPT_MS;
    for (const { game_id } of games.filter(isOld)) forgetPass(game_id, kept.get(game_id) ?? '');
    this.list = inOrder(games.filter((game) => !isOld(game)));
  }

  heard(game: Listed) {
    const at = this.list.findIndex(({ game_id }) => game_id === game.game_id);
    const known = this.list[at];
    if (known) this.list = this.list.with(at, { ...game, you: known.you });
  }
}

/** Those that wait for you first, then those in play, then the latest that are over. */
export function inOrder(games: Mine[]): Mine[] {
  const rank = (game: Mine) => (waitsForYou(game) ? 0 : game.status === 'live' ? 1 : 2);
  const sorted = games.toSorted((a, b) => rank(a) - rank(b) || played(b) - played(a));
  const over = sorted.filter(({ status }) => status === 'over').slice(0, FINISHED_SHOWN);
  return [...sorted.filter(({ status }) => status === 'live'), ...over];
}

function waitsForYou(game: Mine): boolean {
  const own = OWN.get(game.kind);
  return own ? own.isYourTurn(game, game.you) : isYourTurn(game as Mine & PlainSummary, game.you as number);
}

function played(game: Listed): number {
  return game.moved_at ?? game.created_at;
}
