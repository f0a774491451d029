// Hosts that show their person the link to the board.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HTTP, House, STDIO } from './agon.js';

const LINK = /http:\/\/127\.0\.0\.1:\d+\/game\/[0-9a-f]{8}#open=[0-9a-f]+/;

/** Opens a link as the page does that it leads to. */
async function open(link) {
  const { origin, pathname, hash } = new URL(link);
  const answer = await fetch(`${origin}/api/games/${pathname.split('/').at(-1)}/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: hash.slice('#open='.length) }),
  });
  return { status: answer.status, ...(await answer.json()) };
}

for (const kind of [...HTTP, ...STDIO]) {
  for (const action of ['accept', 'decline', 'cancel']) {
    test(`a host shows the link, the model sees it only if that failed: ${action} (${kind.name})`, async (t) => {
      const house = await House.open(t);
      const shown = [];
      const shows = (asked) => {
        assert.equal(asked.mode, 'url');
        shown.push(asked.url);
        return action;
      };
      const agent = await house.connect(kind, { shows });
      const seen = [];
      const tell = (answer) => seen.push(answer) && answer;
      const created = tell(await agent.create({ type: 'human', color: 'black' }));
      const told = action === 'accept' ? /has been given the link/ : /declined to open the board/;
      assert.match(created.text, told);
      assert.equal(shown.length, 1, 'the person is asked once');
      assert.match(shown[0], LINK);

      tell(await agent.act('newLink'));
      assert.equal(shown.length, 2);
      assert.equal((await open(shown[0])).status, 403);
      const { pass } = await open(shown[1]);
      await agent.call('finishTurn', { game_id: pass, move: 'e2e4' });
      const woken = tell(await agent.wait());
      assert.deepEqual(woken.facts.history, ['e4']);
      tell(await agent.play('e7e5'));
      tell(await agent.look());
      assert.equal(/#open=/.test(JSON.stringify(seen)), action !== 'accept');
      const { facts } = await agent.call('listGames', {});
      assert.equal(facts.games.length, 1, 'asking back has made no second game');
    });
  }
}
