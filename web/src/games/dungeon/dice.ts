// Dice as they are drawn and told.

import type { Roll } from './types';

type Spot = [x: number, y: number];
const MIDDLE: Spot = [12, 12];
const RISING: Spot[] = [
  [7, 17],
  [17, 7],
];
const FALLING: Spot[] = [
  [7, 7],
  [17, 17],
];
const SIDES: Spot[] = [
  [7, 12],
  [17, 12],
];
const FACES: Spot[][] = [
  [MIDDLE],
  RISING,
  [MIDDLE, ...RISING],
  [...RISING, ...FALLING],
  [MIDDLE, ...RISING, ...FALLING],
  [...RISING, ...FALLING, ...SIDES],
];

/** The spots on a face 24 wide; none for what is no face of a six-sided die. */
export function spots(roll: Pick<Roll, 'die' | 'of'>): Spot[] {
  return roll.of === undefined || roll.of === 6 ? (FACES[roll.die - 1] ?? []) : [];
}

export function isHeros(roll: Roll): boolean {
  return roll.by === 'you';
}

/** What hurts by itself rolls a die of its own. */
const EFFECTS: Record<string, string> = { poison: 'Poison', fire: 'Fire' };

/** Who rolled: "You", "Goblin Scout". */
export function roller(roll: Roll, names: Map<string, string>): string {
  if (roll.for === 'direction') return 'Way out';
  return isHeros(roll) ? 'You' : (roll.name ?? EFFECTS[roll.by] ?? nameOf(roll.by, names));
}

/** What came of it: "7 damage", "14 damage, critical", "gets away". */
export function outcome(roll: Roll): string {
  if (roll.for === 'flee') return roll.die >= 4 ? 'gets away' : 'is held back';
  if (roll.for === 'direction') return `exit ${roll.die} of ${roll.of ?? 6}`;
  if (roll.damage === undefined) return '';
  const damage = roll.damage > 0 ? `${roll.damage} damage` : 'no damage';
  return roll.critical ? `${damage}, critical` : damage;
}

/** Until its name is told, "monster-003" is "Monster 3" and a person is somebody. */
export function nameOf(id: string, names: Map<string, string>): string {
  const told = names.get(id);
  if (told) return told;
  const [, kind, number] = /^([a-z]+)-0*(\d+)$/.exec(id) ?? [];
  if (kind === 'npc') return 'somebody';
  return kind ? `${kind[0]!.toUpperCase()}${kind.slice(1)} ${number}` : id;
}
