// A run as its page knows it: followed live, looked back at, and played by whoever has its pass.

import { SvelteMap } from 'svelte/reactivity';
import { Spectator } from '../../parts/spectator.svelte';
import { api, call, Refused } from '../../net/api';
import { forgetPass, keepPass, passFor } from '../../net/passes';
import type { Dungeon, Step } from './types';

const UNHEARD = 'The server did not answer. The page shows what counts; try again if your deed is missing.';
const ENDED = 'This link does not play the hero. You can watch.';

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
  /** How it looked after each turn that was looked at; the past stays as it is. */
  private readonly steps = new SvelteMap<number, Step>();

  constructor(id: string) {
    super('dungeon', id, () => call<Dungeon>(`/api/dungeons/${id}`));
    this.pass = passFor(id);
    // The secret need not stand in the address, where others may read it.
    if (this.pass && keepPass(id, this.pass)) history.replaceState(null, '', location.pathname);
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

  /** How it looked after a turn; nothing while that is asked for. */
  step(turn: number): Step | undefined {
    return this.steps.get(turn);
  }

  async lookBack(turn: number) {
    if (this.steps.has(turn)) return;
    try {
      this.steps.set(turn, await call<Step>(`/api/dungeons/${this.id}/turns/${turn}`));
    } catch (error) {
      this.notice = (error as Error).message;
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
