// What the board in the chat is told of every kind that draws itself.

import type { ChatKind } from '../../chat/kinds';
import type { PlainBoard, PlainGame } from '../../wire/plain';
import ChatBoard from './ChatBoard.svelte';
import { PlainInChat } from './in-chat.svelte';

export const chat: ChatKind<PlainBoard, PlainGame, PlainInChat> = {
  read(told) {
    const isGame = Array.isArray(told?.drawing) && Array.isArray(told.seats);
    return isGame && typeof told.turn === 'number' ? told : null;
  },
  begin: (table, facts) => new PlainInChat(table, facts),
  Board: ChatBoard,
};
