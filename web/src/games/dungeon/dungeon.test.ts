import { expect, test } from 'vitest';
import { nameOf, outcome, roller, spots } from './dice';
import { actionIcon, ICONS, thingIcon } from './icons';
import { CELL, plan } from './plan';
import type { Dungeon, MapRoom, Monster, Report, Roll, Summary } from './types';
import { cardLabel, health } from './summary';
import {
  actionText,
  changes,
  effectText,
  hashCommand,
  mapLabel,
  names,
  offerText,
  placeName,
  statusLine,
  withoutName,
} from './words';

const north = { direction: 'North', roomId: 'room-002', isLocked: false } as const;
const south = { direction: 'South', roomId: 'room-001', isLocked: false } as const;
const ENTRANCE: MapRoom = { roomId: 'room-001', state: 'visited', x: 0, y: 0, exits: [north] };
const BEYOND: MapRoom = { roomId: 'room-002', state: 'visited', x: 0, y: -1, exits: [south] };

test('north is up, and the passage runs between the walls', () => {
  const { rooms, passages } = plan([ENTRANCE, BEYOND]);
  expect(rooms.map(({ cx, cy }) => [cx, cy])).toEqual([[0, 0], [0, -CELL]]);
  expect(passages).toHaveLength(1);
  const [way] = passages;
  expect(way).toMatchObject({ x1: 0, x2: 0, locked: false, walked: true });
  expect(way!.y1).toBeLessThan(0);
  expect(way!.y1).toBeGreaterThan(way!.y2);
  expect(way!.y2).toBeGreaterThan(-CELL);
});

test('a door is locked if either side says so', () => {
  const locked = { ...BEYOND, exits: [{ ...south, isLocked: true }] };
  expect(plan([ENTRANCE, locked]).passages).toMatchObject([{ locked: true }]);
});

test('a passage leads to a chamber that was only seen, or is not on the map', () => {
  const seen: MapRoom = { roomId: 'room-002', state: 'discovered', x: 0, y: -1 };
  const toSeen = plan([ENTRANCE, seen]).passages;
  expect(toSeen).toMatchObject([{ walked: false }]);
  expect(plan([ENTRANCE]).passages).toEqual(toSeen);
});

test('the drawing holds every chamber and is never smaller than asked', () => {
  const far: MapRoom[] = [
    { roomId: 'a', state: 'visited', x: -3, y: 2 },
    { roomId: 'b', state: 'visited', x: 4, y: 2 },
  ];
  const { box } = plan(far, 5, 4);
  expect(box.x).toBeLessThan(-3.5 * CELL);
  expect(box.x + box.width).toBeGreaterThan(4.5 * CELL);
  expect(box.height).toBeGreaterThanOrEqual(4 * CELL);
  expect(box.y + box.height / 2).toBe(2 * CELL);
  expect(plan([], 5, 4).box.width).toBeGreaterThanOrEqual(5 * CELL);
});

test.each([1, 2, 3, 4, 5, 6])('a die that shows %i has as many spots', (die) => {
  expect(spots({ die })).toHaveLength(die);
});

test('what is no six-sided die has no spots', () => {
  expect(spots({ die: 2, of: 3 })).toEqual([]);
  expect(spots({ die: 9 })).toEqual([]);
});

test.each<[Roll, string, string]>([
  [{ by: 'you', for: 'attack', die: 3, damage: 7 }, 'You', '7 damage'],
  [{ by: 'monster-001', for: 'attack', die: 6, damage: 12, critical: true }, 'Goblin Scout', '12 damage, critical'],
  [{ by: 'monster-002', for: 'attack', die: 1, damage: 0 }, 'Monster 2', 'no damage'],
  [{ by: 'you', for: 'flee', die: 4 }, 'You', 'gets away'],
  [{ by: 'you', for: 'flee', die: 3 }, 'You', 'is held back'],
  [{ by: 'you', for: 'direction', of: 3, die: 2 }, 'Way out', 'exit 2 of 3'],
])('%j is told as %s: %s', (roll, who, what) => {
  expect(roller(roll, new Map([['monster-001', 'Goblin Scout']]))).toBe(who);
  expect(outcome(roll)).toBe(what);
});

const TOLD = new Map([
  ['monster-001', 'Goblin Scout'],
  ['item-001', 'Health Potion'],
  ['npc-001', 'Merchant'],
]);

test.each([
  ['go north', 'Goes north'],
  ['attack monster-001', 'Attacks Goblin Scout'],
  ['apply item-001', 'Uses Health Potion'],
  ['cast mend', 'Casts mend'],
  ['cast firebolt monster-001', 'Casts firebolt at Goblin Scout'],
  ['talk npc-001 sell item-001', 'Talks to Merchant: sell Health Potion'],
  ['talk npc-002 heal', 'Talks to somebody: heal'],
  ['save before the boss', 'Saves “before the boss”'],
  ['load save-1', 'Goes back to Save 1'],
  ['defend', 'Defends'],
  ['juggle item-001', 'juggle item-001'],
])('%s reads "%s"', (action, text) => {
  expect(actionText(action, TOLD)).toBe(text);
});

