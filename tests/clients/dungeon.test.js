// The dungeon, with each official client over each transport it has. The clients check every
// answer, refusals included, against the tool's output schema.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HTTP, House, STDIO } from './agon.js';

/** The call that an available action stands for. */
function asCall(action) {
  const [tool, first, ...rest] = action.split(' ');
  const second = rest.join(' ') || undefined;
  const item = first === 'UseItem' ? 'itemId' : 'targetMonsterId';
  const names = {
    move_to_room: ['direction'],
    combat_action: ['action', item],
    cast_spell: ['spell', 'targetMonsterId'],
    talk_to_npc: ['npcId', 'choice'],
    inspect_item: ['itemId', 'choice'],
    save_game: [undefined, 'load'],
  };
  const [one, two] = names[tool] ?? ['itemId'];
  const args = {};
  if (one && first) args[one] = first;
  if (two && second) args[two] = second;
  return [tool, args];
}

for (const kind of [...HTTP, ...STDIO]) {
  test(`a hero explores until the end or a hundred turns (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const player = await house.connect(kind);
    const call = async (tool, args = {}) => {
      const answer = await player.call(tool, { conversationId: 'story', ...args });
      assert.deepEqual(JSON.parse(answer.text), answer.facts);
      return answer.facts;
    };
    let last = await call('get_current_room', { seed: '21' });
    assert.match(last.seedHash, /^[0-9a-f]{64}$/);
    for (let turn = 1; turn <= 100 && last.availableActions.length; turn += 1) {
      const choice = (turn * 7919) % last.availableActions.length;
      last = await call(...asCall(last.availableActions[choice]));
      assert.equal(last.success, true, last.message);
      assert.equal(last.turn, turn);
      if (turn % 10 === 0) {
        await call('get_map');
        const stats = await call('get_player_stats');
        assert.ok(stats.hp <= stats.maxHp);
        const refused = await call('inspect_item', { itemId: 'no such thing' });
        assert.equal(refused.error.code, 'ITEM_NOT_FOUND');
        await call('move_to_room', { direction: 'up' });
        await call('combat_action', { action: 'Flee', targetMonsterId: 'nobody' });
        last = await call('get_current_room');
        turn = last.turn;
      }
    }
  });
}

test('the game master finds a prompt, and each room tells of itself', async (t) => {
  const house = await House.open(t);
  const { client } = await house.connect(HTTP[0]);
  const { prompts } = await client.listPrompts();
  assert.deepEqual(prompts.map((prompt) => prompt.name).sort(), ['play_chess', 'play_league', 'run_dungeon']);
  const { messages } = await client.getPrompt({ name: 'run_dungeon' });
  assert.match(messages[0].content.text, /conversationId/);
  assert.match(client.getInstructions(), /Chess: .*\nOther games: .*\nDungeon: /);
});
