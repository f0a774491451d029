// What the site is told of a kind that has pages of its own. Its folder says it in `about.ts`.

import type { MyGame } from '../wire/house';
import type { PlainSummary } from '../wire/plain';

/** What a list tells of any game. */
export type Listed = Pick<
  PlainSummary,
  'game_id' | 'kind' | 'status' | 'asleep' | 'result' | 'created_at' | 'moved_at'
> &
  Partial<Pick<PlainSummary, 'free_seat' | 'practice'>>;

/** A game in a list in which this browser has a seat, as its kind calls it. */
export type Mine = MyGame<Listed>;

export interface About<Game extends Listed = Listed, You extends Mine['you'] = Mine['you']> {
  title: string;
  /** Whether it is played, and shown, where nobody says what. Of one kind that is so. */
  isUsual?: true;
  /** What is said where no game of it is in play, has ended, or was ever played. */
  none: Record<'live' | 'over' | 'all', string>;
  /** What an agent is asked, so that it plays. */
  prompt: string;
  /** What there is to do, where that is more than to sit down at a board. */
  way?: { title: string; text: string };
  /** Whether a game waits for whoever has this seat in it. */
  isYourTurn(game: Game, you: You): boolean;
}
