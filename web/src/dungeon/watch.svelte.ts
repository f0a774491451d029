// One run as this page knows it, followed live.

import { api, Refused } from '../site/api';
import { follow, type Connection } from '../site/events';
import type { Dungeon } from './types';

const RETRY_MS = 2500;

export class Watch {
  dungeon = $state.raw<Dungeon | null>(null);
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
    this.unfollow = follow<Dungeon>(`/api/dungeons/${this.id}/events`, {
      name: 'dungeon',
      onevent: (dungeon) => this.take(dungeon),
      onconnection: (state) => (this.connection = state),
    });
    return () => {
      clearTimeout(this.retry);
      this.unfollow();
    };
  }

  private async load() {
    try {
      this.take(await api.dungeon(this.id));
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

  // An event may overtake the first answer.
  private take(dungeon: Dungeon) {
    if (this.dungeon && dungeon.turn < this.dungeon.turn) return;
    this.dungeon = dungeon;
    this.notice = '';
  }
}
