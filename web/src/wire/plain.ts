// Made from the server's own types by `make docs`; not to be edited.

import type { Part, Seat } from './drawing';

export type KeyOffered = { name: string, about: string, };

export type KindOffered = { game: string, title: string, about: string, 
/**
 * As many as there can be.
 */
seats: Array<string>, 
/**
 * The fewest who can play. Where that is not all, the key `seats` of the set-up says how many do.
 */
fewest: number, 
/**
 * How many play if nobody says otherwise.
 */
usual: number, setup: Array<KeyOffered>, 
/**
 * How strong the computer is at each level, in words.
 */
levels: Array<string>, };

export type PlainBoard = { 
/**
 * Opens the seat that the board plays for.
 */
pass?: string, facts: PlainGame, 
/**
 * The game's address in the browser.
 */
page: string | null, 
/**
 * How it looked after the turn that the board asked for.
 */
step?: PlainStep, };

export type PlainGame = { you: Seat | null, points: Array<number> | null, 
/**
 * The league that it is a match of.
 */
league?: string, 
/**
 * What was set up otherwise than usual.
 */
setup?: Record<string, unknown>, 
/**
 * The same in words.
 */
setup_text?: string, history: Array<PlainTurn>, 
/**
 * The same as the drawing, in words.
 */
text: string, 
/**
 * What the seat whose eyes these are may play, if it is due.
 */
legal_moves: Array<string>, 
/**
 * What it may do beside the board, as long as the game is on, in the words for it: `resign`.
 */
actions: Array<string>, 
/**
 * How it goes, and how a move is written.
 */
rules: string, moves: string, game_id: string, kind: string, title: string, seats: Array<PlainSeat>, status: SeenProgress, 
/**
 * Nobody has touched it for a day; it wakes with the next move.
 */
asleep: boolean, 
/**
 * A player chose the seed, so the game is rated nowhere.
 */
practice?: boolean, 
/**
 * Whether somebody may still join.
 */
free_seat: boolean, 
/**
 * Whom it waits for.
 */
due: Array<Seat>, result: string | null, winner: Seat | null, 
/**
 * The number of the turn to be played next.
 */
turn: number, created_at: number, moved_at: number | null, 
/**
 * When somebody last moved or sat down; lists go by it.
 */
last_at: number, drawing: Array<Part>, };

export type PlainSeat = { name: string, 
/**
 * Who sits there, in words.
 */
player: string, 
/**
 * Nothing while nobody does.
 */
kind: PlayerKind | null, };

export type PlainStep = { turn: number, text: string, drawing: Array<Part>, };

export type PlainSummary = { game_id: string, kind: string, title: string, seats: Array<PlainSeat>, status: SeenProgress, 
/**
 * Nobody has touched it for a day; it wakes with the next move.
 */
asleep: boolean, 
/**
 * A player chose the seed, so the game is rated nowhere.
 */
practice?: boolean, 
/**
 * Whether somebody may still join.
 */
free_seat: boolean, 
/**
 * Whom it waits for.
 */
due: Array<Seat>, result: string | null, winner: Seat | null, 
/**
 * The number of the turn to be played next.
 */
turn: number, created_at: number, moved_at: number | null, 
/**
 * When somebody last moved or sat down; lists go by it.
 */
last_at: number, drawing: Array<Part>, };

export type PlainTurn = { turn: number, seat: Seat, move: string, at: number, 
/**
 * The first turn of its round, where others have moved in that before it.
 */
round?: number, 
/**
 * What it brought for everybody to see beside its move.
 */
revealed?: string, 
/**
 * What the player says of it, once the game is over.
 */
comment?: string, };

export type PlayerKind = "agent" | "human" | "computer";

export type SeenProgress = "live" | "over";
