// Runs, moves and what they changed, in words.

import { nameOf } from './dice';
import { statusName } from './summary';
import type { ChamberType, Dungeon, Effect, Person, Report } from './types';

const CHAMBERS: Record<ChamberType, string> = {
  Normal: 'Chamber',
  Combat: 'Guarded chamber',
  Treasure: 'Treasure chamber',
  Boss: 'Lair of the boss',
  Secret: 'Secret chamber',
};

/** Its own name, where it has one. */
export function placeName(map: Pick<Dungeon['map'], 'rooms'>, roomId: string, type: string | undefined): string {
  const name = map.rooms.find((room) => room.roomId === roomId)?.name;
  return name ? name[0]!.toUpperCase() + name.slice(1) : chamberName(type);
}

/** Where it stands in a heading already. */
export function withoutName(description: string, name: string): string {
  return description.startsWith(`${name}. `) ? description.slice(name.length + 2) : description;
}

export function chamberName(type: string | undefined): string {
  return CHAMBERS[type as ChamberType] ?? 'Chamber';
}

/** "In combat with a Goblin Scout and a Giant Rat", or how it ended. */
export function statusLine(dungeon: Pick<Dungeon, 'gameStatus' | 'result' | 'room'>): string {
  if (dungeon.result) return dungeon.result;
  if (dungeon.gameStatus === 'Exploring') return 'Exploring the dungeon';
  const foes = dungeon.room.monsters.filter((monster) => monster.isAlive);
  if (foes.length === 0) return statusName(dungeon.gameStatus);
  return `In combat with ${list(counted(foes.map(({ name }) => name)))}`;
}

export function pageTitle(dungeon: Dungeon): string {
  const { hp, maxHp } = dungeon.stats;
  const status = dungeon.result ?? `${statusName(dungeon.gameStatus)}, ${hp}/${maxHp} HP`;
  return `${status} – dungeon ${dungeon.game_id} – agon`;
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** The map in one sentence; its details are in the text beside it. */
export function mapLabel({ map, room }: Pick<Dungeon, 'map' | 'room'>): string {
  const visited = map.rooms.filter(({ state }) => state === 'visited').length;
  const found = map.rooms.length - visited;
  const seen = `Map: ${count(visited, 'chamber')} visited, ${found} more found`;
  return `${seen}. The hero is here: ${placeName(map, room.roomId, room.roomType)}.`;
}

/** What every id in the log is called, as far as it has been told. */
export function names(dungeon: Pick<Dungeon, 'log' | 'room' | 'stats'>): Map<string, string> {
  // Every hero begins with some of these, and may drink them before they are seen anywhere.
  const told = new Map([['item-001', 'Health Potion']]);
  for (const { action, report } of dungeon.log) {
    const target = /\b(monster-\S+)/.exec(action)?.[1];
    if (target && report.monsterName) told.set(target, report.monsterName);
    const person = /\b(npc-\S+)/.exec(action)?.[1];
    if (person && report.npc) told.set(person, report.npc);
    if (report.checkpointId && report.name) told.set(report.checkpointId, `“${report.name}”`);
    for (const item of [report.item, ...(report.itemsDropped ?? [])]) {
      if (item?.name) told.set(item.id, item.name);
    }
  }
  const { room, stats } = dungeon;
  const here = [room.monsters, room.items, room.npcs ?? [], room.features ?? [], stats.inventory];
  for (const { id, name } of here.flat()) told.set(id, name);
  return told;
}

const VERBS: Record<string, string> = {
  go: 'Goes',
  attack: 'Attacks',
  defend: 'Defends',
  flee: 'Flees',
  apply: 'Uses',
  use: 'Uses',
  take: 'Takes',
  equip: 'Puts on',
  rest: 'Rests',
  search: 'Searches',
  save: 'Saves',
  load: 'Goes back to',
  cast: 'Casts',
  talk: 'Talks to',
};

const ID = /^(monster|item|npc|feature|room|save)-\d+$/;

/** "attack monster-001" becomes "Attacks Goblin Scout". */
export function actionText(action: string, known: Map<string, string>): string {
  const [verb, ...rest] = action.split(' ');
  const told = VERBS[verb!];
  if (!told) return action;
  const named = rest.map((word) => (ID.test(word) ? nameOf(word, known) : word));
  if (verb === 'save' && rest.length > 0) return `${told} “${rest.join(' ')}”`;
  if (verb === 'talk' && named.length > 1) {
    return `${told} ${named[0]}: ${named.slice(1).join(' ')}`;
  }
  if (verb === 'cast' && named.length > 1) {
    return `${told} ${named[0]} at ${named.slice(1).join(' ')}`;
  }
  return [told, ...named].join(' ');
}

/** "heals all your wounds, once (60 gold)", with the word it goes by. */
export function offerText({ id, what, price }: Person['offers'][number]): string {
  const [word] = id.split(' ');
  const gold = price === undefined || what.includes(`${price} gold`) ? '' : ` (${price} gold)`;
  return `${word![0]!.toUpperCase()}${word!.slice(1)}: ${what}${gold}`;
}

export function sentence(text: string): string {
  const begun = text[0]?.toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

export interface Change {
  text: string;
  tone: 'good' | 'bad' | 'plain';
}

/** What a move gave and took, in few letters. */
export function changes(report: Report): Change[] {
  const found: Change[] = [];
  const add = (n: number | undefined, what: string, tone: Change['tone'], sign = '+') => {
    if (n) found.push({ text: `${sign}${n} ${what}`, tone });
  };
  add(report.hpRestored, 'HP', 'good');
  add(report.playerDamageTaken, 'HP', 'bad', '−');
  add(report.hpLost, 'HP', 'bad', '−');
  add(report.manaRestored, 'mana', 'good');
  add(report.experienceGained, 'XP', 'plain');
  add((report.goldDropped ?? 0) + (report.goldGained ?? 0), 'gold', 'plain');
  add(report.goldSpent, 'gold', 'plain', '−');
  add(report.goldLost, 'gold', 'bad', '−');
  if (report.levelUp) found.push({ text: `Level ${report.levelUp}`, tone: 'good' });
  return found;
}

export function effectText({ name, effect, roundsLeft }: Effect): string {
  return `${name} ${effect}, ${count(roundsLeft, 'round')}`;
}

/** A shell line that hashes the seed, whatever is in it. */
export function hashCommand(seed: string): string {
  return `printf %s '${seed.replaceAll("'", `'\\''`)}' | sha256sum`;
}

function counted(all: string[]): string[] {
  const kinds = [...new Set(all)];
  return kinds.map((kind) => {
    const n = all.filter((name) => name === kind).length;
    return n === 1 ? withArticle(kind) : `${n} ${kind}s`;
  });
}

function withArticle(name: string): string {
  return /^[AEIOU]/i.test(name) ? `an ${name}` : `a ${name}`;
}

function list(parts: string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
