// Something that can only be watched, as this page knows it: loaded once, then followed live.

import { Refused } from '../net/api';
import { follow, type Connection, type Others } from '../net/events';

const RETRY_MS = 2500;

export class Spectator<T> {
  seen = $state.raw<T | null>(null);
  connection = $state<Connection>('connecting');
  missing = $state(false);
  /** Why the server would not show it, for the person to read. */
  notice = $state('');

  readonly id: string;
  private readonly kind: 'dungeon' | 'league';
  private readonly ask: (id: string) => Promise<T>;
  private unfollow = () => {};
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(kind: 'dungeon' | 'league', id: string, ask: (id: string) => Promise<T>) {
    this.kind = kind;
    this.id = id;
    this.ask = ask;
  }

  /** Begins to follow, with events of other names in the same stream; the returned function ends it. */
  start(query = '', others?: Others): () => void {
    void this.load();
    this.unfollow = follow<T>(`/api/${this.kind}s/${this.id}/events${query}`, {
      name: this.kind,
      onevent: (state) => this.take(state),
      others,
      onconnection: (state) => (this.connection = state),
    });
    return () => {
      clearTimeout(this.retry);
      this.unfollow();
    };
  }

  private async load() {
    try {
      const state = await this.ask(this.id);
      // Every event is the whole state, and later than this answer.
      if (!this.seen) this.take(state);
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

  protected take(state: T) {
    this.seen = state;
    this.notice = '';
  }
}
