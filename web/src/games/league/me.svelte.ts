// A person's own place in a league: who she is by her link, and the match she is to play.

import { Refused } from '../../net/api';
import { forgetPlayer, keepPass, playerIn } from '../../net/passes';
import { league as api } from './api';
import type { Mine } from './types';

export class Me {
  mine = $state.raw<Mine | null>(null);
  /** Why the link opens nothing. */
  refused = $state('');
  private token: string | null = null;

  constructor(private readonly league: string) {}

  /** Comes by the link in the address, or by one that was opened here before. */
  async come() {
    this.token = playerIn(this.league);
    await this.ask(api.come);
  }

  /** The league has changed. */
  async look() {
    await this.ask(api.mine);
  }

  /** Where she plays; her browser keeps the pass, so that the address need not hold it. */
  get board(): string | null {
    const match = this.mine?.match;
    if (!match) return null;
    return `/game/${match.game_id}${keepPass(match.game_id, match.pass) ? '' : `#${match.pass}`}`;
  }

  private async ask(door: typeof api.mine) {
    const token = this.token;
    if (!token) return;
    try {
      const mine = await door(this.league, token);
      if (token === this.token) [this.mine, this.refused] = [mine, ''];
    } catch (error) {
      // Who cannot be reached now is asked again when the league changes.
      if (!(error instanceof Refused) || error.status !== 403) return;
      forgetPlayer(this.league);
      [this.token, this.mine, this.refused] = [null, null, error.message];
    }
  }
}
