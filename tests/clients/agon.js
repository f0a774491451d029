// Starts agon and connects the official TypeScript clients to it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as httpV1 from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import * as clientV2 from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';

export const PROGRAM = process.env.AGON;

/** The first version of the protocol that has no sessions. */
const NEWEST = '2026-07-28';

const V1 = {
  label: 'sdk v1',
  version: '2025-11-25',
  client: (info, options) => new ClientV1(info, options),
  call: (client, tool, options) => client.callTool(tool, undefined, options),
  whenAsked: (client, answer) => client.setRequestHandler(ElicitRequestSchema, answer),
  Http: httpV1.StreamableHTTPClientTransport,
  Stdio: StdioV1,
};
const v2 = (mode) => ({
  label: `client v2 ${mode}`,
  version: mode === 'auto' ? NEWEST : '2025-11-25',
  client: (info, options) =>
    new clientV2.Client(info, { ...options, versionNegotiation: { mode } }),
  call: (client, tool, options) => client.callTool(tool, options),
  whenAsked: (client, answer) => client.setRequestHandler('elicitation/create', answer),
  Http: clientV2.StreamableHTTPClientTransport,
  Stdio: StdioV2,
});
const over = (transport) =>
  [V1, v2('legacy'), v2('auto')].map((library) => {
    return { ...library, transport, name: `${library.label} over ${transport}` };
  });

export const HTTP = over('HTTP');
export const STDIO = over('stdio');

/** Whether the client speaks the newest protocol. */
export const isModern = (kind) => kind.version === NEWEST;

/** A store and whatever runs on it: a server that is started when first needed, and clients. */
export class House {
  #flags;
  #folder;
  #clients = [];
  #starting;
  #server;
  #port = 0;

  static async open(t, ...flags) {
    const house = new House();
    house.#flags = flags;
    house.#folder = await mkdtemp(join(tmpdir(), 'agon-'));
    t.after(() => house.#close());
    return house;
  }

  /** The flags of a process on this store. */
  get arguments() {
    const listen = `127.0.0.1:${this.#port}`;
    const store = `sqlite:${join(this.#folder, 'agon.db')}`;
    return ['--listen', listen, '--store', store, '--no-browser', ...this.#flags];
  }

  /** Where the server speaks MCP; it keeps its port when it is started again. */
  async url(path = '/mcp') {
    this.#starting ??= this.#start();
    await this.#starting;
    return new URL(`http://127.0.0.1:${this.#port}${path}`);
  }

  /** The server's process. */
  get pid() {
    return this.#server.pid;
  }

  async #start() {
    const serve = ['serve', ...this.arguments];
    this.#server = spawn(PROGRAM, serve, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#port = await portOf(this.#server);
  }

  async kill() {
    this.#starting = undefined;
    if (this.#server?.kill('SIGKILL')) await once(this.#server, 'exit');
  }

  /**
   * A player at a new connection; over HTTP at this path, with this key if there is one. With
   * `shows` its host shows links to its person, and says what they did: accept, decline or cancel.
   */
  async connect(kind, { path, key, shows } = {}) {
    const capabilities = shows ? { elicitation: { url: {} } } : {};
    const client = kind.client({ name: 'story', version: '1' }, { capabilities });
    if (shows) kind.whenAsked(client, ({ params }) => ({ action: shows(params) }));
    this.#clients.push(client);
    const address = async () => {
      const url = await this.url(path);
      if (key) url.searchParams.set('key', key);
      return url;
    };
    const transport =
      kind.transport === 'HTTP'
        ? new kind.Http(await address())
        : new kind.Stdio({ command: PROGRAM, args: this.arguments, stderr: 'ignore' });
    await client.connect(transport);
    // The older client cannot tell, and has no choice.
    assert.equal(client.getNegotiatedProtocolVersion?.() ?? kind.version, kind.version);
    // From here on the client checks every answer against the tool's output schema.
    await client.listTools();
    return new Player(client, kind);
  }

  async #close() {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.kill();
    await rm(this.#folder, { recursive: true });
  }
}

async function portOf(server) {
  let port;
  const said = [];
  for await (const line of createInterface({ input: server.stderr })) {
    port = line.match(/listens on http:\/\/127\.0\.0\.1:(\d+)/)?.[1];
    if (port) break;
    said.push(line);
  }
  assert.ok(port, `agon did not start: ${said.join('\n')}`);
  // Nobody reads on, and a full pipe would stop the server.
  server.stderr.resume();
  return Number(port);
}

export class Player {
  constructor(client, kind) {
    this.client = client;
    this.kind = kind;
  }

  async call(name, args, options) {
    const result = await this.kind.call(this.client, { name, arguments: args }, options);
    const [first, ...rest] = result.content;
    return {
      text: first.text,
      facts: result.structuredContent,
      page: rest.find((block) => block.type === 'resource')?.resource,
      /** What comes with the answer beside its text. */
      rest,
      isRefused: result.isError === true,
    };
  }

  /** Starts a game and keeps its id and the pass. */
  async create(args) {
    return this.#seated(await this.call('createGame', args));
  }

  async join(gameId, args) {
    return this.#seated(await this.call('joinGame', { game_id: gameId, ...args }));
  }

  #seated(answer) {
    this.gameId = answer.facts.game_id;
    this.pass = answer.facts.pass;
    return answer;
  }

  play(move, args) {
    return this.call('finishTurn', { game_id: this.pass, move, ...args });
  }

  wait(options) {
    return this.call('waitForNextTurn', { game_id: this.pass }, options);
  }

  look() {
    return this.call('getGame', { game_id: this.pass });
  }

  act(action) {
    return this.call('gameAction', { game_id: this.pass, action });
  }
}

/** Follows these; `news` is there once there has been some of each. */
export async function follow({ client, kind }, uris) {
  const missing = new Set(uris);
  const { promise, resolve } = Promise.withResolvers();
  const { transport } = client;
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if (message.method === 'notifications/resources/updated') missing.delete(message.params.uri);
    if (missing.size === 0) resolve();
    onmessage.call(transport, message, extra);
  };
  if (isModern(kind)) await client.listen({ resourceSubscriptions: uris });
  else for (const uri of uris) await client.subscribeResource({ uri });
  return { news: promise };
}

/** Two players at their own connections, white first. */
export async function pair(house, kind) {
  const white = await house.connect(kind);
  const black = await house.connect(kind);
  await white.create({ type: 'agent' });
  await black.join(white.gameId);
  return [white, black];
}
