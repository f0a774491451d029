// A dungeon as the server tells it, in the words of the pages. Times are milliseconds since 1970.

import type { All } from '../../parts/types';
import type * as wire from '../../wire/dungeon';

export type {
  Carried,
  Difficulty,
  Direction,
  DungeonMap,
  Effect,
  ExitShown as Exit,
  ItemShown as Item,
  MapRoom,
  MonsterShown as Monster,
  Person,
  Roll,
  Room as Chamber,
  RoomType as ChamberType,
  Stats,
  Status,
  Step,
  Summary,
  Theme,
} from '../../wire/dungeon';

/** One run in full, for its page. */
export type Dungeon = Omit<wire.Whole, 'log'> & { log: Entry[] };

/** What is seen and possible at one moment. */
export type Moment = Pick<
  wire.Step,
  'gameStatus' | 'score' | 'room' | 'stats' | 'map' | 'people' | 'actions'
>;

export type Entry = Omit<wire.LogEntry, 'report'> & { report: Report };

/** What a move did. Each kind of move fills in its own part. */
export type Report = { message: string } & Partial<All<wire.Report>>;
