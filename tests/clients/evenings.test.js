// An evening in any host: moves that a person tells, one call a turn, lean turns.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HTTP, House, STDIO, pair } from './agon.js';

for (const kind of [...HTTP, ...STDIO]) {
  test(`a move that the person tells is played for them (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const agent = await house.connect(kind);
    await agent.create({ type: 'human', color: 'black' });
    const own = await agent.play('e4');
    assert.equal(own.isRefused, true);
    assert.match(own.text, /Not your turn.*by="human"/s);
    const relayed = await agent.play('e4', { by: 'human' });
    assert.equal(relayed.isRefused, false, relayed.text);
    assert.match(relayed.text, /relayed for the person/);
    assert.equal(relayed.facts.relayed, true);
    assert.equal(relayed.facts.status, 'your_turn');
    const answered = await agent.play('e5');
    assert.equal(answered.facts.relayed ?? false, false);
    assert.match((await agent.look()).facts.pgn, /1\. e4 \{ relayed by the agent \} 1\.\.\. e5/);

    const strict = { type: 'human', color: 'black', setup: { typed_moves: false } };
    await agent.create(strict);
    const refused = await agent.play('e4', { by: 'human' });
    assert.match(refused.text, /moves are not relayed in this game/);
  });

  test(`one call is one turn where the reply is waited for (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const agent = await house.connect(kind);
    let { facts, text } = await agent.create({ type: 'computer', difficulty: 1 });
    for (let turn = 1; turn <= 3; turn += 1) {
      const [{ uci }] = facts.legal_moves;
      ({ facts, text } = await agent.play(uci, { wait: true }));
      assert.equal(facts.status, 'your_turn');
      assert.equal(facts.history.length, 2 * turn);
      assert.match(text, new RegExp(`^Move accepted: ${uci} .*It is your turn\\.`, 's'));
    }
  });

  test(`turns are lean where no more than the FEN is wanted (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const agent = await house.connect(kind);
    await agent.create({ type: 'computer', difficulty: 1, board: 'fen' });
    for (let turn = 1; turn <= 4; turn += 1) {
      // As a model must that is not shown the legal moves.
      const { facts: whole } = await agent.look();
      const [{ uci }] = whole.legal_moves;
      const { text, facts } = await agent.play(uci, { wait: true });
      assert.ok(text.length <= 200, `${text.length} characters: ${text}`);
      assert.equal(facts.status, 'your_turn');
      for (const heavy of ['history', 'legal_moves']) assert.equal(facts[heavy], undefined);
      const refused = await agent.play('e2e9');
      assert.equal(refused.isRefused, true);
      assert.ok(refused.facts.legal_moves.length > 0, 'they are told when a move is refused');
    }
  });

  test(`whoever waits for no reply is told to wait on (${kind.name})`, async (t) => {
    const house = await House.open(t, '--wait-seconds', '1');
    const [white, black] = await pair(house, kind);
    const played = await white.play('e2e4', { wait: true });
    assert.equal(played.isRefused, false, played.text);
    assert.equal(played.facts.status, 'waiting');
    assert.match(played.text, /\*\*Next Action\*\*: .*waitForNextTurn/);
    const again = await white.play('e2e4', { wait: true });
    assert.equal(again.facts.turn, played.facts.turn, 'a retry plays nothing twice');
    assert.equal((await black.look()).facts.history.length, 1);
  });
}
