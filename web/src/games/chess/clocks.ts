// How long each side has thought, told from the times of the moves.

import { opposite, type Color, type Game } from './types';
import { colorToMove } from './position';

type Played = Pick<Game, 'history' | 'created_at' | 'white_since' | 'black_since'>;

/** Milliseconds spent on each move of the history. */
export function thinkTimes(game: Played): number[] {
  return game.history.map((move, i) => Math.max(0, move.at - begun(game, i)));
}

/** When the clock of a move was started: no clock runs before both sit, and whoever has moved does. */
function begun(game: Played, ply: number): number {
  const last = game.history[ply - 1]?.at ?? game.created_at;
  return ply > 1 ? last : Math.max(last, game.white_since ?? Infinity, game.black_since ?? Infinity);
}

/** Whether the side to move is being waited for, and its clock runs. */
export function isRunning(game: Game): boolean {
  return game.status === 'live' && !game.asleep && begun(game, game.history.length) < Infinity;
}

/** Each side's thinking time in all; the side to move is still thinking. */
export function totals(game: Game, now: number): Record<Color, number> {
  const sums: Record<Color, number> = { white: 0, black: 0 };
  const first = colorToMove(game.start_fen);
  thinkTimes(game).forEach((time, i) => (sums[i % 2 === 0 ? first : opposite(first)] += time));
  if (isRunning(game)) {
    sums[game.to_move] += Math.max(0, now - begun(game, game.history.length));
  }
  return sums;
}

/** "0:07", "12:05", "1:02:33", "3 days". */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const days = Math.floor(seconds / 86400);
  if (days >= 2) return `${days} days`;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (parts[0] === 0) parts.shift();
  return parts.map((part, i) => (i === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':');
}

/** Short enough for a move list: "0.4s", "12s", "3:20". */
export function thinkText(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`;
  if (ms < 59_500) return `${Math.round(ms / 1000)}s`;
  return clockText(ms);
}

/** "now", "5 min ago", "2 days ago". */
export function agoText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
