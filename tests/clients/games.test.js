// Whole games, with each official client over each transport it has.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HTTP, House, STDIO, pair } from './agon.js';

const FOOLS_MATE = ['f2f3', 'e7e5', 'g2g4', 'd8h4'];

for (const kind of [...HTTP, ...STDIO]) {
  test(`two agents play a game to its end (${kind.name})`, async (t) => {
    const players = await pair(await House.open(t), kind);
    for (const [turn, move] of FOOLS_MATE.entries()) {
      const [mover, other] = turn % 2 ? [players[1], players[0]] : players;
      const waiting = other.wait();
      const moved = await mover.play(move);
      assert.equal(moved.isRefused, false, moved.text);
      const woken = await waiting;
      assert.equal(woken.facts.last_move.uci, move);
      const isLast = turn === FOOLS_MATE.length - 1;
      const news = isLast ? /Game Over: Black wins by Checkmate/ : /It is your turn\./;
      assert.match(woken.text, news);
      assert.equal(woken.facts.status, isLast ? 'over' : 'your_turn');
    }
    const [white] = players;
    const late = await white.play('a2a3');
    assert.equal(late.isRefused, true);
    assert.match(late.text, /The game is over/);
    const seen = await white.look();
    assert.equal(seen.facts.winner, 'black');
    assert.match(seen.facts.pgn, /1\. f3\s[^]*e5\s[^]*2\. g4\s[^]*Qh4#\s[^]*0-1/);
  });
}
