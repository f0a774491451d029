// What can be read, followed, filled in and kept, and in which room.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { HTTP, House, STDIO, follow, isModern } from './agon.js';

/** A resource as JSON. */
async function read({ client }, uri) {
  const { contents } = await client.readResource({ uri });
  assert.equal(contents.length, 1);
  assert.equal(contents[0].uri, uri);
  assert.equal(contents[0].mimeType, 'application/json');
  return JSON.parse(contents[0].text);
}

for (const kind of [...HTTP, ...STDIO]) {
  test(`those who watch a game are told of moves (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const [first, second] = [await house.connect(kind), await house.connect(kind)];
    for (const [game, move, history] of [
      ['chess', 'e2e4', ['e4']],
      ['connect-four', '4', [{ turn: 1, by: 'Red', move: '4' }]],
    ]) {
      await first.create({ type: 'agent', game });
      await second.join(first.gameId);
      const uri = `${game}://game/${first.gameId}`;
      const { news } = await follow(second, [uri]);
      await first.play(move);
      await news;
      const seen = await read(second, uri);
      assert.deepEqual(seen.history, history);
      assert.equal(seen.pass, undefined);
      assert.equal(seen.you, undefined);
    }
  });

  test(`those who watch a dungeon are told of deeds (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const [hero, watcher] = [await house.connect(kind), await house.connect(kind)];
    const conversationId = randomUUID();
    const room = await hero.call('get_current_room', { conversationId, seed: '21' });
    const { facts } = await watcher.call('listGames', {});
    const uri = `dungeon://game/${facts.games[0].game_id}`;
    const { news } = await follow(watcher, [uri]);
    const move = room.facts.availableActions.find((action) => action.startsWith('move_to_room'));
    const direction = move.split(' ')[1];
    const moved = await hero.call('move_to_room', { conversationId, direction });
    await news;
    const seen = await read(watcher, uri);
    assert.equal(seen.turn, 1);
    assert.equal(seen.room.roomId, moved.facts.newRoomId);
    assert.doesNotMatch(JSON.stringify(seen), new RegExp(conversationId));
  });

  test(`what is not there is named (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const player = await house.connect(kind);
    await player.create({ type: 'agent' });
    const absent = ['chess://game/00000000', 'dungeon://game/00000000', 'ui://chess/nothing'];
    // A pass is a secret, and no address.
    for (const uri of [...absent, `chess://game/${player.pass}`, 'nonsense://x']) {
      await assert.rejects(player.client.readResource({ uri }), (error) => {
        // The newer client knows the older code, and tells the newer one in its place.
        assert.equal(error.code, kind.label === 'sdk v1' ? -32002 : -32602, uri);
        assert.equal(error.data?.uri, uri);
        return true;
      });
    }
  });

  test(`prompts can be filled in, and what is begun is completed (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const { client } = await house.connect(kind);
    const { prompts } = await client.listPrompts();
    const chess = prompts.find((prompt) => prompt.name === 'play_chess');
    assert.deepEqual(chess.arguments.map(({ name }) => name), ['opponent', 'color', 'level']);
    assert.ok(prompts.every(({ title, description }) => title && description));
    const filled = { opponent: 'computer', level: '3' };
    const { messages } = await client.getPrompt({ name: 'play_chess', arguments: filled });
    assert.match(messages[0].content.text, /type="computer".*difficulty=3/s);
    assert.doesNotMatch(messages[0].content.text, /color="/);
    const complete = async (prompt, name, value) => {
      const ref = { type: 'ref/prompt', name: prompt };
      const { completion } = await client.complete({ ref, argument: { name, value } });
      return completion.values;
    };
    assert.deepEqual(await complete('play_chess', 'color', 'b'), ['black']);
    assert.deepEqual(await complete('play_chess', 'level', '1'), ['1', '10']);
    assert.deepEqual(await complete('play_chess', 'nothing', ''), []);
    await client.callTool({
      name: 'register_player',
      arguments: { player_name: 'one', league_id: 'evening-cup' },
    });
    assert.deepEqual(await complete('play_league', 'league_id', 'EVEN'), ['evening-cup']);
  });

  test(`every tool has a title, an icon and all four hints (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const { client } = await house.connect(kind);
    const { tools } = await client.listTools();
    const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
    for (const tool of tools) {
      assert.ok(tool.title, tool.name);
      assert.ok(tool.icons?.length, tool.name);
      for (const icon of tool.icons) assert.doesNotMatch(icon.src, /\s/, 'it is a URI');
      for (const hint of hints) assert.equal(typeof tool.annotations[hint], 'boolean', tool.name);
    }
    const looks = tools.filter((tool) => tool.annotations.readOnlyHint).map(({ name }) => name);
    for (const look of ['getGame', 'get_current_room', 'get_map', 'listGames']) {
      assert.ok(looks.includes(look), look);
    }
  });
}

const ROOMS = {
  '/mcp': { prompts: ['play_chess', 'play_league', 'run_dungeon'], tool: 'createGame' },
  '/chess/mcp': { prompts: ['play_chess'], tool: 'createGame' },
  '/dungeon/mcp': { prompts: ['run_dungeon'], tool: 'get_current_room' },
  '/league/mcp': { prompts: ['play_league'], tool: 'start_league' },
  '/referee/mcp': { prompts: [], tool: 'validate_move' },
};
/** Listed only where leagues are steered. */
const STEERING = ['start_game', 'start_league', 'validate_move'];

for (const kind of HTTP) {
  for (const [path, { prompts, tool }] of Object.entries(ROOMS)) {
    test(`${path} announces what it has (${kind.name})`, async (t) => {
      const house = await House.open(t);
      const { client } = await house.connect(kind, { path });
      const capabilities = client.getServerCapabilities();
      assert.equal(capabilities.prompts !== undefined, prompts.length > 0);
      assert.equal(capabilities.completions !== undefined, prompts.length > 0);
      assert.equal(capabilities.resources.subscribe, true);
      assert.equal(capabilities.logging, undefined);
      const isChess = prompts.includes('play_chess');
      assert.equal(capabilities.extensions?.['io.modelcontextprotocol/ui'] !== undefined, isChess);
      const names = (await client.listTools()).tools.map(({ name }) => name);
      assert.ok(names.includes(tool), tool);
      if (path !== '/league/mcp' && path !== '/referee/mcp') {
        assert.deepEqual(names.filter((name) => STEERING.includes(name)), []);
      }
      if (prompts.length > 0) {
        const listed = (await client.listPrompts()).prompts.map(({ name }) => name);
        assert.deepEqual(listed.sort(), prompts);
      }
    });
  }
}

for (const kind of [...HTTP, ...STDIO].filter(isModern)) {
  test(`the newest protocol is told what may be kept (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const player = await house.connect(kind);
    await player.create({ type: 'agent' });
    const { client } = player;
    const game = `chess://game/${player.gameId}`;
    for (const [kept, scope, request] of [
      [3_600_000, 'public', () => client.listTools()],
      [3_600_000, 'public', () => client.listPrompts()],
      [3_600_000, 'public', () => client.listResources()],
      [3_600_000, 'public', () => client.listResourceTemplates()],
      [3_600_000, 'public', () => client.readResource({ uri: 'ui://chess/board' })],
      [0, 'private', () => client.readResource({ uri: game })],
    ]) {
      const { ttlMs, cacheScope } = await request();
      assert.deepEqual([ttlMs, cacheScope], [kept, scope], request.toString());
    }
  });
}
