// Starts agon on a store of its own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const PROGRAM = process.env.AGON;

/** A store and the server on it, which keeps its port when it is started again. */
export class Server {
  port = 0;
  clients = [];
  #flags;
  #folder;
  #process;

  /** Makes the store. The server is not started yet. */
  static async at(flags) {
    const server = new this();
    server.#flags = flags;
    server.#folder = await mkdtemp(join(tmpdir(), 'agon-'));
    return server;
  }

  get store() {
    return `sqlite:${join(this.#folder, 'agon.db')}`;
  }

  /** The flags of a process on this store. */
  get arguments() {
    return ['--listen', `127.0.0.1:${this.port}`, '--store', this.store, '--no-browser', ...this.#flags];
  }

  get pid() {
    return this.#process.pid;
  }

  async start() {
    this.#process = spawn(PROGRAM, ['serve', ...this.arguments], { stdio: ['ignore', 'ignore', 'pipe'] });
    const said = await untilSaid(this.#process, /listens on http:\/\/127\.0\.0\.1:(\d+)/);
    this.port = Number(said[1]);
  }

  async kill() {
    if (this.#process?.kill('SIGKILL')) await once(this.#process, 'exit');
  }

  async close() {
    await Promise.all(this.clients.map((client) => client.close()));
    await this.kill();
    await rm(this.#folder, { recursive: true });
  }
}

/** Waits until a program says something, and reads on so that it never stalls. */
export async function untilSaid(program, pattern, stream = program.stderr) {
  const said = [];
  for await (const line of createInterface({ input: stream })) {
    said.push(line);
    const match = line.match(pattern);
    if (match) {
      stream.resume();
      return match;
    }
  }
  assert.fail(`it ended without saying ${pattern}: ${said.join('\n')}`);
}
