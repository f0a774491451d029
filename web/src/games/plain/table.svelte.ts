// A game of any kind as its page knows it, with its past as far as it was looked at.

import { Past } from '../../parts/table/past.svelte';
import { Seated } from '../../parts/table/seated.svelte';
import { api } from '../../net/api';
import type { PlainGame, PlainStep } from '../../wire/plain';

export class Table extends Seated<PlainGame, number> {
  readonly past = new Past<PlainStep>(
    () => this.game?.history.map(({ turn }) => turn) ?? [],
    (turn) => this.lookBack(turn),
  );
  private asking = false;
  private again = false;

  /** The stream is public; what we see from our seat is asked for. */
  protected override heard(game: PlainGame) {
    if (this.pass) void this.loadOwn();
    else super.heard(game);
  }

  /** With our own eyes. */
  private async lookBack(turn: number): Promise<PlainStep | undefined> {
    const pass = this.pass;
    try {
      const step = await api.step(this.id, turn, pass);
      return pass === this.pass ? step : undefined;
    } catch (error) {
      this.notice = (error as Error).message;
      return undefined;
    }
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
