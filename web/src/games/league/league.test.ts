import { describe, expect, test } from 'vitest';
import CLASS from '../../../../docs/class.md?raw';
import { crossTable, MOST } from './cross';
import { inOrder } from './leagues.svelte';
import { Matches } from './matches.svelte';
import type { League, Match, MatchDetail, Player, Round, Standing, Summary } from './types';
import { cardLabel, progressText } from './summary';
import {
  announcement,
  deedOf,
  forfeitText,
  invitedBy,
  limitText,
  matchText,
  namesOf,
  playerCommand,
  playsHow,
  rankText,
  ratingText,
  scoreOf,
  startCommand,
  starterCommand,
  statusLine,
  tally,
  termsOf,
  tieNote,
} from './words';

const player = (player_id: string, name: string) => ({ player_id, name }) as Player;
const ALPHA = player('P01', 'Alpha');
const BETA = player('P02', 'Beta');
const GAMMA = player('P03', 'Gamma');
const NAMES = namesOf([ALPHA, BETA, GAMMA]);

const standing = (row: Partial<Standing>) =>
  ({ rank: 1, player_id: 'P01', display_name: 'Alpha', played: 2, points: 3, decided_by: null, ...row }) as Standing;

/** A match that is over. */
function over(id: string, a: string, b: string, scores: [number, number], forfeits: string[] = []): Match {
  const better = scores[0] === scores[1] ? null : scores[0] > scores[1] ? a : b;
  const winner = forfeits.length === 0 ? better : ([a, b].find((id) => !forfeits.includes(id)) ?? null);
  const drawn: [number, number] = forfeits.length ? [0, 0] : [1, 1];
  return {
    match_id: id,
    round_id: Number(/\d+/.exec(id)![0]),
    player_a: a,
    player_b: b,
    state: 'done',
    game: '3f9a61c2',
    result: { winner, scores: { [a]: scores[0], [b]: scores[1] }, forfeits },
    match_points: winner === null ? drawn : winner === a ? [3, 0] : [0, 3],
  };
}
const waiting = (id: string, a: string, b: string): Match => ({
  ...over(id, a, b, [0, 0]),
  state: 'waiting',
  result: null,
  match_points: null,
});
const running = (id: string, a: string, b: string): Match => ({ ...waiting(id, a, b), state: 'running' });
const round = (round_id: number, matches: Match[], completed = false): Round => ({
  round_id,
  completed,
  bye: null,
  matches,
});

const LEAGUE: League = {
  leader: null,
  title: 'Even or odd',
  game_id: '1eaf0001',
  league_id: 'friday',
  phase: 'running',
  game: 'even-odd',
  format: 'round_robin',
  rounds_to_win: 3,
  max_rounds: 5,
  time_limit_seconds: 30,
  by_code: false,
  created_at: 0,
  result: null,
  matches: { all: 3, over: 1 },
  players: [ALPHA, BETA, GAMMA],
  standings: [
    standing({ player_id: 'P02', display_name: 'Beta', points: 3 }),
    standing({ player_id: 'P01', points: 0, rank: 2 }),
    standing({ player_id: 'P03', display_name: 'Gamma', points: 0, rank: 2 }),
  ],
  champions: [],
  rounds: [
    round(1, [over('R1M1', 'P01', 'P02', [1, 3])], true),
    round(2, [running('R2M1', 'P02', 'P03')]),
    round(3, [waiting('R3M1', 'P03', 'P01')]),
  ],
};

describe('what is played', () => {
  const terms = (league: Partial<League>) => termsOf({ ...LEAGUE, ...league });

  test('is told with what was set up otherwise than usual', () => {
    const wide = { game: 'tic-tac-toe', title: 'Tic-tac-toe', setup_text: 'columns 8, rows 8, length 5' };
    expect(terms(wide)).toEqual([
      'Tic-tac-toe',
      'set-up: columns 8, rows 8, length 5',
      'everyone meets everyone once',
      '30 s a move',
    ]);
  });

  test('has no set-up where it is the usual one', () => {
    expect(terms({ game: 'nim', title: 'Nim' })).toEqual(['Nim', 'everyone meets everyone once', '30 s a move']);
    expect(terms({})[0]).toBe('Even-odd, first to 3 of 5 rounds');
  });
});

