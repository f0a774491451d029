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

  test(`an agent plays the computer and resigns (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const agent = await house.connect(kind);
    let { text, facts } = await agent.create({ type: 'computer', difficulty: 1 });
    assert.match(text, /^Game Created Successfully!\n- Game ID: [0-9a-f]{8}\n/);
    for (let turn = 0; turn < 3; turn += 1) {
      const moved = await agent.play(facts.legal_moves[0].uci);
      assert.match(moved.text, /Waiting for Computer\.\.\./);
      assert.match(moved.text, /\*\*Next Action\*\*: .*waitForNextTurn/);
      ({ text, facts } = await agent.wait());
      assert.match(text, /It is your turn\./);
      assert.match(text, /\*\*Next Action\*\*: .*finishTurn/);
      assert.equal(facts.history.length, 2 * (turn + 1));
    }
    const end = await agent.act('resign');
    assert.match(end.text, /Game Over: Black wins by resignation/i);
    assert.match(end.text, /No further actions needed/);
  });

  test(`the computer opens when the agent is black (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const agent = await house.connect(kind);
    const created = await agent.create({ type: 'computer', color: 'black', difficulty: 1 });
    assert.match(created.text, /\*\*Next Action\*\*: .*waitForNextTurn/);
    assert.deepEqual(created.facts.history, []);
    const opened = await agent.wait();
    assert.equal(opened.facts.history.length, 1);
    assert.equal(opened.facts.you, 'black');
  });

  test(`what cannot be done is refused and nothing is played (${kind.name})`, async (t) => {
    const [white, black] = await pair(await House.open(t), kind);
    for (const move of ['e2e5', 'e7e5', 'hello']) {
      const refused = await white.play(move);
      assert.equal(refused.isRefused, true);
      assert.match(refused.text, /^Invalid move: /);
    }
    const early = await black.play('e7e5');
    assert.match(early.text, /Not your turn/);
    const claim = { game_id: white.pass, move: 'e2e4', claim_win: true };
    const claimed = await white.call('finishTurn', claim);
    assert.match(claimed.text, /^Move rejected: You claimed Checkmate, but this move does not/);
    assert.deepEqual((await white.look()).facts.history, []);
    const difficulty = await white.call('createGame', { type: 'computer', difficulty: 11 });
    assert.equal(difficulty.isRefused, true);
    assert.match(difficulty.text, /1 to 10/);
  });
}
