// A dungeon as the server tells it, in the words of the pages. Times are milliseconds since 1970.

import type { All } from '../../parts/types';
import type * as wire from '../../wire/dungeon';

export type {
  Carried,
  ChamberShown as Chamber,
  Difficulty,
  Direction,
  DungeonMap,
  DungeonStep as Step,
  Effect,
  ExitShown as Exit,
  ItemShown as Item,
  MapRoom,
  MonsterShown as Monster,
  Person,
  Roll,
  RoomType as ChamberType,
  Stats,
  Status,
  Summary,
  Theme,
} from '../../wire/dungeon';

/** One run in full, for its page. */
export type Dungeon = Omit<wire.Whole, 'log'> & { log: Entry[] };

/** What is seen and possible at one moment. */
export type Moment = Pick<
  wire.DungeonStep,
  'gameStatus' | 'score' | 'room' | 'stats' | 'map' | 'people' | 'thing' | 'actions'
>;

export type Entry = Omit<wire.LogEntry, 'report'> & { report: Report };

/** What a move did. Each kind of move fills in its own part. */
export type Report = { message: string } & Partial<All<wire.Report>>;
