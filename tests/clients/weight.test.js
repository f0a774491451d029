// What a model reads before it has said a word: names, descriptions and arguments of the tools.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { HTTP, House } from './agon.js';
import { tokensOfTools } from './tokens.js';

for (const [path, most] of [['/mcp', 3200], ['/chess/mcp', 1050]]) {
  test(`the tools of ${path} weigh at most ${most} tokens`, async (t) => {
    const house = await House.open(t);
    const { client } = await house.connect(HTTP[0], { path });
    const { tools } = await client.listTools();
    const tokens = tokensOfTools(tools);
    t.diagnostic(`${path}: ${tools.length} tools, ${tokens} tokens`);
    assert.ok(tokens <= most, `${tokens} tokens`);
  });
}
