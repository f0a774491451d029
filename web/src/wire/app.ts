// Made from the server's own types by `make docs`; not to be edited.

import type { Seat } from './drawing';
import type { KindOffered } from './plain';

export type Called = { 
/**
 * What it calls itself; nothing if it has not said.
 */
name: string, at: number, };

export type GameQuery = { 
/**
 * Only games that come after this place in the list: when they last moved, and `id` among
 * those that moved in the same millisecond.
 */
before?: number, id?: string, limit?: number, status?: 'live' | 'asleep' | 'over' | 'all', kind?: string, q?: string, };

export type Joining = { 
/**
 * What the person wants to be called.
 */
name?: string, };

export type LinkOpening = { code: string, 
/**
 * Of the browser's own making; by it the same browser is known when it asks again.
 */
key?: string, 
/**
 * What the person wants to be called.
 */
name?: string, };

export type Listening = { 
/**
 * Whether the agent that invited the person will notice what they play; null without one.
 */
listening: boolean | null, };

export type MovePosted = { move?: string, action?: string, claim_win?: boolean, turn?: number, };

export type MyGame<G> = { you: You, } & G;

export type NewGame = { 
/**
 * The usual one if left out.
 */
game?: string, 
/**
 * Where there is one.
 */
opponent?: 'computer' | 'human' | 'agent', color?: string, 
/**
 * The same by its name, which goes first.
 */
seat?: string, 
/**
 * What else the kind lets its players choose.
 */
setup?: Record<string, unknown>, difficulty?: number, 
/**
 * Both sides may ask what the position is worth; an agent who joins must agree.
 */
hints?: boolean, 
/**
 * What the person wants to be called.
 */
name?: string, };

export type Passes = { passes: Array<string>, };

export type RatedLevel = { level: number, rating: number, };

export type SeatTaken = { game_id: string, pass: string, 
/**
 * What the seat is called.
 */
seat: string, 
/**
 * The same as `color` asks for it.
 */
color: string, };

export type ServerFacts = { version: string, mcp: string, 
/**
 * Where people come from if the owner says so; a page knows its own address otherwise.
 */
url: string | null, asks_for_token: boolean, 
/**
 * Whether people without the token may start games and take free seats.
 */
guests_play: boolean, 
/**
 * Those that are shown as they draw themselves.
 */
kinds: Array<KindOffered>, 
/**
 * How strong the computer is at each level, where that was measured in points.
 */
levels: Array<RatedLevel>, };

export type You = string | Seat;
