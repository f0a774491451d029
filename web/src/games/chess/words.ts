// Games in words, for titles and labels. Moves and squares are in `spoken`.

import { shortName } from '../../parts/names';
import { opposite, type Color, type Game, type Summary } from './types';

export function colorName(color: Color): string {
  return color === 'white' ? 'White' : 'Black';
}

type Standing = Pick<Summary, 'result' | 'to_move'> & Partial<Pick<Game, Asked | 'asleep'>>;
type Asked = 'draw_offered_by' | 'takeback_asked_by';

export function statusLine(game: Standing, you?: Color | null): string {
  if (game.result) return you ? yourResult(game.result, you) : resultText(game.result);
  const asks = question(game, you);
  if (asks) return asks;
  if (game.asleep) return `Asleep, ${you === game.to_move ? 'your move' : `${colorName(game.to_move)} to move`}`;
  if (you) return game.to_move === you ? 'Your move' : `${colorName(game.to_move)} is thinking`;
  return `${colorName(game.to_move)} to move`;
}

/** What one side asks the other, told to whoever looks. */
function question(game: Standing, you?: Color | null): string {
  const draw = game.draw_offered_by;
  const asked = [draw, game.takeback_asked_by];
  // What waits for our own answer comes first.
  const by = you && asked.includes(opposite(you)) ? opposite(you) : asked.find(Boolean);
  if (!by) return '';
  if (by !== you) return `${colorName(by)} ${draw === by ? 'offers a draw' : 'asks for a takeback'}`;
  // Whoever has asked and is to move knows the one and must be told the other.
  if (game.to_move === you) return '';
  return draw === by ? 'You offered a draw' : 'You asked for a takeback';
}

/** "White wins by Checkmate" as it stands in a sentence. */
export function resultText(result: string): string {
  return result.replace(/ by [A-Z]/, (start) => start.toLowerCase());
}

/** "White wins by Checkmate" becomes "You won by checkmate" for White. */
export function yourResult(result: string, you: Color): string {
  const [, winner, how] = /^(White|Black) wins (.+)$/.exec(result) ?? [];
  if (!winner || !how) return resultText(result);
  return `You ${winner === colorName(you) ? 'won' : 'lost'} ${how.toLowerCase()}`;
}

/** How it stands on its page. There is a link to send only where guests may play. */
export function headline(game: Summary & Standing, you: Color | null, guestsPlay: boolean): string {
  const free = game.status === 'live' ? freeColor(game) : null;
  if (free && you && guestsPlay) return 'Send the link to your opponent';
  return free && (you || free === game.to_move) ? 'Waiting for an opponent' : statusLine(game, you);
}

export function isYourTurn(game: Summary, you: Color | null): boolean {
  return game.status === 'live' && you === game.to_move;
}

/** Whether the game waits for us: for a move, or for an answer. */
export function isForYou(game: Summary & Partial<Pick<Game, Asked>>, you: Color | null): boolean {
  const asks = [game.draw_offered_by, game.takeback_asked_by];
  return isYourTurn(game, you) || (game.status === 'live' && you !== null && asks.includes(opposite(you)));
}

export function pageTitle(
  game: Summary & Partial<Pick<Game, Asked>>,
  you: Color | null,
  guestsPlay: boolean,
): string {
  const status = `${isForYou(game, you) ? '(1) ' : ''}${headline(game, you, guestsPlay)}`;
  return `${status} – ${playerName(game, 'white')} vs ${playerName(game, 'black')} – agon`;
}

/** What a player is called where a sign says what they are: "Claude", "Level 3". */
export function playerName(game: Summary, color: Color): string {
  return shortName(game[color], game[`${color}_kind`]);
}

/** A rating is a measurement, and means nothing without its scale. */
export const SCALE = 'Rated against Stockfish’s skill levels';

export function ratingText(rating: number): string {
  return `~${rating}`;
}

/** The seat nobody has taken yet. */
export function freeColor(game: Summary): Color | null {
  if (!game.free_seat) return null;
  return game.white_kind ? 'black' : 'white';
}

export function joinPrompt(gameId: string, hints = false): string {
  const agree = hints ? ', agree to hints (hints=true),' : '';
  return `Join game ${gameId} with the agon chess tools${agree} and play to win.`;
}
