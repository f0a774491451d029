// A game of any kind as its page knows it, with its past as far as it was looked at.

import { SvelteMap } from 'svelte/reactivity';
import { Seated } from '../../parts/seated.svelte';
import { api } from '../../net/api';
import type { PlainGame, PlainStep } from '../../wire/plain';

export class Table extends Seated<PlainGame, number> {
  /** What was seen after each turn that was looked at: with our own eyes, and past, so it stays. */
  private readonly steps = new SvelteMap<number, PlainStep>();
  private asking = false;
  private again = false;

  /** How it looked after a turn; nothing while that is asked for. */
  step(turn: number): PlainStep | undefined {
    return this.steps.get(turn);
  }

  async lookBack(turn: number) {
    if (this.steps.has(turn)) return;
    const pass = this.pass;
    try {
      const step = await api.step(this.id, turn, pass);
      if (pass === this.pass) this.steps.set(turn, step);
    } catch (error) {
      this.notice = (error as Error).message;
    }
  }

  /** The stream is public; what we see from our seat is asked for. */
  protected override heard(game: PlainGame) {
    if (this.pass) void this.loadOwn();
    else super.heard(game);
  }

  private async loadOwn() {
    this.again = true;
    if (this.asking) return;
    this.asking = true;
    while (this.again) {
      this.again = false;
      await this.load();
    }
    this.asking = false;
  }
}