describe('the cross table', () => {
  const texts = (league: League) =>
    crossTable(league)!.rows.map(({ cells }) => cells.map((cell) => cell?.map(({ text }) => text).join(' ') ?? '#'));

  test('has the best player first, and each result from both sides', () => {
    expect(texts(LEAGUE)).toEqual([
      ['#', '3–1', '…'],
      ['1–3', '#', '·'],
      ['…', '·', '#'],
    ]);
    const [beta, alpha] = crossTable(LEAGUE)!.rows;
    expect(beta!.cells[1]![0]).toMatchObject({ tone: 'win', match_id: 'R1M1' });
    expect(alpha!.cells[0]![0]).toMatchObject({ tone: 'loss', label: 'R1M1, Alpha against Beta: Beta wins 3–1' });
  });

  test('shows both results of a double round robin', () => {
    const back = round(4, [over('R4M1', 'P02', 'P01', [2, 3])]);
    expect(texts({ ...LEAGUE, rounds: [...LEAGUE.rounds, back] })[0]).toEqual(['#', '3–1 2–3', '…']);
  });

  test('tells a forfeit in points, and two who forfeit have both lost', () => {
    const rounds = [
      round(1, [over('R1M1', 'P01', 'P02', [2, 0], ['P01'])]),
      round(2, [over('R2M1', 'P02', 'P03', [0, 0], ['P02', 'P03'])]),
    ];
    const cross = crossTable({ ...LEAGUE, rounds })!;
    expect(texts({ ...LEAGUE, rounds })).toEqual([['#', '3f', '0f'], ['0f', '#', ''], ['0f', '', '#']]);
    expect(cross.rows[0]!.cells.map((cell) => cell?.[0]?.tone)).toEqual([undefined, 'win', 'loss']);
    expect(cross.forfeits).toBe(true);
  });

  test('tells points where rounds say nothing, or there is no room', () => {
    expect(texts({ ...LEAGUE, game: 'parity' })[0]).toEqual(['#', '3', '…']);
    const crowd = Array.from({ length: 10 }, (_, n) => player(`P${n + 4}`, `Player ${n}`));
    const players = [...LEAGUE.players, ...crowd];
    const rows = crowd.map(({ player_id }) => standing({ player_id }));
    expect(texts({ ...LEAGUE, players, standings: [...LEAGUE.standings, ...rows] })[1]![0]).toBe('0');
  });

  test('is left out where nobody could read it', () => {
    const many = Array.from({ length: MOST + 1 }, (_, n) => player(`P${n}`, `Player ${n}`));
    expect(crossTable({ ...LEAGUE, players: many })).toBeNull();
    expect(crossTable({ ...LEAGUE, players: [ALPHA] })).toBeNull();
  });

  test('does without the matches of a very long league', () => {
    expect(texts({ ...LEAGUE, rounds: [{ round_id: 1, completed: true, bye: null }] })[0]).toEqual(['#', '', '']);
  });
});

test.each([
  [{ over: 37, all: 120 }, '37 of 120 matches'],
  [{ over: 0, all: 1 }, '0 of 1 match'],
])('progress %o', (progress, text) => expect(progressText(progress)).toBe(text));

test.each([
  [{ phase: 'open', players: [] }, 'Nobody has joined yet'],
  [{ phase: 'open', players: [ALPHA] }, '1 player so far'],
  [{}, 'Round 2 of 3'],
  [{ phase: 'finished', result: 'P02 Beta wins the league with 6 points' }, 'P02 Beta wins the league with 6 points'],
  [{ phase: 'stopped' }, 'The league was stopped'],
] as [Partial<League>, string][])('a league that is %o', (change, text) => {
  expect(statusLine({ ...LEAGUE, ...change })).toBe(text);
});

test.each([
  [over('R1M1', 'P01', 'P02', [3, 1]), 'Alpha wins 3–1'],
  [over('R1M1', 'P01', 'P02', [1, 3]), 'Beta wins 3–1'],
  [over('R1M1', 'P01', 'P02', [2, 2]), 'A draw, 2–2'],
  [over('R1M1', 'P01', 'P02', [0, 2], ['P02']), 'Alpha wins, Beta forfeited'],
  [over('R1M1', 'P01', 'P02', [0, 0], ['P01', 'P02']), 'Both forfeited, no points'],
  [running('R1M1', 'P01', 'P02'), 'Being played'],
  [waiting('R1M1', 'P01', 'P02'), 'Not played'],
])('a match in words %#', (match, text) => expect(matchText(match, 'even-odd', NAMES)).toBe(text));

