// A run as its page knows it: followed live, looked back at, and played by whoever has its pass.

import { Past } from '../../parts/table/past.svelte';
import { Spectator } from '../../parts/table/spectator.svelte';
import { api, call, Refused } from '../../net/api';
import { forgetPass, keepPass, passFor, showInAddress } from '../../net/passes';
import type { Dungeon, Step } from './types';

const UNHEARD = 'The server did not answer. If the log does not show what you did, try again.';
const ENDED = 'This link does not let you play the hero. You can watch.';

/** What can be done, for whoever plays. */
export interface Play {
  can: Set<string>;
  act: (move: string) => void;
}

export class Delve extends Spectator<Dungeon> {
  pass = $state<string | null>(null);
  /** Why the last deed was refused. */
  refusal = $state('');
  /** The turn of the deed that is on its way: the same is not sent twice, the next need not wait. */
  private sent: number | null = null;
  readonly past = new Past<Step>(
    () => this.seen?.log.map((_, i) => i + 1) ?? [],
    (turn) => this.lookBack(turn),
  );

  constructor(id: string) {
    super('dungeon', id, () => call<Dungeon>(`/api/dungeons/${id}`));
    this.pass = passFor(id);
    // The secret need not stand in the address, where others may read it.
    if (this.pass && keepPass(id, this.pass)) showInAddress(null);
  }

  async act(move: string) {
    const { pass, seen } = this;
    if (!pass || !seen || this.sent === seen.turn) return;
    const { turn } = seen;
    this.sent = turn;
    this.refusal = '';
    try {
      this.take(await api.play<Dungeon>(this.id, pass, { move, turn }));
    } catch (error) {
      const isRefused = error instanceof Refused;
      this.refusal = isRefused ? error.message : UNHEARD;
      if (isRefused && error.status === 403) this.leave(pass);
    } finally {
      if (this.sent === turn) this.sent = null;
    }
  }

  private async lookBack(turn: number): Promise<Step | undefined> {
    try {
      return await call<Step>(`/api/dungeons/${this.id}/turns/${turn}`);
    } catch (error) {
      this.notice = (error as Error).message;
      return undefined;
    }
  }

  // An event may be older than the answer to our own deed.
  protected override take(state: Dungeon) {
    if (!this.seen || state.turn >= this.seen.turn) super.take(state);
  }

  private leave(pass: string) {
    forgetPass(this.id, pass);
    this.pass = null;
    this.refusal = ENDED;
  }
}
