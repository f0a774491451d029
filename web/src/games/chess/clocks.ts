// How long each side has thought, told from the times of the moves.

import { opposite, type Color, type Game } from './types';
import { colorToMove } from './notation';

type Played = Pick<Game, 'history' | 'created_at' | 'white_since' | 'black_since'>;

/** Milliseconds spent on each move of the history; not known of those that the game began with. */
export function thinkTimes(game: Played): (number | undefined)[] {
  return game.history.map(({ at }, i) => at && Math.max(0, at - begun(game, i)));
}

/** When the clock of a move was started: no clock runs before both sit, and whoever has moved does. */
function begun(game: Played, ply: number): number {
  const last = game.history[ply - 1]?.at ?? game.created_at;
  const haveMoved = game.history[ply - 2]?.at !== undefined;
  return haveMoved ? last : Math.max(last, game.white_since ?? Infinity, game.black_since ?? Infinity);
}

/** Whether the side to move is being waited for, and its clock runs. */
export function isRunning(game: Game): boolean {
  return game.status === 'live' && !game.asleep && begun(game, game.history.length) < Infinity;
}

/** Each side's thinking time in all; the side to move is still thinking. */
export function totals(game: Game, now: number): Record<Color, number> {
  const sums: Record<Color, number> = { white: 0, black: 0 };
  const first = colorToMove(game.start_fen);
  thinkTimes(game).forEach((time, i) => (sums[i % 2 === 0 ? first : opposite(first)] += time ?? 0));
  if (isRunning(game)) {
    sums[game.to_move] += Math.max(0, now - begun(game, game.history.length));
  }
  return sums;
}
