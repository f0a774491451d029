// A game of chess as its page knows it.

import { opposite, type Color, type Game } from './types';
import { Seated } from '../../parts/table/seated.svelte';
import type { Hint } from '../../wire/chess';
import { chess } from './api';

export class Watch extends Seated<Game, Color> {
  /** What the position is worth, once asked for. */
  hint = $state.raw<Hint | null>(null);

  /** The last move, if it was typed into the chat and we may still say that it was not ours. */
  readonly mayTakeBack = $derived.by(() => {
    // The stream is the same for everyone, so it cannot tell us; the moves can.
    const last = this.game?.history.at(-1);
    const ours = this.game?.status === 'live' && this.you === opposite(this.game.to_move);
    return last?.relayed && ours ? last : null;
  });

  /** Asks what the position is worth. */
  askHint() {
    return this.busily(async () => {
      if (!this.pass) return;
      const hint = await chess.hint(this.id, this.pass);
      // The game may have gone on meanwhile.
      if (hint.turn === this.game?.turn) this.hint = hint;
    });
  }

  protected override take(game: Game) {
    const before = this.game?.fen;
    super.take(game);
    if (before && this.game?.fen !== before) this.hint = null;
  }
}