test('a move and a thing have an icon', () => {
  expect(ICONS[actionIcon('go west')]).toBeDefined();
  expect(ICONS[actionIcon('attack monster-001')]).toBeDefined();
  expect(thingIcon('Treasure', 'Boss Key')).toBe('key');
  expect(thingIcon('Treasure', 'Ruby')).toBe('Gem');
  expect(thingIcon('Potion', 'Health Potion')).toBe('Potion');
});

test.each<[Partial<Report>, string[]]>([
  [{ playerDamageTaken: 3, experienceGained: 0, goldDropped: 0 }, ['−3 HP']],
  [{ hpRestored: 15, playerDamageTaken: 3 }, ['+15 HP', '−3 HP']],
  [{ experienceGained: 25, goldDropped: 10, levelUp: 2 }, ['+25 XP', '+10 gold', 'Level 2']],
  [{ goldSpent: 40 }, ['−40 gold']],
  [{}, []],
])('%j changes %j', (report, expected) => {
  expect(changes({ message: '', ...report }).map(({ text }) => text)).toEqual(expected);
});

const monster = (name: string, isAlive = true): Monster => ({
  ...{ id: name, name, hp: 5, maxHp: 5, attack: 0, defense: 0 },
  isAlive,
});

function run(part: Partial<Dungeon>, monsters: Monster[] = []): Dungeon {
  const room = { roomId: 'room-001', roomType: 'Combat', monsters, items: [], exits: [] };
  const map = { rooms: [ENTRANCE, { ...BEYOND, state: 'discovered' }], hidden: 12, text: '' };
  return { room, map, log: [], stats: { inventory: [] }, result: null, ...part } as unknown as Dungeon;
}

test.each<[Dungeon, string]>([
  [run({ gameStatus: 'Exploring' }), 'Exploring the dungeon'],
  [
    run({ gameStatus: 'InCombat' }, [monster('Orc'), monster('Kobold', false)]),
    'In combat with an Orc',
  ],
  [
    run({ gameStatus: 'InCombat' }, [monster('Giant Rat'), monster('Giant Rat'), monster('Kobold')]),
    'In combat with 2 Giant Rats and a Kobold',
  ],
  [run({ gameStatus: 'Dead', result: 'Death: killed by an Orc' }), 'Death: killed by an Orc'],
])('a headline', (dungeon, headline) => {
  expect(statusLine(dungeon)).toBe(headline);
});

test('names are learned from the log and from what is here', () => {
  const dungeon = run({}, [{ ...monster('Kobold'), id: 'monster-002' }]);
  dungeon.log = [
    { turn: 1, at: 0, action: 'attack monster-001', report: { message: '', monsterName: 'Goblin Scout' } },
    { turn: 2, at: 0, action: 'save', report: { message: '', checkpointId: 'save-1', name: 'checkpoint' } },
  ];
  const told = names(dungeon);
  expect(nameOf('monster-001', told)).toBe('Goblin Scout');
  expect(nameOf('monster-002', told)).toBe('Kobold');
  expect(actionText('apply item-001', told), 'drunk before it was seen').toBe('Uses Health Potion');
  expect(actionText('load save-1', told)).toBe('Goes back to “checkpoint”');
});

test('the map is told in a sentence', () => {
  expect(mapLabel(run({}))).toBe(
    'Map: 1 chamber visited, 1 more found. The hero is here: Guarded chamber.',
  );
});

test('a chamber goes by its own name where it has one', () => {
  const rooms = [{ ...ENTRANCE, name: 'the Sea Stair' }];
  expect(placeName({ rooms }, 'room-001', 'Normal')).toBe('The Sea Stair');
  expect(placeName({ rooms }, 'room-002', 'Boss')).toBe('Lair of the boss');
});

test('an offer says its word, what it is and what it costs, once', () => {
  const offer = (what: string, price?: number) => offerText({ id: 'play', what, price, available: true });
  expect(offer('one honest die', 30)).toBe('Play: one honest die (30 gold)');
  expect(offer('30 gold on one die', 30)).toBe('Play: 30 gold on one die');
});

test('a card says what it leads to', () => {
  const hero = { hp: 18, maxHp: 30, level: 2, gold: 87 };
  const summary = { game_id: '3f9a61c2', gameStatus: 'InCombat', result: null, hero } as Summary;
  expect(cardLabel(summary)).toBe('Dungeon 3f9a61c2: In combat, level 2, 18 of 30 hit points');
});

test.each([
  [{ hp: 30, maxHp: 30 }, 'well'],
  [{ hp: 15, maxHp: 30 }, 'hurt'],
  [{ hp: 7, maxHp: 30 }, 'dire'],
  [{ hp: 0, maxHp: 30 }, 'dire'],
])('%j is %s', (stats, told) => {
  expect(health(stats)).toBe(told);
});

test('an effect is told with the rounds it has left', () => {
  expect(effectText({ name: 'Ward', effect: 'armour +2', roundsLeft: 1 })).toBe('Ward armour +2, 1 round');
});

test('the shell line hashes any seed', () => {
  expect(hashCommand('abc')).toBe("printf %s 'abc' | sha256sum");
  expect(hashCommand("it's")).toBe("printf %s 'it'\\''s' | sha256sum");
});

test.each([
  ['Flooded nave. Water drips.', 'Water drips.'],
  ['A low vault. Water drips.', 'A low vault. Water drips.'],
])('what stands in the heading is not said again: %s', (description, said) => {
  expect(withoutName(description, 'Flooded nave')).toBe(said);
});
