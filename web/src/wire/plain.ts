import type { Part } from "./drawing";

export type PlayerKind = "agent" | "human" | "computer";

export type PlainSeat = { name: string, player: string, kind: PlayerKind | null, };

export type PlainTurn = { turn: number, seat: number, move: string, at: number, };

export type PlainSummary = { game_id: string, kind: string, title: string, seats: Array<PlainSeat>, status: "live" | "over", asleep: boolean, free_seat: boolean, due: Array<number>, result: string | null, winner: number | null, turn: number, created_at: number, moved_at: number | null, last_at: number, drawing: Array<Part>, };

export type PlainGame = PlainSummary & { you: number | null, points: Array<number> | null, history: Array<PlainTurn>, text: string, legal_moves: Array<string>, rules: string, moves: string, };

export type PlainStep = { turn: number, text: string, drawing: Array<Part>, };

export type KeyOffered = { name: string, about: string, };

export type KindOffered = { game: string, title: string, about: string, seats: Array<string>, setup: Array<KeyOffered>, };
