// The table at which a person sits in the chat: their seat, the host through which they play and follow
// the game, and what went wrong. The game itself is its kind's to keep.

import { NoAnswer, type Host, type Tool } from './host';
import type { ChatGame, ChatKind } from './kinds';
import { readResult, type Told } from './result';

const POLL_MS = 5_000;
const LAZY_POLL_MS = 15_000;
const LAZY_AFTER_MS = 60_000;
const LONGEST_PAUSE_MS = 30_000;

const RENEWED = 'There is a new link to your seat, and this board uses it now. Play on.';
const ENDED =
  'A newer link has taken this board’s seat, so it can only watch now. ' +
  'Ask your agent to show you the board again.';
const GO_ON = 'Go on: call waitForNextTurn.';

export class Table {
  kind = $state.raw<ChatKind | null>(null);
  game = $state.raw<ChatGame | null>(null);
  pass = $state<string | null>(null);
  /** What its seat is called, where a result has said it. */
  you = $state<string | null>(null);
  /** The board's address in the browser. */
  page = $state<string | null>(null);
  busy = $state(false);
  /** A move that is on its way. */
  sent = $state<string | null>(null);
  notice = $state('');
  serverGone = $state(false);

  private host: Host | null = null;
  private found: (host: Host) => void = () => {};
  // A quick person may confirm before the host has answered.
  private readonly firstHost = new Promise<Host>((found) => (this.found = found));
  private visible = true;
  private stopped = false;
  private wake = () => {};

  /** Games are of the first of these kinds that can read what is told of them. */
  constructor(private readonly kinds: ChatKind[]) {}

  get over(): boolean {
    return !!this.game?.isOver;
  }

  get yourMove(): boolean {
    return !!this.game?.isYourMove;
  }

  /**
   * A result the host handed over: the one that opened this board, or an answer. The pass in the facts is of
   * whoever called: it tells a board nothing new that called by itself, perhaps in the agent's name.
   */
  take(answer: unknown, isOwn = false): string | null {
    const { board, games, page, error } = readResult(answer);
    const read = this.read(games);
    // An address that only shows the game is no better than one that also opens the seat.
    if (page && !this.page?.startsWith(`${page}#`)) this.page = page;
    const pass = board.pass ?? (isOwn ? null : read?.facts.pass);
    if (pass) {
      this.pass = pass;
      this.you = board.you ?? this.you;
    }
    if (read) {
      if (this.kind === read.kind) this.game?.take(read.facts);
      else this.game = read.kind.begin(this, read.facts);
      this.kind = read.kind;
      this.wake();
    }
    return error;
  }

  private read(games: unknown[]) {
    for (const told of games) {
      for (const kind of this.kinds) {
        const facts = kind.read(told) as { pass?: string } | null;
        if (facts) return { kind, facts };
      }
    }
    return null;
  }

  /** Sends a move: whether it was accepted. */
  async play(move: string, more: object = {}): Promise<boolean> {
    this.sent = move;
    const accepted = await this.ask('finishTurn', { move, ...more, turn: this.game?.turn });
    this.sent = null;
    return accepted;
  }

  /** Does something beside the board. */
  async act(action: string) {
    await this.ask('gameAction', { action, turn: this.game?.turn });
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

  /** Calls a tool for this seat and takes the answer in. */
  async ask(tool: Tool, args: object): Promise<boolean> {
    if (!this.pass || this.busy) return false;
    this.busy = true;
    this.notice = '';
    try {
      const host = this.host ?? (await this.firstHost);
      const answer = await host.call(tool, { game_id: this.pass, ...args });
      this.serverGone = false;
      const error = this.take(answer, true);
      if (error) this.notice = error;
      return !error;
    } catch (failure) {
      this.serverGone = true;
      const reason = failure instanceof NoAnswer && failure.message ? ` (${failure.message})` : '';
      this.notice = `The server did not answer${reason}. Your move is still here: confirm it again.`;
      return false;
    } finally {
      this.busy = false;
      this.wake();
    }
  }

  /** What is told of an earlier turn; nothing where the server cannot be asked. */
  async lookBack(turn: number): Promise<Told | undefined> {
    try {
      const host = this.host ?? (await this.firstHost);
      return readResult(await host.call('getGame', { game_id: this.pass ?? this.game?.id, turn }));
    } catch {
      this.serverGone = true;
      return undefined;
    }
  }

  /** Tells the model in passing. */
  remark(text: string) {
    this.host?.tellModel(text);
  }

  /** A move has been played: the model is asked to go on, or told so where it cannot be asked. */
  async tellPlayed(who: string, move: string, result: string | null | undefined, next = GO_ON) {
    const played = `played ${move} in game ${this.game?.id}. `;
    const ending = result && `The game is over: ${result}.`;
    // Where the reply has come already there is nothing to go on with.
    const isDue = !this.yourMove;
    if (isDue && (await this.host?.sayToModel(`I ${played}${ending ?? GO_ON}`))) return;
    this.remark(`On the board, ${who} ${played}${ending ?? next}`);
  }

  private async follow(host: Host) {
    let failures = 0;
    let fresh = false;
    let quietSince = Date.now();
    const current = () => !this.stopped && this.host === host;
    while (current()) {
      const id = this.pass ?? this.game?.id;
      const mustWait = !id || !this.visible || this.busy || (this.over && fresh);
      if (mustWait) {
        await this.pause();
        continue;
      }
      const before = this.game?.turn;
      const asked = Date.now();
      const tool = fresh && !this.yourMove && this.pass ? 'waitForNextTurn' : 'getGame';
      try {
        const answer = await host.call(tool, { game_id: id });
        if (!current()) return;
        const error = this.take(answer, true);
        if (error && !this.hasGame(answer)) {
          if (await this.hasLostSeat(host)) continue;
          throw new NoAnswer(error);
        }
        failures = 0;
        this.serverGone = false;
        if (this.game?.turn !== before) quietSince = Date.now();
        const lazy = Date.now() - quietSince > LAZY_AFTER_MS;
        const instant = Date.now() - asked < 1000 && this.game?.turn === before;
        if (fresh && (tool === 'getGame' || instant)) await this.pause(lazy ? LAZY_POLL_MS : POLL_MS);
        fresh = true;
      } catch {
        if (!current()) return;
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

  private hasGame(answer: unknown): boolean {
    return this.read(readResult(answer).games) !== null;
  }

  /** Where the game can be watched but not played, the seat has gone to a newer link. */
  private async hasLostSeat(host: Host): Promise<boolean> {
    const id = this.game?.id;
    if (!id || !this.pass || this.pass === id) return false;
    const seen = await host.call('getGame', { game_id: id });
    if (!this.hasGame(seen)) return false;
    this.pass = null;
    this.take(seen, true);
    // In the agent's own chat the answer brings the new pass along.
    this.notice = this.pass ? RENEWED : ENDED;
    return true;
  }
}
