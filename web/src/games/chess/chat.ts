// What the board in the chat is told of chess.

import type { ChatKind } from '../../chat/kinds';
import type { ChessBoard, SeenFacts } from '../../wire/chess';
import ChatBoard from './ChatBoard.svelte';
import { ChessInChat } from './in-chat.svelte';
import type { Color, Facts } from './types';

export const chat: ChatKind<ChessBoard, Facts, ChessInChat> = {
  read: readFacts,
  begin: (table, facts) => new ChessInChat(table, facts),
  Board: ChatBoard,
};

export function readFacts(told?: Partial<SeenFacts> | null): Facts | null {
  if (typeof told?.fen !== 'string' || typeof told.turn !== 'number') return null;
  return { ...leftOut(told.fen), ...told } as Facts;
}

/** What models are told may be lean. */
function leftOut(fen: string) {
  const to_move: Color = fen.split(' ')[1] === 'b' ? 'black' : 'white';
  return { white: '…', black: '…', to_move, history: [], check: false, legal_moves: [] };
}
