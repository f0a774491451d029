// Weighs every page: bytes on the wire and requests of a first visit, and how long the first card
// takes on a slow line. Prints rows for the table of `make bench`. AGON names the program.

import { chromium } from '@playwright/test';

import { House } from './agon.js';
import { League } from './league.js';

/** A slow line: this long for every request, and so many bytes a second. */
const LATENCY_MS = 400;
const BYTES_PER_SECOND = 50_000;
const VISITS = 3;

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const house = await House.open();

async function furnish() {
  const moves = 'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6';
  let game;
  for (let n = 0; n < 48; n++) {
    game = await house.pair();
    await house.playAll(game, moves);
  }
  const league = await League.open(house, 'cup', ['Alpha', 'Beta', 'Gamma', 'Delta']);
  await house.call('get_current_room', { conversationId: 'a walk' });
  const [dungeon] = await (await fetch(`${house.url}/api/games?kind=dungeon`)).json();
  return { game: game.id, league: league.id, dungeon: dungeon.game_id };
}

/** One visit by a browser that has never been here. */
async function visit(path, testid, isSlow) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  if (isSlow) {
    const [latency, throughput] = [LATENCY_MS, BYTES_PER_SECOND];
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: throughput,
      uploadThroughput: throughput,
    });
  }
  let [bytes, requests] = [0, 0];
  line.on('Network.requestWillBeSent', ({ request }) => (requests += request.url.startsWith('http') ? 1 : 0));
  line.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  const started = performance.now();
  await page.goto(house.url + path, { waitUntil: 'commit' });
  await page.getByTestId(testid).first().waitFor();
  const took = performance.now() - started;
  await page.waitForLoadState('load');
  await context.close();
  return { bytes, requests, took };
}

const ids = await furnish();
const pages = {
  home: ['/', 'game-card'],
  game: [`/game/${ids.game}`, 'moves'],
  dungeon: [`/dungeon/${ids.dungeon}`, 'connection'],
  league: [`/league/${ids.league}`, 'connection'],
  connect: ['/connect', 'copy-address'],
};
for (const [name, [path, testid]] of Object.entries(pages)) {
  const { bytes, requests } = await visit(path, testid, false);
  const slow = [];
  for (let n = 0; n < VISITS; n++) slow.push((await visit(path, testid, true)).took);
  const seconds = (slow.toSorted((a, b) => a - b)[Math.floor(VISITS / 2)] / 1000).toFixed(2);
  console.log(`| page ${name}: first visit | ${(bytes / 1000).toFixed(1)} kB in ${requests} requests, shown after ${seconds} s at 400 ms and 50 kB/s |`);
}
await house.close();
await browser.close();
