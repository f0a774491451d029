// A game of any kind on the board in the chat.

import type { ChatGame } from '../../chat/kinds';
import type { Table } from '../../chat/table.svelte';
import { Past } from '../../parts/table/past.svelte';
import type { PlainGame, PlainStep } from '../../wire/plain';
import { isYourTurn } from './words';

export class PlainInChat implements ChatGame<PlainGame> {
  facts: PlainGame;
  readonly past = new Past<PlainStep>(
    () => this.facts.history.map(({ turn }) => turn),
    async (turn) => (await this.table.lookBack(turn))?.board.step,
  );

  constructor(
    private readonly table: Table,
    facts: PlainGame,
  ) {
    this.facts = $state.raw(facts);
  }

  get id(): string {
    return this.facts.game_id;
  }

  get turn(): number {
    return this.facts.turn;
  }

  get isOver(): boolean {
    return this.facts.status === 'over';
  }

  get isYourMove(): boolean {
    return isYourTurn(this.facts, this.facts.you);
  }

  take(facts: PlainGame) {
    if (facts.turn < this.turn) return;
    if (facts.turn > this.turn) this.table.sent = null;
    this.facts = facts;
  }

  async play(move: string) {
    const accepted = await this.table.play(move);
    const { seats, you, result } = this.facts;
    const who = seats[you ?? -1]?.name ?? 'The person';
    if (accepted === true) void this.table.tellPlayed(who, move, result);
  }
}
