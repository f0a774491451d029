// A league as the server tells it. Times are milliseconds since 1970.

export type Phase = 'open' | 'running' | 'finished' | 'stopped';
/** A kind of game, by its name: even-odd, parity, chess, connect-four. */
export type Played = string;
export type Parity = 'even' | 'odd';

/** How many matches there are, and how many of them are over. */
export interface Progress {
  all: number;
  over: number;
}

/** One league on the dashboard. */
export interface Summary {
  game_id: string;
  /** The name its players know it by. */
  league_id: string;
  phase: Phase;
  game: Played;
  players: number;
  matches: Progress;
  leader: { player_id: string; name: string; points: number } | null;
  created_at: number;
  result: string | null;
}

/** One league in full, for its page. */
export interface League {
  game_id: string;
  league_id: string;
  phase: Phase;
  game: Played;
  /** What the game is called. */
  title?: string;
  format: 'round_robin' | 'double_round_robin';
  rounds_to_win: number;
  max_rounds: number;
  time_limit_seconds: number;
  created_at: number;
  result: string | null;
  matches: Progress;
  /** In the order in which they registered. */
  players: Player[];
  /** Best first. */
  standings: Standing[];
  champions: string[];
  rounds: Round[];
}

export interface Player {
  player_id: string;
  name: string;
  version: string;
  dialect: string;
  suspended: boolean;
  /** Has a port of its own; who has none asks for its turns. */
  reachable: boolean;
  /** The computer's level, where it is the player. */
  computer?: number | null;
  /** Plays at a board in the browser. */
  person?: boolean;
}

/** What a league has for one of its people. */
export interface Mine {
  player_id: string;
  name: string;
  /** Has missed too much, and forfeits what follows until she says that she is there. */
  suspended: boolean;
  /** What she is to play now, with the secret that lets her. */
  match: { match_id: string; opponent: string; game_id: string; pass: string } | null;
}

export interface Standing {
  rank: number;
  player_id: string;
  display_name: string;
  played: number;
  wins: number;
  draws: number;
  losses: number;
  points: number;
  forfeits: number;
  rounds_won: number;
  rounds_lost: number;
  sonneborn_berger: number;
  /** None where the game is luck. */
  rating: number | null;
  deviation: number | null;
  /** What separates this line from the one above. */
  decided_by: string | null;
}

export interface Round {
  round_id: number;
  completed: boolean;
  /** Who rests. */
  bye: string | null;
  /** Left out of a very long league, except where something happens. */
  matches?: Match[];
}

export interface Match {
  match_id: string;
  round_id: number;
  /** Plays odd, where the game has sides. */
  player_a: string;
  player_b: string;
  state: 'waiting' | 'running' | 'done';
  game: string | null;
  result: Result | null;
  /** To the first player and to the second. */
  match_points: [number, number] | null;
}

export interface Result {
  winner: string | null;
  /** Rounds won. */
  scores: Record<string, number>;
  forfeits: string[];
}

/** A match with what was played in it, as far as anyone may know. */
export interface MatchDetail extends Match {
  turn: number;
  /** Whose moves are awaited. */
  thinking: string[];
  /** Even-odd: the rounds that are over. */
  rounds?: MatchRound[];
  /** Parity: nothing before both have chosen; nothing from one who gave no answer. */
  choices?: Record<string, Parity | null> | null;
  drawn_number?: number | null;
  number_parity?: Parity | null;
  /** Other games: who plays what, how it stands, and how it ended, in words. */
  roles?: Record<string, string>;
  text?: string;
  ended?: string | null;
}

export interface MatchRound {
  game_round: number;
  /** Nothing from one who gave no answer. */
  moves: Record<string, number | null>;
  sum: number | null;
  sum_type: 'ODD' | 'EVEN' | null;
  round_winner: string | null;
}

/** What was said in a match, by player. */
export interface Letters {
  match_id: string;
  over: boolean;
  players: Record<string, { name: string; reason: string | null; messages: Letter[] }>;
}

export interface Letter {
  at: number;
  sent?: string;
  received?: string;
  /** In the referee's words. */
  note?: string;
}
