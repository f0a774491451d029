// The next evening, in another chat that has lost its pass; and answers that were lost on the way.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { HTTP, House, STDIO, pair } from './agon.js';

/** What a host's entry has in its address. */
const KEY = 'a-random-word-of-this-host';

for (const kind of [...HTTP, ...STDIO]) {
  test(`a new chat finds its game and goes on (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const yesterday = await house.connect(kind, { key: KEY });
    const { facts } = await yesterday.create({ type: 'computer', difficulty: 1 });
    await yesterday.play(facts.legal_moves[0].uci, { wait: true });
    await yesterday.client.close();

    const today = await house.connect(kind, { key: KEY });
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
    const yesterday = await house.connect(kind, { key: KEY });
    const conversationId = randomUUID();
    const room = await yesterday.call('get_current_room', { conversationId, seed: '21' });
    const [direction] = room.facts.availableActions
      .filter((action) => action.startsWith('move_to_room'))
      .map((action) => action.split(' ')[1]);
    const moved = await yesterday.call('move_to_room', { conversationId, direction });
    await yesterday.client.close();

    const today = await house.connect(kind, { key: KEY });
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
    const { text, facts } = await (await house.connect(kind, { key: KEY })).call('listGames', {});
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
}