test('parity is told without rounds', () => {
  expect(matchText(over('R1M1', 'P01', 'P02', [1, 0]), 'parity', NAMES)).toBe('Alpha wins');
  expect(matchText(over('R1M1', 'P01', 'P02', [0, 0]), 'parity', NAMES)).toBe('A draw');
  expect(scoreOf(over('R1M1', 'P01', 'P02', [1, 0]), 'parity')).toEqual([3, 0]);
});

test('a forfeit counts in points, whatever was won before', () => {
  const match = over('R1M1', 'P01', 'P02', [2, 0], ['P01']);
  expect(scoreOf(match, 'even-odd')).toEqual([0, 3]);
  expect(forfeitText(match, NAMES)).toBe('Alpha forfeited');
});

test('ranks that are shared say so, and ties are explained', () => {
  const [beta, alpha, gamma] = LEAGUE.standings as [Standing, Standing, Standing];
  expect(LEAGUE.standings.map((row) => rankText(row, LEAGUE.standings))).toEqual(['1', '=2', '=2']);
  expect(tieNote(beta, undefined)).toBe('');
  expect(tieNote({ ...alpha, decided_by: 'points' }, beta)).toBe('');
  expect(tieNote({ ...gamma, decided_by: 'lot' }, alpha)).toBe('level with Alpha, listed by lot');
  expect(tieNote({ ...gamma, decided_by: 'head-to-head' }, alpha)).toBe('behind Alpha on head-to-head');
  expect(tieNote({ ...gamma, played: 0, decided_by: 'lot' }, { ...alpha, played: 0 })).toBe('');
});

test('a rating is told with its deviation, if there is one', () => {
  expect(ratingText({ rating: 1533.7, deviation: 81.2 })).toBe('1534 ±81');
  expect(ratingText({ rating: null, deviation: null })).toBe('');
});

test('a hidden move is thought about or sealed', () => {
  expect(deedOf('P01', { thinking: ['P01', 'P02'] })).toBe('thinking');
  expect(deedOf('P01', { thinking: ['P02'] })).toBe('sealed');
  expect(deedOf('P01', { thinking: [] })).toBe('waiting');
});

test('rounds are counted for who won them', () => {
  const rounds = ['P01', null, 'P02', 'P01'].map((round_winner) => ({ round_winner }));
  expect(tally({ ...running('R1M1', 'P01', 'P02'), rounds } as MatchDetail)).toEqual([2, 1]);
  expect(tally(running('R1M1', 'P01', 'P02') as MatchDetail)).toEqual([0, 0]);
});

test('what is called out is little', () => {
  const open: League = { ...LEAGUE, phase: 'open', players: [ALPHA], rounds: [] };
  expect(announcement(open, { ...open, players: [ALPHA, BETA, GAMMA] })).toBe('Beta and Gamma joined.');
  expect(announcement(open, LEAGUE)).toBe('The league has started.');
  expect(announcement(LEAGUE, { ...LEAGUE, matches: { all: 3, over: 2 } })).toBe('');
  const rounds = LEAGUE.rounds.map((round) => ({ ...round, completed: round.round_id < 3 }));
  expect(announcement(LEAGUE, { ...LEAGUE, rounds })).toBe('2 of 3 rounds complete. Beta leads with 3 points.');
  expect(announcement(LEAGUE, { ...LEAGUE, phase: 'finished', result: 'P02 Beta wins' })).toBe('P02 Beta wins');
});

