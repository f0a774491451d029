// What is being played in matches. The league's stream tells of those in play that its page shows;
// one that is over, or has not begun, is asked for once.

import { Refused } from '../../net/api';
import { league as api } from './api';
import type { MatchDetail } from './types';

/** So many of the matches in play are shown; the stream tells of as many. */
export const SHOWN = 8;

export class Matches {
  known = $state.raw<Record<string, MatchDetail>>({});
  /** Why a match cannot be shown, by its id. */
  refused = $state.raw<Record<string, string>>({});

  constructor(private readonly league: string) {}

  heard(match: MatchDetail) {
    const known = this.known[match.match_id];
    // Answers may overtake each other.
    const isOld = known && (known.state === 'done' || (match.turn ?? 0) < (known.turn ?? 0)) && match.state !== 'done';
    if (!isOld) this.known = { ...this.known, [match.match_id]: match };
  }

  /** Looks at a match that the stream may not tell of. */
  async load(id: string) {
    if (this.known[id]?.state === 'done' || this.refused[id]) return;
    try {
      this.heard(await api.match(this.league, id));
    } catch (error) {
      // Who cannot be reached now is asked again when the league changes.
      if (error instanceof Refused) this.refused = { ...this.refused, [id]: error.message };
    }
  }
}
