// Made from the server's own types by `make docs`; not to be edited.

export type Criterion = "points" | "wins" | "head-to-head" | "Sonneborn-Berger" | "round difference" | "lot";

export type EvenOrOdd = "even" | "odd";

export type Format = "round_robin" | "double_round_robin";

export type InPlay = { 
/**
 * Whose moves are awaited.
 */
thinking: Array<PlayerId>, 
/**
 * The number of the turn to be played next; in even-odd and parity that of the last one.
 */
turn: number, } & ({ 
/**
 * Those that are over.
 */
rounds: Array<MatchRound>, game_round: number, scores: { [key in PlayerId]: number }, } | { 
/**
 * Nothing before both have chosen; nothing from one who gave no answer.
 */
choices: { [key in PlayerId]: EvenOrOdd | null } | null, drawn_number: number | null, number_parity: EvenOrOdd | null, } | { roles: { [key in PlayerId]: string }, text: string, ended: string | null, });

export type Leader = { player_id: PlayerId, name: string, points: number, };

export type League = { 
/**
 * Its name, as the wire calls it.
 */
league_id: string, phase: Phase, 
/**
 * No other match begins for now.
 */
paused?: boolean, game: LeagueKind, matches: Matches, 
/**
 * Once a match is over.
 */
leader: Leader | null, game_id: string, created_at: number, result: string | null, 
/**
 * What the game is called.
 */
title: string, 
/**
 * What was set up otherwise than usual.
 */
setup?: Record<string, unknown>, 
/**
 * The same in words.
 */
setup_text?: string, format: Format, rounds_to_win: number, max_rounds: number, time_limit_seconds: number, 
/**
 * A player chose the seed, so the league rates nobody.
 */
practice?: boolean, 
/**
 * Whether players show a code that they were given.
 */
by_code: boolean, 
/**
 * In the order in which they registered.
 */
players: Array<Player>, 
/**
 * Best first.
 */
standings: Array<Standing>, champions: Array<PlayerId>, rounds: Array<Round>, };

export type LeagueKind = string;

export type LogEntry = { at: number, } & ({ "sent": string } | { "received": string } | { "refused": { said: string, why: string, } } | { "note": string });

export type MatchId = string;

export type MatchLog = { match_id: MatchId, over: boolean, players: { [key in PlayerId]: PlayerMessages }, };

export type MatchResult = { winner: PlayerId | null, 
/**
 * Rounds won.
 */
scores: { [key in PlayerId]: number }, forfeits: Array<PlayerId>, };

export type MatchRound = { game_round: number, 
/**
 * Nothing from one who gave no answer.
 */
moves: { [key in PlayerId]: number | null }, sum: number | null, sum_type: SumType | null, round_winner: PlayerId | null, };

export type MatchView = { match_id: MatchId, round_id: number, 
/**
 * Odd, or A.
 */
player_a: PlayerId, 
/**
 * Even, or B.
 */
player_b: PlayerId, state: Stage, 
/**
 * The number of the game it is played as; written as the hall writes it.
 */
game: string | null, result: MatchResult | null, 
/**
 * To the first player and to the second.
 */
match_points: [number, number] | null, 
/**
 * How often it was played before.
 */
attempt?: number, };

export type Matches = { all: number, over: number, };

export type Mine = { player_id: PlayerId, name: string, 
/**
 * Has missed too much, and forfeits what follows until she says that she is there.
 */
suspended: boolean, match: MyMatch | null, };

export type MyMatch = { match_id: MatchId, opponent: string, game_id: string, pass: string, };

export type Phase = "open" | "running" | "finished" | "stopped";

export type Player = { player_id: PlayerId, name: string, version: string, dialect: string, suspended: boolean, 
/**
 * Has a port of its own; who has none asks for its turns.
 */
reachable: boolean, 
/**
 * The computer's level, where it is the player.
 */
computer: number | null, 
/**
 * Plays at a board in the browser.
 */
person: boolean, };

export type PlayerId = string;

export type PlayerMessages = { name: string, 
/**
 * Why the player lost without playing to the end.
 */
reason: string | null, messages: Array<LogEntry>, };

export type Round = { round_id: number, 
/**
 * Left out of a very long league, except where something happens.
 */
matches?: Array<MatchView>, 
/**
 * Who rests.
 */
bye: PlayerId | null, 
/**
 * Every match of it is over.
 */
completed: boolean, };

export type Stage = "waiting" | "running" | "done";

export type Standing = { rank: number, player_id: PlayerId, display_name: string, 
/**
 * Always wins, draws and losses together. Who both forfeit have both lost.
 */
played: number, wins: number, draws: number, losses: number, points: number, 
/**
 * How many of the losses were forfeits.
 */
forfeits: number, 
/**
 * Or points, where a game counts those. In matches that nobody forfeited, as in all that
 * follows.
 */
rounds_won: number, rounds_lost: number, sonneborn_berger: number, 
/**
 * None where the game is luck.
 */
rating: number | null, deviation: number | null, 
/**
 * What separates this line from the one above.
 */
decided_by: Criterion | null, };

export type SumType = "ODD" | "EVEN";

export type Summary = { game_id: string, created_at: number, result: string | null, 
/**
 * Its name, as the wire calls it.
 */
league_id: string, phase: Phase, game: LeagueKind, players: number, matches: Matches, 
/**
 * Once a match is over.
 */
leader: Leader | null, };