test('commands can be pasted into a shell', () => {
  expect(playerCommand('http://localhost:8000')).toBe(
    'agon player --name Alpha --strategy random --port 8101 --manager http://localhost:8000/mcp',
  );
  const friday = { game: 'even-odd', league_id: 'friday', by_code: false } as League;
  expect(playerCommand('http://localhost:8000', friday)).toMatch(/ --league friday$/);
  const coded = { ...friday, game: 'parity', by_code: true } as League;
  expect(starterCommand('http://10.1.0.5:8000', coded)).toBe(
    'curl -O http://10.1.0.5:8000/player.py && python3 player.py --name Ada --protocol league.v2' +
      ' --manager http://10.1.0.5:8000/mcp --league friday --invite CODE',
  );
  const link = '#name=Lee%2C+Kim&token=SECRET&invite=lee-kim-0123';
  const all = "--manager http://10.1.0.5:8000/mcp --league friday --invite lee-kim-0123 --token SECRET";
  expect(playerCommand('http://10.1.0.5:8000', coded, invitedBy(link))).toBe(
    `agon player --name 'Lee, Kim' --strategy random --port 8101 ${all}`,
  );
  expect(starterCommand('http://10.1.0.5:8000', coded, invitedBy(link))).toContain(
    `python3 player.py --name 'Lee, Kim' --protocol league.v2 ${all}`,
  );
  const ours = { ...friday, league_id: 'class', by_code: true } as League;
  const ben = invitedBy('#name=Ben&token=SECRET&invite=ben-0123456789abcdef');
  for (const command of [starterCommand, playerCommand]) {
    expect(CLASS.split('\n').map((line) => line.trim())).toContain(command('http://10.1.0.5:8000', ours, ben));
  }
  expect(startCommand('friday')).toBe('agon league start friday');
  expect(startCommand("Bob's league")).toBe(`agon league start 'Bob'\\''s league'`);
});

const card = (game_id: string, change: Partial<Summary>): Summary => ({
  game_id,
  league_id: `league ${game_id}`,
  phase: 'running',
  game: 'even-odd',
  players: 4,
  matches: { all: 6, over: 2 },
  leader: { player_id: 'P02', name: 'Beta', points: 6 },
  created_at: 1,
  result: null,
  ...change,
});

test('leagues in play come first, then the newest, and can be searched', () => {
  const done = card('d', { phase: 'finished', created_at: 9 });
  const older = card('a', {});
  const newer = card('b', { created_at: 2 });
  const open = card('c', { phase: 'open', created_at: 7, leader: null });
  const ids = (text: string) => inOrder([done, older, open, newer], text).map(({ game_id }) => game_id);
  expect(ids('')).toEqual(['b', 'a', 'c', 'd']);
  expect(ids(' LEAGUE C')).toEqual(['c']);
  expect(ids('nobody')).toEqual([]);
});

test('a card says in its link what it shows', () => {
  expect(cardLabel(card('a', {}))).toBe(
    'League league a: Running, 4 players, 2 of 6 matches, Beta leads with 6 points',
  );
  const open = card('a', { phase: 'open', players: 1, leader: null });
  expect(cardLabel(open)).toBe('League league a: Open for players, 1 player');
});

test('news of a match that came late do not undo later ones', () => {
  const matches = new Matches('3f9a61c2');
  const news = (turn: number, state: Match['state']) => ({ match_id: 'R1M1', turn, state }) as MatchDetail;
  const seen = () => [matches.known.R1M1?.turn, matches.known.R1M1?.state];
  matches.heard(news(2, 'running'));
  matches.heard(news(1, 'running'));
  expect(seen()).toEqual([2, 'running']);
  matches.heard(news(4, 'done'));
  matches.heard(news(4, 'running'));
  expect(seen()).toEqual([4, 'done']);
});

test('a league of any game is told by its name', () => {
  const league = { league_id: 'masters', game: 'chess', by_code: false } as League;
  expect(playerCommand('http://localhost:8000', league)).toContain('--game chess --league masters');
  expect(matchText(over('R1M1', 'P01', 'P02', [1, 0]), 'chess', NAMES)).toBe('Alpha wins');
  expect(deedOf('P01', { thinking: ['P02'], roles: { P01: 'White', P02: 'Black' } })).toBe('waiting');
});

test('a time limit is told in the largest unit that fits', () => {
  expect([1, 30, 90, 600, 3600, 86400].map(limitText)).toEqual(['1 s', '30 s', '90 s', '10 min', '1 h', '24 h']);
});

test('it is told how somebody plays', () => {
  const how = (one: Partial<Player>) => playsHow({ ...ALPHA, reachable: false, dialect: 'S1', ...one });
  expect(how({ computer: 3 })).toBe('is the computer');
  expect(how({ person: true })).toBe('plays at a board');
  expect(how({ dialect: 'uci' })).toBe('is an engine');
  expect(how({ reachable: true })).toBe('has a port of its own');
  expect(how({})).toBe('plays by tools');
});
