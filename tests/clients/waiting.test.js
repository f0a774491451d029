// Waiting for a turn: giving up, and being told that it goes on.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { HTTP, House, STDIO, pair } from './agon.js';

describe('waiting', { concurrency: true }, () => {
  for (const kind of [...HTTP, ...STDIO]) {
    test(`a wait can be given up and the connection goes on (${kind.name})`, async (t) => {
      const [white, black] = await pair(await House.open(t, '--wait-seconds', '30'), kind);
      const giveUp = new AbortController();
      const waiting = assert.rejects(black.wait({ signal: giveUp.signal }), /abort|had enough/i);
      // Answered after the wait has begun.
      await black.look();
      giveUp.abort('had enough');
      await waiting;
      const again = black.wait();
      await white.play('e2e4');
      assert.equal((await again).facts.status, 'your_turn');
      const moved = await black.play('e7e5');
      assert.equal(moved.isRefused, false, moved.text);
    });

    test(`progress is told to those who ask, and to nobody else (${kind.name})`, async (t) => {
      const house = await House.open(t, '--wait-seconds', '7');
      const waited = async (options) => {
        const player = await house.connect(kind);
        const told = listenForProgress(player.client.transport);
        await player.create({ type: 'agent', color: 'black' });
        const { text, isRefused } = await player.wait(options);
        assert.match(text, /^Timeout: No move received yet\. Please call this tool again/);
        assert.equal(isRefused, false);
        return told;
      };
      const heard = [];
      const [asking, silent] = await Promise.all([
        waited({ onprogress: (progress) => heard.push(progress) }),
        waited(),
      ]);
      assert.ok(heard.length >= 1);
      assert.equal(asking.length, heard.length);
      assert.deepEqual(silent, []);
    });
  }
});

/** Everything of the kind that arrives from now on, whether the client expects it or not. */
function listenForProgress(transport) {
  const told = [];
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if (message.method === 'notifications/progress') told.push(message);
    onmessage.call(transport, message, extra);
  };
  return told;
}
