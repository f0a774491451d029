// The server is killed in the middle of a game; the same clients go on.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HTTP, House, isSessionless, pair } from './agon.js';

for (const kind of HTTP) {
  test(`players go on after the server was killed (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const [white, black] = await pair(house, kind);
    await white.play('f2f3');
    const before = await black.play('e7e5');
    await house.kill();
    await house.url();

    const again = await black.play('e7e5');
    assert.deepEqual(again, before, 'a retry gets the same answer');
    const waited = await white.wait();
    assert.deepEqual(waited.facts.history, ['f3', 'e5']);
    const waiting = black.wait();
    await white.play('g2g4');
    assert.equal((await waiting).facts.status, 'your_turn');
    const mate = await black.play('d8h4');
    assert.match(mate.text, /Game Over: Black wins by Checkmate/);
  });

  test(`a bare game id means the same after the server was killed (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const player = await house.connect(kind);
    await player.create({ type: 'agent' });
    await house.kill();
    await house.url();
    const moved = await player.call('finishTurn', { game_id: player.gameId, move: 'e2e4' });
    assert.equal(moved.isRefused, isSessionless(kind), moved.text);
  });
}

test('a game against the computer goes on by itself', async (t) => {
  const house = await House.open(t);
  const agent = await house.connect(HTTP[0]);
  await agent.create({ type: 'computer', difficulty: 1 });
  await agent.play('e2e4');
  await house.kill();
  await house.url();
  const woken = await agent.wait();
  assert.equal(woken.facts.history.length, 2);
});

for (const kind of HTTP) {
  test(`a wait under way ends after the server was killed (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const [white, black] = await pair(house, kind);
    let waiting;
    // From then on the client has what it takes to come back.
    await new Promise((begun) => (waiting = black.wait({ onresumptiontoken: begun })));
    await house.kill();
    await house.url();
    await white.play('e2e4');
    assert.equal((await waiting).facts.status, 'your_turn');
  });
}
