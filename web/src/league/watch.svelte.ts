// One league as this page knows it, followed live.

import { api, Refused } from '../site/api';
import { follow, type Connection } from '../site/events';
import type { League } from './types';

const RETRY_MS = 2500;

export class Watch {
  league = $state.raw<League | null>(null);
  connection = $state<Connection>('connecting');
  missing = $state(false);
  /** Why the server would not show it, for the person to read. */
  notice = $state('');

  readonly id: string;
  private unfollow = () => {};
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Begins to follow; the returned function ends it. */
  start(): () => void {
    void this.load();
    this.unfollow = follow<League>(`/api/leagues/${this.id}/events`, {
      name: 'league',
      onevent: (league) => this.take(league),
      onconnection: (state) => (this.connection = state),
    });
    return () => {
      clearTimeout(this.retry);
      this.unfollow();
    };
  }

  private async load() {
    try {
      const league = await api.league(this.id);
      // Every event is the whole league, and later than this answer.
      if (!this.league) this.take(league);
    } catch (error) {
      if (error instanceof Refused && error.status === 404) {
        this.missing = true;
        this.unfollow();
        return;
      }
      if (error instanceof Refused) this.notice = error.message;
      else this.connection = 'lost';
      this.retry = setTimeout(() => this.load(), RETRY_MS);
    }
  }

  private take(league: League) {
    this.league = league;
    this.notice = '';
  }
}
