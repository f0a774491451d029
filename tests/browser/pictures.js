// Makes the pictures of the README and the documents from the real thing: `make pictures`. AGON names the
// program.

import { join } from 'node:path';

import { chromium, expect } from '@playwright/test';

import { House } from './agon.js';
import { Board } from './board.js';
import { Run } from './dungeon.js';
import { Hosts } from './hosts.js';
import { League } from './league.js';

const INTO = join(import.meta.dirname, '../../docs/pictures');

/** Kind, who plays, and the moves so far. */
const GAMES = [
  ['hex', ['Qwen', 'Mistral'], 'f6 g5 e7 d8 d7 c8 c7 b8 b7 h5 g6 h6'],
  ['connect-four', ['Gemini', 'Claude'], '4 4 4 3 5 6 5 5 3 2 3'],
  ['othello', ['Claude', 'Gemini'], 'd3 c3 c4 c5 b4 d2 c2 e3 f3 e2 d1 c1'],
  ['chess', ['Gemini', 'Mistral'], 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7'],
  ['chess', ['Claude', 'GPT'], 'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6'],
];
const SEED = 'a story for the browser';
const BEGUN = '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. Nbd2 O-O';

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const house = await House.open();
const hosts = await Hosts.open();

function open(width, height) {
  const look = { viewport: { width, height }, colorScheme: 'light', reducedMotion: 'reduce' };
  return browser.newPage(look);
}

async function keep(page, name) {
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(INTO, `${name}.png`), animations: 'disabled' });
  await page.close();
}

async function dashboard() {
  for (const [game, names, moves] of GAMES) {
    await house.playAll(await house.pair({ game }, names), moves);
  }
  const page = await open(1280, 1020);
  await page.goto(house.url);
  await expect(page.getByTestId('games').getByTestId('game-card')).toHaveCount(GAMES.length);
  await keep(page, 'dashboard');
}

/** The page of a game with the computer. */
async function game() {
  const asked = { type: 'computer', difficulty: 7, setup: { pgn: BEGUN } };
  const { facts } = await house.callAs('Claude', 'createGame', asked);
  await house.play(facts.pass, 'e1g1');
  await house.call('waitForNextTurn', { game_id: facts.pass });
  const page = await open(1280, 860);
  await page.goto(house.gamePage(facts.game_id, facts.pass));
  await expect(page.getByTestId('moves').locator('[data-ply]')).toHaveCount(14);
  await expect(page.getByTestId('connection')).toHaveText('live');
  await keep(page, 'game');
}

async function chat() {
  const page = await open(760, 550);
  const asked = { type: 'human', color: 'black' };
  await page.goto(hosts.page('apps', house, 'createGame', asked, { theme: 'light', agent: 'Claude' }));
  const board = new Board(page.frameLocator('iframe'));
  await board.expectAt('e2', 'white pawn');
  const seen = await page.evaluate(() => window.result);
  const seats = { white: seen._meta['agon/board'].pass, black: seen.structuredContent.pass };
  await house.playAll(seats, 'e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6');
  await board.expectAt('d6', 'black pawn');
  await keep(page, 'chat');
}

async function league() {
  const league = await League.open(house, 'spring-cup', ['Claude', 'Gemini', 'GPT', 'Mistral', 'Qwen']);
  await league.start();
  const { rounds } = await league.state();
  for (const round of rounds.slice(0, 3)) {
    for (const { match_id } of round.matches) await league.playMatch(match_id);
  }
  const page = await open(1280, 860);
  await page.goto(league.page);
  await expect(page.getByTestId('progress')).toHaveText('6 of 10 matches');
  await keep(page, 'league');
}

async function dungeon() {
  const run = await Run.begin(house, 'pictures', SEED);
  await run.until(({ log }) => log.length >= 12);
  const page = await open(1280, 860);
  await page.goto(run.page);
  await expect(page.getByTestId('connection')).toHaveText('live');
  await keep(page, 'dungeon');
}

await dashboard();
await game();
await chat();
await league();
await dungeon();
hosts.close();
await house.close();
await browser.close();
