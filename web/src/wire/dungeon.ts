// Made from the server's own types by `make docs`; not to be edited.

export type Armour = { name: string, defense: number, };

export type By = string;

export type Carried = { id: ItemId, name: string, type: ItemType, description: string, equipped: boolean, quantity: number, };

export type Cast = { spell: Spell, manaLeft: number, hpRestored?: number, 
/**
 * What came to light, perhaps nothing; absent for spells that reveal nothing.
 */
revealed?: Array<Revealed>, };

export type ChamberShown = { roomId: RoomId, roomType: RoomType, description: string, 
/**
 * For whoever tells the story, in a word.
 */
mood: string, 
/**
 * Something true that has not been told yet.
 */
fact?: string, 
/**
 * Before this stay.
 */
visited: boolean, monsters: Array<MonsterShown>, items: Array<ItemShown>, exits: Array<ExitShown>, npcs?: Array<NpcShown>, features?: Array<FeatureShown>, };

export type CheckpointId = string;

export type CheckpointShown = { id: CheckpointId, name: string, };

export type Deal = string;

export type Difficulty = "gentle" | "standard" | "grim";

export type Direction = "North" | "South" | "East" | "West";

export type Dropped = { id: ItemId, name: string, type: ItemType, };

export type DungeonMap = { rooms: Array<MapRoom>, 
/**
 * How many ordinary chambers have not been found yet.
 */
hidden: number, 
/**
 * The drawing, north at the top, with its legend.
 */
text: string, };

export type DungeonStep = { turn: number, gameStatus: Status, map: DungeonMap, score: number, room: ChamberShown, stats: Stats, 
/**
 * Who can be talked to, and about what.
 */
people: Array<Person>, 
/**
 * The thing here that offers a choice.
 */
thing: OpenThing | null, 
/**
 * Every possible move.
 */
actions: Array<Move>, };

export type Effect = { name: string, effect: string, roundsLeft: number, };

export type Entry = { turn: number, text: string, };

export type Equip = { item: ItemShown, equippedWeapon: Weapon, equippedArmor: Armour, };

export type ExitShown = { direction: Direction, roomId: RoomId, isLocked: boolean, };

export type FeatureId = string;

export type FeatureShown = { id: FeatureId, name: string, };

export type Fight = { playerDamageDealt: number, playerDamageTaken: number, monsterKilled: boolean, 
/**
 * Of the monster the round was about.
 */
monsterName: string, monsterHpRemaining: number, playerHpRemaining: number, combatOver: boolean, 
/**
 * All monsters here are dead.
 */
victory: boolean, experienceGained: number, goldDropped: number, itemsDropped: Array<Dropped>, rolls: Array<Roll>, fled?: boolean, newRoomId?: RoomId, spell?: Spell, 
/**
 * The new level.
 */
levelUp?: number, hpRestored?: number, manaRestored?: number, manaLeft?: number, effect?: string, 
/**
 * To a thief, or to a fall.
 */
goldLost?: number, };

export type Go = { previousRoomId: RoomId, newRoomId: RoomId, 
/**
 * The key that opened the door.
 */
unlocked?: string, };

export type HeroShown = { hp: number, maxHp: number, level: number, gold: number, };

export type ItemId = string;

export type ItemShown = { id: ItemId, name: string, type: ItemType, description: string, value: number, };

export type ItemType = "Weapon" | "Armor" | "Potion" | "Treasure";

export type Known = "visited" | "discovered";

export type Loaded = { checkpointId: CheckpointId, name: string, newRoomId: RoomId, };

export type LogEntry = { turn: number, at: number, action: string, report: Report | null, };

export type MapRoom = { roomId: RoomId, state: Known, 
/**
 * Grows to the east.
 */
x: number, 
/**
 * Grows to the south.
 */
y: number, roomType?: RoomType, exits?: Array<ExitShown>, here?: boolean, 
/**
 * What it is called, once it has been seen or named.
 */
name?: string, 
/**
 * What to come back for.
 */
sign?: Sign, };

export type MonsterId = string;

export type MonsterShown = { id: MonsterId, name: string, hp: number, maxHp: number, attack: number, defense: number, isAlive: boolean, 
/**
 * What it does beside striking, in plain words.
 */
manner?: string, };

export type Move = string;

export type NpcId = string;

export type NpcShown = { id: NpcId, name: string, };

export type Offer = { id: Deal, what: string, 
/**
 * In gold; what the hero pays, or for a sale what he gets.
 */
price?: number, 
/**
 * Whether it can be had right now.
 */
available: boolean, };

export type OpenThing = { id: FeatureId, name: string, told: string, offers: Array<Offer>, };

