// The game on the chat board: what is known of it, what the person is about to play, and how it
// follows the opponent through the host.

import type { Action, Color, Evaluation, Facts } from '../games/chess/types';
import { colorName } from '../games/chess/words';
import { isYourTurn } from '../games/plain/words';
import { Past } from '../parts/past.svelte';
import type { PlainGame, PlainStep } from '../wire/plain';
import { NoAnswer, type Host, type Tool } from './host';
import { readResult } from './result';

const POLL_MS = 5_000;
const LAZY_POLL_MS = 15_000;
const LAZY_AFTER_MS = 60_000;
const LONGEST_PAUSE_MS = 30_000;

const SENT = 'Sent to the chat. The next board there shows how the game goes on.';
const RENEWED = 'There is a new link to your seat, and this board has its pass now. Play on.';
const ENDED =
  'The seat of this board has gone to a newer link, so it only watches now. ' +
  'Ask your agent to show you the board again.';

interface Sent {
  uci: string;
  san?: string;
  /** The number of the turn it was meant for. */
  turn: number;
}

export class Table {
  facts = $state.raw<Facts | null>(null);
  /** The game, where it is not chess. */
  plain = $state.raw<PlainGame | null>(null);
  readonly past = new Past<PlainStep>(
    () => this.plain?.history.map(({ turn }) => turn) ?? [],
    (turn) => this.lookBack(turn),
  );
  pass = $state<string | null>(null);
  you = $state<Color | null>(null);
  /** The board's address in the browser. */
  page = $state<string | null>(null);
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
  /** A move whose answer was lost: it may have been played all the same. */
  private unanswered: Sent | null = null;
  private visible = true;
  private stopped = false;
  private wake = () => {};

  readonly turn = $derived(this.facts?.turn ?? this.plain?.turn);
  readonly gameId = $derived(this.facts?.game_id ?? this.plain?.game_id);
  readonly over = $derived(
    !!this.facts?.result || this.facts?.status === 'over' || this.plain?.status === 'over',
  );
  readonly yourMove = $derived(
    this.plain
      ? isYourTurn(this.plain, this.plain.you)
      : !this.over && !!this.you && this.facts?.to_move === this.you,
  );

  /** A result the host handed over: the one that opened this board, or an answer. */
  take(answer: unknown): string | null {
    const { facts, plain, seat, page, error } = readResult(answer);
    // An address that only shows the game is no better than one that also opens the seat.
    if (page && !this.page?.startsWith(`${page}#`)) this.page = page;
    if (seat) {
      this.pass = seat.pass;
      this.you = seat.you ?? this.you;
    }
    if (facts) this.takeFacts(facts);
    else if (plain) this.takePlain(plain);
    return error;
  }

  private takePlain(game: PlainGame) {
    if (this.plain && game.turn < this.plain.turn) return;
    if (this.plain && game.turn > this.plain.turn) this.sent = null;
    this.plain = game;
    this.wake();
  }

  /** Plays a move of any other game than chess, where a click is meant. */
  async play(move: string) {
    const turn = this.turn;
    this.sent = move;
    const accepted = await this.ask('finishTurn', { move, turn });
    if (accepted === 'silent') {
      this.notice = SENT;
      return;
    }
    this.sent = null;
    if (accepted) void this.tellPlayed(move);
  }

  /** How it looked after a turn; nothing where the host brings no answers. */
  private async lookBack(turn: number): Promise<PlainStep | undefined> {
    try {
      const host = this.host ?? (await this.firstHost);
      const answer = await host.call('getGame', { game_id: this.pass ?? this.gameId, turn });
      return readResult(answer).step;
    } catch {
      this.serverGone = true;
      return undefined;
    }
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
    this.answerLate(facts);
    this.wake();
  }

  async confirm() {
    const move = this.draft.trim();
    const turn = this.facts?.turn ?? 0;
    if (!move) {
      this.notice = 'Make a move on the board or type one, then confirm.';
      return;
    }
    const san = this.facts?.legal_moves.find((legal) => legal.uci === move)?.san;
    this.sent = move;
    this.unanswered = null;
    const accepted = await this.ask('finishTurn', { move, claim_win: this.claim, turn });
    if (accepted === 'silent') {
      this.notice = SENT;
    } else if (accepted) {
      this.draft = '';
      this.claim = false;
      this.sent = null;
      void this.tellModel({ uci: move, san, turn });
    } else {
      this.sent = null;
      if (this.serverGone) this.unanswered = { uci: move, san, turn };
      // A refused move goes back to its square; a misspelt one stays to be mended.
      if (san && !this.serverGone) this.draft = '';
    }
  }

