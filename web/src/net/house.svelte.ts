// Where this server is and what it lets people do; asked for once by every page.

import type { ServerFacts } from '../wire/app';
import { api } from './api';

export const GUESTS_WATCH = 'Guests can only watch here. To play, ask an agent for an invitation link.';

class House {
  /** Whether people may start games and take free seats; they may, unless the server says no. */
  guestsPlay = $state(true);
  asksForToken = $state(false);
  /** The owner's word comes first; otherwise people really use the address they are at. */
  url = $state(location.origin);
  /** How strong the computer is at each level. */
  levels = $state.raw<ServerFacts['levels']>([]);
  /** What is played here beside chess. */
  kinds = $state.raw<ServerFacts['kinds']>([]);

  constructor() {
    api.info().then(
      (info) => {
        this.guestsPlay = info.guests_play;
        this.asksForToken = info.asks_for_token;
        this.url = info.url ?? location.origin;
        this.levels = info.levels;
        this.kinds = info.kinds;
      },
      // Whoever asks for a seat then is told by the answer.
      () => undefined,
    );
  }
}

export const house = new House();
