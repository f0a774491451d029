// The pipe itself: stdout belongs to MCP, and the end of stdin is the end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

import { House, PROGRAM } from './agon.js';

/** A process that is spoken to by hand. */
class Pipe {
  #process;
  #lines;
  #id = 0;
  said = [];

  static async open(t) {
    const pipe = new Pipe();
    const house = await House.open(t);
    // Chatty on purpose: none of it may reach stdout.
    const env = { ...process.env, AGON_LOG: 'trace' };
    pipe.#process = spawn(PROGRAM, house.arguments, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    t.after(() => pipe.#process.kill('SIGKILL'));
    pipe.#lines = createInterface({ input: pipe.#process.stdout })[Symbol.asyncIterator]();
    return pipe;
  }

  write(line) {
    this.#process.stdin.write(`${line}\n`);
  }

  async read() {
    const { value, done } = await this.#lines.next();
    if (!done) this.said.push(value);
    return done ? undefined : JSON.parse(value);
  }

  send(method, params) {
    this.#id += 1;
    this.write(JSON.stringify({ jsonrpc: '2.0', id: this.#id, method, params }));
    return this.#id;
  }

  async request(method, params) {
    const id = this.send(method, params);
    const answer = await this.read();
    assert.equal(answer.id, id);
    return answer;
  }

  async shakeHands() {
    const clientInfo = { name: 'story', version: '1' };
    const protocolVersion = '2025-11-25';
    await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  /** Closes stdin and reads what is still to be said. */
  async end() {
    const exit = once(this.#process, 'exit');
    this.#process.stdin.end();
    while (await this.read());
    const [code] = await exit;
    return code;
  }
}

test('every line on stdout is a JSON-RPC message', async (t) => {
  const pipe = await Pipe.open(t);
  await pipe.shakeHands();
  await pipe.request('tools/list', {});
  const call = (name, args) => pipe.request('tools/call', { name, arguments: args });
  const created = await call('createGame', { type: 'computer', difficulty: 1, showUi: true });
  const { pass } = created.result.structuredContent;
  await call('finishTurn', { game_id: pass, move: 'e2e4' });
  await call('waitForNextTurn', { game_id: pass });
  await call('finishTurn', { game_id: pass, move: 'no such move' });
  await call('noSuchTool', {});
  await pipe.request('no/such/method', {});
  pipe.write('this is not JSON');
  await call('getGame', { game_id: pass });
  assert.equal(await pipe.end(), 0);
  assert.ok(pipe.said.length >= 9);
  for (const line of pipe.said) JSONRPCMessageSchema.parse(JSON.parse(line));
});

test('the process ends well when nothing was ever said', async (t) => {
  const pipe = await Pipe.open(t);
  assert.equal(await pipe.end(), 0);
  assert.deepEqual(pipe.said, []);
});

test('the process ends well while somebody waits', async (t) => {
  const pipe = await Pipe.open(t);
  await pipe.shakeHands();
  const args = { type: 'agent', color: 'black' };
  const created = await pipe.request('tools/call', { name: 'createGame', arguments: args });
  const { pass } = created.result.structuredContent;
  pipe.send('tools/call', { name: 'waitForNextTurn', arguments: { game_id: pass } });
  assert.equal(await pipe.end(), 0);
});
