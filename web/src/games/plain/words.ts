// Games of any kind in words, for titles, labels and screen readers.

import { shortName } from '../../parts/names';
import type { KeyOffered, PlainGame, PlainSeat, PlainSummary } from '../../wire/plain';

/** A game in a list, or in full. */
type Told = PlainSummary & Partial<Pick<PlainGame, 'points'>>;

/** What a player is called where a sign says what they are. */
export function playerName(seat: PlainSeat): string {
  return seat.kind ? shortName(seat.player, seat.kind) : 'free seat';
}

/** The seats that nobody has taken; whoever joins has the first. */
export function freeSeats(game: PlainSummary): string[] {
  return game.status === 'live' ? game.seats.filter(({ kind }) => kind === null).map(({ name }) => name) : [];
}

export function isYourTurn(game: PlainSummary, you: number | null | undefined): boolean {
  return game.status === 'live' && typeof you === 'number' && game.due.includes(you);
}

export function statusLine(game: Told, you: number | null = null): string {
  if (game.status === 'over') return ending(game, you);
  const isYours = isYourTurn(game, you);
  if (!isYours && game.due.some((seat) => game.seats[seat]?.kind === null)) return waiting(game);
  const due = game.due.map((seat) => game.seats[seat]?.name ?? '').join(' and ');
  const said = isYours ? 'Your move' : you === null ? `${due} to move` : `Waiting for ${due}`;
  return game.asleep ? `Asleep, ${said[0]!.toLowerCase()}${said.slice(1)}` : said;
}

function waiting(game: Told): string {
  return `Waiting for ${game.seats.length > 2 ? 'others' : 'an opponent'}`;
}

/** How it stands on its page. There is a link to send only where guests may play. */
export function headline(game: Told, you: number | null, guestsPlay: boolean): string {
  if (you === null || freeSeats(game).length === 0) return statusLine(game, you);
  if (!guestsPlay) return waiting(game);
  return `Send the link to ${game.seats.length > 2 ? 'the other players' : 'your opponent'}`;
}

/** Of several, only the last has lost; a list does not tell which that is. */
function ending({ winner, seats, points, result }: Told, you: number | null): string {
  const told = result ?? 'Over';
  if (winner === null || you === null) return told;
  if (winner === you) return `You won: ${told}`;
  return seats.length < 3 || (points && points[you] === Math.min(...points)) ? `You lost: ${told}` : told;
}

export function pageTitle(game: Told, you: number | null, guestsPlay: boolean): string {
  const status = `${isYourTurn(game, you) ? '(1) ' : ''}${headline(game, you, guestsPlay)}`;
  return `${status} – ${game.title}, ${versus(game)} – agon`;
}

/** "Claude vs Level 3" */
export function versus(game: PlainSummary): string {
  return game.seats.map(playerName).join(' vs ');
}

/** Something that has happened, and what tells it from everything else that did. */
interface News {
  key: string;
  text: string;
}

/**
 * What has happened since our own last turn, that one first: what everybody did, what came to light, how it ended.
 * Where several move at once, that begins with its round: others may have been in before. Who looks on is told
 * of the last turn alike.
 */
export function newsOf({ history, seats, result }: PlainGame, you: number | null): News[] {
  const last = you === null ? history.at(-1) : history.findLast(({ seat }) => seat === you);
  const from = last?.round ?? last?.turn ?? 0;
  const news = history
    .filter(({ turn }) => turn >= from)
    .flatMap(({ turn, seat, move, revealed }) => {
      const played = { key: `${turn}`, text: `${seats[seat]?.name}: ${move}.` };
      return revealed ? [played, { key: `${turn}+`, text: revealed }] : [played];
    });
  return result ? [...news, { key: 'end', text: `${result}.` }] : news;
}

/** What a key of the set-up asks: "rounds_to_win" about "1 to 50; 3" is "Rounds to win", "1 to 50", usually "3". */
export function askedBy({ name, about }: KeyOffered) {
  const [, says, usual = ''] = /^(.*); (.*)$/.exec(about) ?? [about, about];
  const words = name.replaceAll('_', ' ');
  const isTruth = says!.startsWith('true: ');
  return { name, title: words[0]!.toUpperCase() + words.slice(1), hint: says!.replace(/^true: /, ''), usual, isTruth };
}

export function joinPrompt(game: Pick<PlainSummary, 'game_id' | 'title'>): string {
  return `Join game ${game.game_id} (${game.title}) with the agon tools and play to win.`;
}

/** Points that say more than who has won. */
export function tellsPoints(points: number[] | null): points is number[] {
  return points !== null && points.some((each) => Math.abs(each) > 1);
}
