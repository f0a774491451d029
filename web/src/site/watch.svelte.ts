// One game as this page knows it: followed live, and played when there is a pass for it.

import type { Action, Color, Game } from '../chess/types';
import { api, Refused, type Hint } from './api';
import { follow, type Connection } from './events';
import { forgetPass, passFor, showPass } from './passes';

const RETRY_MS = 2500;

export class Watch {
  game = $state.raw<Game | null>(null);
  /** Our seat; the stream of events is public and does not know it. */
  you = $state<Color | null>(null);
  connection = $state<Connection>('connecting');
  missing = $state(false);
  /** The move that is on its way to the server. */
  sending = $state<string | null>(null);
  busy = $state(false);
  /** Why the last deed was refused, for the person to read. */
  notice = $state('');
  pass = $state<string | null>(null);
  /** What the position is worth, once asked for. */
  hint = $state.raw<Hint | null>(null);

  readonly id: string;
  private unfollow = () => {};
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string) {
    this.id = id;
    this.pass = passFor(id);
  }

  /** Begins to follow; the returned function ends it. */
  start(): () => void {
    void this.load();
    this.listen();
    return () => {
      clearTimeout(this.retry);
      this.unfollow();
    };
  }

  async load() {
    try {
      const game = await api.game(this.id, this.pass);
      this.you = game.you;
      this.take(game);
    } catch (error) {
      if (!(error instanceof Refused)) {
        this.connection = 'lost';
        this.retry = setTimeout(() => this.load(), RETRY_MS);
      } else if (this.pass) {
        this.pass = null;
        forgetPass(this.id);
        this.notice = `This link does not give you a seat: ${error.message}`;
        void this.load();
      } else if (error.status === 404) {
        this.missing = true;
        this.unfollow();
      } else {
        this.notice = error.message;
        this.retry = setTimeout(() => this.load(), RETRY_MS);
      }
    }
  }

  async move(uci: string) {
    this.sending = uci;
    await this.play({ move: uci });
    this.sending = null;
  }

  act(action: Action) {
    return this.play({ action });
  }

  /** Asks what the position is worth. */
  askHint() {
    return this.busily(async () => {
      if (!this.pass) return;
      const hint = await api.hint(this.id, this.pass);
      // The game may have gone on meanwhile.
      if (hint.turn === this.game?.turn) this.hint = hint;
    });
  }

  join() {
    return this.busily(async () => {
      const seat = await api.join(this.id);
      this.pass = seat.pass;
      showPass(this.id, seat.pass);
      this.unfollow();
      this.listen();
      await this.load();
    });
  }

  private play(deed: { move?: string; action?: Action }) {
    return this.busily(async () => {
      if (!this.game || !this.pass) return;
      this.take(await api.play(this.id, this.pass, { ...deed, turn: this.game.turn }));
    }, 'The server did not answer. The board shows what counts; try again if your move is missing.');
  }

  /** `lost` is said when the server did not answer. */
  private async busily(deed: () => Promise<void>, lost?: string) {
    this.busy = true;
    this.notice = '';
    try {
      await deed();
    } catch (error) {
      this.notice = error instanceof Refused || !lost ? (error as Error).message : lost;
    } finally {
      this.busy = false;
    }
  }

  private listen() {
    this.unfollow = follow<Game>(`/api/games/${this.id}/events`, {
      onevent: (game) => this.take(game),
      onconnection: (state) => (this.connection = state),
      // The title of a hidden page still tells a player that it is their move.
      evenHidden: this.pass !== null,
    });
  }

  // An event may be older than the answer to our own move.
  private take(game: Game) {
    const known = this.game;
    if (known && game.turn < known.turn) return;
    if (known && game.turn > known.turn) this.sending = null;
    if (known && game.fen !== known.fen) this.hint = null;
    this.game = game;
  }
}
