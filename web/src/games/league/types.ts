// A league as the server tells it, in the words of the pages. Times are milliseconds since 1970.

import type { All } from '../../parts/types';
import type * as wire from '../../wire/league';

export type {
  EvenOrOdd as Parity,
  League,
  LogEntry,
  MatchLog,
  MatchResult as Result,
  MatchRound,
  Matches as Progress,
  MatchView as Match,
  Mine,
  Phase,
  Player,
  Round,
  Standing,
  Summary,
} from '../../wire/league';

/** A match with what was played in it. Each kind of game fills in its own part. */
export type MatchDetail = wire.MatchView & Partial<All<wire.InPlay>>;
