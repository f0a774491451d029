// A dungeon as the server tells it. Times are milliseconds since 1970.

export type Direction = 'North' | 'South' | 'East' | 'West';
export type ChamberType = 'Normal' | 'Combat' | 'Treasure' | 'Boss' | 'Secret';
export type Status = 'Exploring' | 'InCombat' | 'Victory' | 'Dead';
export type Theme = 'crypt' | 'mine' | 'temple';
export type Difficulty = 'gentle' | 'standard' | 'grim';

/** One run on the dashboard. */
export interface Summary {
  game_id: string;
  kind: 'dungeon';
  status: 'live' | 'over';
  /** Nobody has touched it for a day; it wakes with the next move. */
  asleep: boolean;
  result: string | null;
  gameStatus: Status;
  hero: { hp: number; maxHp: number; level: number; gold: number };
  rooms: { visited: number };
  score: number;
  turn: number;
  created_at: number;
  moved_at: number | null;
  /** When somebody last moved or sat down; lists go by it. */
  last_at: number;
  /** What kind of chamber the hero is in. */
  chamber: string;
  map: { rooms: MapRoom[] };
}

/** One run in full, for its page. */
export interface Dungeon extends Moment {
  game_id: string;
  status: 'live' | 'over';
  result: string | null;
  created_at: number;
  moved_at: number | null;
  /** The number of the turn to be played next. */
  turn: number;
  seed_hash: string;
  /** Only once the run is over. */
  seed?: string;
  seed_chosen: boolean;
  chronicle?: { turn: number; text: string }[];
  /** What the score is made up of. */
  score_parts?: { for: string; points: number }[];
  /** Nothing under the first rules. */
  theme: Theme | null;
  difficulty: Difficulty | null;
  /** Oldest first. */
  log: Entry[];
}

/** What is seen and possible at one moment. */
export interface Moment {
  gameStatus: Status;
  score: number;
  room: Chamber;
  stats: Stats;
  map: DungeonMap;
  people: Person[];
  /** Every possible move, in the rules' words. */
  actions: string[];
}

/** How a run looked after one of its turns. */
export interface Step extends Moment {
  turn: number;
}

/** Somebody who can be talked to. */
export interface Person {
  id: string;
  name: string;
  facts: string[];
  topics: { id: string; about: string }[];
  offers: { id: string; what: string; price?: number; available: boolean }[];
}

export interface Exit {
  direction: Direction;
  roomId: string;
  isLocked: boolean;
}

export interface Chamber {
  roomId: string;
  roomType: ChamberType;
  description: string;
  /** Something true that has not been told before. */
  fact?: string;
  visited: boolean;
  monsters: Monster[];
  items: Item[];
  exits: Exit[];
  npcs?: { id: string; name: string }[];
  features?: { id: string; name: string }[];
}

export interface Monster {
  id: string;
  name: string;
  hp: number;
  maxHp: number;
  attack: number;
  defense: number;
  isAlive: boolean;
  /** What it does beside striking. */
  manner?: string;
}

export interface Item {
  id: string;
  name: string;
  type: string;
  description: string;
  value: number;
}

export interface Carried {
  id: string;
  name: string;
  type: string;
  description: string;
  equipped: boolean;
  quantity: number;
}

export interface Stats {
  name: string;
  hp: number;
  maxHp: number;
  level: number;
  experience: number;
  /** The threshold, not what is left to it. */
  experienceToNextLevel: number;
  gold: number;
  inventory: Carried[];
  equippedWeapon: { name: string; damage: number } | null;
  equippedArmor: { name: string; defense: number } | null;
  mana: number;
  maxMana: number;
  spells: { name: string; mana: number; effect: string }[];
  keys: string[];
  restsLeft: number;
  effects?: (string | Effect)[];
  checkpoints?: { id: string; name: string }[];
}

export interface Effect {
  name?: string;
  effect?: string;
  rounds?: number;
  roundsLeft?: number;
}

export interface DungeonMap {
  rooms: MapRoom[];
  /** How many ordinary chambers have not been found. */
  hidden: number;
  text: string;
}

/** A chamber on the map; y grows to the south. */
export interface MapRoom {
  roomId: string;
  state: 'visited' | 'discovered';
  x: number;
  y: number;
  roomType?: ChamberType;
  exits?: Exit[];
  here?: boolean;
  /** What it is called, once it has been entered. */
  name?: string;
  /** What to come back for. */
  sign?: 'monsters' | 'stairs' | 'person' | 'choice';
}

export interface Entry {
  turn: number;
  at: number;
  /** In the rules' words, like "attack monster-001". */
  action: string;
  report: Report;
}

export interface Roll {
  /** "you", or a monster's id. */
  by?: string;
  /** What a monster is called. */
  name?: string;
  for: string;
  die: number;
  /** How many sides, where it is not six. */
  of?: number;
  damage?: number;
  critical?: boolean;
}

/** What a move did. Each kind of move fills in its own part. */
export interface Report {
  message: string;
  rolls?: Roll[];
  monsterName?: string;
  playerDamageTaken?: number;
  hpRestored?: number;
  manaRestored?: number;
  experienceGained?: number;
  levelUp?: number;
  goldDropped?: number;
  goldGained?: number;
  goldSpent?: number;
  goldLost?: number;
  hpLost?: number;
  /** Who was talked to. */
  npc?: string;
  checkpointId?: string;
  /** A checkpoint's. */
  name?: string;
  item?: { id: string; name: string };
  itemsDropped?: { id: string; name: string }[];
}
