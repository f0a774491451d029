// The server is killed in the middle of a game; the same clients go on.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HTTP, House, pair } from './agon.js';

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
