// What the board in the chat is told of a kind. Its folder says it in `chat.ts`.

import type { Component } from 'svelte';
import type { ForBoard } from './result';
import type { Table } from './table.svelte';

/** One game as its kind keeps it for the board in the chat. */
export interface ChatGame<Facts = unknown> {
  readonly id: string;
  /** The number of the turn to be played next. */
  readonly turn: number;
  readonly isOver: boolean;
  /** Whether it waits for the seat that this board plays for. */
  readonly isYourMove: boolean;
  /** Takes news in. What is older than what is known may be dropped. */
  take(facts: Facts): void;
}

/** `Board` is what the server tells this kind's board alone. */
export interface ChatKind<
  Board extends ForBoard = ForBoard,
  Facts = unknown,
  Game extends ChatGame<Facts> = ChatGame<Facts>,
> {
  /** What is told of a game of this kind, to the board or to the model; nothing where it is of another. */
  read(told?: Board['facts'] | null): Facts | null;
  begin(table: Table, facts: Facts): Game;
  Board: Component<{ table: Table; game: Game }>;
}
