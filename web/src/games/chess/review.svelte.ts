// What the moves of a finished game were worth, asked for part by part.

import type { Judged } from './types';
import { chess } from './api';

export class Review {
  /** As far as it has come; the first is the position the game started from. */
  evals = $state.raw<Judged[]>([]);
  /** How many positions there are. */
  of = $state(0);
  running = $state(false);
  failed = $state('');
  /** With the evaluations in it. */
  pgn = $state('');

  private stopped = false;

  constructor(readonly id: string) {}

  get begun(): boolean {
    return this.running || this.of > 0;
  }

  async start() {
    if (this.running) return;
    this.running = true;
    this.failed = '';
    try {
      do {
        const part = await chess.evals(this.id, this.evals.length);
        if (this.stopped || part.evals.length === 0) return;
        this.evals = [...this.evals, ...part.evals];
        this.of = part.of;
      } while (this.evals.length < this.of);
      this.pgn = await chess.evaluatedPgn(this.id);
    } catch (error) {
      this.failed = (error as Error).message;
    } finally {
      this.running = false;
    }
  }

  stop() {
    this.stopped = true;
  }
}
