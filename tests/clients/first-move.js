// Plays a first move with the official client over stdio, as a host would that was told this command:
//
//     tests/clients/run first-move.js COMMAND [ARGUMENT ...]

import assert from 'node:assert/strict';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'stranger', version: '1' });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));

async function call(name, args) {
  const answer = await client.callTool({ name, arguments: args });
  assert.ok(!answer.isError, JSON.stringify(answer));
  return answer;
}

const created = await call('createGame', { type: 'computer', difficulty: 1 });
const seat = { game_id: created.structuredContent.pass };
await call('finishTurn', { ...seat, move: 'e2e4' });
const answered = await call('waitForNextTurn', seat);
console.log(answered.content[0].text.split('\n')[0]);
await client.close();
