// What is followed live by its stream, whether it is watched or played: asked for once, and again until
// there is an answer.

import { Refused } from '../../net/api';
import { follow, type Connection, type Listener } from '../../net/events';

const RETRY_MS = 2500;

export abstract class Followed<T> {
  connection = $state<Connection>('connecting');
  missing = $state(false);
  /** Why the server would not, for the person to read. */
  notice = $state('');
  private unfollow = () => {};
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly id: string) {}

  protected abstract load(): Promise<void>;

  /** The stream tells how it stands. */
  protected abstract heard(state: T): void;

  protected listen(url: string, more: Partial<Listener<T>> = {}) {
    this.unfollow = follow<T>(url, {
      onevent: (state) => this.heard(state),
      onconnection: (state) => (this.connection = state),
      ...more,
    });
  }

  /** Asking came to nothing. Unless it is not there, it is asked for again. */
  protected failed(error: unknown) {
    if (error instanceof Refused && error.status === 404) {
      this.missing = true;
      this.unfollow();
      return;
    }
    if (error instanceof Refused) this.notice = error.message;
    else this.connection = 'lost';
    this.retry = setTimeout(() => this.load(), RETRY_MS);
  }

  /** Asks no more, as far as that is to be done again. */
  protected stopAsking() {
    clearTimeout(this.retry);
  }

  protected stop() {
    this.stopAsking();
    this.unfollow();
  }
}
