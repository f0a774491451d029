// Arguments as models send them: left out in other ways, called by other names, too many.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { HTTP, House, STDIO } from './agon.js';

for (const kind of [...HTTP, ...STDIO]) {
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
