// `make bench`, the part that weighs: what a game costs a model in calls, characters and tokens,
// what it reads before it plays, and what a process costs that nobody speaks to.
//
// Rows are added to the table in target/bench.md. Nothing here is asserted.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, readFile, readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

import { HTTP, House, PROGRAM } from './agon.js';
import { tokensOf, tokensOfTools } from './tokens.js';

const TABLE = join(import.meta.dirname, '../../target/bench.md');
/** Our own, in each form of the board; then we resign. */
const TURNS = 30;
const GAMES = 10_000;
/** Fewer games must do where they cannot be made in this time. */
const FILL_MS = 60_000;
const STARTS = 9;
const IDLE_SECONDS = 5;

const rows = [];
function row(what, measure, value) {
  console.error(`${what}: ${measure}: ${value}`);
  rows.push(`| ${what} | ${measure} | ${value} |\n`);
}

const count = (number) => Math.round(number).toLocaleString('en');

// What is opened here is closed at the end, as in a test.
const closing = [];
const bench = { after: (close) => closing.push(close) };

/** Plays for a model, and counts what it writes and reads. */
class Model {
  calls = 0;
  characters = 0;
  tokens = 0;
  structure = 0;

  constructor(player) {
    this.player = player;
  }

  async call(name, args) {
    const { text, facts, isRefused } = await this.player.call(name, args);
    if (isRefused) throw new Error(text);
    this.calls += 1;
    for (const seen of [JSON.stringify({ name, arguments: args }), text]) {
      this.characters += seen.length;
      this.tokens += tokensOf(seen);
    }
    this.structure += tokensOf(JSON.stringify(facts));
    return facts;
  }
}

/**
 * From the first call to the last. A game that is over too soon is followed by another, so that all
 * have the same number of turns; which moves are legal is looked up without being counted.
 */
async function wholeGame(house, board, wait) {
  const model = new Model(await house.connect(HTTP[2]));
  const { client } = model.player;
  let [facts, game_id, games] = [{ status: 'over' }, undefined, 0];
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (facts.status === 'over') {
      facts = await model.call('createGame', { type: 'computer', difficulty: 1, board });
      game_id = facts.pass;
      games += 1;
    }
    const { contents } = await client.readResource({ uri: `chess://game/${facts.game_id}` });
    const [{ uci }] = JSON.parse(contents[0].text).legal_moves;
    facts = await model.call('finishTurn', { game_id, move: uci, ...(wait && { wait }) });
    while (['waiting', 'timeout'].includes(facts.status)) {
      facts = await model.call('waitForNextTurn', { game_id });
    }
  }
  if (facts.status !== 'over') await model.call('gameAction', { game_id, action: 'resign' });
  const { calls, characters, tokens, structure } = model;
  const measure = `board ${board}, ${wait ? 'with' : 'without'} wait, ${TURNS} turns`;
  const each = `${count(characters / TURNS)} and ${count(tokens / TURNS)} a turn, games: ${games}`;
  const all = `${calls} calls, ${count(characters)} characters, ${count(tokens)} tokens`;
  row('a game against level 1', measure, `${all} (${each}); structure ${count(structure)} tokens`);
}

async function toolLists(house) {
  for (const room of ['', '/chess', '/games', '/dungeon', '/league', '/referee']) {
    const { client } = await house.connect(HTTP[2], { path: `${room}/mcp` });
    const { tools } = await client.listTools();
    row('tool list', `${room}/mcp`, `${tools.length} tools, ${count(tokensOfTools(tools))} tokens`);
  }
}

/** Games between agents, each with its first move; how many there are now. */
async function fill(house) {
  const url = await house.url();
  const call = async (name, args) => {
    const ask = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(ask) });
    return (await answer.json()).result.structuredContent;
  };
  const end = performance.now() + FILL_MS;
  let made = 0;
  const play = async () => {
    while (made < GAMES && performance.now() < end) {
      made += 1;
      const { pass } = await call('createGame', { type: 'agent', board: 'fen' });
      await call('finishTurn', { game_id: pass, move: 'e2e4' });
    }
  };
  await Promise.all(Array.from({ length: 32 }, play));
  return made;
}

/** A process that is spoken to over stdin, once it has answered the first request. */
async function start(house) {
  const started = performance.now();
  const child = spawn(PROGRAM, house.arguments, { stdio: ['pipe', 'pipe', 'ignore'] });
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'weigh', version: '1' },
  };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  const lines = createInterface({ input: child.stdout });
  await lines[Symbol.asyncIterator]().next();
  return { child, took: performance.now() - started };
}

async function end(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  await ended;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Alternately, so that both meet the same machine. */
async function startUp(empty, full, games) {
  const times = { empty: [], full: [] };
  for (let n = 0; n < STARTS; n += 1) {
    for (const [name, house] of [['empty', empty], ['full', full]]) {
      const { child, took } = await start(house);
      times[name].push(took);
      await end(child);
    }
  }
  const [bare, filled] = [median(times.empty), median(times.full)];
  const what = 'stdio, from start to the answer of initialize';
  row(what, 'empty store, median', `${bare.toFixed(0)} ms`);
  const ratio = (filled / bare).toFixed(2);
  row(what, `${count(games)} games, median`, `${filled.toFixed(0)} ms, ${ratio} of the empty one`);
}

/** Milliseconds of CPU so far, over all threads. */
async function cpu(pid) {
  const threads = await readdir(`/proc/${pid}/task`);
  const spent = threads.map(async (thread) => {
    const stat = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
    return Number(stat.split(' ')[0]) / 1e6;
  });
  return (await Promise.all(spent)).reduce((sum, part) => sum + part, 0);
}

async function residentMiB(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(status.match(/VmRSS:\s+(\d+)/)[1]) / 1024;
}

async function idle(what, pid) {
  const before = await cpu(pid);
  await pause(IDLE_SECONDS * 1000);
  const spent = ((await cpu(pid)) - before) / IDLE_SECONDS;
  row('idle', `${what}, CPU`, `${spent.toFixed(2)} ms a second`);
  row('idle', `${what}, memory`, `${(await residentMiB(pid)).toFixed(1)} MiB`);
}

async function write() {
  const head = `| ${availableParallelism()} cores | measure | value |\n|---|---|---|\n`;
  await appendFile(TABLE, (existsSync(TABLE) ? '' : head) + rows.join(''));
}

try {
  const [empty, full] = [await House.open(bench), await House.open(bench)];
  await toolLists(empty);
  for (const board of ['table', 'letters', 'fen']) {
    for (const wait of [false, true]) await wholeGame(empty, board, wait);
  }
  const bare = await House.open(bench);
  const games = await fill(full);
  // Started anew, so that what it keeps of its players is not counted.
  await full.kill();
  await startUp(bare, full, games);
  for (const [store, house] of [['empty store', bare], [`${count(games)} games`, full]]) {
    const { child } = await start(house);
    await idle(`stdio, ${store}`, child.pid);
    await end(child);
    await house.url();
    await idle(`serve, ${store}`, house.pid);
  }
  await write();
} finally {
  for (const close of closing) await close();
}
