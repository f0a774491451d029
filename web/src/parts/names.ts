// What players are called where a sign says what they are.

import type { PlayerKind } from '../wire/plain';

export type { PlayerKind };

/** "agent Claude" is "Claude", "computer, level 3" is "Level 3". */
export function shortName(name: string, kind: PlayerKind | null | undefined): string {
  if (kind === 'agent') return name.replace(/^agent /, '');
  if (kind === 'computer') return name.replace(/^computer, l/, 'L');
  return name;
}
