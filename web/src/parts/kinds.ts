// Describes a kind with pages of its own to the site. Its folder does so in `about.ts`.

import type { MyGame } from '../wire/app';
import type { PlainSummary } from '../wire/plain';

/** The fields of a game in a list. */
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
  /** Text for a list without a live game, a finished game or any game of this kind. */
  none: Record<'live' | 'over' | 'all', string>;
  /** Prompt that makes an agent play. */
  prompt: string;
  /** Another way to take part than to sit down at a board. */
  way?: { title: string; text: string };
  /** Whether a game waits for whoever has this seat in it. */
  isYourTurn(game: Game, you: You): boolean;
}
