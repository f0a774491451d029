// A run in a list, and before it begins, in words. What its own page says beside that is in `words`.

import type { Difficulty, Stats, Status, Summary, Theme } from './types';

export const PROMPT = 'Run a dungeon for me with agon.';

export const THEMES: Record<Theme, string> = {
  crypt: 'The crypt',
  mine: 'The mine',
  temple: 'The drowned temple',
};

/** What each means for the hero. */
export const DIFFICULTIES: Record<Difficulty, string> = {
  gentle: 'If you fall, you wake at the stairs',
  standard: 'Death is final',
  grim: 'Death is likely',
};

const STATUSES: Record<Status, string> = {
  Exploring: 'Exploring',
  InCombat: 'In combat',
  Victory: 'Victory',
  Dead: 'Dead',
};

export function statusName(status: Status): string {
  return STATUSES[status] ?? status;
}

/** A card's link, for those who cannot see the card. */
export function cardLabel({ game_id, hero, ...run }: Summary): string {
  const standing = run.result ?? statusName(run.gameStatus);
  const health = `${hero.hp} of ${hero.maxHp} hit points`;
  return `Dungeon ${game_id}: ${standing}, level ${hero.level}, ${health}`;
}

/** How a hero's health looks: well, hurt, or near death. */
export function health({ hp, maxHp }: Pick<Stats, 'hp' | 'maxHp'>): 'well' | 'hurt' | 'dire' {
  return hp * 4 <= maxHp ? 'dire' : hp * 2 <= maxHp ? 'hurt' : 'well';
}
