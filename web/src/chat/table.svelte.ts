// The game on the chat board: what is known of it, what the person is about to play, and how it
// follows the opponent through the host.

import type { Action, Color, Evaluation, Facts } from '../chess/types';
import { colorName } from '../chess/words';
import { NoAnswer, type Host, type Tool } from './host';
import { readResult } from './result';

const POLL_MS = 5_000;
const LAZY_POLL_MS = 15_000;
const LAZY_AFTER_MS = 60_000;
const LONGEST_PAUSE_MS = 30_000;

export class Table {
  facts = $state.raw<Facts | null>(null);
  pass = $state<string | null>(null);
  you = $state<Color | null>(null);
  /** What stands in the move field. */
  draft = $state('');
  claim = $state(false);
  busy = $state(false);
  /** A move a silent host was given; nobody told us what became of it. */
  sent = $state<string | null>(null);
  notice = $state('');
  /** What the position is worth, once asked for. */
  hint = $state.raw<Evaluation | null>(null);
  serverGone = $state(false);

  private host: Host | null = null;
  private found: (host: Host) => void = () => {};
  // A quick person may confirm before it is known which dialect the host speaks.
  private readonly firstHost = new Promise<Host>((found) => (this.found = found));
  private visible = true;
  private stopped = false;
  private wake = () => {};

  readonly over = $derived(!!this.facts?.result || this.facts?.status === 'over');
  readonly yourMove = $derived(!this.over && !!this.you && this.facts?.to_move === this.you);

  /** A result the host handed over: the one that opened this board, or an answer. */
  take(answer: unknown): string | null {
    const { facts, seat, error } = readResult(answer);
    if (seat) {
      this.pass = seat.pass;
      this.you = seat.you ?? this.you;
    }
    if (facts) this.takeFacts(facts);
    return error;
  }

  takeFacts(facts: Facts) {
    if (this.facts && facts.turn < this.facts.turn) return;
    this.you ??= facts.you ?? null;
    if (this.facts && facts.fen !== this.facts.fen) {
      this.draft = '';
      this.claim = false;
      this.sent = null;
      this.hint = null;
    }
    this.hint = facts.evaluation ?? this.hint;
    this.facts = facts;
    this.wake();
  }

  async confirm() {
    const move = this.draft.trim();
    const turn = this.facts?.turn;
    if (!move) {
      this.notice = 'Make a move on the board or type one, then confirm.';
      return;
    }
    const san = this.facts?.legal_moves.find((legal) => legal.uci === move)?.san;
    this.sent = move;
    const accepted = await this.ask('finishTurn', { move, claim_win: this.claim, turn });
    if (accepted === 'silent') {
      this.notice = 'Sent to the chat. The next board there shows how the game goes on.';
    } else if (accepted) {
      this.draft = '';
      this.claim = false;
      this.sent = null;
      this.tellModel(san ? `${san} (${move})` : move);
    } else {
      this.sent = null;
      // A refused move goes back to its square; a misspelt one stays to be mended.
      if (san && !this.serverGone) this.draft = '';
    }
  }

  async act(action: Action) {
    const accepted = await this.ask('gameAction', { action, turn: this.facts?.turn });
    if (accepted === 'silent') this.notice = 'Sent to the chat.';
  }

  /** Asks what the position is worth. */
  async askHint() {
    const answered = await this.ask('getGame', { hint: true });
    if (answered === 'silent') this.notice = 'This chat passes no answers on, so no hint either.';
  }

  /** Speaks to this host from now on, and follows the game through it. */
  attach(host: Host) {
    this.host = host;
    this.found(host);
    this.wake();
    void this.follow(host);
  }

  /** A board nobody looks at asks for nothing; a chat may hold dozens of them. */
  look(visible: boolean) {
    this.visible = visible;
    if (visible) this.wake();
  }

  stop() {
    this.stopped = true;
    this.wake();
  }

  private async ask(tool: Tool, args: object): Promise<boolean | 'silent'> {
    if (!this.pass || this.busy) return false;
    this.busy = true;
    this.notice = '';
    try {
      const host = this.host ?? (await this.firstHost);
      const answer = await host.call(tool, { game_id: this.pass, ...args });
      this.serverGone = false;
      if (!answer) return 'silent';
      const error = this.take(answer);
      if (error) this.notice = error;
      return !error;
    } catch (failure) {
      this.serverGone = true;
      const reason = failure instanceof NoAnswer && failure.message ? ` (${failure.message})` : '';
      this.notice = `That did not reach the server${reason}. Your move is kept: confirm it again.`;
      return false;
    } finally {
      this.busy = false;
      this.wake();
    }
  }

  private async follow(host: Host) {
    let failures = 0;
    let fresh = false;
    let quietSince = Date.now();
    const current = () => !this.stopped && this.host === host;
    while (current()) {
      const id = this.pass ?? this.facts?.game_id;
      const mustWait = !id || !this.visible || this.busy || (this.over && fresh);
      // The first question is always asked: the state this page was born with may be old.
      const mayAsk = !fresh || (host.answers() && (host.mayPoll || !this.yourMove));
      if (mustWait || !mayAsk) {
        await this.pause();
        continue;
      }
      const before = this.facts?.turn;
      const asked = Date.now();
      const tool = fresh && !this.yourMove && this.pass ? 'waitForNextTurn' : 'getGame';
      try {
        const answer = await host.call(tool, { game_id: id });
        if (!current()) return;
        const error = answer && this.take(answer);
        if (error && !readResult(answer).facts) throw new NoAnswer(error);
        failures = 0;
        this.serverGone = false;
        if (this.facts?.turn !== before) quietSince = Date.now();
        const lazy = Date.now() - quietSince > LAZY_AFTER_MS;
        const instant = Date.now() - asked < 1000 && this.facts?.turn === before;
        if (fresh && (tool === 'getGame' || instant)) await this.pause(lazy ? LAZY_POLL_MS : POLL_MS);
        fresh = true;
      } catch {
        if (!current()) return;
        if (!fresh && !host.mayPoll) {
          // An old host may know no tool but finishTurn; what was embedded has to do.
          fresh = true;
          continue;
        }
        failures += 1;
        this.serverGone = true;
        await this.pause(Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** failures));
      }
    }
  }

  private pause(ms?: number): Promise<void> {
    return new Promise((done) => {
      const timer = ms === undefined ? undefined : setTimeout(done, ms);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  private tellModel(move: string) {
    const facts = this.facts;
    if (!facts || !this.you) return;
    const next = facts.result
      ? `Game over: ${facts.result}.`
      : `${colorName(facts.to_move)} is to move; call waitForNextTurn to go on.`;
    this.host?.tellModel(
      `On the board, ${colorName(this.you)} played ${move} in game ${facts.game_id}. ${next} FEN: ${facts.fen}`,
    );
  }
}
