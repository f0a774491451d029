// What the board in the chat is told of every kind that draws itself.

import type { ChatKind } from '../../chat/kinds';
import type { PlainGame } from '../../wire/plain';
import ChatBoard from './ChatBoard.svelte';
import { PlainInChat } from './in-chat.svelte';

export const chat: ChatKind<PlainGame, PlainInChat> = {
  read(told) {
    const game = told as PlainGame | null | undefined;
    const isGame = Array.isArray(game?.drawing) && Array.isArray(game.seats);
    return isGame && typeof game.turn === 'number' ? game : null;
  },
  begin: (table, facts) => new PlainInChat(table, facts),
  Board: ChatBoard,
};
