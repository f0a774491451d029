// A league of players without an address, followed while it is played.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

import { HTTP, House, PROGRAM, follow } from './agon.js';

const FOLLOWED = ['league://standings', 'game://state/R1M1'];

describe('league', { concurrency: true }, () => {
  for (const [game, second] of [['even-odd', 'league.v1'], ['connect-four', 'league.v2']]) {
    test(`the starter in TypeScript plays a whole league of ${game}`, async (t) => {
      const house = await House.open(t);
      const run = promisify(execFile);
      const league = (...words) => run(PROGRAM, [...house.arguments, 'league', ...words]);
      await league('create', 'starters', '--game', game);
      const starter = new URL('../../examples/player.ts', import.meta.url).pathname;
      const manager = String(await house.url());
      const flags = ['--port', '0', '--manager', manager, '--league', 'starters', '--game', game];
      for (const [name, protocol] of [['one', 'league.v1'], ['two', second]]) {
        const own = ['--name', name, '--protocol', protocol];
        const child = spawn(process.execPath, [starter, ...own, ...flags]);
        t.after(() => child.kill());
        const lines = createInterface({ input: child.stdout });
        const [first] = await once(lines, 'line');
        assert.match(first, /^registered as P0/);
        lines.resume();
      }
      await league('start', 'starters');
      const { stdout } = await league('watch', 'starters', '--json');
      const { standings } = JSON.parse(stdout);
      assert.deepEqual(standings.map((line) => line.played), [1, 1]);
      assert.deepEqual(standings.map((line) => line.forfeits), [0, 0]);
    });
  }

  for (const kind of HTTP) {
    test(`who follows a league is told while it is played (${kind.name})`, async (t) => {
      const house = await House.open(t);
      const players = [];
      for (const name of ['one', 'two']) {
        const player = await house.connect(kind);
        const { facts } = await player.call('register_player', {
          player_name: name,
          league_id: 'followed',
        });
        players.push({ player, token: facts.auth_token });
      }
      const follower = await house.connect(kind);
      const { news } = await follow(follower, FOLLOWED);
      const operator = { operator_token: await key(house), league_id: 'followed' };
      await follower.call('start_league', operator);
      await Promise.all(players.map(playOn));
      await news;
      const table = await follower.client.readResource({ uri: 'league://standings' });
      const { standings } = JSON.parse(table.contents[0].text);
      assert.deepEqual(standings.map((line) => line.played), [1, 1]);
      assert.deepEqual(standings.map((line) => line.forfeits), [0, 0]);
    });
  }
});

async function key(house) {
  const run = promisify(execFile);
  const { stdout } = await run(PROGRAM, [...house.arguments, 'league', 'key']);
  return stdout.trim();
}

async function playOn({ player, token }) {
  const who = { auth_token: token, league_id: 'followed' };
  for (;;) {
    const { facts } = await player.call('wait_for_decision', who);
    if (facts.status === 'league_over') return;
    if (facts.status !== 'your_move') continue;
    const { match_id, game_round } = facts;
    const played = await player.call('submit_move', { ...who, match_id, game_round, number: 3 });
    assert.equal(played.isRefused, false, played.text);
  }
}
