// A game of chess on the board in the chat: what is known of it, and what the person is about to play.

import type { ChatGame } from '../../chat/kinds';
import type { Table } from '../../chat/table.svelte';
import type { ChessBoard } from '../../wire/chess';
import { replayed } from './sans';
import { START_FEN, type Color, type Evaluation, type Facts } from './types';
import { colorName } from './words';

interface Sent {
  uci: string;
  san?: string;
  /** The number of the turn it was meant for. */
  turn: number;
}

export class ChessInChat implements ChatGame<Facts> {
  facts: Facts;
  /** What stands in the move field. */
  draft = $state('');
  claim = $state(false);
  /** What the position is worth, once asked for. */
  hint = $state.raw<Evaluation | null>(null);
  /** After how many moves it is shown; null follows the game. */
  private stopped = $state<number | null>(null);
  /** Where it began, once somebody has looked back. */
  private start = $state<string>();
  /** A move whose answer was lost: it may have been played all the same. */
  private unanswered: Sent | null = null;

  constructor(
    private readonly table: Table,
    facts: Facts,
  ) {
    this.facts = $state.raw(facts);
    this.hint = facts.evaluation ?? null;
    // Who is told first plays on this board, unless a result says otherwise.
    table.you ??= facts.you ?? null;
  }

  private readonly stood = $derived.by(() => (this.start ? replayed(this.start, this.facts.history) : []));
  readonly length = $derived.by(() => this.facts.history.length);
  readonly ply = $derived.by(() => Math.min(this.stopped ?? this.length, this.length));
  /** How it was; nothing while the game is followed. A move may be taken back, so all is read anew. */
  readonly shown = $derived.by(() => (this.ply < this.length ? this.stood[this.ply] : undefined));

  /** Looks back, to how it was after so many moves. The answer's PGN says where it began. */
  async show(ply: number) {
    this.stopped = ply < this.length ? Math.max(0, ply) : null;
    if (this.start || this.stopped === null) return;
    const told = (await this.table.lookBack(0))?.games as ({ pgn?: string } | undefined)[] | undefined;
    const pgn = told?.find((facts) => facts?.pgn)?.pgn;
    this.start = /\[FEN "(.*?)"/.exec(pgn ?? '')?.[1] ?? START_FEN;
  }

  get id(): string {
    return this.facts.game_id;
  }

  get turn(): number {
    return this.facts.turn;
  }

  get you(): Color | null {
    return this.table.you as ChessBoard['you'] | null;
  }

  get isOver(): boolean {
    return !!this.facts.result || this.facts.status === 'over';
  }

  get isYourMove(): boolean {
    return !this.isOver && this.facts.to_move === this.you;
  }

  take(facts: Facts) {
    if (facts.turn < this.turn) return;
    this.table.you ??= facts.you ?? null;
    if (facts.fen !== this.facts.fen) {
      this.draft = '';
      this.claim = false;
      this.table.sent = null;
      this.hint = null;
    }
    this.hint = facts.evaluation ?? this.hint;
    this.facts = facts;
    this.answerLate(facts);
  }

  async confirm() {
    const { table, claim } = this;
    const move = this.draft.trim();
    const { turn } = this;
    if (!move) {
      table.notice = 'Make a move on the board or type one, then confirm.';
      return;
    }
    const san = this.facts.legal_moves.find((legal) => legal.uci === move)?.san;
    this.unanswered = null;
    this.stopped = null;
    const accepted = await table.play(move, { claim_win: claim });
    if (accepted) {
      this.draft = '';
      this.claim = false;
      void this.tellPlayed({ uci: move, san, turn });
      return;
    }
    if (table.serverGone) this.unanswered = { uci: move, san, turn };
    // A refused move goes back to its square; a misspelt one stays to be mended.
    else if (san) this.draft = '';
  }

  /** Takes back what the agent played for the person. */
  async takeBack() {
    const { san, uci } = this.facts.last_move ?? {};
    await this.table.act('takeback');
    if (this.table.notice || this.facts.can_take_back) return;
    const { game_id, to_move } = this.facts;
    this.table.remark(
      `On the board, the person took back ${san} (${uci}), which you had relayed in game ` +
        `${game_id}: it was not their move. ${colorName(to_move)} is to move.`,
    );
  }

  /** Asks what the position is worth. */
  async askHint() {
    await this.table.ask('getGame', { hint: true });
  }

  /** What became of a move whose answer was lost shows in later news. */
  private answerLate(facts: Facts) {
    const sent = this.unanswered;
    if (!sent || facts.turn <= sent.turn) return;
    this.unanswered = null;
    if (facts.last_move?.uci === sent.uci) void this.tellPlayed(sent);
  }

  private async tellPlayed({ uci, san }: Sent) {
    if (!this.you) return;
    const { result, to_move, fen } = this.facts;
    const next = `${colorName(to_move)} is to move; call waitForNextTurn to go on. FEN: ${fen}`;
    await this.table.tellPlayed(colorName(this.you), san ? `${uci} (${san})` : uci, result, next);
  }
}
