// The board in the chat, for every kind that has one: they are found by their folders.

import type { ChatKind } from '../chat/kinds';
import { start } from '../chat/start';

const found = import.meta.glob<ChatKind>('../games/*/chat.ts', { eager: true, import: 'chat' });

start(Object.values(found));