  async act(action: Action) {
    const accepted = await this.ask('gameAction', { action, turn: this.facts?.turn });
    if (accepted === 'silent') this.notice = 'Sent to the chat.';
  }

  /** Takes back what the agent played for the person. */
  async takeBack() {
    const { san, uci } = this.facts?.last_move ?? {};
    await this.act('takeback');
    if (!this.facts || this.notice || this.facts.can_take_back) return;
    const { game_id, to_move } = this.facts;
    this.host?.tellModel(
      `On the board, the person took back ${san} (${uci}), which you had relayed in game ` +
        `${game_id}: it was not their move. ${colorName(to_move)} is to move.`,
    );
  }

  /** Has the host open the board in the browser, and says so where it did not. */
  async openPage(url: string) {
    if (await this.host?.openLink(url)) return;
    this.notice = `This chat did not open the board. Its address is ${url}`;
  }

  /** Whether links are for the host to open. */
  get opensLinks(): boolean {
    return this.host?.opensLinks() ?? false;
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
      const id = this.pass ?? this.gameId;
      const mustWait = !id || !this.visible || this.busy || (this.over && fresh);
      // The first question is always asked: the state this page was born with may be old.
      const mayAsk = !fresh || (host.answers() && (host.mayPoll || !this.yourMove));
      if (mustWait || !mayAsk) {
        await this.pause();
        continue;
      }
      const before = this.turn;
      const asked = Date.now();
      const tool = fresh && !this.yourMove && this.pass ? 'waitForNextTurn' : 'getGame';
      try {
        const answer = await host.call(tool, { game_id: id });
        if (!current()) return;
        const error = answer && this.take(answer);
        if (error && !hasGame(answer)) {
          if (await this.hasLostSeat(host)) continue;
          throw new NoAnswer(error);
        }
        failures = 0;
        this.serverGone = false;
        if (this.turn !== before) quietSince = Date.now();
        const lazy = Date.now() - quietSince > LAZY_AFTER_MS;
        const instant = Date.now() - asked < 1000 && this.turn === before;
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

  /** Where the game can be watched but not played, the seat has gone to a newer link. */
  private async hasLostSeat(host: Host): Promise<boolean> {
    const id = this.gameId;
    if (!id || !this.pass || this.pass === id) return false;
    const seen = await host.call('getGame', { game_id: id });
    if (!hasGame(seen)) return false;
    this.pass = null;
    this.take(seen);
    // In the agent's own chat the answer brings the new pass along.
    this.notice = this.pass ? RENEWED : ENDED;
    return true;
  }

  /** What became of a move whose answer was lost shows in later news. */
  private answerLate(facts: Facts) {
    const sent = this.unanswered;
    if (!sent || facts.turn <= sent.turn) return;
    this.unanswered = null;
    if (facts.last_move?.uci === sent.uci) void this.tellModel(sent);
  }

  private async tellPlayed(move: string) {
    if (!this.plain) return;
    const { result, seats, you } = this.plain;
    const who = (you === null ? undefined : seats[you]?.name) ?? 'The person';
    await this.tell(move, who, result && `The game is over: ${result}.`, 'Go on: call waitForNextTurn.');
  }

  private async tellModel({ uci, san }: Sent) {
    const facts = this.facts;
    if (!facts || !this.you) return;
    const ending = facts.result && `The game is over: ${facts.result}.`;
    const next = `${colorName(facts.to_move)} is to move; call waitForNextTurn to go on.`;
    const fen = ` FEN: ${facts.fen}`;
    await this.tell(san ? `${uci} (${san})` : uci, colorName(this.you), ending, next, fen);
  }

  /** The move has been played; the model is asked to go on, or told so where it cannot be asked. */
  private async tell(played: string, who: string, ending: string | null | undefined, next: string, more = '') {
    const move = `played ${played} in game ${this.gameId}. `;
    // Where the reply has come already there is nothing to go on with.
    const isDue = !this.yourMove;
    const goOn = ending ?? 'Go on: call waitForNextTurn.';
    if (isDue && (await this.host?.sayToModel(`I ${move}${goOn}`))) return;
    this.host?.tellModel(`On the board, ${who} ${move}${ending ?? next}${more}`);
  }
}

function hasGame(answer: unknown): boolean {
  const { facts, plain } = readResult(answer);
  return facts !== null || plain !== null;
}
