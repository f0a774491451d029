// Made from the server's own types by `make docs`; not to be edited.

import type { KindOffered } from './plain';

export type Called = { 
/**
 * What it calls itself; nothing if it has not said.
 */
name: string, at: number, };

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

export type RatedLevel = { level: number, rating: number, };

export type SeatTaken = { game_id: string, pass: string, 
/**
 * What the seat is called.
 */
seat: string, 
/**
 * The same where it goes by its colour.
 */
color?: string, };

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