export type Person = { id: NpcId, name: string, facts: Array<string>, 
/**
 * What can be asked.
 */
topics: Array<Topic>, offers: Array<Offer>, };

export type Report = { message: string, } & (Go | Fight | Take | Use | Equip | Rest | Saved | Loaded | Cast | Talk | Touch);

export type Rest = { hpRestored: number, manaRestored: number, playerHpRemaining: number, restsLeft: number, };

export type Revealed = { roomId: RoomId, direction: Direction, 
/**
 * Where the exit is.
 */
fromRoomId: RoomId, };

export type Roll = { by: By, 
/**
 * What a monster is called.
 */
name?: string, for: string, 
/**
 * How many sides it had, if not six.
 */
of?: number, die: number, 
/**
 * After everything.
 */
damage?: number, critical?: boolean, };

export type RoomId = string;

export type RoomType = "Normal" | "Combat" | "Treasure" | "Boss" | "Secret";

export type Rooms = { visited: number, };

export type Saved = { checkpointId: CheckpointId, name: string, };

export type ScorePart = { for: string, points: number, };

export type Sign = "monsters" | "stairs" | "person" | "choice";

export type Spell = string;

export type SpellShown = { name: Spell, mana: number, effect: string, };

export type Stats = { name: string, hp: number, maxHp: number, level: number, experience: number, experienceToNextLevel: number, gold: number, inventory: Array<Carried>, equippedWeapon: Weapon, equippedArmor: Armour, mana: number, maxMana: number, spells: Array<SpellShown>, keys: Array<string>, restsLeft: number, 
/**
 * With the seed these make the same dungeon again.
 */
theme: Theme, difficulty: Difficulty, effects?: Array<Effect>, checkpoints?: Array<CheckpointShown>, };

export type Status = "Exploring" | "InCombat" | "Victory" | "Dead";

export type Summary = { kind: 'dungeon', game_id: string, status: 'live' | 'over', 
/**
 * Nobody has touched it for a day; it wakes with the next move.
 */
asleep: boolean, gameStatus: Status, result: string | null, 
/**
 * Who plays.
 */
player: string, hero: HeroShown, chamber: RoomType, map: DungeonMap, rooms: Rooms, score: number, turn: number, created_at: number, moved_at: number | null, 
/**
 * When somebody last moved; lists go by it.
 */
last_at: number, };

export type Take = { item: ItemShown, goldGained: number, inventoryCount: number, equipped?: boolean, revealed?: Revealed, };

export type Talk = { npc: string, goldSpent?: number, goldGained?: number, 
/**
 * What the hero got, or in a sale what he gave.
 */
item?: ItemShown, equipped?: boolean, hpRestored?: number, revealed?: Revealed, hint?: string, hpLost?: number, manaRestored?: number, experienceGained?: number, levelUp?: number, rolls?: Array<Roll>, playerHpRemaining?: number, };

export type Theme = "crypt" | "mine" | "temple";

export type Topic = { id: Deal, about: string, };

export type Touch = { feature: string, goldSpent?: number, goldGained?: number, 
/**
 * What the hero got, or in a sale what he gave.
 */
item?: ItemShown, equipped?: boolean, hpRestored?: number, revealed?: Revealed, hint?: string, hpLost?: number, manaRestored?: number, experienceGained?: number, levelUp?: number, rolls?: Array<Roll>, playerHpRemaining?: number, };

export type Use = { item: ItemShown, playerHpRemaining: number, hpRestored?: number, manaRestored?: number, effect?: string, quantityLeft: number, };

export type Weapon = { name: string, damage: number, };

export type Whole = { seed_hash: string, 
/**
 * Told when it is over.
 */
seed?: string, 
/**
 * The player asked for it and knew what was to come.
 */
seed_chosen: boolean, chronicle: Array<Entry>, score_parts?: Array<ScorePart>, 
/**
 * What it was drawn from.
 */
theme: Theme, difficulty: Difficulty, 
/**
 * The oldest first.
 */
log: Array<LogEntry>, kind: 'dungeon', game_id: string, status: 'live' | 'over', 
/**
 * Nobody has touched it for a day; it wakes with the next move.
 */
asleep: boolean, gameStatus: Status, result: string | null, 
/**
 * Who plays.
 */
player: string, hero: HeroShown, chamber: RoomType, map: DungeonMap, rooms: Rooms, score: number, turn: number, created_at: number, moved_at: number | null, 
/**
 * When somebody last moved; lists go by it.
 */
last_at: number, room: ChamberShown, stats: Stats, 
/**
 * Who can be talked to, and about what.
 */
people: Array<Person>, 
/**
 * The thing here that offers a choice.
 */
thing: OpenThing | null, 
/**
 * Every possible move.
 */
actions: Array<Move>, };
