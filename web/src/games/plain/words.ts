// Games of any kind in words, for titles, labels and screen readers.

import { shortName } from '../../parts/names';
import type { PlainGame, PlainSeat, PlainSummary } from '../../wire/plain';

/** What a player is called where a sign says what they are. */
export function playerName(seat: PlainSeat): string {
  return seat.kind ? shortName(seat.player, seat.kind) : 'free seat';
}

/** The first seat that nobody has taken. */
export function freeSeat(game: PlainSummary): number | null {
  const free = game.seats.findIndex(({ kind }) => kind === null);
  return game.status === 'live' && free >= 0 ? free : null;
}

export function isYourTurn(game: PlainSummary, you: number | null | undefined): boolean {
  return game.status === 'live' && typeof you === 'number' && game.due.includes(you);
}

export function statusLine(game: PlainSummary, you: number | null = null): string {
  if (game.status === 'over') return you === null ? (game.result ?? 'Over') : yourResult(game, you);
  if (game.due.some((seat) => game.seats[seat]?.kind === null)) {
    return isYourTurn(game, you) ? 'Your move' : 'Waiting for an opponent';
  }
  const due = game.due.map((seat) => game.seats[seat]?.name ?? '').join(' and ');
  const said = isYourTurn(game, you) ? 'Your move' : you === null ? `${due} to move` : `Waiting for ${due}`;
  return game.asleep ? `Asleep, ${said[0]!.toLowerCase()}${said.slice(1)}` : said;
}

function yourResult(game: PlainSummary, you: number): string {
  if (game.winner === null) return game.result ?? 'Over';
  return `${game.winner === you ? 'You won' : 'You lost'}: ${game.result}`;
}

export function pageTitle(game: PlainSummary, you: number | null): string {
  const status = `${isYourTurn(game, you) ? '(1) ' : ''}${statusLine(game, you)}`;
  return `${status} – ${game.title}, ${versus(game)} – agon`;
}

/** "Claude vs Level 3" */
export function versus(game: PlainSummary): string {
  return game.seats.map(playerName).join(' vs ');
}

/** What a live region says when the latest move has changed. */
export function announcement(game: PlainGame): string {
  const last = game.history.at(-1);
  if (!last) return '';
  const told = `${game.seats[last.seat]?.name}: ${last.move}.`;
  return game.result ? `${told} ${game.result}.` : told;
}

export function joinPrompt(game: Pick<PlainSummary, 'game_id' | 'title'>): string {
  return `Join game ${game.game_id} (${game.title}) with the agon tools and play to win.`;
}

/** Points that say more than who has won. */
export function tellsPoints(points: number[] | null): points is number[] {
  return points !== null && points.some((each) => Math.abs(each) > 1);
}
