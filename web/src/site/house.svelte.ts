// What this server lets people do; asked for once by every page.

import { api } from './api';

export const GUESTS_WATCH = 'Guests watch here. To play, ask an agent that plays here for a link to a seat.';

class House {
  /** Whether people may start games and take free seats; they may, unless the server says no. */
  guestsPlay = $state(true);

  constructor() {
    api.info().then(
      (info) => (this.guestsPlay = info.guests_play),
      // Whoever asks for a seat then is told by the answer.
      () => undefined,
    );
  }
}

export const house = new House();
