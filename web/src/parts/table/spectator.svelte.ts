// Something that can only be watched, as this page knows it: loaded once, then followed live.

import type { Others } from '../../net/events';
import { Followed } from './followed.svelte';

export class Spectator<T> extends Followed<T> {
  seen = $state.raw<T | null>(null);

  /** `name` is what its stream calls it, and with an s after it where it is found under /api. */
  constructor(
    private readonly name: string,
    id: string,
    private readonly ask: (id: string) => Promise<T>,
  ) {
    super(id);
  }

  /** Begins to follow, with events of other names in the same stream; the returned function ends it. */
  start(query = '', others?: Others): () => void {
    void this.load();
    this.listen(`/api/${this.name}s/${this.id}/events${query}`, { name: this.name, others });
    return () => this.stop();
  }

  protected async load() {
    try {
      const state = await this.ask(this.id);
      // Every event is the whole state, and later than this answer.
      if (!this.seen) this.take(state);
    } catch (error) {
      this.failed(error);
    }
  }

  protected heard(state: T) {
    this.take(state);
  }

  protected take(state: T) {
    this.seen = state;
    this.notice = '';
  }
}
