// What is heard of a game: a sound for each turn, unless the person wants none.

import { isMuted, mute } from '../../net/person';
import { sound } from './sounds';

export class Hearing {
  muted = $state(isMuted());
  private turn: number | null = null;

  toggle = () => {
    this.muted = !this.muted;
    mute(this.muted);
  };

  /** What was there when the page was opened makes no sound. */
  hear(turn: number, what: Parameters<typeof sound>[0]) {
    if (this.turn !== null && turn > this.turn && !this.muted) sound(what);
    this.turn = turn;
  }
}
