// What a person wants of a new game, whichever it is.

import { ownName } from '../net/person';
import type { NewGame, SeatTaken } from '../wire/app';

export type Opponent = NonNullable<NewGame['opponent']>;

export class Wish {
  opponent = $state<Opponent>('computer');
  /** What the seat is called; another game may have no such seat. */
  side = $state('');
  difficulty = $state(3);
  name = $state(ownName());
}

/** A seat in a new game, and what others must be given to take theirs. */
export interface Invited {
  seat: SeatTaken;
  /** How many they are. */
  others: number;
  text: string;
}

/** Opens the board of a seat that was just taken. */
export function openBoard({ game_id, pass }: SeatTaken) {
  location.assign(`/game/${game_id}#${pass}`);
  // On another game's page only the fragment may differ, and that alone loads nothing.
  if (location.pathname === `/game/${game_id}`) location.reload();
}
