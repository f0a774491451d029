// An evening in any host, and the next one in another chat.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
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

  test(`whoever waits for a reply that does not come is told to wait on (${kind.name})`, async (t) => {
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

  test(`a new chat finds its game and goes on (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const yesterday = await house.connect(kind);
    const { facts } = await yesterday.create({ type: 'computer', difficulty: 1 });
    await yesterday.play(facts.legal_moves[0].uci, { wait: true });
    await yesterday.client.close();

    const today = await house.connect(kind);
    const { text, facts: found } = await today.call('listGames', {});
    assert.equal(found.games.length, 1);
    const [game] = found.games;
    assert.equal(game.game, 'chess');
    assert.equal(game.game_id, yesterday.gameId);
    assert.equal(game.pass, yesterday.pass);
    assert.equal(game.you, 'white');
    assert.equal(game.status, 'your_turn');
    assert.ok(text.includes(game.next_action), text);
    today.pass = game.pass;
    const { facts: now } = await today.look();
    const played = await today.play(now.legal_moves[0].uci);
    assert.equal(played.isRefused, false, played.text);
  });

  test(`a new chat finds its dungeon and goes on (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const yesterday = await house.connect(kind);
    const conversationId = randomUUID();
    const room = await yesterday.call('get_current_room', { conversationId, seed: '21' });
    const [direction] = room.facts.availableActions
      .filter((action) => action.startsWith('move_to_room'))
      .map((action) => action.split(' ')[1]);
    const moved = await yesterday.call('move_to_room', { conversationId, direction });
    await yesterday.client.close();

    const today = await house.connect(kind);
    const { text, facts } = await today.call('listGames', {});
    const [game] = facts.games;
    assert.equal(game.game, 'dungeon');
    assert.doesNotMatch(text + JSON.stringify(facts), new RegExp(conversationId));
    const there = await today.call('get_current_room', { conversationId: game.pass });
    assert.equal(there.facts.success, true, there.text);
    assert.equal(there.facts.turn, moved.facts.turn);
    assert.equal(there.facts.roomId, moved.facts.newRoomId);
  });

  test(`where agents meet, the list gives no pass (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const [white, black] = await pair(house, kind);
    const { text, facts } = await (await house.connect(kind)).call('listGames', {});
    assert.equal(facts.games.length, 1);
    assert.equal(facts.games[0].pass, undefined);
    for (const { pass } of [white, black]) assert.ok(!text.includes(pass));
  });

  test(`a lost answer loses no seat (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const [creator, guest, late] = [
      await house.connect(kind),
      await house.connect(kind),
      await house.connect(kind),
    ];
    const plan = { type: 'agent', requestId: randomUUID() };
    const created = await creator.create(plan);
    const again = await creator.create(plan);
    assert.equal(again.facts.game_id, created.facts.game_id);
    assert.equal(again.facts.pass, created.facts.pass);
    const other = await creator.call('createGame', { ...plan, type: 'computer' });
    assert.match(other.text, /that requestId was given to game/);
    const own = await creator.call('joinGame', { game_id: creator.pass });
    assert.equal(own.facts.you, 'white', 'nobody becomes their own opponent');

    const key = { requestId: randomUUID() };
    const joined = await guest.join(creator.gameId, key);
    assert.equal(joined.facts.you, 'black');
    const rejoined = await guest.join(creator.gameId, key);
    assert.equal(rejoined.facts.pass, joined.facts.pass);
    const full = await late.call('joinGame', { game_id: creator.gameId });
    assert.match(full.text, /is full/);
  });

  test(`arguments are taken as they were meant (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const agent = await house.connect(kind);
    const empty = { color: '', difficulty: null, board: null, name: '', setup: null, clock: null };
    const left = await agent.create({ type: 'computer', showUi: '', ...empty });
    assert.equal(left.isRefused, false, left.text);
    assert.equal(left.facts.you, 'white');
    assert.match(left.text, /- Difficulty: 5\n/);
    const meant = await agent.create({ opponent: 'Computer', colour: 'black', level: 3 });
    assert.equal(meant.isRefused, false, meant.text);
    assert.equal(meant.facts.you, 'black');
    assert.match(meant.text, /- Difficulty: 3\n/);

    const { facts: before } = await agent.call('listGames', {});
    const refused = await agent.call('createGame', { type: 'computer', clock: '5+3' });
    assert.equal(refused.isRefused, true);
    assert.match(refused.text, /clock/);
    const { facts: after } = await agent.call('listGames', {});
    assert.equal(after.games.length, before.games.length, 'nothing was made');

    const seen = await agent.call('getGame', { game_id: agent.pass, verbose: true });
    assert.equal(seen.isRefused, false, seen.text);
    assert.deepEqual(seen.facts.ignored, ['verbose']);
    const room = { conversationId: randomUUID(), mood: 'grim', seed: null };
    const dungeon = await agent.call('get_current_room', room);
    assert.deepEqual(dungeon.facts.ignored, ['mood']);
    assert.deepEqual(JSON.parse(dungeon.text), dungeon.facts);
  });
}
