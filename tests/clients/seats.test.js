// Who may move what: bare game ids, passes, and the person's board.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HTTP, House, STDIO, isSessionless, pair } from './agon.js';

/** What a client written for the tools' specification reads. */
const idIn = (text) => text.match(/Game ID: ([0-9a-f-]+)/)[1];
/** What the page has its person's moves sent with. */
const passIn = (page) =>
  JSON.parse(page.text.match(/id="agon-state">(.*?)<\/script>/s)[1]).game_id;

for (const kind of [...HTTP, ...STDIO]) {
  test(`a bare game id moves on the connection that created the game (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const [mine, another] = [await house.connect(kind), await house.connect(kind)];
    const game_id = idIn((await mine.call('createGame', { type: 'agent' })).text);
    const move = { game_id, move: 'e2e4' };
    const stolen = await another.call('finishTurn', move);
    assert.equal(stolen.isRefused, true);
    assert.match(stolen.text, /has no seat in game .* send the pass/);
    const moved = await mine.call('finishTurn', move);
    assert.equal(moved.isRefused, isSessionless(kind), moved.text);
    const seen = await another.call('getGame', { game_id });
    assert.deepEqual(seen.facts.history, isSessionless(kind) ? [] : ['e4']);
  });

  test(`a pass moves from any connection, and only for its own seat (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const [white, black] = await pair(house, kind);
    const elsewhere = await house.connect(kind);
    const ahead = await elsewhere.call('finishTurn', { game_id: black.pass, move: 'e7e5' });
    assert.match(ahead.text, /Not your turn/);
    const moved = await elsewhere.call('finishTurn', { game_id: white.pass, move: 'e2e4' });
    assert.equal(moved.isRefused, false, moved.text);
    const full = await elsewhere.call('joinGame', { game_id: white.gameId });
    assert.equal(full.isRefused, true);
    assert.match(full.text, /is full/);
  });

  test(`a person moves with the board, and the agent cannot for them (${kind.name})`, async (t) => {
    const house = await House.open(t);
    const [agent, host] = [await house.connect(kind), await house.connect(kind)];
    await agent.create({ type: 'human', showUi: true });
    const moved = await agent.play('e2e4');
    assert.match(moved.text, /Waiting for Human\.\.\./);
    assert.equal(moved.page.mimeType, 'text/html');
    assert.equal(moved.page.uri, `ui://chess/${agent.gameId}`);

    const cheated = await agent.play('e7e5');
    assert.equal(cheated.isRefused, true);
    assert.match(cheated.text, /Not your turn/);

    const waiting = agent.wait();
    const answer = await host.call('finishTurn', { game_id: passIn(moved.page), move: 'e7e5' });
    assert.equal(answer.isRefused, false, answer.text);
    const woken = await waiting;
    assert.deepEqual(woken.facts.history, ['e4', 'e5']);
  });
}

test('a person who is white is shown the board at once', async (t) => {
  const house = await House.open(t);
  const agent = await house.connect(HTTP[0]);
  const created = await agent.create({ type: 'human', color: 'black', showUi: true });
  assert.equal(created.page.mimeType, 'text/html');
  assert.notEqual(passIn(created.page), agent.pass);
});

test('a board is shown when it is asked for and not when it is declined', async (t) => {
  const house = await House.open(t);
  const agent = await house.connect(HTTP[0]);
  const check = async (args, isShown) => {
    const { page } = await agent.create(args);
    assert.equal(page?.mimeType, isShown ? 'text/html' : undefined, JSON.stringify(args));
  };
  await check({ type: 'computer', showUi: true }, true);
  await check({ type: 'computer', showUi: false }, false);
  await check({ type: 'computer' }, false);
  await check({ type: 'human', color: 'black', showUi: false }, false);
});
