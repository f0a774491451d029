// One game as its page knows it: followed live, and played when there is a pass for it.

import { api, Refused } from '../../net/api';
import {
  browserKey,
  codeInAddress,
  forgetPass,
  keepPass,
  onKeptElsewhere,
  passFor,
  showInAddress,
} from '../../net/passes';
import { ownName } from '../../net/person';
import type { MovePosted } from '../../wire/app';
import type { PlainGame } from '../../wire/plain';
import { Followed } from './followed.svelte';

const ENDED = 'This invitation link is no longer valid. Ask your agent for a new one.';
const UNHEARD = 'The server did not answer. If the board does not show your move, play it again.';

/** What any game tells. */
type Told<You> = Pick<PlainGame, 'turn'> & { you: You | null };

export class Seated<G extends Told<You>, You> extends Followed<G> {
  game = $state.raw<G | null>(null);
  /** Our seat; the stream of events is public and does not know it. */
  you = $state<You | null>(null);
  /** The move that is on its way to the server. */
  sending = $state<string | null>(null);
  busy = $state(false);
  /** Why the link, or the pass from an earlier one, gives no seat. */
  seatless = $state('');
  pass = $state<string | null>(null);
  /** Whether a link has just been opened by somebody whose name nobody knows. */
  nameless = $state(false);

  constructor(id: string) {
    super(id);
    this.pass = passFor(id);
  }

  /** Begins to follow; the returned function ends it. */
  start(): () => void {
    let isOver = false;
    // The stream is public: were it first, somebody could see the game and leave before the seat is kept.
    void this.load().then(() => {
      if (isOver || this.missing) return;
      // The title of a hidden page still tells a player that it is their move.
      this.listen(`/api/games/${this.id}/events`, { evenHidden: () => this.pass !== null });
    });
    // A link to the game that is on the page already changes the fragment and loads nothing.
    const linked = () => {
      this.pass = passFor(this.id);
      void this.load();
    };
    addEventListener('hashchange', linked);
    const unheard = onKeptElsewhere(this.id, () => !this.pass && linked());
    return () => {
      isOver = true;
      removeEventListener('hashchange', linked);
      unheard();
      this.stop();
    };
  }

  async load() {
    this.stopAsking();
    // Another link may be opened while we ask.
    let pass = this.pass;
    try {
      pass ??= await this.open();
      const game = await api.game<G>(this.id, pass);
      if (pass) this.sit(pass);
      if (pass === this.pass) this.you = game.you;
      this.take(game);
    } catch (error) {
      const status = error instanceof Refused ? error.status : null;
      if (pass && status === 403) {
        forgetPass(this.id, pass);
        this.seatless = ENDED;
        this.pass = passFor(this.id);
        await this.load();
      } else if (pass && status === 404) {
        // Either the pass is none, or the game is not there; without the pass we shall see.
        this.pass = null;
        await this.load();
      } else {
        this.failed(error);
      }
    }
  }

  async move(text: string) {
    this.sending = text;
    await this.play({ move: text });
    this.sending = null;
  }

  act(action: string) {
    return this.play({ action });
  }

  join(name: string) {
    return this.busily(async () => {
      this.sit((await api.join(this.id, name)).pass);
      await this.load();
    });
  }

  rename(name: string) {
    return this.busily(async () => {
      if (!this.pass) return;
      if (name.trim()) this.take(await api.rename<G>(this.id, this.pass, name));
      this.nameless = false;
    });
  }

  /** Plays the same opponent once more, on the page of the new game. */
  rematch() {
    return this.busily(async () => {
      if (!this.pass) return;
      const seat = await api.rematch(this.id, this.pass);
      const isKept = keepPass(seat.game_id, seat.pass);
      location.assign(`/game/${seat.game_id}${isKept ? '' : `#${seat.pass}`}`);
    });
  }

  private play(deed: MovePosted) {
    return this.busily(async () => {
      if (!this.game || !this.pass) return;
      this.take(await api.play<G>(this.id, this.pass, { ...deed, turn: this.game.turn }));
    }, UNHEARD);
  }

  /** `lost` is said when the server did not answer. */
  protected async busily(deed: () => Promise<void>, lost?: string) {
    this.busy = true;
    this.notice = '';
    try {
      await deed();
    } catch (error) {
      this.notice = error instanceof Refused || !lost ? (error as Error).message : lost;
      if (error instanceof Refused && error.status === 403) await this.lookForSeat();
    } finally {
      this.busy = false;
    }
  }

  /** The public's view has come by the stream. */
  protected heard(game: G) {
    this.take(game);
  }

  // An event may be older than the answer to our own move.
  protected take(game: G) {
    const known = this.game;
    if (known && game.turn < known.turn) return;
    if (known && game.turn > known.turn) this.sending = null;
    this.game = game;
  }

  /** Trades the code in the address, if there is one, for a pass. */
  private async open(): Promise<string | null> {
    const code = codeInAddress();
    if (!code) return null;
    try {
      const { pass } = await api.open(this.id, code, browserKey(), ownName());
      this.sit(pass);
      this.nameless = !ownName();
      return pass;
    } catch (error) {
      const isUsed = error instanceof Refused && [403, 409].includes(error.status);
      if (!isUsed) throw error;
      // Another tab of this browser may have been the first; if it keeps the pass later, we hear.
      const kept = passFor(this.id);
      if (!kept) this.seatless = error.message;
      return kept;
    }
  }

  private sit(pass: string) {
    this.pass = pass;
    this.seatless = '';
    showInAddress(keepPass(this.id, pass) ? null : pass);
  }

  /** The seat may have gone to a newer link, perhaps one that another tab has opened. */
  private async lookForSeat() {
    const before = this.pass;
    await this.load();
    if (this.pass === before) return;
    this.notice = this.pass ? 'Your seat has a newer link, and this page uses it now. Try again.' : '';
  }
}
