// What is being played in matches. The league's own stream tells when they begin and end; what
// happens in between is asked for, since few of them are looked at.

import { api, Refused } from '../site/api';
import type { MatchDetail } from './types';

const PACE_MS = 1000;

export class Matches {
  known = $state.raw<Record<string, MatchDetail>>({});
  /** Why a match cannot be shown, by its id. */
  refused = $state.raw<Record<string, string>>({});

  private readonly league: string;
  private looked = 0;

  constructor(league: string) {
    this.league = league;
  }

  /** Looks at these matches again and again, until the returned function is called. */
  watch(ids: string[]): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over = false;
    const look = async () => {
      this.looked = Date.now();
      if (!document.hidden) await Promise.all(ids.map((id) => this.load(id)));
      if (!over) timer = setTimeout(look, PACE_MS);
    };
    // However fast matches come and go, they are asked for at this pace.
    timer = setTimeout(look, Math.max(0, this.looked + PACE_MS - Date.now()));
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }

  private async load(id: string) {
    if (this.known[id]?.state === 'done' || this.refused[id]) return;
    try {
      const match = await api.match(this.league, id);
      const known = this.known[id];
      // Answers may overtake each other.
      if (known && match.turn < known.turn && match.state !== 'done') return;
      this.known = { ...this.known, [id]: match };
    } catch (error) {
      // Who cannot be reached now is asked again, and the page says so by the league's stream.
      if (error instanceof Refused) this.refused = { ...this.refused, [id]: error.message };
    }
  }
}
